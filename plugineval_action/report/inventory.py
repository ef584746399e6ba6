"""`files.txt`: which files of a folder a report wrote, so that no other is touched. Pure.

One path a line. What it lists and a later report no longer has is stale and goes; what it does not
list belongs to somebody else and stays.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from plugineval_action.content.tree import normalise

INVENTORY: Final = "files.txt"

Blob = str
"""Git's name of a file's bytes."""


class Difference(NamedTuple):
    """What to do to a folder: paths to write, to delete, and those that a foreign file takes."""

    written: tuple[str, ...]
    stale: tuple[str, ...]
    foreign: tuple[str, ...]


def listed(text: str) -> frozenset[str]:
    """The paths in an inventory; one that leads out of the folder is left out."""
    return frozenset(line for line in text.split("\n") if line and normalise(line) == line)


def inventory(paths: Collection[str]) -> str:
    """The inventory of files, itself included."""
    return "".join(f"{path}\n" for path in sorted({*paths, INVENTORY}))


def difference(
    there: Mapping[str, Blob], wanted: Mapping[str, Blob], owned: Collection[str]
) -> Difference:
    """From the files of a folder to those that it should have; `owned` are those of a report."""
    written = [path for path, blob in wanted.items() if there.get(path) != blob]
    return Difference(
        tuple(written),
        tuple(sorted(path for path in there if path in owned and path not in wanted)),
        tuple(sorted(path for path in written if path in there and path not in owned)),
    )
