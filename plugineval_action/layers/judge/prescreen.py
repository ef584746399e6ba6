"""Text aimed at whoever judges the skill, found before a model reads it.

Each pattern (`aimed.json`) is something that no skill needs to say to the person who uses it:
orders about the verdict, turns of a conversation that never took place, a verdict written in
advance, characters that nobody sees. They are narrow, because a skill may well be *about* judging.
What gets past them still meets the delimiters, the control question and our own arithmetic.
"""

from __future__ import annotations

import json
import os.path
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

from plugineval_action.content.skill import finding
from plugineval_action.results import Finding

SHOWN: Final = 5
"""Places that are named: a text with one of them is not judged anyway."""

_TABLE: Final = os.path.join(os.path.dirname(__file__), "aimed.json")
_LONGEST_LINE: Final = 10_000
"""How much of a line is looked at."""

_INVISIBLE: Final = re.compile(
    "[\U000e0001-\U000e007f]"  # tags, which spell ASCII unseen
    "|[\u202a-\u202e\u2066-\u2069]"  # embeddings and overrides of the direction
    "|[\u200b\u2060\ufeff\u00ad]{2}"
    "|[A-Za-z][\u200b\u200c\u200d\u2060\u00ad][A-Za-z]"  # a word broken up for no reader's sake
)
_BLACK_FLAG: Final = "\U0001f3f4"
"""With tags after it, it is the flag of England, Scotland or Wales."""

_HOMOGLYPHS: Final = str.maketrans("аеорсухіјѕԁһ", "aeopcyxijsdh")
"""Cyrillic letters that look like Latin ones."""

_LATIN: Final = re.compile("[A-Za-z]")
_OTHER_SCRIPT: Final = re.compile(
    "[\u0400-\u04ff\u0600-\u06ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)
_MARKS: Final = re.compile(r"[*_~`>]+(?=\s|\w)|(?<=\w)[*~`]+")
_NO_MARKS: Final = dict.fromkeys(map(ord, "*_~`"))


class Aimed(NamedTuple):
    """A place in the text and what stands there."""

    line: int
    what: str


class _Kind(NamedTuple):
    """Patterns of one kind; `hints` are words that a line must hold, which are found faster."""

    what: str
    hints: tuple[tuple[str, ...], ...]
    other_scripts: bool
    pattern: re.Pattern[str]

    def may_fit(self, words: str) -> bool:
        """Whether a line in small letters is worth the pattern."""
        if self.other_scripts and not words.isascii() and _OTHER_SCRIPT.search(words):
            return True
        for group in self.hints:  # all and any would take three times as long
            for word in group:
                if word in words:
                    break
            else:
                return False
        return True


def aimed_at_judge(text: str) -> tuple[Aimed, ...]:
    """The first SHOWN places where a text speaks to its judge; lines count from 1."""
    return tuple(islice(_places(text), SHOWN))


def findings(aimed: tuple[Aimed, ...], path: str) -> tuple[Finding, ...]:
    """The places as findings on a file."""
    return tuple(
        finding("PRESCREENED", f"The text may speak to its judge: {place.what}.", path, place.line)
        for place in aimed
    )


def _places(text: str) -> Iterator[Aimed]:
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.isascii() and _hides(line):
            yield Aimed(number, "characters that nobody sees")
        elif what := _spoken(_joined(lines, number)):
            yield Aimed(number, what)


def _hides(line: str) -> bool:
    return bool(_INVISIBLE.search(line[:_LONGEST_LINE])) and _BLACK_FLAG not in line


def _joined(lines: list[str], number: int) -> str:
    """A line, and the next one if the sentence goes on there."""
    line = lines[number - 1][:_LONGEST_LINE]
    if number < len(lines) and line.strip() and line.rstrip()[-1:] not in ".!?:|`":
        return f"{line.rstrip()} {lines[number][:_LONGEST_LINE].strip()}"
    return line


def _spoken(line: str) -> str | None:
    plain = line if line.isascii() else _latin(line)
    words = plain.translate(_NO_MARKS).lower()
    suspects = [kind for kind in _kinds() if kind.may_fit(words)]
    if not suspects:
        return None
    # With its marks it may hold a tag, without them words that marks had broken up.
    texts = " ".join(plain.split()), " ".join(_MARKS.sub("", plain).split())
    return next(
        (kind.what for kind in suspects for text in texts if kind.pattern.search(text)), None
    )


def _latin(line: str) -> str:
    """Compatibility forms and look-alikes as the letters that they pass for."""
    text = unicodedata.normalize("NFKC", line)
    return text.translate(_HOMOGLYPHS) if _LATIN.search(text) else text


@cache
def _kinds() -> tuple[_Kind, ...]:
    with open(_TABLE, encoding="utf-8") as file:
        table = json.load(file)
    return tuple(_kind(one, table["words"]) for one in table["kinds"])


def _kind(one: dict[str, Any], words: dict[str, str]) -> _Kind:
    pattern = "|".join(f"(?:{each})" for each in one["patterns"])
    for name, stands_for in words.items():
        pattern = pattern.replace(f"{{{name}}}", stands_for)
    hints = tuple(tuple(group) for group in one["hints"])
    return _Kind(one["what"], hints, one["other_scripts"], re.compile(pattern, re.IGNORECASE))
