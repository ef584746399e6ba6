"""Words that both rulesets look for, as linear scans: hostile text of 1 MB costs milliseconds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from plugineval_action.content.text import SHOWN, Spot, Tally, line_at

EXAMINED = 10_000
"""Places of one kind that are looked at: far more than a real skill has, and a bound."""


class Words:
    """A pattern whose every match starts with one of a few plain words, the stems.

    Looking for the stems first, and matching only there, is several times faster than a search.
    """

    def __init__(self, pattern: str, *stems: str) -> None:
        self._pattern = re.compile(pattern)
        self._stems = stems

    def first(self, text: str, line: int = 1) -> Spot | None:
        """The first match and its line, where the text starts on line `line`."""
        best: int | None = None
        for stem in self._stems:
            best = next(self._places(stem, text, best), best)
        if best is None:
            return None
        found = self._pattern.match(text, best)
        return Spot(line_at(text, best, line), found.group() if found else "")

    def there(self, text: str) -> bool:
        """Whether there is any match."""
        return any(next(self._places(stem, text), -1) >= 0 for stem in self._stems)

    def _places(self, stem: str, text: str, end: int | None = None) -> Iterator[int]:
        """Where matches start that begin with a stem, before `end`."""
        position = text.find(stem, 0, end)
        while position >= 0:
            if self._pattern.match(text, position):
                yield position
            position = text.find(stem, position + 1, end)

    def tally(self, text: str, line: int = 1) -> Tally:
        """How many matches there are, and where the first ones stand."""
        places = sorted(at for stem in self._stems for at in self._places(stem, text))
        return Tally(len(places), tuple(line_at(text, at, line) for at in places[:SHOWN]))


DIRECTIVE = Words(r"\b(?:MUST|NEVER|ALWAYS)\b", "MUST", "NEVER", "ALWAYS")
OUTPUT = Words(
    r"\b(?:returns?|produces?|outputs?|generates?)\b", "output", "return", "produce", "generate"
)
INPUT = Words(
    r"\b(?:input|receives?|accepts?|parameters?|args?)\b",
    *("input", "receive", "accept", "parameter", "arg"),
)
RELATED = Words(
    r"\brelated\b|\bsee also\b|\bcompanion\b|\bcomplement",
    *("related", "see also", "companion", "complement"),
)
DECISION = Words(
    r"decision|when to use|comparison|tradeoff",
    *("decision", "when to use", "comparison", "tradeoff"),
)

_RETURN = re.compile(r"\breturn")
_JSON = re.compile(r"json\b")
_OUTPUT_WORD = re.compile(r"\boutput\b")
_FORMAT_WORD = re.compile(r"\bformat\b")


def every(
    pattern: re.Pattern[str], text: str, line: int = 1
) -> Iterator[tuple[int, re.Match[str]]]:
    """The first EXAMINED matches with their lines, in order."""
    position = 0
    for found in islice(pattern.finditer(text), EXAMINED):
        line += text.count("\n", position, found.start())
        position = found.start()
        yield line, found


def tally(pattern: re.Pattern[str], text: str, line: int = 1) -> Tally:
    """How many matches there are, and where the first ones stand."""
    count = len(pattern.findall(text))
    return Tally(count, tuple(number for number, _ in islice(every(pattern, text, line), SHOWN)))


def format_spec(lower: str, line: int = 1) -> Spot | None:
    """The first line that names an output format, or returns JSON; `lower` is lower-cased text."""
    for start, text in _lines_with(lower, "format", "json"):
        if "format" in text and _FORMAT_WORD.search(text) and _OUTPUT_WORD.search(text):
            return Spot(line_at(lower, start, line), "output format")
        if "json" in text and _returns_json(text):
            return Spot(line_at(lower, start, line), "returns JSON")
    return None


def _returns_json(text: str) -> bool:
    starts = _RETURN.search(text)
    return starts is not None and _JSON.search(text, starts.end()) is not None


def _lines_with(text: str, *words: str) -> Iterator[tuple[int, str]]:
    """Each line that holds one of the words, once, with its offset."""
    starts = set()
    for word in words:
        position = text.find(word)
        while position >= 0:
            start = text.rfind("\n", 0, position) + 1
            end = text.find("\n", position)
            starts.add((start, len(text) if end < 0 else end))
            position = -1 if end < 0 else text.find(word, end)
    for start, end in sorted(starts):
        yield start, text[start:end]
