"""Which removed unit lives on as which new one.

Told by content first: the same bytes under another path, then the same name, then text that
mostly stayed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from itertools import islice, product
from typing import Final, NamedTuple

from plugineval_action.content.discovery import Unit
from plugineval_action.content.members import byte_order
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError

SIMILAR: Final = 0.5
"""Share of common lines from which a text is another one, renamed and edited."""

MAX_COMPARED: Final = 200
"""Most units on either side that are compared line by line; if there are more, none is."""

_MAX_LINES = 1000


class Side(NamedTuple):
    """A unit as it is in one tree.

    `digest` holds the unit's own and, for a plugin, that of each member with its place.
    """

    tree: Tree
    unit: Unit
    digest: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.unit.path.rpartition("/")[2]


Match = tuple[Side, Side]


def renames(gone: Iterable[Side], come: Iterable[Side]) -> list[Match]:
    """Pairs of units of one kind that only one tree has each; nothing is paired twice."""
    gone, come = sorted(gone, key=_place), sorted(come, key=_place)
    matches: list[Match] = []
    for step in (_same_content_and_name, _same_content, _same_name, _similar_text):
        matches += step(gone, come)
        taken = {id(side) for match in matches for side in match}
        gone = [side for side in gone if id(side) not in taken]
        come = [side for side in come if id(side) not in taken]
    return matches


def _place(side: Side) -> bytes:
    return byte_order(side.unit.path)


def _same_content_and_name(gone: list[Side], come: list[Side]) -> list[Match]:
    groups = _grouped(gone, come, lambda side: (side.digest, side.name))
    return [match for before, after in groups for match in zip(before, after, strict=False)]


def _same_content(gone: list[Side], come: list[Side]) -> list[Match]:
    groups = _grouped(gone, come, lambda side: side.digest)
    return [match for before, after in groups for match in zip(before, after, strict=False)]


def _same_name(gone: list[Side], come: list[Side]) -> list[Match]:
    """Only where the name is unambiguous on both sides."""
    groups = _grouped(gone, come, lambda side: side.name)
    return [(before[0], after[0]) for before, after in groups if len(before) == len(after) == 1]


def _grouped(
    gone: list[Side], come: list[Side], key: Callable[[Side], Hashable]
) -> Iterable[tuple[list[Side], list[Side]]]:
    groups = defaultdict[Hashable, tuple[list[Side], list[Side]]](lambda: ([], []))
    for side in gone:
        groups[key(side)][0].append(side)
    for side in come:
        groups[key(side)][1].append(side)
    return groups.values()


def _similar_text(gone: list[Side], come: list[Side]) -> list[Match]:
    """Greedily, the most similar first; of equal ones the first paths first."""
    if not gone or not come or max(len(gone), len(come)) > MAX_COMPARED:
        return []
    before, after = [_lines(side) for side in gone], [_lines(side) for side in come]
    ranked = sorted(
        (-share, i, j)
        for (i, old), (j, new) in product(enumerate(before), enumerate(after))
        if (share := _share(old, new)) >= SIMILAR
    )
    matches: dict[int, int] = {}
    for _, i, j in ranked:
        if i not in matches and j not in matches.values():
            matches[i] = j
    return [(gone[i], come[j]) for i, j in matches.items()]


def _share(a: frozenset[int], b: frozenset[int]) -> float:
    """The share of lines, of all lines of two texts, that both have; 0 for empty ones."""
    common = len(a & b)
    return common / (len(a) + len(b) - common) if common else 0.0


def _lines(side: Side) -> frozenset[int]:
    """Hashes of the first stripped, non-empty lines of a text; for a plugin, of its members."""
    if side.unit.kind == "plugin":
        return frozenset(hash(member) for member in side.digest[1:])
    path = side.unit.path
    try:
        text = side.tree.read(path if side.unit.kind == "agent" else join(path, SKILL_FILE))
    except ContentError:
        return frozenset()
    lines = islice(filter(None, map(bytes.strip, text.splitlines())), _MAX_LINES)
    return frozenset(hash(line) for line in lines)
