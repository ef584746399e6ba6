"""What a simulated model sees of a request, and what it says."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

JsonValue = Any
"""Whatever JSON can hold."""
Json = dict[str, JsonValue]


class Seen(NamedTuple):
    """A request as a model sees it: `turns` are (role, text) with tool results as text.

    `after_tool` says that the last turn is the result of a tool; `rng` is for this answer alone.
    """

    model: str
    system: str
    turns: tuple[tuple[str, str], ...]
    tools: tuple[Json, ...]
    schema: Json | None
    after_tool: bool
    rng: random.Random

    @property
    def prompt(self) -> str:
        """The last turn's text."""
        return self.turns[-1][1]

    @property
    def everything(self) -> str:
        """System prompt and turns."""
        return "\n".join([self.system, *(text for _, text in self.turns)])


class ToolCall(NamedTuple):
    """A tool the model asks for."""

    name: str
    input: Mapping[str, Any]


class Draft(NamedTuple):
    """What a model says; `thinking` counts the tokens of a block that comes first, 0 for none."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    thinking: int = 0
    refusal: bool = False


Model = Callable[[Seen], Draft | None]


def anything(seen: Seen) -> Draft:
    """Fill whatever schema is asked for, at random; without one, say a sentence."""
    import json

    if seen.schema is None:
        return Draft("Here is what you asked for, step by step.", thinking=seen.rng.randrange(50))
    return Draft(json.dumps(filled(seen.schema, seen)), thinking=seen.rng.randrange(200))


Filler = Callable[[Seen], Any]


def filled(  # noqa: PLR0911 - one answer a type
    schema: Json, seen: Seen, own: Mapping[str, Filler] | None = None, root: Json | None = None
) -> JsonValue:
    """A value that fits a schema; `own` fills properties by their name."""
    root, own, rng = root or schema, own or {}, seen.rng
    if "$ref" in schema:
        return filled(root["$defs"][schema["$ref"].rpartition("/")[2]], seen, own, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "anyOf" in schema:
        return filled(rng.choice(schema["anyOf"]), seen, own, root)
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {}).items()
            return {
                name: own[name](seen) if name in own else filled(inner, seen, own, root)
                for name, inner in properties
            }
        case "array":
            count = max(int(schema.get("minItems", 1)), 1)
            return [filled(schema.get("items", {}), seen, own, root) for _ in range(count)]
        case "integer":
            return rng.randint(1, 5)
        case "number":
            return round(rng.random(), 3)
        case "boolean":
            return rng.random() < 0.5
        case _:
            return f"text {rng.randrange(10**6)}"
