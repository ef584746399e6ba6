"""Descriptions that say nearly the same, by the words they share, in nearly linear time.

Two descriptions are as alike as the share of their words that both have (Jaccard, over the set of
words without the commonest English ones). Pairs are found by an inverted index over the rarest
words of each: two sets that share so much must share one of those (prefix filtering, as in
Chaudhuri, Ganti and Kaushik, "A Primitive Operator for Similarity Joins", 2006). Each description
is listed with the earlier one that is most like it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import ceil
from typing import Final, NamedTuple

from plugineval_action.report_values import Listing

ALIKE: Final = 0.5
"""Share of the words from which on two descriptions are listed as nearly the same."""

FEWEST_WORDS: Final = 5
"""Words under which a description says too little to be like another."""

_MOST_WORDS: Final = 300
_MOST_LOOKED_AT: Final = 40
"""Earlier descriptions that one is compared with: those that share its rarest words, the latest."""

_ENGLISH: Final = (
    "a about an and any are as at be by can do for from has have how if in into is it its of on or"
    " should so such that the their them then these this to use used user users using via was when"
    " where which while who will with you your me my we our no not skill skills"
)
_COMMON: Final = frozenset(_ENGLISH.split())
_CHINESE_JAPANESE: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_IS_CHINESE_JAPANESE: Final = re.compile(f"[{_CHINESE_JAPANESE}]").match
_WORD: Final = re.compile(rf"[{_CHINESE_JAPANESE}]+|[^\W_{_CHINESE_JAPANESE}]+")


class Pair(NamedTuple):
    """Two skills, how alike their descriptions are (0 to 1), and the words that both have.

    `others` is how many more skills have exactly the words of one of the two.
    """

    first: Listing
    second: Listing
    alike: float
    words: tuple[str, ...]
    others: int


def words(text: str) -> frozenset[str]:
    """The words that tell descriptions apart; of Chinese and Japanese each two characters."""
    runs = set(_WORD.findall(text.casefold()))
    found = {word for word in runs if len(word) > 1}
    if not text.isascii():
        for run in filter(_IS_CHINESE_JAPANESE, runs):
            found.discard(run)
            found.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
    told = found - _COMMON
    return frozenset(told if len(told) <= _MOST_WORDS else sorted(told)[:_MOST_WORDS])


def similar_pairs(listings: Iterable[Listing]) -> list[Pair]:
    """Pairs of skills with nearly the same description, the most alike first."""
    groups: dict[frozenset[str], list[Listing]] = {}
    for listing in sorted(listings, key=lambda listing: (listing.path, listing.name)):
        said = words(listing.text)
        if len(said) >= FEWEST_WORDS:
            groups.setdefault(said, []).append(listing)
    same = (
        _pair(group[:2], said, said, len(group) - 2)
        for said, group in groups.items()
        if len(group) > 1
    )
    near = (
        _pair([groups[a][0], groups[b][0]], a, b, len(groups[a]) + len(groups[b]) - 2)
        for a, b in _near(list(groups))
    )
    return sorted((*same, *near), key=_order)


def _pair(both: Sequence[Listing], a: frozenset[str], b: frozenset[str], others: int) -> Pair:
    first, second = sorted(both, key=lambda listing: (listing.path, listing.name))
    return Pair(first, second, _share(a, b), tuple(sorted(a & b)), others)


def _order(pair: Pair) -> tuple[float, str, str]:
    return -pair.alike, pair.first.path, pair.second.path


def _near(sets: Sequence[frozenset[str]]) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Each set that shares enough with an earlier one, after the one that it shares most with."""
    often = Counter(word for each in sets for word in each)
    rarest = [sorted(each, key=lambda word: (often[word], word)) for each in sets]
    index: dict[str, list[int]] = {}
    for at in sorted(range(len(sets)), key=lambda at: (len(sets[at]), rarest[at])):
        own = sets[at]
        prefix = rarest[at][: len(own) - ceil(ALIKE * len(own)) + 1]
        found = [(_share(own, sets[other]), -other) for other in _candidates(index, prefix)]
        best, other = max(found, default=(0.0, 0))
        if best >= ALIKE:
            yield sets[-other], own
        for word in prefix:
            index.setdefault(word, []).append(at)


def _candidates(index: dict[str, list[int]], prefix: Iterable[str]) -> Iterator[int]:
    """Earlier sets that share a rare word, each once, those with the rarest words first."""
    shared = (at for word in prefix for at in reversed(index.get(word, ())))
    return islice(dict.fromkeys(islice(shared, 2 * _MOST_LOOKED_AT)), _MOST_LOOKED_AT)


def _share(a: frozenset[str], b: frozenset[str]) -> float:
    both = len(a & b)
    return both / (len(a) + len(b) - both)
