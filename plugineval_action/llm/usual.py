"""How long questions and answers were in tokens: what the next estimate rests on.

Until a model was asked, an estimate has only a table of lengths, which no run stands behind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from plugineval_action.llm.client import Client, JsonValue, Reply, Request, Unmeasured, Usage
from plugineval_action.llm.wire import body


class Seen(NamedTuple):
    """Calls that were answered, the tokens of their answers, and bytes and tokens of their prompts.

    Second tries are in the tokens.
    """

    calls: int = 0
    output_tokens: int = 0
    prompt_bytes: int = 0
    prompt_tokens: int = 0

    def plus(self, other: Seen) -> Seen:
        """The sums of both."""
        return Seen(*(one + more for one, more in zip(self, other, strict=True)))


Usual = Mapping[tuple[str, str], Seen]
"""By purpose and model."""

NOTHING_KNOWN: Final[Usual] = MappingProxyType({})

_Name = Annotated[str, StringConstraints(max_length=200)]
_Count = Annotated[int, Field(ge=0, le=10**12)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    purpose: _Name
    model: _Name
    calls: _Count
    output_tokens: _Count
    prompt_bytes: _Count
    prompt_tokens: _Count


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    answers: list[_Line]


class Noting:
    """A Client that notes how long the answers of another one are; kept ones do not count.

    `usage` has what each question took, whether it was answered or not.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self.seen: dict[tuple[str, str], Seen] = {}
        self.usage: list[Usage] = []

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Ask one question; see Client."""
        answer = await self._client.ask(request)
        self.usage.append(answer.usage)
        if isinstance(answer, Reply) and not answer.remembered:
            key = request.purpose, request.model
            usage = answer.usage
            prompt = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
            seen = Seen(1, usage.output_tokens, bytes_of(body(request)), prompt)
            self.seen[key] = self.seen.get(key, Seen()).plus(seen)
        return answer


def together(one: Usual, other: Usual) -> dict[tuple[str, str], Seen]:
    """The sums of both."""
    sums = dict(one)
    for key, seen in other.items():
        sums[key] = sums.get(key, Seen()).plus(seen)
    return sums


def parse(content: bytes) -> dict[tuple[str, str], Seen]:
    """What a file holds; nothing if it is broken, as only an estimate hangs on it."""
    try:
        told = _File.model_validate_json(content)
    except ValidationError:
        return {}
    return {
        (one.purpose, one.model): Seen(**one.model_dump(exclude={"purpose", "model"}))
        for one in told.answers
    }


def bytes_of(content: JsonValue) -> int:
    """The length of a request, or of a part of it, as JSON."""
    return len(json.dumps(content, ensure_ascii=False).encode())


def data(usual: Usual) -> dict[str, object]:
    """The same as JSON has it."""
    lines = [
        {"purpose": purpose, "model": model, **seen._asdict()}
        for (purpose, model), seen in sorted(usual.items())
    ]
    return {"answers": lines}
