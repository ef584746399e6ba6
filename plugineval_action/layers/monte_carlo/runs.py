"""The runs: what is asked in each, and what came of it. Pure."""

from __future__ import annotations

from itertools import islice
from typing import Final, NamedTuple

from plugineval_action.layers.judge import delimiters
from plugineval_action.layers.judge.prompts import Prompts
from plugineval_action.layers.judge.rubrics import CRITERIA, VERSION, rubric
from plugineval_action.layers.judge.shown import Shown
from plugineval_action.layers.judge.verdict import SCHEMA, Key, control
from plugineval_action.layers.monte_carlo.roster import TOOL, Roster
from plugineval_action.llm.client import Message, Reply, Request, Text
from plugineval_action.stats.seeds import seeded

EACH: Final = 15
"""Prompts of each kind."""

ASKED: Final[tuple[Key, ...]] = tuple(("reply", criterion) for criterion in CRITERIA)

_REPLY_SHOWN: Final = 20_000
"""Characters of a reply that its judge sees."""

_FOLLOW: Final = """\
You are an assistant that helps its user. You have loaded the skill below; follow it in your answer
to the request as far as it applies. You have no tools and no files: where the skill asks for one,
say in a line what you would do, and give the result as text.

"""


class Case(NamedTuple):
    """One run to make: which prompt, whether it should load the skill, and its number."""

    number: int
    prompt: str
    wanted: bool


class Run(NamedTuple):
    """One run that came to an end.

    `failed` says how the reply failed (refused, cut, empty), "" if it did not; `reply` and
    `tokens` are None where no reply was asked for: the skill was not loaded or not wanted, or its
    prompt has had its reply.
    Tokens are those of the reply's call: request, skill and reply.
    """

    case: Case
    activated: bool
    reply: str | None = None
    tokens: int | None = None
    failed: str = ""


def cases(prompts: Prompts, runs: int, digest: str) -> tuple[Case, ...]:
    """Wanted and unwanted in turn, each kind in a shuffled order that starts again at its end."""
    rng = seeded("cases", digest)
    wanted = rng.sample(prompts.should, len(prompts.should))
    unwanted = rng.sample(prompts.should_not, len(prompts.should_not))
    turns = (
        Case(number, kind[number // 2 % len(kind)], not number % 2)
        for number in range(runs)
        for kind in ((wanted, unwanted)[number % 2],)
    )
    return tuple(islice(turns, runs))


def routing(case: Case, roster: Roster, model: str) -> Request:
    """The request as a user makes it, with the roster and the tool, and without the skill."""
    return Request(
        model=model,
        system=(Text(roster.system(case.number), cached=True),),
        messages=(Message("user", (Text(case.prompt),)),),
        purpose="monte_carlo.activation",
        version=VERSION,
        identity="\0".join((roster.digest, str(case.number), case.prompt)),
        max_tokens=2_000,
        tools=(TOOL,),
        effort="low",
    )


def following(case: Case, shown: Shown, model: str) -> Request:
    """The same request once the skill is loaded.

    The skill stands before the request and not behind it, as it would in a harness, so that all
    runs share one cached prefix: a twentieth to a tenth of the price.
    """
    return Request(
        model=model,
        system=(Text(f"{_FOLLOW}{shown.text}", cached=True),),
        messages=(Message("user", (Text(case.prompt),)),),
        purpose="monte_carlo.reply",
        version=VERSION,
        identity="\0".join((shown.digest, str(case.number), case.prompt)),
        max_tokens=6_000,
        effort="low",
    )


def rating(run: Run, model: str, nonce: str) -> Request:
    """Have a reply rated by the rubric `reply_quality`; the judge does not see the skill."""
    exchange = (
        f"The request:\n{delimiters.data(nonce, run.case.prompt)}\n\n"
        f"The reply:\n{delimiters.data(nonce, (run.reply or '')[:_REPLY_SHOWN])}"
    )
    identity = "\0".join((run.case.prompt, run.reply or ""))
    words = (
        "Rate the reply by the rubric `reply_quality`. Subject: `reply`. Criteria: "
        f"{', '.join(f'`{criterion}`' for criterion in CRITERIA)}. {control(identity).question}"
    )
    return Request(
        model=model,
        system=(Text(f"{delimiters.rules(nonce)}\n\n{rubric('reply_quality')}", cached=True),),
        messages=(Message("user", (Text(exchange), Text(words))),),
        purpose="monte_carlo.quality",
        version=VERSION,
        identity=identity,
        max_tokens=4_000,
        schema=SCHEMA,
        effort="low",
    )


def replied(case: Case, reply: Reply) -> Run:
    """A run whose skill was loaded and whose reply has come, good or not."""
    failed = ""
    if reply.stop_reason == "refusal":
        failed = "refused"
    elif reply.stop_reason in ("max_tokens", "model_context_window_exceeded"):
        failed = "cut"
    elif not reply.text.strip():
        failed = "empty"
    return Run(case, activated=True, reply=reply.text, tokens=reply.tokens, failed=failed)
