"""Requests and answers as the Messages API writes them.

Source: the API's reference, version 2026-10-21. It takes no temperature, and no forced choice of a
tool; an answer may begin with thinking, so blocks are told by their type, never by their place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_args

from plugineval_action.llm.client import (
    JsonValue,
    Message,
    Request,
    Said,
    StopReason,
    Text,
    Tool,
    ToolResult,
    ToolUse,
)
from plugineval_action.llm.models import Tokens, takes_effort
from plugineval_action.llm.schema import accepted

_STOPS: Final[tuple[StopReason, ...]] = get_args(StopReason)
_FENCE: Final = re.compile(r"```(?:json)?\n(.*)\n```", re.DOTALL)
_BATCH_TTL: Final = "1h"
"""Most batches end within the hour, few within the five minutes that a cache lasts by default."""


class Heard(NamedTuple):
    """A message of the model, read; nobody has looked yet whether it fits the schema."""

    text: str
    tool_uses: tuple[ToolUse, ...]
    said: tuple[Said, ...]
    stop_reason: StopReason
    model: str
    request_id: str
    tokens: Tokens


class MalformedError(ValueError):
    """A body that is not a message."""


def body(request: Request, *, batch: bool = False) -> dict[str, Any]:
    """The body of a request to create a message."""
    written: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [_message(message, batch=batch) for message in request.messages],
    }
    if request.system:
        written["system"] = [_block(block, batch=batch) for block in request.system]
    if request.tools:
        written["tools"] = [_tool(tool) for tool in request.tools]
    if config := _output_config(request):
        written["output_config"] = config
    return written


def _output_config(request: Request) -> dict[str, Any]:
    config: dict[str, Any] = {}
    if request.effort and takes_effort(request.model):
        config["effort"] = request.effort
    if request.schema is not None:
        config["format"] = {"type": "json_schema", "schema": accepted(request.schema)}
    return config


def _message(message: Message, *, batch: bool) -> dict[str, Any]:
    blocks = [_block(block, batch=batch) for block in message.blocks]
    return {"role": message.role, "content": blocks}


def _block(block: Text | ToolResult | Said, *, batch: bool) -> dict[str, Any]:
    if isinstance(block, Said):
        return dict(block.block)
    if isinstance(block, ToolResult):
        return {
            "type": "tool_result",
            "tool_use_id": block.tool_use_id,
            "content": [{"type": "text", "text": block.text}],
        }
    written: dict[str, Any] = {"type": "text", "text": block.text}
    if block.cached:
        written["cache_control"] = {"type": "ephemeral"} | ({"ttl": _BATCH_TTL} if batch else {})
    return written


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": accepted(tool.schema),
    }


def heard(message: JsonValue, request_id: str) -> Heard:
    """Read the body of an answer. Raises MalformedError."""
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        raise MalformedError("it is not a message")
    blocks = message["content"]
    if not all(isinstance(block, dict) for block in blocks):
        raise MalformedError("its blocks are no blocks")
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    return Heard(
        text="".join(text for text in texts if isinstance(text, str)),
        tool_uses=tuple(_tool_use(block) for block in blocks if block.get("type") == "tool_use"),
        said=tuple(Said(_without_nulls(block)) for block in blocks),
        stop_reason=stop_reason(message.get("stop_reason")),
        model=str(message.get("model", "")),
        request_id=request_id,
        tokens=_tokens(message.get("usage")),
    )


def stop_reason(name: JsonValue) -> StopReason:
    """Read a stop reason. Raises MalformedError."""
    for known in _STOPS:
        if known == name:
            return known
    raise MalformedError("its stop reason is unknown")


def _tool_use(block: Mapping[str, Any]) -> ToolUse:
    given = block.get("input")
    if not isinstance(given, dict):
        raise MalformedError("the input of a tool is no object")
    return ToolUse(str(block.get("id", "")), str(block.get("name", "")), given)


def _without_nulls(block: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in block.items() if value is not None}


def _tokens(usage: JsonValue) -> Tokens:
    """Counts of an answer; without them nobody knows what it cost, so they have to be there."""
    if not isinstance(usage, dict):
        raise MalformedError("it has no usage")
    kept = usage.get("cache_creation")
    hour = _count(kept, "ephemeral_1h_input_tokens") if isinstance(kept, dict) else 0
    return Tokens(
        input=_count(usage, "input_tokens"),
        output=_count(usage, "output_tokens"),
        cache_read=_count(usage, "cache_read_input_tokens"),
        cache_write_5m=max(0, _count(usage, "cache_creation_input_tokens") - hour),
        cache_write_1h=hour,
    )


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name) or 0
    if not isinstance(value, int) or value < 0:
        raise MalformedError(f"its {name} is no count")
    return value


def parsed(text: str) -> JsonValue:
    """The JSON of an answer, in a fence or not. Raises ValueError, also for NaN and Infinity."""

    def refuse(name: str) -> None:
        raise ValueError(f"{name} is no JSON")

    fenced = _FENCE.fullmatch(text.strip())
    return json.loads(fenced[1] if fenced else text, parse_constant=refuse)
