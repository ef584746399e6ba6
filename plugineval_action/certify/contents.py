"""What a skill consists of, as one number that anybody can compute with `sha256sum`."""

from __future__ import annotations

from hashlib import sha256
from os import fsencode

from plugineval_action.content.discovery import Unit
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError


def checksums(tree: Tree, unit: Unit) -> bytes:
    """A line a file of the unit, as `sha256sum` prints it, in byte order of the paths inside it.

    The form is that of Go's dirhash. Raises ContentError for a file that cannot be read, or whose
    name cannot stand in a line.
    """
    pairs = sorted((_inside(unit, path), path) for path in unit.files)
    for name, path in pairs:
        if b"\n" in name or b"\\" in name:
            what = f"{path!r} has a line break or a backslash in its name."
            raise ContentError(path, what, "Rename the file.")
    return b"".join(b"%b  %b\n" % (tree.sha256(path).encode(), name) for name, path in pairs)


def digest_of(sums: bytes) -> str:
    """The digest of all files: the SHA-256, in hex, of their checksums."""
    return sha256(sums).hexdigest()


def _inside(unit: Unit, path: str) -> bytes:
    return fsencode(path.removeprefix(unit.path).removeprefix("/"))
