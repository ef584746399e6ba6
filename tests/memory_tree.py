"""A Tree made of a dict, so that a test shows its files in the lines that need them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha1
from typing import Final

from plugineval_action.content.tree import (
    MAX_BYTES,
    EntryKind,
    Tree,
    not_a_file,
    too_large,
)


class Link(str):
    """Marks a path as a symbolic link; the text is its target, which nobody follows."""

    __slots__ = ()


SYMLINK: Final = Link("elsewhere")
DIRECTORY: Final = None
"""Marks a path as an empty directory."""


class MemoryTree(Tree):
    """`MemoryTree({"a/SKILL.md": "text", "b": SYMLINK, "c": DIRECTORY})`; text becomes UTF-8."""

    def __init__(
        self, files: Mapping[str, str | bytes | None], identity: str = "/memory/repository"
    ) -> None:
        self.identity = identity
        self.name = identity.rpartition("/")[2]
        self.listed: list[str] = []
        self.asked: list[str] = []
        self._contents: dict[str, bytes] = {}
        self._listings: dict[str, dict[str, EntryKind]] = {"": {}}
        for path, content in files.items():
            self._add(path, content)
        self._listings = {
            directory: {name: names[name] for name in sorted(names, key=str.encode)}
            for directory, names in self._listings.items()
        }

    def _add(self, path: str, content: str | bytes | None) -> None:
        if content is DIRECTORY:
            self._enter(path, "dir")
            self._listings.setdefault(path, {})
        elif isinstance(content, Link):
            self._enter(path, "symlink")
        else:
            self._enter(path, "file")
            self._contents[path] = content if isinstance(content, bytes) else content.encode()

    def _enter(self, path: str, kind: EntryKind) -> None:
        while path:
            directory, _, name = path.rpartition("/")
            if name in self._listings.setdefault(directory, {}):
                return
            self._listings[directory][name] = kind
            path, kind = directory, "dir"

    def listing(self, directory: str) -> Mapping[str, EntryKind]:
        """See Tree; `listed` remembers every directory that was asked for, in order."""
        self.listed.append(directory)
        return self._listings.get(directory, {})

    def read(self, path: str) -> bytes:
        """See Tree; `asked` remembers every file that was asked for, in order."""
        self.asked.append(path)
        if path not in self._contents:
            raise not_a_file(path, self.kind(path))
        if len(self._contents[path]) > MAX_BYTES:
            raise too_large(path)
        return self._contents[path]

    def is_executable(self, path: str) -> bool:
        """See Tree; nothing in here may be run."""
        return path not in self._contents

    def size(self, path: str) -> int:
        """See Tree."""
        if path not in self._contents:
            raise not_a_file(path, self.kind(path))
        return len(self._contents[path])

    def blob_id(self, path: str) -> str:
        if path not in self._contents:
            raise not_a_file(path, self.kind(path))
        data = self._contents[path]
        return sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()
