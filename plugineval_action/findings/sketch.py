"""A few numbers that stand for a text, so that copied text is found among 20,000 skills.

Runs of five words are taken where a word begins whose checksum is a multiple of 16: the same places
in every text that shares the words (content-defined sampling, as in Manber, "Finding Similar Files
in a Large File System", 1994). The 64 smallest checksums of those runs are kept.
"""

from __future__ import annotations

from array import array
from typing import Final
from zlib import crc32

RUN: Final = 5
KEPT: Final = 64
FEWEST: Final = 12
"""Sampled runs under which a text is too short to be called a copy: about 200 words."""

_EVERY: Final = 16
_MOST_CHARACTERS: Final = 100_000
_NOT_SAMPLED: Final = _EVERY - 1
"""Bits of a checksum that are all 0 where a run begins."""


def sketch(text: str) -> array[int]:
    """The kept checksums of a text, ascending."""
    # Bytes take a third of the time that characters do; so only ASCII letters are made small.
    words = text[:_MOST_CHARACTERS].encode("utf-8", "replace").lower().split()
    sums = enumerate(map(crc32, words[: -RUN + 1]))
    places = [at for at, checksum in sums if not checksum & _NOT_SAMPLED]
    runs = {crc32(b" ".join(words[at : at + RUN])) for at in places}
    return array("I", sorted(runs)[:KEPT])


def contained(own: array[int], other: array[int]) -> float:
    """About which share of a text stands in another one, 0 to 1."""
    comparable = [one for one in own if one <= _reach(other)]
    return len(set(comparable) & set(other)) / len(comparable) if comparable else 0.0


def _reach(kept: array[int]) -> int:
    """Up to which checksum nothing of a text was left out."""
    return kept[-1] if len(kept) == KEPT else 0xFFFFFFFF
