"""The judge and Monte Carlo layers as they were published, for comparison with old numbers.

The model reports its own scores, sees 3,000 characters, any reply counts as an activation and its
length as its quality, and there are no intervals. None of these numbers says much; that is why
they are marked wherever they are shown. Only answers out of range are refused, as everywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from statistics import fmean, median
from typing import Final

from plugineval_action.layers.judge import delimiters, prompts
from plugineval_action.layers.judge.prompts import Prompts
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.reading import ASSESSMENTS
from plugineval_action.layers.judge.rubrics import VERSION
from plugineval_action.layers.judge.shown import Shown
from plugineval_action.layers.monte_carlo.measures import TOKENS, WEIGHTS
from plugineval_action.layers.monte_carlo.runs import EACH
from plugineval_action.layers.outcome import Outcome, Progress
from plugineval_action.llm.client import (
    Client,
    Json,
    Message,
    Reply,
    Request,
    Text,
    Unmeasured,
    Usage,
)
from plugineval_action.results import LayerResult, Measure, SubScore
from plugineval_action.stats.proportions import Sample, clopper_pearson, wilson
from plugineval_action.stats.resampling import Sampled
from plugineval_action.stats.spread import variation

SEEN: Final = 3_000
"""Characters of SKILL.md that the published judge sees."""

FULL_LENGTH: Final = 500
"""Characters of a reply from which on its published quality is 1."""

_SCHEMA: Final[Json] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["reasoning", "score"],
    "additionalProperties": False,
}
_ASKED: Final[Mapping[str, str]] = {
    "triggering_accuracy": (
        "Imagine ten requests, five that should load this skill and five that should not. Predict "
        "for each whether it would be loaded. Report the F1 of your predictions as the score."
    ),
    "orchestration_fitness": "How well does the skill work as one worker in a larger system?",
    "output_quality": "Imagine three tasks. How good would the output be that follows the skill?",
    "scope_calibration": "Is the scope of the skill right, neither too wide nor too narrow?",
}
_REASON: Final = "The published methodology has no interval for it."


def opinion(shown: Shown, assessment: str, panel: Panel) -> Request:
    """Ask for a score of the model's own."""
    model = panel.writer if assessment == ASSESSMENTS[0] else panel.judge
    skill = delimiters.data(panel.nonce, shown.text[:SEEN])
    words = f"{_ASKED[assessment]} Give a score from 0 to 1."
    return Request(
        model=model,
        system=(Text(delimiters.rules(panel.nonce)),),
        messages=(Message("user", (Text(skill), Text(words))),),
        purpose=f"published.{assessment}",
        version=VERSION,
        identity=f"{shown.digest}\0{assessment}",
        max_tokens=4_000,
        schema=_SCHEMA,
        effort="low",
    )


def use(shown: Shown, prompt: str, number: int, model: str) -> Request:
    """Use the skill, with its body in the prompt."""
    return Request(
        model=model,
        system=(Text(f"Follow this skill:\n\n{shown.text}", cached=True),),
        messages=(Message("user", (Text(prompt),)),),
        purpose="published.run",
        version=VERSION,
        identity=f"{shown.digest}\0{number}\0{prompt}",
        max_tokens=6_000,
        effort="low",
    )


async def judge(client: Client, shown: Shown, panel: Panel, progress: Progress) -> Outcome:
    """Four opinions, once each."""
    replies = await asyncio.gather(
        *(client.ask(opinion(shown, name, panel)) for name in ASSESSMENTS)
    )
    progress("Judging", len(ASSESSMENTS), len(ASSESSMENTS))
    scores, notes = {}, []
    for name, reply in zip(ASSESSMENTS, replies, strict=True):
        if isinstance(reply, Unmeasured):
            notes.append(f"{name}: {reply.detail}")
        else:
            scores[name] = Sampled(float(reply.data["score"]))
    result = _judged(scores) if scores else None
    complete = len(scores) == len(ASSESSMENTS)
    return Outcome(result, scores, _usage(replies), tuple(notes), complete)


def _judged(scores: Mapping[str, Sampled]) -> LayerResult:
    return LayerResult(
        layer="judge",
        score=fmean(one.value for one in scores.values()),
        sub_scores=tuple(SubScore(name, one.value) for name, one in scores.items()),
        anti_patterns=(),
        metadata={"judges": 1},
        measures=tuple(
            Measure(name, one.value, n=1, method="reported by the model", reason=_REASON)
            for name, one in scores.items()
        ),
    )


async def simulate(client: Client, shown: Shown, panel: Panel, model: str, runs: int) -> Outcome:
    """Runs over prompts that should trigger; an error is a failure, and never an activation."""
    first = await client.ask(prompts.writing(shown, panel, 0, EACH))
    written = prompts.read_writing(first.data, EACH) if isinstance(first, Reply) else first
    if not isinstance(written, Prompts):
        why = written.detail if isinstance(written, Unmeasured) else written.why
        return Outcome(None, {}, _usage([first]), (f"No run was made: {why}",), complete=False)
    replies = await asyncio.gather(
        *(
            client.ask(use(shown, written.should[number % EACH], number, model))
            for number in range(runs)
        )
    )
    result, dimensions = _ran(replies)
    lost = sum(isinstance(reply, Unmeasured) for reply in replies)
    notes = (f"{lost} of {runs} runs failed.",) if lost else ()
    return Outcome(result, dimensions, _usage([first, *replies]), notes, complete=not lost)


def _ran(replies: list[Reply | Unmeasured]) -> tuple[LayerResult, dict[str, Sampled]]:
    good = [reply for reply in replies if isinstance(reply, Reply)]
    activated = sum(bool(reply.text.strip()) for reply in good)
    qualities = [min(1.0, len(reply.text) / FULL_LENGTH) for reply in good]
    tokens = [reply.usage.output_tokens for reply in good]
    n, failures = len(replies), len(replies) - len(good)
    spread = variation(qualities)
    terms = {
        "activation": activated / n,
        "consistency": 1 - min(1.0, spread) if spread is not None else 0.0,
        "robustness": 1 - failures / n,
        "efficiency": max(0.0, 1 - median(tokens) / TOKENS) if tokens else 0.0,
    }
    dimensions = {
        "triggering_accuracy": Sampled(terms["activation"]),
        "robustness": Sampled(terms["robustness"]),
    }
    if good:
        dimensions["output_quality"] = Sampled(fmean(qualities))
        dimensions["token_efficiency"] = Sampled(terms["efficiency"])
    layer = LayerResult(
        layer="monte_carlo",
        score=sum(WEIGHTS[name] * value for name, value in terms.items()),
        sub_scores=tuple(SubScore(name, value) for name, value in terms.items()),
        anti_patterns=(),
        metadata={"runs_planned": n, "runs": n},
        measures=(
            Measure(
                "activation_rate", activated / n, *wilson(Sample(activated, n)), n, "any reply"
            ),
            Measure(
                "failure_rate", failures / n, *clopper_pearson(failures, n), n, "Clopper–Pearson"
            ),
        ),
    )
    return layer, dimensions


def _usage(replies: Iterable[Reply | Unmeasured]) -> tuple[Usage, ...]:
    return tuple(reply.usage for reply in replies)
