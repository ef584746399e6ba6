"""What `codex exec --json` prints, in every form since items came (0.44, 2025).

    {"type":"item.completed","item":{"id":"item_1","type":"command_execution",…}}

The first of these builds wrote `item_type` for the item's type and `assistant_message`. A command
that the sandbox stops may leave no line at all, and so does a skill called by `$name`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from plugineval_action.evals.traces.events import (
    Command,
    Denial,
    End,
    Event,
    FileChange,
    Message,
    Notice,
    Started,
    ToolCall,
    Unknown,
    Usage,
)
from plugineval_action.evals.traces.lines import (
    count_of,
    list_of,
    name_of,
    object_of,
    text_of,
    whole_of,
)
from plugineval_action.evals.traces.open_calls import OpenCalls
from plugineval_action.evals.traces.shell import MAX_CHARACTERS, unwrapped
from plugineval_action.evals.traces.skills import skills_read

_QUIET: Final = frozenset({"reasoning", "todo_list"})
_KINDS: Final = frozenset({"add", "update", "delete"})
TYPES: Final = frozenset(
    {
        "error", "item.completed", "item.started", "item.updated", "session.created",
        "thread.started", "turn.completed", "turn.failed", "turn.started",
    }
)  # fmt: skip


class CodexReader:
    """Line by line; commands are told when they end."""

    def __init__(self) -> None:
        self._open = OpenCalls[str]()
        self._last = 0
        self._end: End | None = None

    def read(self, line: int, data: dict[str, object]) -> Iterator[Event]:
        """The events of one line."""
        self._last = line
        kind = text_of(data, "type")
        match kind:
            case "thread.started" | "session.created":
                yield Started(line, "codex")
            case "item.started" | "item.updated" | "item.completed":
                yield from self._item(line, kind, object_of(data, "item"))
            case "turn.completed":
                yield usage_of(line, object_of(data, "usage"))
                self._end = End(line, "completed")
            case "turn.failed":
                reason = text_of(object_of(data, "error"), "message")
                self._end = End(line, "error", reason)
            case "error":
                yield Notice(line, text_of(data, "message"))
            case "turn.started":
                pass
            case _:
                yield Unknown(line, kind or "no type", "")

    def close(self) -> Iterator[Event]:
        """What is left when the trace ends: commands still running, and how the run ended."""
        for began, text in self._open.rest():
            yield from command(self._last, began, text, None, "incomplete")
        yield self._end or End(self._last, "incomplete", "The trace ends before the turn does.")

    def _item(self, line: int, stage: str, item: dict[str, object]) -> Iterator[Event]:
        kind = text_of(item, "type") or text_of(item, "item_type")
        done = stage == "item.completed"
        match kind:
            case "command_execution":
                yield from self._command(line, item, done=done)
            case "file_change" if done:
                yield from file_changes(line, item)
            case "agent_message" | "assistant_message" if done:
                yield Message(line, text_of(item, "text"))
            case "mcp_tool_call" | "web_search" | "collab_tool_call" if done:
                yield _tool_call(line, kind, item)
            case "error" if done:
                yield Notice(line, text_of(item, "message"))
            case "file_change" | "mcp_tool_call" | "web_search" | "collab_tool_call":
                pass
            case "agent_message" | "assistant_message" | "error":
                pass
            case _ if kind not in _QUIET:
                yield Unknown(line, f"item: {kind or 'no type'}", "")

    def _command(self, line: int, item: dict[str, object], *, done: bool) -> Iterator[Event]:
        name, text = name_of(item, "id"), command_text(item.get("command"))
        if not done:
            for began, dropped in self._open.add(name, line, text):
                yield from command(line, began, dropped, None, "incomplete")
            return
        began, _ = self._open.pop(name, (line, ""))
        status, code = text_of(item, "status"), whole_of(item, "exit_code")
        if status == "failed" and code == 0:
            # One of both is not true.
            code = None
        declined = status == "declined"
        yield from command(line, began, text, code, "declined" if declined else "done")


def command(
    line: int,
    began: int,
    wrapped: str,
    exit_code: int | None,
    state: str,
) -> Iterator[Event]:
    """A command and the skills that it reads; a declined one is a denial too."""
    text = unwrapped(wrapped)
    if state == "declined":
        yield Command(line, began, text, None, "declined")
        yield Denial(line, "shell", text)
        return
    ended = state == "done" and exit_code is not None
    told = Command(line, began, text, exit_code, "done" if ended else "incomplete")
    yield told
    yield from skills_read(told)


def command_text(command: object) -> str:
    """A command as text; the oldest builds give a list of words."""
    if isinstance(command, list):
        words = (word for word in command if isinstance(word, str))
        return shlex.join(words)[:MAX_CHARACTERS]
    return command[:MAX_CHARACTERS] if isinstance(command, str) else ""


def file_changes(line: int, item: dict[str, object]) -> Iterator[FileChange]:
    """The files of a patch that was applied."""
    if text_of(item, "status") == "failed":
        return
    for change in list_of(item, "changes"):
        kind, path = text_of(change, "kind"), text_of(change, "path")
        if path and kind in _KINDS:
            yield FileChange(line, path, kind)  # type: ignore[arg-type] # one of _KINDS


def usage_of(line: int, usage: dict[str, object]) -> Usage:
    """Running totals; cached tokens are inside input, reasoning is inside output."""
    return Usage(
        line,
        count_of(usage, "input_tokens"),
        count_of(usage, "cached_input_tokens"),
        count_of(usage, "output_tokens"),
    )


def _tool_call(line: int, kind: str, item: dict[str, object]) -> ToolCall:
    names = [text_of(item, "server"), text_of(item, "tool")]
    ok = text_of(item, "status") != "failed" and not object_of(item, "error")
    return ToolCall(line, ".".join(filter(None, [kind, *names])), ok)
