"""The judgment of an evaluation: is another round worth it, and what is the verdict so far."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from plugineval_action.evals.evaluator.asking import Submission, patiently
from plugineval_action.evals.evaluator.judgment_config import Judgment
from plugineval_action.evals.evaluator.parameters import model_of
from plugineval_action.evals.marks import data, rules
from plugineval_action.evaluation_values import Ruling
from plugineval_action.llm.client import Client, Json, Message, Request, Text, Unmeasured

VERSION: Final = "1"

RULING: Final[Json] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string"},
        "should_continue": {"type": "boolean"},
        "verdict": {"type": "string", "enum": ["accept", "revise", "reject"]},
        "confidence_score": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["reasoning", "should_continue", "verdict", "confidence_score"],
    "additionalProperties": False,
}


async def rule(
    submission: Submission, scores: str, judgment: Judgment, number: int, client: Client
) -> Ruling:
    """Ask for a ruling after a round; `scores` is what the metrics said."""
    model = model_of(judgment.asking.model)
    if not model.is_runnable:
        why = f"No judgment: {judgment.asking.model} cannot be run here."
        return Ruling(should_continue=False, verdict=None, confidence=None, reasoning=why)
    shown = f"Round {number}.\n{data(submission.nonce, scores)}"
    request = Request(
        model=model.name,
        system=(Text(judgment.instruction), Text(rules(submission.nonce))),
        messages=(Message("user", (Text(shown),)),),
        purpose="evaluator.judgment",
        version=VERSION,
        identity=sha256(f"{number}\0{scores}".encode("utf-8", "surrogatepass")).hexdigest(),
        max_tokens=judgment.asking.max_tokens,
        schema=RULING,
    )
    answer = await patiently(request, judgment.asking, client)
    if isinstance(answer, Unmeasured):
        why = f"No judgment: {answer.detail}"
        return Ruling(should_continue=False, verdict=None, confidence=None, reasoning=why)
    given = answer.data
    return Ruling(
        bool(given["should_continue"]),
        given["verdict"],
        float(given["confidence_score"]),
        str(given["reasoning"]),
    )
