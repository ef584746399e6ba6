"""What a harness shows before any skill is loaded: a list of names and descriptions, and a tool."""

from __future__ import annotations

import json
import os.path
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple

from plugineval_action.layers.judge.shown import Listing
from plugineval_action.llm.client import Reply, Tool
from plugineval_action.stats.seeds import seeded

SIZE: Final = 16
"""Skills in the list, this one included."""

ORDERS: Final = 5
"""Orders of the list: enough to even out who stands first, few enough to be cached."""

TOOL: Final = Tool(
    "load_skill",
    "Loads a skill: its full instructions are then shown to you. Give its name as listed.",
    {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": False,
    },
)

_HARNESS: Final = """\
You are an assistant that helps its user with software and office work. Below are skills that can
be loaded. If a request is of the kind that a skill's description names, load that skill with the
tool before anything else. If none fits, answer without one, in a sentence or two.

Skills:
"""
_FILLERS: Final = os.path.join(os.path.dirname(__file__), "fillers.json")


class Roster(NamedTuple):
    """A list of skills, this one among them, in a few orders; `digest` stands for all of it."""

    own: Listing
    orders: tuple[tuple[Listing, ...], ...]
    digest: str

    def system(self, run: int) -> str:
        """What the model is told in a run."""
        listed = "\n".join(
            f"- {one.name}: {' '.join(one.description.split())}"
            for one in self.orders[run % len(self.orders)]
        )
        return f"{_HARNESS}{listed}"

    def asked_for_own(self, reply: Reply) -> bool:
        """Whether a reply asks for this skill, by its name."""
        return any(
            use.name == TOOL.name and str(use.input.get("name", "")).strip() == self.own.name
            for use in reply.tool_uses
        )


def roster(own: Listing, siblings: Iterable[Listing], others: Iterable[Listing]) -> Roster:
    """A list of this skill and others: its plugin's, some from around, fillers if these are few.

    Siblings come first as they are the likeliest to be mistaken for it; of the rest a sample is
    taken that depends on this skill alone.
    """
    rng = seeded("roster", *own)
    listed = [own]
    for group in (siblings, others, _fillers()):
        fresh = [one for one in dict.fromkeys(group) if one.description]
        rng.shuffle(fresh)
        for one in fresh:
            if len(listed) < SIZE and one.name not in {taken.name for taken in listed}:
                listed.append(one)
    orders = tuple(tuple(rng.sample(listed, len(listed))) for _ in range(ORDERS))
    words = "\0".join(word for order in orders for one in order for word in one)
    return Roster(own, orders, sha256(words.encode("utf-8", "replace")).hexdigest())


@cache
def _fillers() -> tuple[Listing, ...]:
    with open(_FILLERS, encoding="utf-8") as file:
        return tuple(Listing(name, description) for name, description in json.load(file).items())
