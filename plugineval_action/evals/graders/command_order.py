"""`command_order`: commands succeeded one after another, whatever ran in between."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from plugineval_action.evals.graders.base import Check, Goal, Grader, Scene, Verdict
from plugineval_action.evals.graders.words import CommandWords, pattern
from plugineval_action.evals.traces.events import Command, Event


class CommandOrder(Check):
    """Each of `commands` has to end before the next one begins."""

    type: Literal["command_order"]
    goal: Goal = "process"
    commands: Annotated[tuple[CommandWords, ...], Field(min_length=2, max_length=20)]

    def grader(self) -> Grader:
        return _CommandOrder(self)


class _CommandOrder(Grader):
    sees = (Command,)

    def __init__(self, check: CommandOrder) -> None:
        self._names = check.commands
        self._patterns = [pattern(text) for text in check.commands]
        self._lines: list[int] = []
        self._unsure = 0

    def see(self, event: Event) -> None:
        """Commands come in the order in which they end, so the first that fits is the earliest."""
        assert isinstance(event, Command)
        # Within one event the parts run in their order; what began earlier ran beside the last one.
        ready = not self._lines or event.began > self._lines[-1]
        if not ready or not any(one.found_in(event) for one in self._patterns):
            return
        for part in event.parts:
            if len(self._lines) == len(self._patterns):
                return
            if self._patterns[len(self._lines)].matches(part):
                if part.outcome == "succeeded":
                    self._lines.append(event.line)
                elif part.outcome == "unknown":
                    self._unsure = event.line

    def verdict(self, _scene: Scene) -> Verdict:
        if len(self._lines) == len(self._patterns):
            return Verdict("passed", f"{' → '.join(self._names)}", tuple(self._lines))
        missing = self._names[len(self._lines)]
        behind = f" after {self._names[len(self._lines) - 1]}" if self._lines else ""
        if self._unsure > (self._lines[-1] if self._lines else 0):
            why = f"{missing} ran{behind}; whether it succeeded cannot be told."
            return Verdict("unknown", why, (*self._lines, self._unsure))
        return Verdict("failed", f"{missing} did not succeed{behind}.", tuple(self._lines))
