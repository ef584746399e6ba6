"""The options of `eval` that ask a model, or a grader outside, about recorded work."""

from __future__ import annotations

import asyncio
import os
import re
from argparse import ArgumentParser, Namespace, _ActionsContainer
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from plugineval_action.cli.common import folder, tell
from plugineval_action.cli.deep import API_KEY, BASE_URL, MAX_USD, dollars
from plugineval_action.errors import UsageError

if TYPE_CHECKING:
    from plugineval_action.cli.evals.common import Skill
    from plugineval_action.evals.graders.base import Verdict
    from plugineval_action.evals.outcomes import Trial
    from plugineval_action.evals.recordings import Recording
    from plugineval_action.evals.reviewing.applying import Evaluated, Key, Wanted
    from plugineval_action.evals.reviewing.outside import Reviewer
    from plugineval_action.evals.rubric import Rubric
    from plugineval_action.evals.suite import Suite
    from plugineval_action.llm.connect import Connection


class Asked(NamedTuple):
    """The runs with their reviews, and the evaluations of their answers."""

    trials: tuple[Trial, ...]
    evaluated: tuple[Evaluated, ...] = ()


def add_asking(options: ArgumentParser) -> None:
    """A rubric, an evaluator, and what asking may cost."""
    asking = options.add_argument_group(
        "asking a model", f"The key comes from {API_KEY}; without these options nobody is asked."
    )
    asking.add_argument(
        "--rubric", action="store_true", help="have a model review the work by SKILL.rubric.yaml"
    )
    asking.add_argument(
        "--rubric-command",
        metavar="COMMAND",
        help="have a program do it: prompt on stdin, places {schema} and {output}",
    )
    asking.add_argument(
        "--evaluator", type=folder, metavar="FILE", help="score the answers by an evaluator.toml"
    )
    asking.add_argument(
        "--judgment", type=folder, metavar="FILE", help="and let a judgment.toml decide on them"
    )
    add_model(asking)


def add_model(options: _ActionsContainer) -> None:
    """Who is asked, and what that may cost."""
    options.add_argument(
        "--model", default="sonnet", metavar="NAME", help="who is asked (default: %(default)s)"
    )
    options.add_argument(
        "--max-usd",
        type=dollars,
        default=MAX_USD,
        metavar="USD",
        help="stop before this many dollars are spent, or none (default: %(default)s)",
    )


def check_asking(args: Namespace, skill: Skill, suite: Suite) -> None:
    """Raise UsageError if somebody cannot be asked at all: known before anything is run."""
    from plugineval_action.evals.evaluator.config import read_evaluator
    from plugineval_action.evals.evaluator.judgment_config import read_judgment

    if args.judgment and not args.evaluator:
        raise UsageError("--judgment judges evaluations.", "Give --evaluator too.")
    if args.rubric or args.rubric_command:
        _rubric(skill, suite)
    if args.rubric_command:
        _reviewer(args.rubric_command)
    if args.evaluator:
        read_evaluator(args.evaluator)
    if args.judgment:
        read_judgment(args.judgment)
    if args.evaluator or (args.rubric and not args.rubric_command):
        connection_of(args)


def asked(
    args: Namespace,
    skill: Skill,
    suite: Suite,
    trials: Sequence[Trial],
    found: Sequence[Recording],
) -> Asked:
    """Ask whoever the options name; what `check_asking` refuses is an error here too."""
    trials = tuple(trials)
    if args.rubric or args.rubric_command:
        trials = _with_reviews(args, skill, suite, trials, found)
    return Asked(trials, asyncio.run(_evaluated(args, trials)) if args.evaluator else ())


def _rubric(skill: Skill, suite: Suite) -> Rubric:
    from plugineval_action.evals.rubric import read_rubric

    return read_rubric(skill.evals / f"{skill.name}.rubric.yaml", suite.cases)


def _with_reviews(
    args: Namespace,
    skill: Skill,
    suite: Suite,
    trials: tuple[Trial, ...],
    found: Sequence[Recording],
) -> tuple[Trial, ...]:
    from plugineval_action.evals.reviewing.applying import wanted_reviews, with_reviews

    rubric = _rubric(skill, suite)
    wanted = wanted_reviews(trials, found, skill.source.text.content, rubric)
    if args.rubric_command:
        verdicts = _by_program(args.rubric_command, wanted)
    else:
        verdicts = asyncio.run(_by_model(args, wanted))
    return with_reviews(trials, verdicts, rubric)


def _by_program(command: str, wanted: dict[Key, Wanted]) -> dict[Key, Verdict]:
    from plugineval_action.evals.marks import new_nonce
    from plugineval_action.evals.reviewing.outside import reviewed_outside

    reviewer, nonce = _reviewer(command), new_nonce()
    return {key: reviewed_outside(*one, reviewer, nonce) for key, one in wanted.items()}


def _reviewer(command: str) -> Reviewer:
    from plugineval_action.evals.reviewing.outside import PLACES, Reviewer
    from plugineval_action.evals.runner.harness import agent_environment, template

    words = template(command, "--rubric-command", PLACES)
    return Reviewer(words, agent_environment(words[0], os.environ))


async def _by_model(args: Namespace, wanted: dict[Key, Wanted]) -> dict[Key, Verdict]:
    from plugineval_action.evals.reviewing.applying import review_all
    from plugineval_action.llm.connect import connected
    from plugineval_action.llm.models import model_id

    async with connected(connection_of(args), lambda line: tell([line])) as client:
        return await review_all(wanted, model_id(args.model), client)


async def _evaluated(args: Namespace, trials: tuple[Trial, ...]) -> tuple[Evaluated, ...]:
    from plugineval_action.evals.evaluator.config import read_evaluator
    from plugineval_action.evals.evaluator.judgment_config import read_judgment
    from plugineval_action.evals.reviewing.applying import evaluate_all
    from plugineval_action.llm.connect import connected

    evaluator = read_evaluator(args.evaluator)
    judgment = read_judgment(args.judgment) if args.judgment else None
    async with connected(connection_of(args), lambda line: tell([line])) as client:
        return await evaluate_all(trials, evaluator, judgment, client, lambda line: tell([line]))


def connection_of(args: Namespace) -> Connection:
    """How to reach the model. Raises UsageError without a key."""
    from pydantic import SecretStr

    from plugineval_action.llm.connect import Connection

    key = os.environ.get(API_KEY, "").strip()
    if not re.fullmatch("[!-~]+", key):
        raise UsageError(
            f"Asking a model needs a key in {API_KEY}.",
            "Set it, leave the option out, or let --rubric-command ask another reviewer.",
        )
    base_url = os.environ.get(BASE_URL) or None
    return Connection(api_key=SecretStr(key), base_url=base_url, max_usd=args.max_usd)
