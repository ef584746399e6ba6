"""Chance that can be repeated: the same words, the same numbers."""

from __future__ import annotations

from random import Random


def seeded(*words: str | int) -> Random:
    """A generator of its own for a purpose, such as `seeded("quality", digest)`."""
    return Random("\0".join(map(str, words)))
