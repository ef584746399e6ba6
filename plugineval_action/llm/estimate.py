"""What a run would cost, found by rehearsing it: the same code asks a client that only counts.

The number of calls is what the code makes with nothing left out: every skill is loaded for every
request, and no run ends early. Tokens are estimates, from the length of the texts and from what
answers of each kind usually take: by earlier answers of the same model if there are any, else by a
table that no run stands behind.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from plugineval_action.llm.budget import worst_case
from plugineval_action.llm.client import (
    Json,
    JsonValue,
    Reply,
    Request,
    Said,
    Text,
    ToolUse,
    Unmeasured,
    Usage,
)
from plugineval_action.llm.models import Tokens, cost
from plugineval_action.llm.prefixes import prefix_of
from plugineval_action.llm.usual import NOTHING_KNOWN, Usual, bytes_of
from plugineval_action.llm.wire import body

_BYTES_A_TOKEN: Final = 3.0
"""English text; models of 2026 take a third more tokens than those of 2024, which took four."""

_CACHED_FROM: Final = 512
"""Tokens below which the service caches nothing."""

_OUTPUT: Final[Mapping[str, int]] = {
    "prompts.write": 1200,
    "judge.triggering_accuracy": 700,
    "judge.output_quality": 2000,
    "certify.game": 700,
    "monte_carlo.activation": 250,
    "monte_carlo.reply": 2500,
    "monte_carlo.quality": 900,
}
_USUAL_OUTPUT: Final = 1000
_MARK: Final = "a stand-in for"
_LINE: Final = f"This line is {_MARK} one of the reply that a model would give. "
_LISTED: Final = re.compile(r"^- ([^\n]*?): ", re.MULTILINE)


class Planned(NamedTuple):
    """All calls of one purpose to one model; dollars are None where the price is unknown.

    `usd` is what they will cost by our estimate, `most_usd` what they could cost at worst.
    """

    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    most_usd: float | None


class Rehearsal:
    """A Client that answers every question with a stand-in, and notes what it was asked."""

    def __init__(
        self,
        *,
        batch: bool = False,
        usual: Usual = NOTHING_KNOWN,
        warm: Iterable[str] = (),
    ) -> None:
        """`warm` are prefixes that the service has in its cache already."""
        self._batch, self._usual = batch, usual
        self._planned: dict[tuple[str, str], Planned] = {}
        self._prefixes = set(warm)

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Note one question; see Client."""
        key = request.purpose, request.model
        known = self._planned.get(key, Planned(*key, 0, 0, 0, 0.0, 0.0))
        self._planned[key] = _added(known, self._estimate(request))
        return stand_in(request, self._output(request))

    @property
    def plan(self) -> tuple[Planned, ...]:
        """What would be sent, by purpose and model."""
        return tuple(self._planned[key] for key in sorted(self._planned))

    def _estimate(self, request: Request) -> Planned:
        content = body(request, batch=self._batch)
        tokens = self._tokens(content, self._bytes_a_token(request))
        output = min(self._output(request), request.max_tokens)
        return Planned(
            request.purpose,
            request.model,
            1,
            tokens.prompt,
            output,
            cost(request.model, tokens._replace(output=output), batch=self._batch),
            worst_case(request.model, content, batch=self._batch),
        )

    def _output(self, request: Request) -> int:
        """What answers took before, else what they usually take."""
        seen = self._usual.get((request.purpose, request.model))
        if seen is not None and seen.calls:
            return round(seen.output_tokens / seen.calls)
        return _OUTPUT.get(request.purpose, _USUAL_OUTPUT)

    def _bytes_a_token(self, request: Request) -> float:
        """By what was seen before, else for English."""
        seen = self._usual.get((request.purpose, request.model))
        if seen is not None and seen.prompt_tokens:
            return seen.prompt_bytes / seen.prompt_tokens
        return _BYTES_A_TOKEN

    def _tokens(self, content: Mapping[str, Any], bytes_a_token: float) -> Tokens:
        """The prompt's tokens; the first question with a prefix writes it, the others read it."""
        total = math.ceil(bytes_of(content) / bytes_a_token)
        prefix = prefix_of(content, 0)
        shared = total - math.ceil(_bytes_after_prefix(content) / bytes_a_token)
        if prefix is None or shared < _CACHED_FROM:
            return Tokens(input=total)
        if prefix in self._prefixes:
            return Tokens(input=total - shared, cache_read=shared)
        self._prefixes.add(prefix)
        if self._batch:
            return Tokens(input=total - shared, cache_write_1h=shared)
        return Tokens(input=total - shared, cache_write_5m=shared)


def _bytes_after_prefix(content: Mapping[str, Any]) -> int:
    """Bytes of the blocks behind the last cache breakpoint."""
    blocks = [block for message in content["messages"] for block in message["content"]]
    points = [number for number, block in enumerate(blocks) if "cache_control" in block]
    return sum(map(bytes_of, blocks[points[-1] + 1 if points else 0 :]))


def _added(one: Planned, other: Planned) -> Planned:
    return one._replace(
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        usd=_sum(one.usd, other.usd),
        most_usd=_sum(one.most_usd, other.most_usd),
    )


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def stand_in(request: Request, tokens: int = _USUAL_OUTPUT) -> Reply:
    """What takes the place of an answer; without a schema it is a text of about so many tokens."""
    data = _filled(request.schema) if request.schema is not None else None
    lines = round(tokens * _BYTES_A_TOKEN / len(_LINE))
    text = _LINE * max(1, lines) if data is None else json.dumps(data)
    return Reply(
        text=text,
        data=data,
        tool_uses=tuple(_uses(request)),
        usage=Usage(request.model),
        stop_reason="tool_use" if request.tools else "end_turn",
        model=request.model,
        request_id="",
        said=(Said({"type": "text", "text": text}),),
    )


def rests_on_stand_in(request: Request) -> bool:
    """Whether a stand-in speaks in a request; a text that holds its words by chance counts, too."""
    blocks = (*request.system, *(block for turn in request.messages for block in turn.blocks))
    return any(isinstance(block, Text) and _MARK in block.text for block in blocks)


def _uses(request: Request) -> Iterator[ToolUse]:
    """Every tool, once for each thing that the system prompt lists."""
    listed = _LISTED.findall("\n".join(block.text for block in request.system))
    for tool in request.tools:
        for name in listed:
            yield ToolUse(name, tool.name, dict.fromkeys(tool.schema["properties"], name))


def _filled(schema: Json, name: str = "") -> JsonValue:
    """The least that fits a schema, with different texts in a list."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            inner = schema.get("properties", {})
            return {key: _filled(one, f"{name}{key} ") for key, one in inner.items()}
        case "array":
            count = int(schema.get("minItems", 1))
            return [_filled(schema["items"], f"{name}{number} ") for number in range(count)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case _:
            return f"This is {_MARK} {name}".strip()
