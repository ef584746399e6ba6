"""What the API refuses in a request, by its documentation of 2026-10-21, in words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from model_server.drafts import Json, JsonValue
from model_server.prices import PRICES

_KEYS: Final = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "output_config",
    "thinking", "stop_sequences", "metadata", "service_tier", "stream", "cache_control",
    "inference_geo",
}  # fmt: skip
_NO_FORCED_TOOL: Final = ("claude-fable-5", "claude-opus-5-5", "claude-sonnet-5-5")
_EFFORTS: Final = {"low", "medium", "high", "xhigh", "max"}
_NO_EFFORT: Final = ("claude-haiku-4-5",)
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_SCHEMA_KEYS: Final = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf",
    "allOf", "$ref", "$defs", "description", "title", "default", "format", "minItems", "pattern",
}  # fmt: skip
_MOST_OPTIONAL, _MOST_UNIONS, _MOST_BREAKPOINTS = 24, 16, 4
_LARGEST_OUTPUT: Final = 128_000


def problems(body: JsonValue, *, counting: bool = False) -> Iterator[str]:
    """Everything that is wrong with the body of a request."""
    if not isinstance(body, dict):
        yield "the body is no object"
        return
    for key in sorted(body.keys() - _KEYS):
        yield f"{key}: Extra inputs are not permitted"
    if not counting and not _is_count(body.get("max_tokens"), _LARGEST_OUTPUT):
        yield "max_tokens: a number from 1 to 128000 is required"
    model = body.get("model")
    if model not in PRICES:
        yield f"model: {model}"
    yield from _choice(body.get("tool_choice"), str(model))
    if "budget_tokens" in (body.get("thinking") or {}):
        yield "thinking.budget_tokens: not supported"
    yield from _output_config(body.get("output_config", {}), str(model))
    for tool in body.get("tools", ()):
        yield from _tool(tool)
    yield from _system(body.get("system", []))
    yield from _messages(body.get("messages"))
    if len(breakpoints(body)) > _MOST_BREAKPOINTS:
        yield "A maximum of 4 blocks with cache_control may be provided"


def _is_count(value: JsonValue, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def _choice(choice: JsonValue, model: str) -> Iterator[str]:
    if isinstance(choice, dict) and choice.get("type") in {"any", "tool"}:
        if model.startswith(_NO_FORCED_TOOL):
            yield f"tool_choice: forced tool use is not supported by {model}"
    elif choice is not None and (choice or {}).get("type") not in {"auto", "none"}:
        yield "tool_choice: unknown"


def _output_config(config: Json, model: str) -> Iterator[str]:
    for key in sorted(config.keys() - {"effort", "format"}):
        yield f"output_config.{key}: Extra inputs are not permitted"
    effort = config.get("effort")
    if effort is not None and (effort not in _EFFORTS or model.startswith(_NO_EFFORT)):
        yield f"output_config.effort: {effort} is not supported by {model}"
    form = config.get("format")
    if form is None:
        return
    if form.get("type") != "json_schema" or set(form) != {"type", "schema"}:
        yield "output_config.format: a json_schema with its schema is required"
        return
    yield from structure(form["schema"])


def structure(schema: Json) -> Iterator[str]:
    """What structured outputs refuse in a schema."""
    inner = list(_walk(schema))
    optional = sum(
        len(one.get("properties", {}).keys() - set(one.get("required", ()))) for one in inner
    )
    if optional > _MOST_OPTIONAL:
        yield f"format.schema: {optional} optional parameters, at most 24 are allowed"
    if sum("anyOf" in one or isinstance(one.get("type"), list) for one in inner) > _MOST_UNIONS:
        yield "format.schema: too many union parameters, at most 16 are allowed"
    for one in inner:
        for key in sorted(one.keys() - _SCHEMA_KEYS):
            yield f"format.schema: property '{key}' is not supported"
        if one.get("type") == "object" and one.get("additionalProperties") is not False:
            yield "format.schema: for 'object' type, 'additionalProperties' must be set to false"
        if one.get("minItems", 0) not in {0, 1}:
            yield "format.schema: minItems may only be 0 or 1"
        if re.search(r"\(\?|\\b|\\[1-9]", one.get("pattern", "")):
            yield "format.schema: pattern is not supported"
        if not str(one.get("$ref", "#")).startswith("#"):
            yield "format.schema: external $ref"


def _walk(schema: Json) -> Iterator[Json]:
    yield schema
    for group in ("properties", "$defs"):
        for one in schema.get(group, {}).values():
            yield from _walk(one)
    for group in ("anyOf", "allOf"):
        for one in schema.get(group, ()):
            yield from _walk(one)
    if isinstance(schema.get("items"), dict):
        yield from _walk(schema["items"])


def _tool(tool: JsonValue) -> Iterator[str]:
    if not isinstance(tool, dict) or not _NAME.fullmatch(str(tool.get("name", ""))):
        yield "tools: a name of letters, digits, _ and - is required"
        return
    if (tool.get("input_schema") or {}).get("type") != "object":
        yield f"tools.{tool['name']}.input_schema.type: must be 'object'"
    for key in sorted(tool.keys() - {"name", "description", "input_schema", "cache_control"}):
        yield f"tools.{tool['name']}.{key}: Extra inputs are not permitted"


def _system(system: JsonValue) -> Iterator[str]:
    for block in system if isinstance(system, list) else []:
        yield from _text(block, "system")


def _text(block: JsonValue, where: str) -> Iterator[str]:
    if not isinstance(block, dict) or block.get("type") != "text":
        yield f"{where}: a text block is required"
        return
    text = block.get("text")
    if not isinstance(text, str) or not text:
        yield f"{where}: text content blocks must be non-empty"
    elif not text.strip():
        yield f"{where}: text content blocks must contain non-whitespace text"
    for key in sorted(block.keys() - {"type", "text", "cache_control", "citations"}):
        yield f"{where}.{key}: Extra inputs are not permitted"
    cached = block.get("cache_control")
    if cached is not None and (
        cached.get("type") != "ephemeral" or cached.get("ttl", "5m") not in {"5m", "1h"}
    ):
        yield f"{where}.cache_control: ephemeral, with ttl 5m or 1h"


def _messages(messages: JsonValue) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages: at least one message is required"
        return
    if messages[0].get("role") != "user":
        yield "messages: first message must use the user role"
    if messages[-1].get("role") == "assistant":
        yield "messages: This model does not support assistant message prefill"
    asked: set[str] = set()
    for number, message in enumerate(messages):
        where = f"messages.{number}"
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        if message.get("role") not in {"user", "assistant"} or not blocks:
            yield f"{where}: a role and content are required"
        answered = {block.get("tool_use_id") for block in blocks if "tool_use_id" in block}
        if answered != asked:
            yield f"{where}: every tool_use needs its tool_result in the next message, and only it"
        asked = {block["id"] for block in blocks if block.get("type") == "tool_use"}
        for block in blocks:
            yield from _block(block, where)


def _block(block: Json, where: str) -> Iterator[str]:
    match block.get("type"):
        case "text":
            yield from _text(block, where)
        case "thinking":
            if block.get("signature") != _signature(str(block.get("thinking"))):
                yield f"{where}: Invalid `signature` in `thinking` block"
        case "tool_result":
            for inner in block.get("content", ()):
                yield from _text(inner, where)
        case "tool_use":
            if not isinstance(block.get("input"), dict):
                yield f"{where}: tool_use.input must be an object"
        case kind:
            yield f"{where}: {kind} is no type of block"


def thought(number: int) -> Json:
    """A signed block of thinking."""
    text = f"Let me see, {number}."
    return {"type": "thinking", "thinking": text, "signature": _signature(text)}


def _signature(text: str) -> str:
    return hashlib.sha256(f"signed {text}".encode()).hexdigest()


def blocks_of(body: Json) -> Iterator[Json]:
    """Every block of a prompt, in the order in which it is read."""
    yield from body.get("tools", ())
    system = body.get("system", [])
    yield from [{"type": "text", "text": system}] if isinstance(system, str) else system
    for message in body["messages"]:
        content = message["content"]
        yield from [{"type": "text", "text": content}] if isinstance(content, str) else content


def breakpoints(body: Json) -> list[int]:
    """The places of the blocks behind which the cache is asked for."""
    if not isinstance(body.get("messages"), list):
        return []
    return [number for number, block in enumerate(blocks_of(body)) if "cache_control" in block]
