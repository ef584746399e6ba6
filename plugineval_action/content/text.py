"""Bytes to text, and places in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plugineval_action.content.tree import Tree

BOM = "\ufeff"


class Text(NamedTuple):
    """A decoded file with LF line ends. A byte order mark is kept: rulesets differ on it."""

    path: str
    content: str
    size: int
    decodable: bool


class Spot(NamedTuple):
    """Something found in a text, and the line it stands on."""

    line: int
    text: str


SHOWN = 20
"""Places of one kind that are kept: more than anyone reads, and a bound on hostile text."""


class Tally(NamedTuple):
    """How often something was found, and the lines of the first SHOWN."""

    total: int
    lines: tuple[int, ...] = ()


def tally(lines: Sequence[int]) -> Tally:
    """Count lines, and keep the first."""
    return Tally(len(lines), tuple(lines[:SHOWN]))


def read_text(tree: Tree, path: str) -> Text:
    """Read and decode a file; undecodable bytes become U+FFFD. Raises ContentError."""
    data = tree.read(path)
    try:
        content, decodable = data.decode("utf-8"), True
    except UnicodeDecodeError:
        content, decodable = data.decode("utf-8", "replace"), False
    if "\r" in content:
        content = content.replace("\r\n", "\n").replace("\r", "\n")
    elif decodable:
        return Text(path, content, len(data), decodable)
    return Text(path, content, len(content.encode("utf-8")), decodable)


def line_at(text: str, offset: int, first: int = 1) -> int:
    """The number of the line that holds `offset`, where the text starts on line `first`."""
    return first + text.count("\n", 0, offset)
