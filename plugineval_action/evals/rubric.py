"""The rubric of a skill: `evals/<skill>.rubric.yaml`, and what an answer to it has to look like.

pass_score: 70
checks:
  - id: quality
    ask: Would an expert accept the result without changing it?
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plugineval_action.evals.cases import Id
from plugineval_action.evals.inputs.mistakes import Mistake, quoted, refuse
from plugineval_action.evals.inputs.refused import model_mistakes
from plugineval_action.evals.inputs.yaml_file import read_yaml

PASS_SCORE: Final = 70

ANSWER_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "overall_pass": {"type": "boolean"},
        "score": {"type": "integer", "minimum": 0, "maximum": 100},
        "checks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "pass": {"type": "boolean"},
                    "notes": {"type": "string"},
                },
                "required": ["id", "pass", "notes"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["overall_pass", "score", "checks"],
    "additionalProperties": False,
}
"""The schema that the field uses: `overall_pass`, `score`, and one entry a check."""


class Question(NamedTuple):
    """One thing that a reviewer is asked."""

    id: str
    ask: str


class _Check(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    ask: Annotated[str, Field(min_length=1, max_length=2_000)]


class Rubric(BaseModel):
    """The questions, the least score, and whether a case fails if its review does."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    checks: Annotated[tuple[_Check, ...], Field(min_length=1, max_length=20)]
    pass_score: Annotated[int, Field(ge=0, le=100)] = PASS_SCORE
    must_pass: bool = False


def read_rubric(path: Path) -> Rubric:
    """The rubric of a file. Raises UsageError that names every mistake with its line."""
    file = read_yaml(path)
    if not isinstance(file.value, dict):
        refuse([file.mistake((), "This is no rubric.", "Start the file with `checks:`.")])
    try:
        rubric = Rubric.model_validate(file.value)
    except ValidationError as error:
        refuse(model_mistakes(error, Rubric, file))
    mistakes: list[Mistake] = []
    met: set[str] = set()
    for at, check in enumerate(rubric.checks):
        if check.id in met:
            reason = f"The id {quoted(check.id)} is there already."
            mistakes.append(file.mistake(("checks", at, "id"), reason, "Give each its own."))
        met.add(check.id)
    if mistakes:
        refuse(mistakes)
    return rubric


def rubric_text(questions: Iterable[Question]) -> str:
    """A rubric as a file."""
    lines = [f"pass_score: {PASS_SCORE}", "must_pass: false", "checks:"]
    for one in questions:
        lines += [f"  - id: {one.id}", f"    ask: {json.dumps(one.ask, ensure_ascii=False)}"]
    return "\n".join(lines) + "\n"
