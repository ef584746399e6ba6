"""The rubric of a skill: `evals/<skill>.rubric.yaml`, and what an answer to it has to look like.

pass_score: 70
checks:
  - id: quality
    ask: Would an expert accept the result without changing it?
  - id: totals
    ask: Are the totals those of the file?
    only: {cases: [totals]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError

from plugineval_action.evals.cases import Case, Id
from plugineval_action.evals.graders.base import Only, meant
from plugineval_action.inputs.mistakes import Located, Mistake, did_you_mean, quoted, refuse
from plugineval_action.inputs.refused import model_mistakes
from plugineval_action.inputs.yaml_file import read_yaml

PASS_SCORE: Final = 70
MOST_QUESTIONS: Final = 20
"""About one case."""

MOST_CHARACTERS: Final = 2_000
MOST_CHECKED: Final = 1_000
"""Questions in a file, about all cases."""

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
    ask: Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]
    only: Only | None = None


class Rubric(BaseModel):
    """The questions, the least score, and whether a case fails if its review does."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    checks: Annotated[tuple[_Check, ...], Field(min_length=1, max_length=MOST_CHECKED)]
    pass_score: Annotated[int, Field(ge=0, le=100, strict=True)] = PASS_SCORE
    must_pass: StrictBool = False

    def about(self, case: Case) -> Rubric | None:
        """The rubric with the questions about one case alone; None if there are none."""
        checks = tuple(one for one in self.checks if meant(one.only, case))
        return self.model_copy(update={"checks": checks}) if checks else None


def read_rubric(path: Path, cases: Iterable[Case] = ()) -> Rubric:
    """The rubric of a file. Raises UsageError that names every mistake with its line.

    With `cases`, questions about a case that is not there are mistakes too.
    """
    file = read_yaml(path)
    if not isinstance(file.value, dict):
        refuse([file.mistake((), "This is no rubric.", "Start the file with `checks:`.")])
    try:
        rubric = Rubric.model_validate(file.value)
    except ValidationError as error:
        refuse(model_mistakes(error, Rubric, file))
    cases = tuple(cases)
    mistakes = [*_repeated(file, rubric), *_strangers(file, rubric, cases)]
    mistakes += _too_many(file, rubric, cases)
    if mistakes:
        refuse(mistakes)
    return rubric


def _repeated(file: Located, rubric: Rubric) -> Iterator[Mistake]:
    met: set[str] = set()
    for at, check in enumerate(rubric.checks):
        if check.id in met:
            reason = f"The id {quoted(check.id)} is there already."
            yield file.mistake(("checks", at, "id"), reason, "Give each its own.")
        met.add(check.id)


def _strangers(file: Located, rubric: Rubric, cases: tuple[Case, ...]) -> Iterator[Mistake]:
    known = [one.id for one in cases]
    for at, check in enumerate(rubric.checks if cases else ()):
        for name in check.only.cases if check.only else ():
            if name not in known:
                reason = f"The question is about a case {quoted(name)}, and there is none."
                place = ("checks", at, "only", "cases")
                yield file.mistake(place, reason, did_you_mean(name, known))


def _too_many(file: Located, rubric: Rubric, cases: tuple[Case, ...]) -> Iterator[Mistake]:
    for case in cases:
        about = rubric.about(case)
        if about and len(about.checks) > MOST_QUESTIONS:
            reason = f"These are over {MOST_QUESTIONS} questions about the case {quoted(case.id)}."
            yield file.mistake(("checks",), reason, "Ask less, or split the case.")
            return


def rubric_text(questions: Iterable[Question]) -> str:
    """A rubric as a file."""
    lines = [f"pass_score: {PASS_SCORE}", "must_pass: false", "checks:"]
    for one in questions:
        lines += [f"  - id: {one.id}", f"    ask: {json.dumps(one.ask, ensure_ascii=False)}"]
    return "\n".join(lines) + "\n"
