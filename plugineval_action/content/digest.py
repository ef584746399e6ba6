"""What a unit consists of, as one number: equal digests mean equal bytes under equal names."""

from __future__ import annotations

from hashlib import sha256
from os import fsencode

from plugineval_action.content.discovery import Unit
from plugineval_action.content.tree import Tree


def unit_digest(tree: Tree, unit: Unit) -> str:
    """SHA-256, in hex, over the paths of a unit's files inside it, and git's names of their bytes.

    Neither the place of the unit nor the order of its files counts. Raises ContentError for a file
    that is not there.
    """
    pairs = sorted((_inside(unit, path), tree.blob_id(path).encode()) for path in unit.files)
    return sha256(b"".join(b"%b\0%b\0" % pair for pair in pairs)).hexdigest()


def _inside(unit: Unit, path: str) -> bytes:
    """The path below the unit's directory; empty for an agent, which is its one file."""
    return fsencode(path.removeprefix(unit.path).removeprefix("/"))
