"""The simulated world behind the loopback Messages API: what a model says, told from its prompt.

A model sees no purpose, so the question is recognised by its tools and its schema, as a person
would. The prompts that it writes carry the name of the skill they are for.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Final

from model_server import Draft, Model, Seen, ToolCall
from plugineval_action.llm.client import Message, Reply, Request, Text
from simulated_client import SimulatedClient, World

_NAME: Final = re.compile(r"^Name: (.*)$", re.MULTILINE)
_RUBRIC: Final = re.compile(r"[Rr]ate (?:the \w+ )?by the rubric `(\w+)`")
_MARK: Final = re.compile(r"\b([0-9a-f]{1,12})$")


def world_model(world: World | None = None, seed: int = 0) -> Model:
    """A model that plays every part in a world, and remembers whom it wrote prompts for."""
    client = SimulatedClient(world or World(), seed)
    written: dict[str, str] = {}

    def model(seen: Seen) -> Draft | None:
        seen = _first_asked(seen)
        purpose = _purpose(seen)
        if purpose is None:
            return None
        mark = _MARK.search(seen.prompt)
        own = written.get(mark[1], "") if mark else ""
        reply = asyncio.run(client.ask(_request(seen, purpose, own)))
        assert isinstance(reply, Reply)
        if purpose == "prompts.write":
            told = _NAME.search(seen.prompt)
            marked = _MARK.search(reply.data["should"][0])
            assert told
            assert marked
            written[marked[1]] = told[1]
        return _draft(reply, seen)

    return model


def _first_asked(seen: Seen) -> Seen:
    """What was asked at first, where an answer that broke its schema is asked for again."""
    return seen._replace(turns=seen.turns[:1]) if seen.schema else seen


def _purpose(seen: Seen) -> str | None:
    fields = set(seen.schema["properties"]) if seen.schema else set()
    if "should" in fields:
        return "prompts.write"
    if "predictions" in fields:
        return "judge.triggering_accuracy"
    if "verdicts" in fields:
        return "certify.game"
    if "ratings" in fields:
        rubric = _RUBRIC.findall(seen.prompt)[-1]
        return "monte_carlo.quality" if rubric == "reply_quality" else f"judge.{rubric}"
    if fields:
        return None
    return "monte_carlo.activation" if seen.tools else "monte_carlo.reply"


def _request(seen: Seen, purpose: str, own: str) -> Request:
    system = f"- {own}: Simulated." if purpose == "monte_carlo.activation" else seen.system
    return Request(
        model=seen.model,
        system=(Text(system),),
        messages=(Message("user", (Text(seen.prompt),)),),
        purpose=purpose,
        version="",
        # What makes this answer another one than the last to the same words.
        identity=f"{seen.rng.random()}",
        schema=_with_counts(seen),
    )


def _with_counts(seen: Seen) -> dict[str, object]:
    """The schema as it was meant: how many prompts are asked for stands in words only."""
    asked = re.search(r"Write (\d+) requests", seen.prompt)
    return {"properties": {"should": {"minItems": int(asked[1]) if asked else 0}}}


def _draft(reply: Reply, seen: Seen) -> Draft:
    return Draft(
        text=json.dumps(reply.data) if reply.data is not None else _long(reply),
        tool_calls=tuple(ToolCall(use.name, use.input) for use in reply.tool_uses),
        thinking=seen.rng.randrange(20, 200),
        refusal=reply.stop_reason == "refusal",
    )


def _long(reply: Reply) -> str:
    """A text of about as many tokens as the reply counts."""
    return (reply.text + " It goes on." * (reply.usage.output_tokens // 5))[:12_000]


def sometimes(share: float, draft: Draft) -> Callable[[Model], Model]:
    """A model that in this share of cases says something else: refuses, errs, or is cut."""

    def changed(model: Model) -> Model:
        return lambda seen: draft if seen.rng.random() < share else model(seen)

    return changed
