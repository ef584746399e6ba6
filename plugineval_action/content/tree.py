"""A read-only set of files: the only door through which content comes in.

Paths are relative, with `/` between segments and "" for the root. Symbolic links are never
followed, names are compared with exact case on every file system, and size is capped in one
place.
"""

from __future__ import annotations

import posixpath
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Literal

from plugineval_action.errors import ContentError

EntryKind = Literal["file", "dir", "symlink", "other"]

MAX_BYTES = 1 << 20
"""Largest file that is read, 1 MiB: a skill that size cannot be loaded by any harness anyway."""

MAX_TOTAL = 1 << 26
"""Most bytes that are read of one tree, 64 MiB: a few objects of git can spell out far more."""

MAX_ENTRIES = 500_000
"""Most files and directories that are listed of a commit: small objects can spell out billions."""

MAX_PATH = 1024
"""Longest path in a commit, in bytes; a longer one, which some systems cannot check out, is left
out."""

MAX_DIGESTED = 1 << 30
"""Most bytes of a directory that are digested, 1 GiB: they pass by and are not kept."""


class Tree(ABC):
    """Files at one moment; `identity` says which (a directory, a commit)."""

    identity: str
    name: str = ""
    """What the root directory is called: the name of a skill or plugin that lies at the root."""

    @abstractmethod
    def listing(self, directory: str) -> Mapping[str, EntryKind]:
        """Names directly inside a directory, in byte order; empty if there is no such directory."""

    @abstractmethod
    def read(self, path: str) -> bytes:
        """The bytes of a file.

        Raises ContentError if it is no plain file, over MAX_BYTES, or if MAX_TOTAL have been read.
        """

    @abstractmethod
    def blob_id(self, path: str) -> str:
        """Git's object name of the file's bytes, 40 hex digits, of files over MAX_BYTES too.

        Raises ContentError if it is no plain file, or if MAX_TOTAL bytes have been looked at.
        """

    @abstractmethod
    def is_executable(self, path: str) -> bool:
        """Whether a plain file may be run by its name."""

    @abstractmethod
    def size(self, path: str) -> int:
        """The bytes of a plain file, over MAX_BYTES too. Raises ContentError for anything else."""

    def refused(self) -> tuple[ContentError, ...]:
        """The directories met so far whose content is there and cannot be listed."""
        return ()

    def sha256(self, path: str) -> str:
        """SHA-256 of the bytes of a file, in hex, of files over MAX_BYTES too where that is cheap.

        Raises ContentError as `read` does, or once too much was looked at.
        """
        from hashlib import sha256

        return sha256(self.read(path)).hexdigest()

    def kind(self, path: str) -> EntryKind | None:
        """What stands at a path, None if nothing does or if the path is not normalised."""
        if not path:
            return "dir"
        directory, slash, name = path.rpartition("/")
        if slash and not directory:
            return None
        return self.listing(directory).get(name)

    def is_file(self, path: str) -> bool:
        return self.kind(path) == "file"

    def is_dir(self, path: str) -> bool:
        return self.kind(path) == "dir"

    def exists(self, path: str) -> bool:
        return self.kind(path) in ("file", "dir")

    def files(
        self, directory: str = "", skip: frozenset[str] = frozenset(), owner: str = ""
    ) -> Iterator[str]:
        """Every plain file below a directory.

        Left out are directories whose name is in `skip`, and those below that hold an `owner`.
        """
        # A stack instead of recursion: a hostile tree may be deeper than Python recurses.
        rest = [(directory, iter(self.listing(directory).items()))]
        while rest:
            parent, entries = rest[-1]
            name, kind = next(entries, ("", None))
            path = join(parent, name)
            if kind is None:
                rest.pop()
            elif kind == "file":
                yield path
            elif kind == "dir" and name not in skip and owner not in (inner := self.listing(path)):
                rest.append((path, iter(inner.items())))


def join(*segments: str) -> str:
    """Join path segments, leaving out empty ones."""
    return "/".join(filter(None, segments))


def normalise(path: str) -> str | None:
    """`a/./b//../c` as `a/c`; None if it leaves the tree or is absolute."""
    if path.startswith("/"):
        return None
    cleaned = posixpath.normpath(path) if path else "."
    if cleaned == ".." or cleaned.startswith("../"):
        return None
    return "" if cleaned == "." else cleaned


class Allowance:
    """How much may still be read of a tree; a file counts once, however often it is read."""

    def __init__(self, most: int = MAX_TOTAL) -> None:
        self._most = self._left = most
        self._known: set[str] = set()

    def check(self, path: str) -> None:
        """Raise ContentError if nothing new is read any more."""
        if self._left < 0 and path not in self._known:
            raise ContentError(
                path,
                f"{path} is not read: up to it there are more than {self._most >> 20} MiB of"
                " files.",
                "Score fewer files at a time: name the folders (in the action: the input paths).",
            )

    def take(self, path: str, size: int) -> None:
        """Count a file of `size` bytes. Raises ContentError if that is too much."""
        self.check(path)
        if path not in self._known:
            self._left -= size
            self.check(path)
            self._known.add(path)


def not_a_file(path: str, kind: EntryKind | None) -> ContentError:
    """The error for a path that should be a plain file and is not."""
    what = {
        None: "not there",
        "dir": "a directory",
        "symlink": "a symbolic link, which is never followed",
    }
    return ContentError(
        path, f"{path} is {what.get(kind, 'no plain file')}.", "Put a plain file in its place."
    )


def too_large(path: str) -> ContentError:
    """The error for a file over the size cap."""
    return ContentError(
        path,
        f"{path} is larger than {MAX_BYTES // 1024} KiB and is not read.",
        "Move detail into files under references/.",
    )
