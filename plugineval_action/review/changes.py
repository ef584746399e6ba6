"""What a change did to skills, agents and plugins: which are new, gone, moved or edited.

Pure over two trees and the units found in them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import zip_longest
from typing import NamedTuple

from plugineval_action.content.digest import unit_digest
from plugineval_action.content.discovery import Unit
from plugineval_action.content.members import PLUGIN_FOLDER, SKIPPED_FOLDERS, byte_order
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError
from plugineval_action.results import Kind
from plugineval_action.review.renames import Side, renames
from plugineval_action.review_values import ChangeStatus

_KINDS: tuple[Kind, ...] = ("skill", "agent", "plugin")


class Pair(NamedTuple):
    """One unit before and after; `base` is None for a new one, `head` for a removed one."""

    status: ChangeStatus
    base: Unit | None
    head: Unit | None


def find_changes(
    base: Tree, head: Tree, base_units: Mapping[str, Unit], head_units: Mapping[str, Unit]
) -> list[Pair]:
    """Every unit that is new, removed, renamed or changed, by the path it has now or had last.

    Units of one kind under one key are the same unit. A skill or agent changed if its files did; a
    plugin if its manifest did, a skill or agent that belongs to it, or which of them there are.
    """
    before, after = _sides(base, base_units), _sides(head, head_units)
    both = before.keys() & after.keys()
    pairs = [pair for key in both if (pair := _kept(before[key], after[key]))]
    for kind in _KINDS:
        gone = [side for key, side in before.items() if key[0] == kind and key not in both]
        come = [side for key, side in after.items() if key[0] == kind and key not in both]
        pairs += _pairs(gone, come)
    return sorted(pairs, key=_order)


def structure_changed(base: Tree, head: Tree) -> bool:
    """Whether files came or went, or a manifest differs: links and names may then lead elsewhere.

    Folders that hold no content of the repository's own are left out.
    """
    files = zip_longest(base.files(skip=SKIPPED_FOLDERS), head.files(skip=SKIPPED_FOLDERS))
    return any(
        before is None
        or before != after
        or (_is_manifest(before) and _blob(base, before) != _blob(head, before))
        for before, after in files
    )


def _is_manifest(path: str) -> bool:
    return path.split("/")[-2:-1] == [PLUGIN_FOLDER]


def _blob(tree: Tree, path: str) -> str:
    try:
        return tree.blob_id(path)
    except ContentError:
        return _unreadable(tree)


def _unreadable(tree: Tree) -> str:
    """In place of a digest: what cannot be read counts as changed; scoring says what is wrong."""
    return f"unreadable in {tree.identity}"


def _sides(tree: Tree, units: Mapping[str, Unit]) -> dict[tuple[Kind, str], Side]:
    digests = {key: _digest(tree, unit) for key, unit in units.items()}
    members = defaultdict[str, list[str]](list)
    for key, unit in units.items():
        if unit.kind != "plugin" and unit.plugin is not None:
            place = unit.path.removeprefix(unit.plugin).removeprefix("/")
            members[unit.plugin].append(f"{unit.kind} {place} {digests[key]}")
    return {
        (unit.kind, key): Side(tree, unit, (digests[key], *sorted(_members(unit, members))))
        for key, unit in units.items()
    }


def _members(unit: Unit, members: Mapping[str, list[str]]) -> list[str]:
    return members.get(unit.path, []) if unit.kind == "plugin" else []


def _digest(tree: Tree, unit: Unit) -> str:
    try:
        return unit_digest(tree, unit)
    except ContentError:
        return _unreadable(tree)


def _kept(base: Side, head: Side) -> Pair | None:
    """A unit that both trees have, if it is not the same in both."""
    if base.unit.path != head.unit.path:
        return Pair("renamed", base.unit, head.unit)
    return Pair("changed", base.unit, head.unit) if base.digest != head.digest else None


def _pairs(gone: list[Side], come: list[Side]) -> list[Pair]:
    """Units of one kind that only one of the trees has at their place."""
    moved = renames(gone, come)
    known = {id(side) for match in moved for side in match}
    return [
        *(Pair("renamed", base.unit, head.unit) for base, head in moved),
        *(Pair("removed", side.unit, None) for side in gone if id(side) not in known),
        *(Pair("new", None, side.unit) for side in come if id(side) not in known),
    ]


def _order(pair: Pair) -> tuple[bytes, bytes, int]:
    head = pair.head or pair.base
    base = pair.base or pair.head
    assert head is not None
    assert base is not None
    return byte_order(head.path), byte_order(base.path), _KINDS.index(head.kind)
