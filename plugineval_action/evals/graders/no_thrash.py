"""`no_thrash`: the agent does not run the same failing command again and again."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from plugineval_action.evals.graders.base import Check, Goal, Grader, Scene, Verdict
from plugineval_action.evals.traces.events import Command, Event
from plugineval_action.inputs.mistakes import quoted

_MOST: Final = 1_000
"""Failing commands that are remembered; a run that has more fails for that."""


class NoThrash(Check):
    """`repeats`: how often a command may fail, word for word, before it counts as thrashing."""

    type: Literal["no_thrash"]
    goal: Goal = "efficiency"
    repeats: Annotated[int, Field(ge=1, le=100, strict=True)] = 2

    def grader(self) -> Grader:
        return _NoThrash(self.repeats)


class _NoThrash(Grader):
    sees = (Command,)

    def __init__(self, repeats: int) -> None:
        self._repeats = repeats
        self._failed: dict[str, list[int]] = {}
        self._worst = ""

    def see(self, event: Event) -> None:
        assert isinstance(event, Command)
        if event.exit_code and len(self._failed) < _MOST:
            lines = self._failed.setdefault(" ".join(event.text.split())[:1_000], [])
            lines.append(event.line)
            del lines[self._repeats + 1 :]
            if len(lines) > self._repeats:
                self._worst = self._worst or " ".join(event.text.split())[:1_000]

    def verdict(self, _scene: Scene) -> Verdict:
        if self._worst:
            lines = tuple(self._failed[self._worst])
            why = f"{quoted(self._worst)} failed over {self._repeats} times."
            return Verdict("failed", why, lines)
        if len(self._failed) == _MOST:
            return Verdict("failed", f"{_MOST:,} different commands failed.")
        return Verdict("passed", f"No command failed over {self._repeats} times.")
