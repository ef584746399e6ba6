"""Which file of a tree a SARIF location means.

Tools write paths in four ways: relative to the root, relative to a base that they name (3.14.14),
absolute as the machine has them, or as a place in the list of files. The machine that scanned may
be another one, so that its root is known only if `roots` say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote, urlsplit

from plugineval_action.content.tree import Tree, join, normalise
from plugineval_action.scanners.log import Artifact, Run

_MOST_BASES: Final = 8
"""A base may be relative to another one; a hostile one to itself."""


def place(run: Run, artifact: Artifact, tree: Tree, roots: Sequence[str]) -> str | None:
    """The path of the file in the tree; None if it is no plain file of it.

    `roots` are absolute paths that stand for the root of the tree.
    """
    if not artifact.uri and 0 <= artifact.index < len(run.artifacts):
        artifact = run.artifacts[artifact.index].location
    path = _absolute(artifact.uri)
    found = _below(path, roots) if path else _relative(run, artifact, roots)
    return found if found and tree.is_file(found) else None


def _relative(run: Run, artifact: Artifact, roots: Sequence[str]) -> str | None:
    """A relative path below the base that it names, the root for a base that nobody knows."""
    path = _decoded(artifact.uri)
    if not path or path.startswith("/"):
        return _below(path, roots) if path else None
    folder = _base(run, artifact.base, roots)
    return None if folder is None else normalise(join(folder, path))


def _base(run: Run, name: str, roots: Sequence[str]) -> str | None:
    """The folder of a base in the tree; one that lies elsewhere is where the tree was scanned."""
    folders: list[str] = []
    for _ in range(_MOST_BASES):
        given = run.bases.get(name)
        if given is None or not given.uri:
            return join(*folders)
        path = _absolute(given.uri) or _decoded(given.uri)
        if path is None:
            return None
        if path.startswith("/"):
            return join(_below(path, roots) or "", *folders)
        folders.insert(0, path)
        name = given.base
    return None


def _absolute(uri: str) -> str | None:
    """The path of a file: URI of this machine, None for any other."""
    if uri[:5].lower() != "file:":
        return None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    return unquote(parts.path) if parts.netloc in ("", "localhost") else None


def _decoded(uri: str) -> str | None:
    """A relative reference, or a plain path, without its escapes; None if it has a scheme."""
    head = uri.partition("/")[0]
    return None if ":" in head else unquote(uri)


def _below(path: str | None, roots: Sequence[str]) -> str | None:
    """An absolute path relative to the first root that it lies below."""
    for root in roots:
        inside = f"{root.rstrip('/')}/"
        if path and f"{path}/".startswith(inside):
            return normalise(path[len(inside) :])
    return None
