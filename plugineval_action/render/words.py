"""Numbers and names as people read them, the same in every text."""

from __future__ import annotations

import re
from typing import Final

from plugineval_action.escape import shorten

NOTHING: Final = "—"
UNBROKEN: Final = "\N{NO-BREAK SPACE}"
ID_LIMIT: Final = 24

_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def counted(count: int, noun: str) -> str:
    """`1 skill`, `1,200 skills`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def signed(points: float) -> str:
    """`+3.1` or `−6.3`, with a real minus sign; what a verdict calls a move never shows as 0.0."""
    return f"{round(points, 9):+.1f}".replace("-", "−")


def moved(points: float) -> str:
    """`▲ +3.1` or `▼ −6.3`: told apart without colour, and never broken over two lines."""
    return f"{'▲' if points > 0 else '▼'}{UNBROKEN}{signed(points)}"


def spaced(name: str) -> str:
    """`triggering_accuracy` as `triggering accuracy`."""
    return name.replace("_", " ")


def is_commit(identity: str) -> bool:
    """Whether this is a commit's full name."""
    return bool(_COMMIT.fullmatch(identity))


def short_id(identity: str, limit: int = ID_LIMIT) -> str:
    """A commit by its first ten digits; anything else, such as a directory, cut to a few words."""
    return identity[:10] if is_commit(identity) else shorten(identity, limit)
