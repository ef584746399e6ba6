"""The health of many skills together: what their listing takes, which fight for the same prompt.

Pure over what a harness lists of each skill. Source: Claude Code on skills (a listing of 1 %
of the context, 8,000 characters where that is unknown, 1,536 of each skill).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from plugineval_action.findings.profiles import LISTING_LIMIT

BUDGET: Final = 8_000
"""Characters of all descriptions together that are listed where the context's size is unknown."""

ALIKE: Final = 0.5
"""Share of common words from which two descriptions are said to collide."""

_LEAST_WORDS: Final = 5
_MOST_SKILLS_OF_A_WORD: Final = 40
_WORD = re.compile(r"[^\W\d_]{3,}")
_COMMON_TEXT: Final = """
and any are for from how into its not that the them this use used user users uses using want
wants when whenever which with you your skill skills
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())


class Listing(NamedTuple):
    """What is listed of one skill: its name, description and when_to_use, and where it lies."""

    name: str
    text: str
    path: str


class Budget(NamedTuple):
    """Characters that all listings take, and the longest ones first."""

    characters: int
    limit: int
    longest: tuple[Listing, ...]

    @property
    def over(self) -> bool:
        """Whether some descriptions will be dropped."""
        return self.characters > self.limit


class Collision(NamedTuple):
    """Two skills whose descriptions share most of their words, 0 to 1, and some of these words."""

    left: Listing
    right: Listing
    alike: float
    words: tuple[str, ...]


def budget(listings: Sequence[Listing], limit: int = BUDGET) -> Budget:
    """What the listings take; each counts with its name, and is cut as the harness cuts it."""
    longest = sorted(listings, key=lambda one: (-_length(one), one.path))
    return Budget(sum(map(_length, listings)), limit, tuple(longest))


def _length(listing: Listing) -> int:
    return len(listing.name) + min(len(listing.text), LISTING_LIMIT)


def duplicates(listings: Iterable[Listing]) -> tuple[tuple[Listing, ...], ...]:
    """Skills that go by the same name, capitals aside; of such, a harness may show one only."""
    named = defaultdict[str, list[Listing]](list)
    for listing in listings:
        named[listing.name.lower()].append(listing)
    return tuple(tuple(same) for _, same in sorted(named.items()) if len(same) > 1)


def collisions(listings: Sequence[Listing], alike: float = ALIKE) -> tuple[Collision, ...]:
    """Pairs of skills that fight for the same prompts, the closest first (Jaccard over words)."""
    words = [frozenset(_WORD.findall(one.text.lower())) - _COMMON for one in listings]
    found = []
    for left, right in _pairs(words):
        both, either = words[left] & words[right], words[left] | words[right]
        if len(both) >= _LEAST_WORDS and len(both) >= alike * len(either):
            share = len(both) / len(either)
            shared = tuple(sorted(both))
            found.append(Collision(listings[left], listings[right], share, shared))
    return tuple(sorted(found, key=lambda one: (-one.alike, one.left.path, one.right.path)))


def _pairs(words: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Pairs that share a word which is not in everything: comparing all would be quadratic."""
    holders = defaultdict[str, list[int]](list)
    for number, own in enumerate(words):
        for word in own:
            holders[word].append(number)
    rare = (same for same in holders.values() if 1 < len(same) <= _MOST_SKILLS_OF_A_WORD)
    yield from sorted({pair for same in rare for pair in combinations(same, 2)})
