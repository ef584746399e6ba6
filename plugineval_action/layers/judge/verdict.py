"""A verdict: what a judge is asked to fill in, and what of it holds.

One schema serves every rubric, so that all questions about a skill share one cached prefix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from plugineval_action.layers.judge.rubrics import LEVELS, points
from plugineval_action.llm.client import Json
from plugineval_action.stats.seeds import seeded

SCHEMA: Final[Json] = {
    "type": "object",
    "properties": {
        "ratings": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "subject": {"type": "string"},
                    "criterion": {"type": "string"},
                    "reasoning": {"type": "string", "description": "One or two sentences."},
                    "quotes": {"type": "array", "items": {"type": "string"}},
                    "level": {"type": "integer", "minimum": 1, "maximum": LEVELS},
                },
                "required": ["subject", "criterion", "reasoning", "quotes", "level"],
                "additionalProperties": False,
            },
        },
        "control": {"type": "integer", "minimum": 0, "maximum": LEVELS},
    },
    "required": ["ratings", "control"],
    "additionalProperties": False,
}

_COLOURS: Final = ("red", "green", "blue", "yellow", "brown", "purple", "orange", "grey")
_OTHERS: Final = ("table", "river", "window", "paper", "engine", "ladder", "bottle", "garden")
_LONGEST_QUOTE: Final = 500
_SHORTEST_QUOTE: Final = 8
"""Characters of a quote below which it may stand in any text by chance."""

Key = tuple[str, str]
"""Subject and criterion of a rating."""


class Rating(NamedTuple):
    """One rating: the level, what the judge said, and its quotes that are in the text."""

    subject: str
    criterion: str
    level: int
    reasoning: str
    quotes: tuple[str, ...]

    @property
    def score(self) -> float:
        """What the level counts, 0 to 1."""
        return points(self.level)


class Verdict(NamedTuple):
    """All ratings that were asked for; `invented` counts quotes that are not in the text."""

    ratings: tuple[Rating, ...]
    invented: int


class Void(NamedTuple):
    """A verdict that counts for nothing, and why."""

    why: str


class Control(NamedTuple):
    """A question with a known answer, among the others."""

    question: str
    answer: int


def control(identity: str) -> Control:
    """The control question of a request. The answer is never the highest level.

    It follows from the request's identity, so that a remembered verdict can be checked again.
    """
    rng = seeded("control", identity)
    answer = rng.randrange(1, LEVELS - 1)
    words = rng.sample(_COLOURS, answer) + rng.sample(_OTHERS, LEVELS - answer)
    rng.shuffle(words)
    question = f"`control`: how many of these words are colours: {', '.join(words)}?"
    return Control(question, answer)


def read(data: Json, asked: Iterable[Key], identity: str, text: str) -> Verdict | Void:
    """Check an answer that fits the schema: the control, what was asked for, ranges, quotes."""
    if data["control"] != control(identity).answer:
        return Void(
            "The control question was answered wrong, so the judge may not have read it all."
        )
    ratings = [_rating(one, text) for one in data["ratings"]]
    keys = [(one.subject, one.criterion) for one in ratings]
    if sorted(keys) != sorted(asked):
        return Void("The ratings are not the ones that were asked for.")
    if any(not 1 <= one.level <= LEVELS for one in ratings):
        return Void("A level is out of range.")
    offered = sum(len(one["quotes"]) for one in data["ratings"])
    return Verdict(tuple(ratings), offered - sum(len(one.quotes) for one in ratings))


def _rating(one: Json, text: str) -> Rating:
    seen = _folded(text)
    quotes = tuple(quote for quote in one["quotes"] if _stands(quote, seen))
    return Rating(
        " ".join(one["subject"].split()).lower(),
        one["criterion"].strip().lower(),
        one["level"],
        " ".join(one["reasoning"].split()),
        quotes,
    )


def _stands(quote: str, seen: str) -> bool:
    folded = _folded(quote)
    return _SHORTEST_QUOTE <= len(folded) <= _LONGEST_QUOTE and folded in seen


def _folded(text: str) -> str:
    """Without marks and spaces that a quote may lose: a judge quotes words, not Markdown."""
    return " ".join(re.sub(r"[*_`#>|]+", " ", text).split()).lower()
