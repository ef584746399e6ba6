"""What the exit code of `score` depends on, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.problems import place, refused
from plugineval_action.render.view import below_threshold, refusals
from plugineval_action.render.words import counted
from plugineval_action.results import FailOn, Failure, Finding, Result
from plugineval_action.rules import is_imported

GATE_FAILED: Final = 1
UNSCORED: Final = 2

_NAMED: Final = 5
_REMEDY: Final = (
    "plugin-eval explain RULE says how to mend it; docs/policy.md, how to level, waive or baseline"
    " it in .plugin-eval.yml."
)
_SCANNERS: Final = "What scanners found is decided about in their own settings."


class Gate:
    """Notes results, failures and findings beside them as they come."""

    def __init__(self, threshold: float | None, fail_on: FailOn = "never") -> None:
        self._threshold, self._fail_on = threshold, fail_on
        self._any_scored = False
        self._failed: list[str] = []
        self._below: dict[str, None] = {}
        self._refused: dict[Finding, None] = {}

    def passed_through(self, one: Result | Failure | Finding) -> Result | Failure | Finding:
        """The same, noted."""
        match one:
            case Failure():
                self._failed.append(one.path)
            case Result():
                self._any_scored = True
                if below_threshold(one, self._threshold) or _has_unreadable(one):
                    self._below[one.path] = None
                self._refused |= dict.fromkeys(refusals(one, self._fail_on))
            case Finding():
                if one.level in refused(self._fail_on):
                    self._refused[one] = None
        return one

    @property
    def code(self) -> int:
        """A gate fails closed: what could not be read counts as below the line."""
        if self._threshold is None and self._fail_on == "never":
            return UNSCORED if self._failed and not self._any_scored else 0
        return GATE_FAILED if any(True for _ in self.reasons()) else 0

    def reasons(self) -> Iterator[str]:
        """Why the run fails: one sentence for each thing that was asked for, and what to do."""
        if self._threshold is None and self._fail_on == "never":
            return
        if self._threshold is not None and self._below:
            paths = _first([path or "." for path in self._below])
            what = counted(len(self._below), "result")
            yield f"threshold {self._threshold:g}: {what} below it or not fully read: {paths}."
        if self._refused:
            notes = sorted(self._refused, key=lambda note: note.level != "error")
            places = _first([f"{place(note.path, note.line)} {note.rule}" for note in notes])
            about = _SCANNERS if all(is_imported(note.rule) for note in notes) else _REMEDY
            what = counted(len(notes), "finding")
            yield f"fail-on {self._fail_on}: {what} of that level or worse: {places}. {about}"
        if self._failed:
            paths = _first(self._failed)
            yield f"gate: {counted(len(self._failed), 'path')} could not be scored: {paths}."


def _first(named: list[str]) -> str:
    """The first of them, and how many more there are."""
    more = len(named) - _NAMED
    return ", ".join([*named[:_NAMED], *([f"and {more:,} more"] if more > 0 else [])])


def _has_unreadable(result: Result) -> bool:
    return any(finding.rule == "UNREADABLE_FILE" for finding in result.findings)
