"""Reading everything that a local repository holds."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from github_server.objects import Store


def import_objects(store: Store, root: Path) -> None:
    """Put every object of a repository into a store."""
    data = _git(root, "cat-file", "--batch", "--batch-all-objects")
    start = 0
    while start < len(data):
        end = data.index(b"\n", start)
        sha, kind, size = data[start:end].decode().split()
        after = end + 1 + int(size)
        if store.put(kind, data[end + 1 : after]) != sha:
            raise ValueError(f"{sha} in {root} is not an object of SHA-1")
        start = after + 1


def read_branches(root: Path) -> dict[str, str]:
    """The commits of all branches by name."""
    lines = _git(root, "for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads")
    pairs = (line.split(" ", 1) for line in os.fsdecode(lines).splitlines())
    return {name: sha for sha, name in pairs}


def _git(root: Path, *arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True)
    return done.stdout
