"""The rubrics, from `docs/rubrics.md`: the one place where their words stand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import plugineval_action

_PACKAGE: Final = Path(plugineval_action.__file__).parent
_PLACES: Final = (_PACKAGE / "rubrics.md", _PACKAGE.parent / "docs" / "rubrics.md")
"""Inside an installed package, and in a checkout."""

LEVELS: Final = 5
STEP: Final = 1 / (LEVELS - 1)
"""What one level more counts."""

CRITERIA: Final = ("correct", "complete", "useful")
"""What an output and a reply are rated for."""

VERSION: Final = "1"
"""Of all prompts and rubrics; with other words it is another version, and no verdict is reused."""


def points(level: int) -> float:
    """What a level counts, 0 to 1."""
    return (level - 1) / (LEVELS - 1)


def rubric(name: str) -> str:
    """The section of one rubric, heading included."""
    return _sections()[name]


@cache
def _sections() -> dict[str, str]:
    place = next(place for place in _PLACES if place.is_file())
    pieces = f"\n{place.read_text(encoding='utf-8')}".split("\n## ")[1:]
    return {piece.partition("\n")[0].strip(): f"## {piece.strip()}\n" for piece in pieces}
