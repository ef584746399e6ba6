"""Which known name a misspelt one was meant to be."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

_PLAIN = str.maketrans("", "", "-_ ")


def near_field(name: str, known: Collection[str]) -> str | None:
    """The known field that a name differs from by signs, capitals or one slip; None for none."""
    return None if name in known else _near(name[:64], frozenset(known))


@lru_cache(maxsize=256)
def _near(name: str, known: frozenset[str]) -> str | None:
    plain = name.translate(_PLAIN).lower()
    for one in sorted(known):
        other = one.translate(_PLAIN).lower()
        if plain == other or (min(len(plain), len(other)) >= 5 and _one_slip(plain, other)):
            return one
    return None


def _one_slip(left: str, right: str) -> bool:
    """Whether one letter is missing, added, another, or swapped with its neighbour."""
    if abs(len(left) - len(right)) > 1:
        return False
    start = next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), -1)
    if start < 0:
        return True
    a, b = left[start:], right[start:]
    swapped = a[:2] == b[1::-1] and len(b) > 1 and a[2:] == b[2:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or swapped
