"""What `claude -p --output-format stream-json --verbose` prints.

One line a content block: calls and their results are found by id, and usage counts only where the
result line gives it. A skill called by `/name` in the prompt leaves no line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from plugineval_action.evals.traces.claude_result import end_of, usage_of
from plugineval_action.evals.traces.events import (
    Command,
    Denial,
    End,
    Event,
    FileChange,
    Message,
    Notice,
    SkillUse,
    Started,
    ToolCall,
    Unknown,
)
from plugineval_action.evals.traces.lines import list_of, name_of, object_of, text_of, texts_of
from plugineval_action.evals.traces.open_calls import OpenCalls
from plugineval_action.evals.traces.shell import MAX_CHARACTERS, unwrapped
from plugineval_action.evals.traces.skills import bare_name, skill_file, skills_read

TYPES: Final = frozenset(
    {"assistant", "rate_limit_event", "result", "stream_event", "system", "tool_progress", "user"}
)
_QUIET: Final = frozenset({"rate_limit_event", "stream_event", "tool_progress"})
_QUIET_SYSTEM: Final = frozenset({"compact_boundary", "status", "thinking_tokens"})
_QUIET_SYSTEM_STARTS: Final = ("hook_", "task_", "plugin_", "mode_")
_QUIET_BLOCKS: Final = frozenset({"redacted_thinking", "thinking", "tool_result"})
_EXIT_CODE: Final = re.compile(r"\s*(?:Error:\s*)?Exit code (\d{1,9})\b")
_MOST_DENIALS: Final = 1_000
_KEPT: Final = ("command", "file_path", "skill")


class _Call(NamedTuple):
    tool: str
    input: dict[str, object]

    @classmethod
    def of(cls, block: object) -> _Call:
        """A call, and what of its input is ever looked at: files may be long."""
        asked = object_of(block, "input")
        kept: dict[str, object] = {key: text_of(asked, key)[:MAX_CHARACTERS] for key in _KEPT}
        background = asked.get("run_in_background") is True
        return cls(text_of(block, "name"), kept | {"run_in_background": background})


class _Result(NamedTuple):
    """What came back: text, whether it is an error, and the line's own fields about it."""

    text: str
    error: bool
    detail: object
    denied: bool


class ClaudeReader:
    """Line by line; a call is told when its result comes."""

    def __init__(self) -> None:
        self._open = OpenCalls[_Call]()
        self._denied: set[str] = set()
        self._last = 0
        self._end: End | None = None

    def read(self, line: int, data: dict[str, object]) -> Iterator[Event]:
        """The events of one line."""
        self._last = line
        match text_of(data, "type"):
            case "system":
                yield from self._system(line, data)
            case "assistant":
                yield from self._assistant(line, data)
            case "user":
                yield from self._user(line, data)
            case "result":
                yield from self._result(line, data)
            case kind if kind not in _QUIET:
                yield Unknown(line, kind or "no type", "")

    def close(self) -> Iterator[Event]:
        """Calls without a result, and how the run ended."""
        for began, call in self._open.rest():
            yield from _unanswered(self._last, began, call)
        yield self._end or End(self._last, "incomplete", "The trace ends without a result line.")

    def _system(self, line: int, data: dict[str, object]) -> Iterator[Event]:
        subtype = text_of(data, "subtype")
        if subtype == "init":
            yield Started(
                line,
                "claude",
                name_of(data, "claude_code_version"),
                name_of(data, "model"),
                name_of(data, "permissionMode"),
                texts_of(data, "skills"),
                texts_of(data, "tools"),
            )
        elif subtype == "permission_denied":
            yield from self._denial(line, data, text_of(data, "message"))
        elif subtype == "api_retry":
            yield Notice(line, text_of(data, "error") or "The service did not answer; tried again.")
        elif subtype not in _QUIET_SYSTEM and not subtype.startswith(_QUIET_SYSTEM_STARTS):
            yield Unknown(line, f"system: {subtype or 'no subtype'}", "")

    def _denial(self, line: int, data: object, what: str) -> Iterator[Denial]:
        """Advisory lines and the record of the result line tell the same denial once."""
        name = name_of(data, "tool_use_id")
        if name in self._denied:
            return
        if name and len(self._denied) < _MOST_DENIALS:
            self._denied.add(name)
        yield Denial(line, text_of(data, "tool_name"), what)

    def _assistant(self, line: int, data: dict[str, object]) -> Iterator[Event]:
        message = object_of(data, "message")
        # What the harness itself says in the model's place, after an API error.
        synthetic = text_of(message, "model") == "<synthetic>"
        main = not text_of(data, "parent_tool_use_id")
        for block in list_of(message, "content"):
            match text_of(block, "type"):
                case "text":
                    if main and not synthetic:
                        yield Message(line, text_of(block, "text"))
                case "tool_use" | "server_tool_use":
                    call = _Call.of(block)
                    for began, dropped in self._open.add(name_of(block, "id"), line, call):
                        yield from _unanswered(line, began, dropped)
                case kind if kind not in _QUIET_BLOCKS:
                    yield Unknown(line, f"block: {kind or 'no type'}", "")

    def _user(self, line: int, data: dict[str, object]) -> Iterator[Event]:
        for block in list_of(object_of(data, "message"), "content"):
            if text_of(block, "type") == "tool_result":
                name = name_of(block, "tool_use_id")
                began, call = self._open.pop(name, (line, _Call("", {})))
                result = _result_of(block, data, name)
                if call.tool:
                    yield from _answered(line, began, call, result)
                if result.denied:
                    told = {"tool_use_id": name, "tool_name": call.tool}
                    yield from self._denial(line, told, result.text)

    def _result(self, line: int, data: dict[str, object]) -> Iterator[Event]:
        for denial in list_of(data, "permission_denials"):
            asked = object_of(denial, "tool_input")
            what = text_of(asked, "command") or text_of(asked, "file_path")
            yield from self._denial(line, denial, what)
        self._end = end_of(line, data)
        if self._end.state == "completed" and isinstance(data.get("result"), str):
            yield Message(line, text_of(data, "result"), final=True)
        if usage := usage_of(line, data):
            yield usage


