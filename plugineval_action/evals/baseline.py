"""The stored baseline: how each case stood, and what has changed since."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plugineval_action.errors import UsageError
from plugineval_action.evals.inputs.text_file import read_input
from plugineval_action.evals.outcomes import State, Summary

FILE: Final = "baseline.json"
_VERSION: Final = 1


class Kept(BaseModel):
    """A case in the baseline: passed runs, of those graded."""

    model_config = ConfigDict(frozen=True)

    passed: Annotated[int, Field(ge=0)]
    graded: Annotated[int, Field(ge=0)]

    @property
    def state(self) -> State:
        """As of a case."""
        if not self.graded:
            return "ungraded"
        return "passed" if self.passed == self.graded else "flaky" if self.passed else "failed"


class Baseline(BaseModel):
    """Skill → case → how it stood."""

    model_config = ConfigDict(frozen=True)

    version: Literal[1] = 1
    skills: dict[str, dict[str, Kept]] = {}


class Changes(NamedTuple):
    """Cases by what became of them. `flaky` ones pass in some runs only, and did not before."""

    broken: tuple[str, ...]
    fixed: tuple[str, ...]
    flaky: tuple[str, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]


def read_baseline(path: Path) -> Baseline | None:
    """The baseline of a file, None if there is none. Raises UsageError if it is no baseline."""
    if not path.exists():
        return None
    try:
        return Baseline.model_validate_json(read_input(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(
            f"{path}: {where}: {first['msg']}.",
            "Let `plugin-eval eval grade --save-baseline` write it anew.",
        ) from error


def with_summary(baseline: Baseline | None, summary: Summary) -> str:
    """The baseline's text with a skill's cases as they stand now. What was not graded stays."""
    skills = dict(baseline.skills) if baseline else {}
    before = skills.get(summary.skill, {})
    now = {
        one.case.id: Kept(passed=one.passed, graded=one.graded)
        for one in summary.cases
        if one.graded
    }
    known = {one.case.id for one in summary.cases} | set(summary.not_run)
    kept = {name: one for name, one in before.items() if name in known}
    skills[summary.skill] = dict(sorted((kept | now).items()))
    dumped = Baseline(version=_VERSION, skills=dict(sorted(skills.items()))).model_dump()
    return json.dumps(dumped, indent=2, ensure_ascii=False) + "\n"


def changes(baseline: Baseline | None, summary: Summary) -> Changes | None:
    """What has changed since the baseline; None without one for this skill."""
    before = baseline.skills.get(summary.skill) if baseline else None
    if before is None:
        return None
    now = {one.case.id: one.state for one in summary.cases if one.state != "ungraded"}
    was = {name: one.state for name, one in before.items() if one.state != "ungraded"}
    both = [(name, was[name], state) for name, state in now.items() if name in was]
    known = {one.case.id for one in summary.cases} | set(summary.not_run)
    return Changes(
        broken=tuple(name for name, old, new in both if new == "failed" and old != "failed"),
        fixed=tuple(name for name, old, new in both if new == "passed" and old != "passed"),
        flaky=tuple(name for name, old, new in both if new == "flaky" and old != "flaky"),
        new=tuple(name for name in now if name not in before),
        gone=tuple(name for name in before if name not in known),
    )
