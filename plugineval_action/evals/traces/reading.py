"""From a file to events: find out which harness wrote it, and let its reader tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from plugineval_action.errors import UsageError
from plugineval_action.evals.traces import claude, codex
from plugineval_action.evals.traces.codex_v0 import CodexV0Reader
from plugineval_action.evals.traces.events import End, Event, Unknown
from plugineval_action.evals.traces.lines import (
    SHOWN,
    Object,
    Unreadable,
    decoded,
    json_lines,
    text_of,
)


class Reader(Protocol):
    """One harness's format."""

    def read(self, line: int, data: dict[str, object]) -> Iterator[Event]:
        """The events of one line."""

    def close(self) -> Iterator[Event]:
        """The events at the end of the trace; the last one is an End."""


def read_trace(path: Path) -> Iterator[Event]:
    """The events of a trace file; the last one is an End. Raises UsageError if it is no file."""
    try:
        with path.open("rb") as file:
            yield from trace_events(file)
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror})."
        raise UsageError(message, "Name a trace that is there.") from error


def trace_events(file: BinaryIO) -> Iterator[Event]:
    """The events of an open trace, in one pass and in flat memory."""
    reader: Reader | None = None
    last = 0
    for one in json_lines(file):
        last = one.number
        if isinstance(one, Unreadable):
            yield Unknown(one.number, one.why, one.raw)
            continue
        reader = reader or _reader_of(one.data)
        if reader is None:
            yield _kept(Unknown(one.number, text_of(one.data, "type") or "no type", ""), one)
            continue
        for event in reader.read(one.number, one.data):
            yield _kept(event, one) if isinstance(event, Unknown) else event
    if reader is None:
        yield End(last, "incomplete", "No line is of a harness that is known (Codex, Claude Code).")
    else:
        yield from reader.close()


def _reader_of(data: dict[str, object]) -> Reader | None:
    """The reader of the harness that writes such a line; None if none does."""
    kind = text_of(data, "type")
    if kind in codex.TYPES:
        return codex.CodexReader()
    if kind in claude.TYPES:
        return claude.ClaudeReader()
    return CodexV0Reader() if isinstance(data.get("msg"), dict) else None


def _kept(unknown: Unknown, line: Object) -> Unknown:
    """An unknown line together with its beginning."""
    return unknown._replace(raw=decoded(line.raw[:SHOWN]).rstrip())
