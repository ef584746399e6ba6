"""`max_commands` and `max_tokens`: the work took no more than it should."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from plugineval_action.evals.graders.base import Check, Goal, Grader, Scene, Verdict
from plugineval_action.evals.traces.events import Command, Event

Limit = Annotated[int, Field(ge=0, le=10**12, strict=True)]


class MaxCommands(Check):
    """At most `limit` commands; `a && b` in one call is one."""

    type: Literal["max_commands"]
    goal: Goal = "efficiency"
    limit: Limit

    def grader(self) -> Grader:
        return _MaxCommands(self.limit)


class MaxTokens(Check):
    """At most `limit` tokens, in and out, cached ones included."""

    type: Literal["max_tokens"]
    goal: Goal = "efficiency"
    limit: Limit

    def grader(self) -> Grader:
        return _MaxTokens(self.limit)


class _MaxCommands(Grader):
    sees = (Command,)

    def __init__(self, limit: int) -> None:
        self._limit, self._count, self._over = limit, 0, 0

    def see(self, event: Event) -> None:
        assert isinstance(event, Command)
        self._count += 1
        if self._count == self._limit + 1:
            self._over = event.line

    def verdict(self, _scene: Scene) -> Verdict:
        why = f"{self._count:,} commands, at most {self._limit:,}."
        return Verdict("failed", why, (self._over,)) if self._over else Verdict("passed", why)


class _MaxTokens(Grader):
    def __init__(self, limit: int) -> None:
        self._limit = limit

    def verdict(self, scene: Scene) -> Verdict:
        if scene.usage is None:
            return Verdict("unknown", "The trace does not tell tokens.")
        why = f"{scene.usage.total:,} tokens, at most {self._limit:,}."
        return Verdict("passed" if scene.usage.total <= self._limit else "failed", why)
