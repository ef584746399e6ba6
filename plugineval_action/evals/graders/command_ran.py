"""`command_ran`: a command ran, and succeeded. One that failed, or was only printed, did not."""

from __future__ import annotations

from typing import Literal

from pydantic import StrictBool

from plugineval_action.evals.graders.base import Check, Goal, Grader, Scene, Verdict
from plugineval_action.evals.graders.words import CommandWords, pattern
from plugineval_action.evals.traces.events import Command, Event


class CommandRan(Check):
    """`succeeded: false` is content with a command that failed, or may have."""

    type: Literal["command_ran"]
    goal: Goal = "process"
    command: CommandWords
    succeeded: StrictBool = True

    def grader(self) -> Grader:
        return _CommandRan(self)


class _CommandRan(Grader):
    sees = (Command,)

    def __init__(self, check: CommandRan) -> None:
        self._check = check
        self._pattern = pattern(check.command)
        self._succeeded = self._failed = self._unknown = self._hidden = 0

    def see(self, event: Event) -> None:
        assert isinstance(event, Command)
        for part in self._pattern.found_in(event):
            if part.outcome == "succeeded":
                self._succeeded = self._succeeded or event.line
            elif part.outcome == "failed":
                self._failed = event.line
            elif part.outcome == "unknown":
                self._unknown = event.line
        if not (self._succeeded or self._hidden) and event.state != "declined" and event.is_hidden:
            self._hidden = event.line

    def verdict(self, _scene: Scene) -> Verdict:
        name = self._check.command
        ran = self._succeeded or self._failed or self._unknown
        if self._succeeded or (ran and not self._check.succeeded):
            return Verdict("passed", f"{name} ran.", (ran,))
        if self._unknown:
            why = f"{name} ran; whether it succeeded cannot be told from the exit code of its line."
            return Verdict("unknown", why, (self._unknown,))
        if self._failed:
            return Verdict("failed", f"{name} ran and failed.", (self._failed,))
        if self._hidden:
            why = f"What ran cannot be told from the command; it may have been {name}."
            return Verdict("unknown", why, (self._hidden,))
        return Verdict("failed", f"{name} did not run.")
