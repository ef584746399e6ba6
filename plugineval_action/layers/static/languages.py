"""Phrases in languages other than English: the data file phrases.json beside this module.

Every text handed to these functions has been through `phrase_notation.fold`.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from plugineval_action.layers.static.phrase_notation import Phrase

_UP_TO_TWO_WORDS = r"(?:\s+[^\s.,;:!?()،؛]+){0,2}"
_OTHER_LETTER = re.compile(r"(?![\x00-\x7f])\w")
_REACH = 80
"""How many characters before a trigger are searched for what negates it."""


class Language:
    """The lists of one language."""

    def __init__(self, table: dict[str, list[str]]) -> None:
        self._table = table

    def phrases(self, kind: str) -> list[Phrase]:
        """The phrases of one list."""
        return list(map(Phrase, self._table[kind]))

    def triggers(self, phrase: Phrase, text: str) -> Iterator[re.Match[str]]:
        """The places of a trigger phrase where it is not negated before, in or after it."""
        for at in phrase.places(text):
            start, end = at.span()
            reach = max(0, start - _REACH)
            if not (
                self._before.search(text, reach, start)
                or _any_negation().search(text, reach, start)
                or (phrase.has_gap and self._within.search(text, start, end))
                or self._after.match(text, end)
            ):
                yield at

    @cached_property
    def _before(self) -> re.Pattern[str]:
        """A negation up to two words before a trigger, or a word that the trigger ends."""
        negations, tails = _either(self.phrases("negation")), _either(self.phrases("tail_of"))
        return re.compile(rf"(?:{negations}{_UP_TO_TWO_WORDS}|{tails})\s*\Z")

    @cached_property
    def _within(self) -> re.Pattern[str]:
        return re.compile(_either(self.phrases("negation")))

    @cached_property
    def _after(self) -> re.Pattern[str]:
        return re.compile(rf"\s*+{_either(self.phrases('negation_after'))}")


def _either(phrases: Iterable[Phrase]) -> str:
    """Any of them; never, if there are none."""
    return f"(?:{'|'.join(phrase.expression for phrase in phrases) or '(?!)'})"


@cache
def languages() -> dict[str, Language]:
    """Every language of the data file by its code."""
    path = os.path.join(os.path.dirname(__file__), "phrases.json")
    with open(path, encoding="utf-8") as file:
        tables = json.load(file)["languages"]
    return {code: Language(table) for code, table in tables.items()}


@cache
def _any_negation() -> re.Pattern[str]:
    """A negation of any language right before a trigger: several share a "use", few a "not"."""
    negations = (phrase for each in languages().values() for phrase in each.phrases("negation"))
    return re.compile(rf"{_either(negations)}\s*\Z")


@cache
def _by_hint(kind: str, *, plain: bool) -> dict[str, list[tuple[Language, Phrase]]]:
    """Phrases by what a text must hold for them; `plain` leaves those in ASCII letters alone."""
    index = defaultdict(list)
    for language in languages().values():
        for phrase in language.phrases(kind):
            for hint in phrase.hints:
                if not plain or _is_plain(hint):
                    index[hint].append((language, phrase))
    return dict(index)


def _possible(kind: str, text: str) -> set[tuple[Language, Phrase]]:
    """The phrases of a kind that a text may hold."""
    hints = _by_hint(kind, plain=_is_plain(text))
    return {entry for hint, entries in hints.items() if hint in text for entry in entries}


def _is_plain(text: str) -> bool:
    """Whether all letters are in ASCII; dashes, arrows and pictures say nothing of the language."""
    return text.isascii() or not _OTHER_LETTER.search(text)


def find_trigger(text: str) -> re.Match[str] | None:
    """The first trigger phrase of any language that is not negated, the longest of those there."""
    possible = _possible("trigger", text)
    firsts = (next(language.triggers(phrase, text), None) for language, phrase in possible)
    return min(filter(None, firsts), key=lambda at: (at.start(), -at.end()), default=None)


def says(kind: str, text: str) -> bool:
    """Whether a text holds a phrase of a kind, in any language."""
    return any(next(phrase.places(text), None) for _, phrase in _possible(kind, text))


def count(kind: str, text: str) -> int:
    """At how many places phrases of a kind start, in the language that has most of them."""
    starts: defaultdict[Language, set[int]] = defaultdict(set)
    for language, phrase in _possible(kind, text):
        starts[language].update(at.start() for at in phrase.places(text))
    return max(map(len, starts.values()), default=0)
