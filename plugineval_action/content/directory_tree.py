"""A directory on disk as a tree."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from plugineval_action.content.tree import (
    MAX_BYTES,
    MAX_DIGESTED,
    Allowance,
    EntryKind,
    Tree,
    join,
    not_a_file,
    too_large,
)
from plugineval_action.errors import ContentError

if TYPE_CHECKING:
    from hashlib import _Hash

_NOTHING: Mapping[str, EntryKind] = {}


class DirectoryTree(Tree):
    """A directory on disk, read lazily; each directory is listed once.

    Files may come and go meanwhile: what has vanished counts as not there. So does the content of a
    directory that may not be listed, which `refused` tells.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.identity = str(self.root)
        self.name = self.root.name
        self._listings: dict[str, Mapping[str, EntryKind]] = {}
        self._refused: dict[str, ContentError] = {}
        self._read, self._hashed = Allowance(), Allowance()
        self._digested = Allowance(MAX_DIGESTED)

    def refused(self) -> tuple[ContentError, ...]:
        return tuple(self._refused[path] for path in sorted(self._refused, key=os.fsencode))

    def listing(self, directory: str) -> Mapping[str, EntryKind]:
        known = self._listings.get(directory)
        if known is None:
            known = self._scan(directory) if self._is_reached(directory) else _NOTHING
            self._listings[directory] = known
        return known

    def _is_reached(self, directory: str) -> bool:
        """Whether directories, and no symbolic link, lead there from the root."""
        parent = directory.rpartition("/")[0]
        if not directory or parent in self._listings:
            return self.is_dir(directory)
        here = ""
        for name in directory.split("/"):
            if self.listing(here).get(name) != "dir":
                return False
            here = join(here, name)
        return True

    def _scan(self, directory: str) -> Mapping[str, EntryKind]:
        try:
            with os.scandir(self._absolute(directory)) as entries:
                found = {entry.name: _entry_kind(entry) for entry in entries}
        except (FileNotFoundError, NotADirectoryError):
            return _NOTHING
        except OSError as error:
            self._refused[directory] = ContentError(
                directory,
                f"The folder {directory or '.'} cannot be listed ({error.strerror}).",
                "Make it readable, or leave it out; what lies in it was not looked at.",
            )
            return _NOTHING
        return {name: found[name] for name in sorted(found, key=os.fsencode)}

    def read(self, path: str) -> bytes:
        self._read.check(path)
        with self._opened(path) as file:
            # Room for a whole MAX_BYTES would be made, and cleared, for each small file.
            size = min(os.fstat(file.fileno()).st_size, MAX_BYTES)
            data = file.read(size + 1)
            if len(data) > size:
                data += file.read(MAX_BYTES - size)
        if len(data) > MAX_BYTES:
            raise too_large(path)
        self._read.take(path, len(data))
        return data

    def blob_id(self, path: str) -> str:
        # Scoring never asks for it, and hashlib loads all of OpenSSL.
        from hashlib import sha1

        with self._opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            self._hashed.take(path, size)
            digest = sha1(b"blob %d\0" % size, usedforsecurity=False)
            _feed(digest, file, path, size)
        return digest.hexdigest()

    def is_executable(self, path: str) -> bool:
        return bool(self._status(path).st_mode & 0o111)

    def size(self, path: str) -> int:
        return self._status(path).st_size

    def _status(self, path: str) -> os.stat_result:
        with self._opened(path) as file:
            return os.fstat(file.fileno())

    def sha256(self, path: str) -> str:
        """See Tree; up to MAX_DIGESTED bytes of all files together."""
        from hashlib import sha256

        digest = sha256()
        with self._opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            self._digested.take(path, size)
            _feed(digest, file, path, size)
        return digest.hexdigest()

    @contextmanager
    def _opened(self, path: str) -> Iterator[BinaryIO]:
        """A plain file, open for reading; what goes wrong with it is a ContentError."""
        if self.kind(path) != "file":
            raise not_a_file(path, self.kind(path))
        try:
            with open(self._absolute(path), "rb", opener=_open_plain_file) as file:
                yield file
        except FileNotFoundError as error:
            raise not_a_file(path, None) from error
        except OSError as error:
            raise ContentError(
                path, f"{path} cannot be read ({error.strerror}).", "Give it read permission."
            ) from error

    def _absolute(self, path: str) -> str:
        return f"{self.root}/{path}" if path else str(self.root)


def _feed(digest: _Hash, file: BinaryIO, path: str, size: int) -> None:
    """Digest a file of `size` bytes. Raises ContentError if it is longer or shorter by now."""
    while (block := file.read(1 << 16)) and file.tell() <= size:
        digest.update(block)
    if file.tell() != size:
        raise ContentError(path, f"{path} changed while it was read.", "Try again.")


def _open_plain_file(path: str, flags: int) -> int:
    """Open what was listed as a plain file, neither following a link nor waiting for a pipe."""
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise FileNotFoundError(path)


def _entry_kind(entry: os.DirEntry[str]) -> EntryKind:
    if entry.is_symlink():
        return "symlink"
    if entry.is_dir(follow_symlinks=False):
        return "dir"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
