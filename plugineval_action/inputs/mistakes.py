"""What is wrong with a file that somebody wrote: where, why, and what to do; all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, NamedTuple, NoReturn

from pydantic_core import PydanticCustomError

from plugineval_action.errors import UsageError
from plugineval_action.escape import shorten

MOST_SHOWN: Final = 20

Place = tuple[str | int, ...]
"""Keys and list positions from the top of a file, as in `("checks", 3, "id")`."""

_SHOWN: Final = 80
_TELLING: Final = 3
"""Characters from which on a part of a name tells which one is meant."""


class Mistake(NamedTuple):
    """One mistake: `reason` and `remedy` are sentences."""

    path: str
    line: int
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason} {self.remedy}"


def refuse(mistakes: Sequence[Mistake]) -> NoReturn:
    """Raise one UsageError that tells all mistakes, in the order of their lines."""
    ordered = sorted(mistakes, key=lambda one: one.line)
    lines = [str(one) for one in ordered[:MOST_SHOWN]]
    if len(ordered) > MOST_SHOWN:
        lines.append(f"{len(ordered) - MOST_SHOWN} more mistakes follow.")
    *before, last = lines
    remedy = ordered[-1].remedy if len(ordered) <= MOST_SHOWN else "Correct these first."
    raise UsageError("\n".join([*before, last.removesuffix(f" {remedy}")]), remedy)


def quoted(value: object) -> str:
    """A value as a message shows it: short, as its file writes it, and in quotes if it is text."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{shorten(value, _SHOWN)}'" if isinstance(value, str) else shorten(repr(value), _SHOWN)


def did_you_mean(typed: str, known: Sequence[str]) -> str:
    """A hint at the name that is nearest to what was typed, and all names."""
    inside = [one for one in known if typed in one] if len(typed) >= _TELLING else []
    near = get_close_matches(typed, known, n=1) or inside
    hint = f"Did you mean {near[0]}? " if near else ""
    return f"{hint}Known are {', '.join(known)}."


def problem(reason: str, remedy: str) -> PydanticCustomError:
    """For validators: an error of a field with its own remedy."""
    return PydanticCustomError("remedied", "{reason}", {"reason": reason, "remedy": remedy})


class Located(NamedTuple):
    """The values of a file, and the lines on which they stand."""

    path: str
    value: Any
    lines: Mapping[Place, int]

    def line(self, *place: str | int) -> int:
        """The line of a place, or of the nearest thing around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def mistake(self, place: Place, reason: str, remedy: str) -> Mistake:
        """A mistake at a place."""
        return Mistake(self.path, self.line(*place), reason, remedy)
