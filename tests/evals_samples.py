"""Traces for the tests, composed in the form that each harness really prints."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from plugineval_action.evals.traces.events import Event
from plugineval_action.evals.traces.reading import trace_events

Line = dict[str, Any]


def events(*lines: Line | str) -> list[Event]:
    """The events of a trace made of these lines."""
    return list(trace_events(BytesIO(jsonl(lines))))


def of_type(kind: type, *lines: Line | str) -> list[Any]:
    """The events of one type."""
    return [event for event in events(*lines) if isinstance(event, kind)]


def jsonl(lines: Iterable[Line | str]) -> bytes:
    """Lines of a trace; a text stands for itself."""
    texts = (one if isinstance(one, str) else json.dumps(one) for one in lines)
    return "".join(f"{text}\n" for text in texts).encode()


# Codex

THREAD: Line = {"type": "thread.started", "thread_id": "t1"}
TURN: Line = {"type": "turn.started"}


def done(usage: dict[str, int] | None = None) -> Line:
    return {"type": "turn.completed", "usage": usage or {"input_tokens": 10, "output_tokens": 2}}


def item(stage: str, kind: str, name: str = "item_1", **fields: object) -> Line:
    return {"type": f"item.{stage}", "item": {"id": name, "type": kind, **fields}}


def began(command: str, name: str = "item_1") -> Line:
    fields = {"command": command, "aggregated_output": "", "exit_code": None}
    return item("started", "command_execution", name, **fields, status="in_progress")


def ended(command: str, exit_code: int = 0, name: str = "item_1", status: str = "") -> Line:
    status = status or ("failed" if exit_code else "completed")
    fields = {"command": command, "aggregated_output": "", "exit_code": exit_code}
    return item("completed", "command_execution", name, **fields, status=status)


# Claude Code

INIT: Line = {
    "type": "system", "subtype": "init", "session_id": "s1", "model": "claude-sonnet-5-5",
    "permissionMode": "default", "skills": ["csv-report"], "tools": ["Bash", "Read", "Skill"],
    "claude_code_version": "2.1.332",
}  # fmt: skip


def says(*blocks: Line, model: str = "claude-sonnet-5-5", parent: str | None = None) -> Line:
    message = {"id": "m1", "model": model, "content": list(blocks), "usage": {"input_tokens": 9}}
    return {"type": "assistant", "message": message, "parent_tool_use_id": parent}


def text(words: str) -> Line:
    return {"type": "text", "text": words}


def calls(tool: str, name: str = "toolu_1", **given: object) -> Line:
    return says({"type": "tool_use", "id": name, "name": tool, "input": given})


def gives(content: object, name: str = "toolu_1", *, error: bool = False, **more: object) -> Line:
    block: Line = {"type": "tool_result", "tool_use_id": name, "content": content}
    if error:
        block["is_error"] = True
    return {"type": "user", "message": {"role": "user", "content": [block]}, **more}


def result(**fields: object) -> Line:
    told: Line = {"duration_ms": 1, "is_error": False, "subtype": "success", "result": "Done."}
    return told | {"type": "result", "permission_denials": []} | fields
