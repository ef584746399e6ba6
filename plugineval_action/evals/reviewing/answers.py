"""What a reviewer answers: `overall_pass`, `score`, `checks[{id, pass, notes}]`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plugineval_action.evals.graders.base import Verdict
from plugineval_action.evals.rubric import Rubric

ID = "rubric"


class _Checked(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    id: str
    passed: Annotated[bool, Field(alias="pass")]
    notes: str


class Answer(BaseModel):
    """A review, read strictly: a score out of range is an error and no other score."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    overall_pass: bool
    score: Annotated[int, Field(ge=0, le=100)]
    checks: Annotated[list[_Checked], Field(max_length=100)]


def verdict_of(data: object, rubric: Rubric) -> Verdict:
    """The verdict of an answer; unknown if it is none, or not on these questions."""
    try:
        answer = Answer.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the answer"
        return Verdict("unknown", f"The review does not fit its schema: {where}: {first['msg']}.")
    asked = sorted(one.id for one in rubric.checks)
    if sorted(one.id for one in answer.checks) != asked:
        return Verdict("unknown", f"The review does not answer {', '.join(asked)}, each once.")
    missed = [f"{one.id}: {one.notes}" for one in answer.checks if not one.passed]
    why = f"{answer.score} of 100, {rubric.pass_score} to pass. {' '.join(missed)}".strip()
    passed = answer.overall_pass and answer.score >= rubric.pass_score
    return Verdict("passed" if passed else "failed", why)
