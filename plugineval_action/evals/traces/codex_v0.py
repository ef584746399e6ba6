"""What `codex exec --json` printed before items came (until 2025-09).

{"id":"0","msg":{"type":"exec_command_begin","call_id":"c1","command":["bash","-lc","ls"]}}
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal

from plugineval_action.evals.traces.codex import command, command_text, usage_of
from plugineval_action.evals.traces.events import (
    End,
    Event,
    FileChange,
    Message,
    Notice,
    Started,
    ToolCall,
    Unknown,
)
from plugineval_action.evals.traces.lines import name_of, object_of, text_of, whole_of
from plugineval_action.evals.traces.open_calls import OpenCalls

_QUIET: Final = frozenset(
    {
        "agent_message_delta", "agent_reasoning", "agent_reasoning_delta",
        "agent_reasoning_section_break", "exec_command_output_delta", "mcp_tool_call_begin",
        "patch_apply_begin", "plan_update", "task_started", "turn_diff", "user_message",
        "web_search_begin",
    }
)  # fmt: skip
_KINDS: Final[tuple[Literal["add", "update", "delete"], ...]] = ("add", "update", "delete")
_MOST_FILES: Final = 100
_LONGEST_PATH: Final = 1_000


class CodexV0Reader:
    """The oldest form, whose messages are wrapped in `msg`."""

    def __init__(self) -> None:
        self._open = OpenCalls[str]()
        self._patches = OpenCalls[tuple[FileChange, ...]]()
        self._last = 0
        self._end: End | None = None

    def read(self, line: int, data: dict[str, object]) -> Iterator[Event]:
        """The events of one line."""
        self._last = line
        message = object_of(data, "msg")
        kind, call = text_of(message, "type"), name_of(message, "call_id")
        match kind:
            case "session_configured":
                yield Started(line, "codex", model=name_of(message, "model"))
            case "exec_command_begin":
                text = command_text(message.get("command"))
                for began, dropped in self._open.add(call, line, text):
                    yield from command(line, began, dropped, None, "incomplete")
            case "exec_command_end":
                began, text = self._open.pop(call, (line, command_text(message.get("command"))))
                yield from command(line, began, text, whole_of(message, "exit_code"), "done")
            case "patch_apply_begin":
                self._patches.add(call, line, _changes(line, object_of(message, "changes")))
            case "patch_apply_end":
                yield from self._patch(line, call, applied=message.get("success") is True)
            case _:
                yield from self._said(line, kind, message)

    def _said(self, line: int, kind: str, message: dict[str, object]) -> Iterator[Event]:
        match kind:
            case "agent_message":
                yield Message(line, text_of(message, "message"))
            case "mcp_tool_call_end" | "web_search_end":
                yield ToolCall(line, kind.removesuffix("_end"), ok=True)
            case "token_count":
                totals = object_of(object_of(message, "info"), "total_token_usage")
                yield usage_of(line, totals or message)
            case "task_complete":
                self._end = End(line, "completed")
            case "turn_aborted":
                self._end = End(line, "stopped", text_of(message, "reason"))
            case "error":
                self._end = End(line, "error", text_of(message, "message"))
            case "stream_error" | "background_event":
                yield Notice(line, text_of(message, "message"))
            case _ if kind not in _QUIET:
                yield Unknown(line, kind or "no type", "")

    def close(self) -> Iterator[Event]:
        """What is left when the trace ends."""
        for began, text in self._open.rest():
            yield from command(self._last, began, text, None, "incomplete")
        yield self._end or End(self._last, "incomplete", "The trace ends before the task does.")

    def _patch(self, line: int, call: str, *, applied: bool) -> Iterator[FileChange]:
        _, changes = self._patches.pop(call, (line, ()))
        yield from (one._replace(line=line) for one in changes if applied)


def _changes(line: int, changes: dict[str, object]) -> tuple[FileChange, ...]:
    """`{"a.py": {"add": …}}` as changes."""
    return tuple(
        FileChange(line, path[:_LONGEST_PATH], kind)
        for path, change in islice(changes.items(), _MOST_FILES)
        for kind in _KINDS
        if isinstance(change, dict) and kind in change
    )
