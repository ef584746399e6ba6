"""Evaluate an answer: every metric asks a model once a round, the judgment says when to stop.

A metric that stays without a score is unmeasured, and so is then the whole: no other number takes
its place, and weights are not spread over the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from plugineval_action.evals.evaluator.asking import Submission, patiently
from plugineval_action.evals.evaluator.config import Evaluator, Metric
from plugineval_action.evals.evaluator.judgment import rule
from plugineval_action.evals.evaluator.judgment_config import Judgment
from plugineval_action.evals.evaluator.parameters import model_of
from plugineval_action.evals.marks import data, rules
from plugineval_action.evaluation_values import (
    Evaluation,
    Given,
    Ruling,
    Scored,
    evaluation_of,
)
from plugineval_action.llm.client import Client, Json, Message, Request, Text, Unmeasured

VERSION: Final = "1"
MAX_ROUNDS: Final = 3
_LONGEST: Final = 60_000
SCORE: Final[Json] = {
    "type": "object",
    "properties": {
        "evaluator_comment": {"type": "string"},
        "score": {"type": "number", "minimum": 0, "maximum": 100},
    },
    "required": ["evaluator_comment", "score"],
    "additionalProperties": False,
}


async def evaluate(
    submission: Submission,
    evaluator: Evaluator,
    judgment: Judgment | None,
    client: Client,
    max_rounds: int = MAX_ROUNDS,
) -> Evaluation:
    """Evaluate one answer; one round without a judgment, else until it has seen enough."""
    scored = tuple(Scored(one.id, one.weight) for one in evaluator.metrics)
    ruling: Ruling | None = None
    number = 0
    while number < max_rounds:
        number += 1
        asked = (_ask(submission, one, number, client) for one in evaluator.metrics)
        answers = await asyncio.gather(*asked)
        scored = tuple(map(_with, scored, answers))
        if judgment is None:
            break
        last = number == max_rounds
        if last and not judgment.on_final_round:
            break
        ruling = await rule(submission, _told(scored), judgment, number, client)
        if not ruling.should_continue:
            break
    return evaluation_of(scored, number, ruling)


def _with(scored: Scored, answer: Given | str) -> Scored:
    if isinstance(answer, Given):
        return scored._replace(given=(*scored.given, answer))
    return scored._replace(failures=(*scored.failures, answer))


def _told(scored: Sequence[Scored]) -> str:
    """What the judgment gets to see."""
    lines = []
    for one in scored:
        lines.append(f"{one.id} (weight {one.weight:g}):")
        lines += [f"  {given.score:g}: {given.comment[:1_000]}" for given in one.given]
        lines += [f"  no score: {why}" for why in one.failures]
    return "\n".join(lines)


async def _ask(submission: Submission, metric: Metric, number: int, client: Client) -> Given | str:
    """The score of a metric, or why there is none."""
    model = model_of(metric.asking.model)
    if not model.is_runnable:
        return f"{metric.asking.model} cannot be run here."
    request = Request(
        model=model.name,
        system=(Text(metric.instruction), Text(_FORM), Text(rules(submission.nonce))),
        messages=(Message("user", (Text(_shown(submission)),)),),
        purpose=f"evaluator.{metric.id}",
        version=VERSION,
        identity=_identity(submission, metric, number),
        max_tokens=metric.asking.max_tokens,
        schema=SCORE,
    )
    answer = await patiently(request, metric.asking, client)
    if isinstance(answer, Unmeasured):
        return f"{answer.reason}: {answer.detail}"
    return Given(float(answer.data["score"]), str(answer.data["evaluator_comment"]))


_FORM: Final = (
    "Write the comment first: what earns points and what costs them, by the criteria above. Then "
    "give the score, from 0 to 100, that follows from it."
)


def _shown(submission: Submission) -> str:
    cut = "\n[cut here]" if len(submission.answer) > _LONGEST else ""
    task = data(submission.nonce, submission.task[:_LONGEST])
    answer = data(submission.nonce, submission.answer[:_LONGEST] + cut)
    return f"The task:\n{task}\n\nThe answer to judge:\n{answer}"


def _identity(submission: Submission, metric: Metric, number: int) -> str:
    text = f"{submission.task}\0{submission.answer}\0{metric.instruction}"
    return f"{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}#{number}"
