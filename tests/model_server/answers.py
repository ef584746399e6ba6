"""From a checked request to the model's message, counted and billed."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from model_server.drafts import Draft, Json, JsonValue, Model, Seen, anything
from model_server.limits import thought
from model_server.prices import Counted, charge
from model_server.tokens import PromptCache, tokens_of

_HEX = re.compile(r"[0-9a-f]{16,}")


class Call(NamedTuple):
    """One answer that was billed."""

    body: Json
    counted: Counted
    dollars: float
    batch: bool
    message: Json


class Answers:
    """The models behind the service, its prompt cache and its till."""

    def __init__(self, models: Sequence[Model], seed: int) -> None:
        self._models, self._seed = (*models, anything), seed
        self._met: Counter[str] = Counter()
        self.cache = PromptCache()
        self.calls: list[Call] = []

    def answer(self, body: Json, *, batch: bool = False) -> tuple[Call, list[str]]:
        """The answer, billed, and the prefixes to keep once it is on its way."""
        counted, prefixes = self.cache.count(body)
        key = hashlib.sha256(_HEX.sub("#", json.dumps(body, sort_keys=True)).encode()).hexdigest()
        self._met[key] += 1
        draft = self._draft(body, random.Random(f"{self._seed} {key} {self._met[key]}"))
        message, output = self._message(body, draft)
        counted = counted._replace(output=output)
        message["usage"] = _usage(counted, batch=batch)
        dollars = charge(body["model"], counted, batch=batch)
        call = Call(body, counted, dollars, batch, message)
        self.calls.append(call)
        return call, prefixes

    def _draft(self, body: Json, rng: random.Random) -> Draft:
        seen = _seen(body, rng)
        return next(draft for model in self._models if (draft := model(seen)) is not None)

    def _message(self, body: Json, draft: Draft) -> tuple[Json, int]:
        number = len(self.calls) + 1
        content: list[Json] = []
        most = body["max_tokens"]
        spent = min(draft.thinking, most)
        if draft.thinking:
            content.append(thought(number))
        text = draft.text
        cut = spent + tokens_of(text) > most
        if cut:
            text = text.encode()[: math.floor((most - spent) * 3)].decode(errors="ignore")
        if text:
            content.append({"type": "text", "text": text, "citations": None})
        calls = () if cut else draft.tool_calls
        content += [
            {
                "type": "tool_use",
                "id": f"toolu_{number}_{at}",
                "name": call.name,
                "input": call.input,
            }
            for at, call in enumerate(calls)
        ]
        said = tokens_of(text) + sum(tokens_of(json.dumps(call.input)) + 20 for call in calls)
        message = {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [] if draft.refusal else content,
            "stop_reason": _stop(draft, cut=cut),
            "stop_sequence": None,
        }
        return message, max(1, min(spent + said, most))


def _stop(draft: Draft, *, cut: bool) -> str:
    if draft.refusal:
        return "refusal"
    if cut:
        return "max_tokens"
    return "tool_use" if draft.tool_calls else "end_turn"


def _usage(counted: Counted, *, batch: bool) -> Json:
    return {
        "input_tokens": counted.input,
        "output_tokens": counted.output,
        "cache_read_input_tokens": counted.read,
        "cache_creation_input_tokens": counted.write_5m + counted.write_1h,
        "cache_creation": {
            "ephemeral_5m_input_tokens": counted.write_5m,
            "ephemeral_1h_input_tokens": counted.write_1h,
        },
        "service_tier": "batch" if batch else "standard",
    }


def _seen(body: Json, rng: random.Random) -> Seen:
    last = body["messages"][-1]["content"]
    return Seen(
        model=body["model"],
        system=_words(body.get("system", "")),
        turns=tuple((turn["role"], _words(turn["content"])) for turn in body["messages"]),
        tools=tuple(body.get("tools", ())),
        schema=body.get("output_config", {}).get("format", {}).get("schema"),
        after_tool=isinstance(last, list) and last[0].get("type") == "tool_result",
        rng=rng,
    )


def _words(content: JsonValue) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(
        _words(block["content"]) if block.get("type") == "tool_result" else block.get("text", "")
        for block in content
    )
