"""The stored baseline: how each case stood with each harness, and what has changed since.

One file serves all skills beside it and every harness: agents differ, so a case that Claude Code
passes says nothing about one that Codex breaks.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from plugineval_action.errors import UsageError
from plugineval_action.evals.outcomes import State, Summary
from plugineval_action.inputs.text_file import read_input

FILE: Final = "baseline.json"
ANY: Final = "any"
"""Stands for the harness in files of version 1, which did not tell it."""

_VERSION: Final = 2
_MOST_RUNS: Final = 1_000_000
"""Of one file. Rates are worked out run by run, so that a number must not cost what it likes."""

_Harness = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9+_.-]{0,59}$")]


class Kept(BaseModel):
    """A case in the baseline: passed runs, of those graded."""

    model_config = ConfigDict(frozen=True)

    passed: Annotated[int, Field(ge=0)]
    graded: Annotated[int, Field(ge=0)]

    @model_validator(mode="after")
    def _agrees(self) -> Kept:
        if self.passed > self.graded:
            raise ValueError("more runs passed than were graded")
        return self

    @property
    def state(self) -> State:
        """As of a case."""
        if not self.graded:
            return "ungraded"
        return "passed" if self.passed == self.graded else "flaky" if self.passed else "failed"


class Stand(BaseModel):
    """A skill with one harness: its cases, and what `runs` runs with the skill took together.

    `tokens` and `usd` are None where no run told them.
    """

    model_config = ConfigDict(frozen=True)

    cases: dict[str, Kept] = {}
    runs: Annotated[int, Field(ge=0)] = 0
    tokens: Annotated[int, Field(ge=0)] | None = None
    usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class Baseline(BaseModel):
    """Skill → harness → how it stood. Files of version 1 know no harness, and count for any."""

    model_config = ConfigDict(frozen=True)

    version: Literal[2] = _VERSION
    skills: dict[str, dict[_Harness, Stand]] = {}

    @model_validator(mode="before")
    @classmethod
    def _of_any_version(cls, data: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
        if not isinstance(data, dict) or data.get("version", 1) != 1:
            return data
        skills = data.get("skills", {})
        if isinstance(skills, dict):
            skills = {name: {ANY: {"cases": cases}} for name, cases in skills.items()}
        return {**data, "version": _VERSION, "skills": skills}

    @model_validator(mode="after")
    def _can_be_counted(self) -> Baseline:
        stands = (stand for kept in self.skills.values() for stand in kept.values())
        if sum(one.graded for stand in stands for one in stand.cases.values()) > _MOST_RUNS:
            raise ValueError(f"it tells of over {_MOST_RUNS:,} runs")
        return self

    def stand(self, skill: str, harness: str) -> Stand | None:
        """How a skill stood with a harness, None if that was never kept."""
        kept = self.skills.get(skill, {})
        return kept.get(harness) or kept.get(ANY)


class Changes(NamedTuple):
    """Cases by what became of them. `flaky` ones pass in some runs only, and did not before."""

    broken: tuple[str, ...]
    fixed: tuple[str, ...]
    flaky: tuple[str, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]


def read_baseline(path: Path) -> Baseline | None:
    """The baseline of a file, None if there is none. Raises UsageError if it is no baseline."""
    return parse_baseline(str(path), read_input(path)) if path.exists() else None


def parse_baseline(name: str, text: str) -> Baseline:
    """The baseline in a file's text. Raises UsageError if it is none."""
    try:
        return Baseline.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(
            f"{name}: {where}: {first['msg']}.",
            "Let `plugin-eval eval grade --save-baseline` write it anew.",
        ) from error


def harness_of(summary: Summary) -> str:
    """What ran the cases: `codex`; `claude+codex` if several did, `unknown` if no trace tells."""
    starts = (one.run.facts.started for one in summary.trials)
    return "+".join(sorted({one.harness for one in starts if one})) or "unknown"


def with_summary(baseline: Baseline | None, summary: Summary) -> str:
    """The baseline's text with a skill's cases as they stand now. What was not graded stays."""
    harness = harness_of(summary)
    stand = baseline.stand(summary.skill, harness) if baseline else None
    before = stand.cases if stand else {}
    now = {
        one.case.id: Kept(passed=one.passed, graded=one.graded)
        for one in summary.cases
        if one.graded
    }
    known = {one.case.id for one in summary.cases} | set(summary.not_run)
    kept = {name: one for name, one in before.items() if name in known}
    cost = next((one for one in summary.costs if one.arm == "with"), None)
    entry = Stand(
        cases=dict(sorted((kept | now).items())),
        runs=cost.runs if cost else 0,
        tokens=cost.tokens if cost else None,
        usd=cost.usd if cost else None,
    )
    skills = dict(baseline.skills) if baseline else {}
    others = {name: one for name, one in skills.get(summary.skill, {}).items() if name != ANY}
    skills[summary.skill] = dict(sorted((others | {harness: entry}).items()))
    dumped = Baseline(version=_VERSION, skills=dict(sorted(skills.items()))).model_dump()
    return json.dumps(dumped, indent=2, ensure_ascii=False) + "\n"


def changes(baseline: Baseline | None, summary: Summary) -> Changes | None:
    """What has changed since the baseline; None without one for this skill and harness."""
    stand = baseline.stand(summary.skill, harness_of(summary)) if baseline else None
    if stand is None:
        return None
    before = stand.cases
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
