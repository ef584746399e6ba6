"""Read what `eval run` and `eval grade` wrote with `--output json`, as anybody may have written it.

Only what was seen of each run, and what each metric said of its answer, is taken from the file.
Outcomes, rates, intervals, pairs and overall scores are worked out again from that, so that a file
cannot say one thing in its runs and another in its sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from plugineval_action.errors import UsageError
from plugineval_action.escape import shorten
from plugineval_action.evals.cases import MOST_CASES, Case, Id, Kind
from plugineval_action.evals.graders.base import Goal, Status, Verdict
from plugineval_action.evals.grading import Facts, Graded, Run, outcome_of
from plugineval_action.evals.outcomes import Summary, Trial, summarise
from plugineval_action.evals.recordings import Arm
from plugineval_action.evals.traces.events import End, Harness, Started, Usage
from plugineval_action.evaluation_values import (
    Evaluation,
    Given,
    Ruling,
    Scored,
    evaluation_of,
)
from plugineval_action.evaluation_values import Verdict as Ruled

MAX_BYTES: Final = 8_000_000
"""Of a file: some 2,000 runs with ten checks each."""

_MOST_RUNS: Final = 20_000
_REMEDY: Final = "Write it with `plugin-eval eval run` or `eval grade` and --output json."
_NOT_IN_THE_FILE: Final = "(not in the file)"

Count = Annotated[int, Field(ge=0, le=10**15)]
Text = Annotated[str, Field(max_length=20_000)]
Lines = Annotated[tuple[Count, ...], Field(max_length=10_000)]


class Results(NamedTuple):
    """What a file says of one skill."""

    summary: Summary
    evaluations: tuple[Evaluation, ...]


class _Read(BaseModel):
    """What else is in the file is not looked at."""

    model_config = ConfigDict(frozen=True)


class _Check(_Read):
    id: Text
    type: Text
    goal: Goal
    must_pass: bool
    status: Status
    why: Text
    lines: Lines = ()

    def graded(self) -> Graded:
        verdict = Verdict(self.status, self.why, self.lines)
        return Graded(self.id, self.type, self.goal, self.must_pass, verdict)


class _End(_Read):
    state: Literal["completed", "stopped", "error", "incomplete"]
    reason: Text = ""


class _Run(_Read):
    case: Id
    arm: Arm
    repeat: Count
    trace: Text
    checks: Annotated[tuple[_Check, ...], Field(max_length=1_000)]
    harness: Harness | None
    harness_version: Text | None = None
    model: Text | None = None
    end: _End
    commands: Count = 0
    activated_at_line: Count | None = None
    tokens: Count | None = None
    usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    unknown_lines: dict[str, Count] = {}

    def trial(self, case: Case) -> Trial:
        end, checks = End(0, **self.end.model_dump()), tuple(one.graded() for one in self.checks)
        facts = Facts(
            started=self._started(),
            end=end,
            # How tokens were split is not in the file, and nothing asks for it.
            usage=None if self.tokens is None else Usage(0, self.tokens, 0, 0, self.usd),
            answer=None,
            commands=self.commands,
            activated=self.activated_at_line or 0,
            unknown=tuple(sorted(self.unknown_lines.items())),
        )
        return Trial(Run(case, *outcome_of(end, checks), checks, facts), self.arm, self.repeat,
                     self.trace)  # fmt: skip

    def _started(self) -> Started | None:
        if self.harness is None:
            return None
        return Started(0, self.harness, self.harness_version or "", self.model or "")


class _Case(_Read):
    id: Id
    kind: Kind
    should_trigger: bool
    tags: Annotated[tuple[Text, ...], Field(max_length=100)] = ()

    def case(self) -> Case:
        return Case(prompt=_NOT_IN_THE_FILE, **self.model_dump())


class _Given(_Read):
    score: Annotated[float, Field(ge=0, le=100)]
    comment: Text = ""


class _Metric(_Read):
    id: Text
    weight: Annotated[float, Field(ge=0, le=1)]
    given: Annotated[tuple[_Given, ...], Field(max_length=100)]
    failures: Annotated[tuple[Text, ...], Field(max_length=100)] = ()

    def scored(self) -> Scored:
        given = tuple(Given(one.score, one.comment) for one in self.given)
        return Scored(self.id, self.weight, given, self.failures)


class _Ruling(_Read):
    should_continue: bool
    verdict: Ruled | None
    confidence: Annotated[float, Field(ge=0, le=1)] | None
    reasoning: Text = ""


class _Evaluation(_Read):
    case: Id
    repeat: Count
    rounds: Count
    metrics: Annotated[tuple[_Metric, ...], Field(min_length=1, max_length=100)]
    judgment: _Ruling | None

    def evaluation(self) -> Evaluation:
        ruling = Ruling(**self.judgment.model_dump()) if self.judgment else None
        return evaluation_of([one.scored() for one in self.metrics], self.rounds, ruling)


class _Skill(_Read):
    skill: Id
    cases: Annotated[tuple[_Case, ...], Field(max_length=MOST_CASES)]
    not_run: Annotated[tuple[Id, ...], Field(max_length=MOST_CASES)] = ()
    runs: Annotated[tuple[_Run, ...], Field(max_length=_MOST_RUNS)]
    evaluations: Annotated[tuple[_Evaluation, ...], Field(max_length=_MOST_RUNS)] = ()

    @model_validator(mode="after")
    def _agrees(self) -> _Skill:
        """Each case once, each run once, and each of a case: or it would count twice, or not."""
        cases = {one.id for one in self.cases}
        runs = {(one.case, one.arm, one.repeat) for one in self.runs}
        if len(cases) < len(self.cases) or len(runs) < len(self.runs):
            raise ValueError("a case or a run is there twice")
        if strangers := {case for case, *_ in runs} - cases:
            raise ValueError(f"a run is of {min(strangers)!r}, which is no case of it")
        evaluated = {(one.case, "with", one.repeat) for one in self.evaluations}
        if len(evaluated) < len(self.evaluations) or not evaluated <= runs:
            raise ValueError("an evaluation is there twice, or is of no run with the skill")
        return self

    def results(self) -> Results:
        cases = {one.id: one.case() for one in self.cases}
        trials = [one.trial(cases[one.case]) for one in self.runs]
        found = summarise(self.skill, cases.values(), trials)
        summary = found._replace(not_run=(*found.not_run, *self.not_run))
        return Results(summary, tuple(one.evaluation() for one in self.evaluations))


class _Document(_Read):
    version: Literal[1]
    skills: Annotated[tuple[_Skill, ...], Field(min_length=1, max_length=200)]


def read_results(name: str, data: bytes) -> tuple[Results, ...]:
    """The results of each skill in a file. Raises UsageError if it holds no results.

    `name` is for messages.
    """
    if len(data) > MAX_BYTES:
        raise UsageError(f"{name} has over {MAX_BYTES:,} bytes.", "Write one file for each skill.")
    try:
        document = _Document.model_validate_json(data)
        return tuple(one.results() for one in document.skills)
    except ValidationError as error:
        raise UsageError(f"{name} holds no results of evals: {_first(error)}.", _REMEDY) from error


def _first(error: ValidationError) -> str:
    """The first thing that is wrong, and where; what the file says itself is left out."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(_steps(first["loc"]))
    return shorten(": ".join(filter(None, [where, first["msg"]])), 200)


def _steps(place: tuple[str | int, ...]) -> Iterator[str]:
    yield from (shorten(str(step), 60) for step in place)
