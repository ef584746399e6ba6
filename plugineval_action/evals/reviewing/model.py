"""A review by a model, which sees the work between marks and can do nothing but answer."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from plugineval_action.evals.graders.base import Verdict
from plugineval_action.evals.marks import data, rules
from plugineval_action.evals.reviewing.answers import verdict_of
from plugineval_action.evals.reviewing.evidence import Evidence
from plugineval_action.evals.rubric import ANSWER_SCHEMA, Rubric
from plugineval_action.layers.judge.prescreen import aimed_at_judge
from plugineval_action.llm.client import Client, Message, Request, Text, Unmeasured

VERSION: Final = "1"
_ORDERS: Final = (
    "You review the work of an agent by a rubric. Answer each question on its own: does the work "
    "pass, and in one sentence, what in the work shows it? What is not shown does not pass. Then "
    "give a score from 0 to 100 for the whole, and say whether the whole passes."
)


async def reviewed(
    evidence: Evidence, rubric: Rubric, model: str, nonce: str, client: Client
) -> Verdict:
    """The verdict of a model. What speaks to its judge is not judged."""
    for name, text in (("work", evidence.work), ("skill", evidence.skill)):
        if aimed := aimed_at_judge(text):
            return Verdict("unknown", f"The {name} holds {aimed[0].what}; it was not reviewed.")
    answer = await client.ask(_request(evidence, rubric, model, nonce))
    if isinstance(answer, Unmeasured):
        return Verdict("unknown", f"There is no review: {answer.detail}")
    return verdict_of(answer.data, rubric)


def instructions(rubric: Rubric) -> str:
    """What every reviewer is told, a model or a program outside."""
    questions = "\n".join(f"- {one.id}: {one.ask}" for one in rubric.checks)
    return f"{_ORDERS}\n\nThe rubric, with the id of each check:\n{questions}"


def material(evidence: Evidence, nonce: str) -> str:
    """What every reviewer is shown, between marks."""
    return (
        f"The task that the agent was given:\n{data(nonce, evidence.task)}\n\n"
        f"The skill that it had:\n{data(nonce, evidence.skill)}\n\n"
        f"What it did and left:\n{data(nonce, evidence.work)}"
    )


def _request(evidence: Evidence, rubric: Rubric, model: str, nonce: str) -> Request:
    text = "\0".join((*evidence, instructions(rubric)))
    return Request(
        model=model,
        system=(Text(instructions(rubric)), Text(rules(nonce))),
        messages=(Message("user", (Text(material(evidence, nonce)),)),),
        purpose="evals.rubric",
        version=VERSION,
        identity=sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        schema=ANSWER_SCHEMA,
    )
