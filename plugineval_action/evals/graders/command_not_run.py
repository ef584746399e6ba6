"""`command_not_run`: a command was not run, and not even begun."""

from __future__ import annotations

from typing import Literal

from plugineval_action.evals.graders.base import Check, Goal, Grader, Scene, Verdict
from plugineval_action.evals.graders.words import CommandWords, pattern
from plugineval_action.evals.traces.events import Command, Event

_BLIND_SPOT = " (Codex leaves no line for some commands that its sandbox stops.)"


class CommandNotRun(Check):
    """What the harness declined did not run."""

    type: Literal["command_not_run"]
    goal: Goal = "process"
    command: CommandWords

    def grader(self) -> Grader:
        return _CommandNotRun(self)


class _CommandNotRun(Grader):
    sees = (Command,)

    def __init__(self, check: CommandNotRun) -> None:
        self._name, self._pattern = check.command, pattern(check.command)
        self._line = self._hidden = 0

    def see(self, event: Event) -> None:
        assert isinstance(event, Command)
        if self._line or event.state == "declined":
            return
        if self._pattern.found_in(event):
            self._line = event.line
        elif not self._hidden and event.is_hidden:
            self._hidden = event.line

    def verdict(self, scene: Scene) -> Verdict:
        if self._line:
            return Verdict("failed", f"{self._name} ran.", (self._line,))
        if self._hidden:
            why = f"What ran cannot be told from the command; it may have been {self._name}."
            return Verdict("unknown", why, (self._hidden,))
        codex = scene.started is not None and scene.started.harness == "codex"
        return Verdict("passed", f"{self._name} did not run.{_BLIND_SPOT if codex else ''}")
