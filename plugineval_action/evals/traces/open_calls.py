"""Calls that have begun and not ended yet: parallel ones interleave, so they are found by id."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_MOST: Final = 1_000
"""Calls open at a time. A trace that opens more is no harness's; the oldest are let go."""


class OpenCalls(Generic[T]):
    """What is known of each open call, and the line on which it began."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[int, T]] = {}

    def add(self, name: str, line: int, what: T) -> list[tuple[int, T]]:
        """Open a call, or say more of it; gives back those that there is no room for."""
        began, _ = self._calls.get(name, (line, what))
        self._calls[name] = began, what
        if len(self._calls) <= _MOST:
            return []
        return [self._calls.pop(next(iter(self._calls)))]

    def pop(self, name: str, default: tuple[int, T]) -> tuple[int, T]:
        """Close a call."""
        return self._calls.pop(name, default)

    def rest(self) -> Iterator[tuple[int, T]]:
        """Everything still open, oldest first."""
        yield from self._calls.values()
        self._calls.clear()
