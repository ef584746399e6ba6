"""What a skill consists of, as one number that anybody can compute with `sha256sum`."""

from __future__ import annotations

from hashlib import sha256
from os import fsencode
from typing import Final

from plugineval_action.content.discovery import Unit
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError

_REWRITTEN: Final = (b"\n", b"\r", b"\\")
"""What sha256sum does not print as it is."""


def checksums(tree: Tree, unit: Unit) -> bytes:
    """A line a file of the unit, as `sha256sum` prints it, in byte order of the paths inside it.

    The form is that of Go's dirhash. Raises ContentError for a file that cannot be read, or whose
    name cannot stand in a line.
    """
    pairs = sorted((_inside(unit, path), path) for path in unit.files)
    for name, path in pairs:
        if any(mark in name for mark in _REWRITTEN) or not _is_text(name):
            what = f"{path!r} has a line break, a backslash or no UTF-8 in its name."
            raise ContentError(path, what, "Rename the file.")
    return b"".join(b"%b  %b\n" % (tree.sha256(path).encode(), name) for name, path in pairs)


def uncovered(tree: Tree, unit: Unit) -> str | None:
    """The first path in a skill's folder that its digest says nothing of; None if there is none.

    Such are links, other skills, and what lies in folders that nobody looks into. Of a skill at
    the root of a tree only its own files count: the rest is the repository's.
    """
    if not unit.path:
        return None
    covered = frozenset(unit.files)
    rest = [unit.path]
    while rest:
        directory = rest.pop()
        for name, kind in tree.listing(directory).items():
            path = join(directory, name)
            if kind == "dir":
                rest.append(path)
            elif path not in covered:
                return path.removeprefix(f"{unit.path}/")
    return None


def digest_of(sums: bytes) -> str:
    """The digest of all files: the SHA-256, in hex, of their checksums."""
    return sha256(sums).hexdigest()


def _is_text(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _inside(unit: Unit, path: str) -> bytes:
    return fsencode(path.removeprefix(unit.path).removeprefix("/"))
