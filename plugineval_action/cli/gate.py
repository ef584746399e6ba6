"""What the exit code of `score` depends on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from plugineval_action.findings.problems import LEVELS
from plugineval_action.render.view import below_threshold
from plugineval_action.results import Failure, Level, Result, findings_of

GATE_FAILED: Final = 1
UNSCORED: Final = 2


class Gate:
    """Notes results as they come. `fail_on` are the levels that policies refuse."""

    def __init__(
        self, threshold: float | None, fail_on: Iterable[Literal[Level, "never"]] = ()
    ) -> None:
        self._threshold = threshold
        least = [LEVELS.index(level) for level in fail_on if level != "never"]
        self._refused = LEVELS[: max(least, default=-1) + 1]
        self._any_scored = self._any_failed = self._any_below = self._any_refused = False

    def passed_through(self, one: Result | Failure) -> Result | Failure:
        """The same, noted."""
        if isinstance(one, Failure):
            self._any_failed = True
        else:
            self._any_scored = True
            self._any_below |= below_threshold(one, self._threshold) or _has_unreadable(one)
            self._any_refused |= any(note.level in self._refused for note in findings_of(one))
        return one

    @property
    def code(self) -> int:
        """A gate fails closed: what could not be read counts as below the line."""
        if self._threshold is None and not self._refused:
            return UNSCORED if self._any_failed and not self._any_scored else 0
        below = self._threshold is not None and self._any_below
        return GATE_FAILED if below or self._any_refused or self._any_failed else 0


def _has_unreadable(result: Result) -> bool:
    return any(finding.rule == "UNREADABLE_FILE" for finding in result.findings)
