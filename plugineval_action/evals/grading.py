"""Grade one run: its trace goes past all graders once, then each gives its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Literal, NamedTuple

from plugineval_action.evals.cases import Case
from plugineval_action.evals.graders.base import Check, Goal, Grader, Scene, Verdict
from plugineval_action.evals.processes import Ended, Task
from plugineval_action.evals.recordings import INTERRUPTED
from plugineval_action.evals.traces.events import (
    Command,
    End,
    Event,
    Message,
    SkillUse,
    Started,
    Unknown,
    Usage,
)
from plugineval_action.evals.traces.skills import bare_name

Outcome = Literal["passed", "failed", "ungraded"]
"""`ungraded`: the harness failed, or a check that must pass could not tell."""

_MOST_KINDS: Final = 100
_LONGEST_ANSWER: Final = 200_000
_LONGEST_REASON: Final = 500


class Graded(NamedTuple):
    """A check on one run."""

    id: str
    type: str
    goal: Goal
    must_pass: bool
    verdict: Verdict


class Facts(NamedTuple):
    """What a trace told beside the checks.

    `activated` is the line on which the skill was loaded, 0 for never. `unknown` counts the lines
    that no reader knows, by kind.
    """

    started: Started | None
    end: End
    usage: Usage | None
    answer: str | None
    commands: int
    activated: int
    unknown: tuple[tuple[str, int], ...]


class Run(NamedTuple):
    """A graded run of a case: the outcome, why, the checks, and what else the trace told."""

    case: Case
    outcome: Outcome
    why: str
    checks: tuple[Graded, ...]
    facts: Facts


class Left(NamedTuple):
    """What a run left beside its trace; None for what was not kept. See Scene.

    `stopped` says why the runner ended it, "" if it did not; `errors` is the end of its standard
    error.
    """

    workspace: Path | None = None
    changes: tuple[str, ...] | None = None
    execute: Callable[[Task], Ended] | None = None
    stopped: str = ""
    errors: str = ""
    left_out: tuple[str, ...] = ()


def grade(
    case: Case, skill: str, checks: Iterable[Check], trace: Iterable[Event], left: Left
) -> Run:
    """Grade one run. Raises UsageError if the trace cannot be read."""
    applied = [(check, check.grader()) for check in checks if check.applies(case)]
    facts = _watch(trace, [grader for _, grader in applied], skill)
    facts = facts._replace(end=_end_seen(facts.end, left))
    scene = Scene(
        case=case,
        started=facts.started,
        end=facts.end,
        usage=facts.usage,
        answer=facts.answer,
        workspace=left.workspace,
        changes=left.changes,
        left_out=left.left_out,
        execute=left.execute,
    )
    graded = tuple(
        Graded(check.id, check.type, check.goal, check.must_pass, grader.verdict(scene))
        for check, grader in applied
    )
    outcome, why = outcome_of(facts.end, graded)
    return Run(case, outcome, why, graded, facts)


def _end_seen(end: End, left: Left) -> End:
    """How the run ended, with what was seen from outside of it."""
    if left.stopped == INTERRUPTED:
        # By the one who started it, which says nothing of the skill.
        return end._replace(state="error", reason=INTERRUPTED)
    if left.stopped and end.state != "completed":
        return end._replace(state="stopped", reason=left.stopped)
    if left.errors and end.state == "incomplete":
        last = left.errors.rstrip().rpartition("\n")[2]
        return end._replace(reason=f"{end.reason} Its last error: {last}")
    return end


def _watch(trace: Iterable[Event], graders: list[Grader], skill: str) -> Facts:
    """Show every event to those who want to see it, and keep what everyone asks for."""
    watching: dict[type, list[Callable[[Event], None]]] = {}
    for grader in graders:
        for kind in grader.sees:
            watching.setdefault(kind, []).append(grader.see)
    seen = _Seen(skill)
    for event in trace:
        kind = type(event)
        for see in watching.get(kind, ()):
            see(event)
        seen.see(event)
    return seen.facts()


class _Seen:
    """The facts of a trace, as they come."""

    def __init__(self, skill: str) -> None:
        self._skill = skill
        self._started: Started | None = None
        self._end = End(0, "incomplete")
        self._usage: Usage | None = None
        self._answer: str | None = None
        self._commands = self._activated = 0
        self._unknown = Counter[str]()

    def see(self, event: Event) -> None:
        if isinstance(event, Command):
            self._commands += 1
        elif isinstance(event, Message):
            self._answer = event.text[:_LONGEST_ANSWER]
        elif isinstance(event, SkillUse):
            if event.loaded and bare_name(event.name) == self._skill:
                self._activated = self._activated or event.line
        elif isinstance(event, Unknown):
            known = event.kind in self._unknown or len(self._unknown) < _MOST_KINDS
            self._unknown[event.kind[:100] if known else "others"] += 1
        elif isinstance(event, Started):
            self._started = self._started or event
        elif isinstance(event, Usage):
            self._usage = event
        elif isinstance(event, End):
            self._end = event._replace(reason=event.reason[:_LONGEST_REASON])

    def facts(self) -> Facts:
        unknown = tuple(sorted(self._unknown.items()))
        return Facts(
            self._started,
            self._end,
            self._usage,
            self._answer,
            self._commands,
            self._activated,
            unknown,
        )


def outcome_of(end: End, graded: Iterable[Graded]) -> tuple[Outcome, str]:
    """What a run counts as. Where the harness failed, nothing is learnt about the skill."""
    if end.state in ("error", "incomplete"):
        return "ungraded", f"The run did not end: {end.reason or 'no reason is given'}"
    must = [one for one in graded if one.must_pass]
    failed = next((one for one in must if one.verdict.status == "failed"), None)
    if failed:
        return "failed", f"{failed.id}: {failed.verdict.why}"
    if end.state == "stopped":
        return "failed", f"The run was stopped: {end.reason}"
    unknown = next((one for one in must if one.verdict.status == "unknown"), None)
    if unknown:
        return "ungraded", f"{unknown.id}: {unknown.verdict.why}"
    return "passed", ""