def _result_of(block: object, data: dict[str, object], name: str) -> _Result:
    content = block.get("content") if isinstance(block, dict) else None
    if isinstance(content, list):
        content = "\n".join(text_of(part, "text") for part in content)
    text = content if isinstance(content, str) else ""
    error = isinstance(block, dict) and block.get("is_error") is True
    return _Result(text, error, data.get("tool_use_result"), _is_denied(data, name))


def _is_denied(data: dict[str, object], name: str) -> bool:
    return any(
        name_of(meta, "id") == name
        and text_of(object_of(meta, "permission_decision"), "decision") in ("deny", "denied")
        for meta in list_of(data, "tool_result_meta")
    )


def _answered(line: int, began: int, call: _Call, result: _Result) -> Iterator[Event]:
    """The events of a call and its result."""
    path, ok = text_of(call.input, "file_path"), not (result.error or result.denied)
    match call.tool:
        case "Bash":
            yield from _command(line, began, call, result)
        case "Skill":
            name = text_of(call.input, "skill") or text_of(call.input, "command")
            yield SkillUse(line, bare_name(name), "tool", ok)
        case "Read" if skill_file(path):
            yield SkillUse(line, skill_file(path), "read", ok)
        case "Write" | "Edit" | "MultiEdit" if ok:
            kind = text_of(result.detail, "type")
            yield FileChange(line, path, "add" if kind == "create" else "update")
        case _:
            yield ToolCall(line, call.tool, ok)


def _command(line: int, began: int, call: _Call, result: _Result) -> Iterator[Event]:
    text = unwrapped(text_of(call.input, "command"))
    if result.denied:
        yield Command(line, began, text, None, "declined")
        return
    code = _exit_code(result)
    state = "done" if code is not None else "incomplete"
    if call.input["run_in_background"]:
        # Its result says that it was started, and nothing of how it ended.
        code, state = None, "background"
    told = Command(line, began, text, code, state)  # type: ignore[arg-type] # one of three
    yield told
    yield from skills_read(told)


def _exit_code(result: _Result) -> int | None:
    """Zero unless there is an error; the code of a failed command stands only in its text."""
    if isinstance(result.detail, dict) and result.detail.get("interrupted") is True:
        return None
    if not result.error:
        return 0
    detail = result.detail if isinstance(result.detail, str) else ""
    found = _EXIT_CODE.match(result.text) or _EXIT_CODE.match(detail)
    return int(found[1]) if found else None


def _unanswered(line: int, began: int, call: _Call) -> Iterator[Event]:
    if call.tool == "Bash":
        text = unwrapped(text_of(call.input, "command"))
        yield Command(line, began, text, None, "incomplete")
    elif call.tool == "Skill":
        yield SkillUse(line, bare_name(text_of(call.input, "skill")), "tool", loaded=False)
    else:
        yield ToolCall(line, call.tool, None)
