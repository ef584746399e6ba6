"""A commit read through GitHub's API as a Tree: no checkout, no git.

The whole listing takes one request. Where GitHub cuts it short, directories are listed as they are
looked into, so that what nobody looks into (`node_modules`) costs nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple, Protocol

from plugineval_action.content.tree import (
    MAX_BYTES,
    MAX_ENTRIES,
    MAX_PATH,
    Allowance,
    EntryKind,
    Tree,
    join,
    not_a_file,
    too_large,
)
from plugineval_action.errors import ContentError
from plugineval_action.gh.blobs import BATCH, Blob, Blobs, blob_id
from plugineval_action.gh.errors import GitHubError

_AHEAD: Final = 200
_EXECUTABLE: Final = "100755"
_KINDS: Final[Mapping[str, EntryKind]] = {
    "040000": "dir",
    "100644": "file",
    _EXECUTABLE: "file",
    "120000": "symlink",
}
_NO_NAMES: Final = frozenset({"", ".", ".."})
_NOTHING: Final[Mapping[str, EntryKind]] = {}


class Entry(NamedTuple):
    """What GitHub lists: a path below the listed directory, git's mode and id, a file's size."""

    path: str
    mode: str
    id: str
    size: int


class Listing(NamedTuple):
    """What lies in a directory; `complete` is false if GitHub left some of it out."""

    entries: Sequence[Entry]
    complete: bool


class ListingSource(Protocol):
    """Where listings come from."""

    def listing(self, tree_id: str, *, recursive: bool) -> Listing:
        """What lies directly in a commit's or tree's directory, or at any depth below it."""


class ApiTree(Tree):
    """The files of one commit; `identity` is its id, `name` the repository's name.

    Files that `local` holds with the same bytes at the same path are read from there. Threads may
    not share a tree.
    """

    def __init__(
        self,
        source: ListingSource,
        blobs: Blobs,
        *,
        commit: str,
        name: str,
        local: Tree | None = None,
    ) -> None:
        self.identity = commit
        self.name = name
        self._source, self._blobs, self._local = source, blobs, local
        self._directories: dict[str, dict[str, EntryKind]] = {}
        self._files: dict[str, Blob] = {}
        self._executables: set[str] = set()
        self._unlisted = {"": commit}
        self._alike: dict[tuple[str, str], list[str]] = {}
        self._count = 0
        self._allowance, self._digested = Allowance(), Allowance()
        self._load("")

    def listing(self, directory: str) -> Mapping[str, EntryKind]:
        if self._unlisted and directory not in self._directories:
            self._look_into(directory)
        return self._directories.get(directory, _NOTHING)

    def read(self, path: str) -> bytes:
        blob = self._blob(path)
        if blob.size > MAX_BYTES:
            raise too_large(path)
        self._allowance.take(path, blob.size)
        data = self._read_locally(path, blob)
        if data is None:
            if blob not in self._blobs:
                self.prefetch(self._with_those_to_come(path))
            data = self._blobs.read(blob)
        return data

    def sha256(self, path: str) -> str:
        """See Tree; files over MAX_BYTES up to MAX_TOTAL together, each asked for on its own."""
        blob = self._blob(path)
        if blob.size <= MAX_BYTES:
            return super().sha256(path)
        self._digested.take(path, blob.size)
        try:
            if self._local is not None and self._local.blob_id(path) == blob.id:
                return self._local.sha256(path)
        except ContentError:
            pass  # not checked out, or too much to look at there
        return hashlib.sha256(self._blobs.read(blob)).hexdigest()

    def blob_id(self, path: str) -> str:
        return self._blob(path).id

    def is_executable(self, path: str) -> bool:
        self._blob(path)
        return path in self._executables

    def size(self, path: str) -> int:
        return self._blob(path).size

    def prefetch(self, paths: Iterable[str]) -> None:
        """Ask for files in batches, before they are read; what is no plain file is left out."""
        self._blobs.fetch(blob for path in paths if (blob := self._missing(path)))

    def _blob(self, path: str) -> Blob:
        if self._unlisted:
            self.kind(path)
        blob = self._files.get(path)
        if blob is None:
            raise not_a_file(path, self.kind(path))
        return blob

    def _missing(self, path: str) -> Blob | None:
        """The content at a path, if it is one to ask GitHub for."""
        blob = self._files.get(path) if self.is_file(path) else None
        if blob is None or blob.size > MAX_BYTES or blob in self._blobs:
            return None
        return blob if self._read_locally(path, blob) is None else None

    def _read_locally(self, path: str, blob: Blob) -> bytes | None:
        if self._local is None or not self._local.is_file(path):
            return None
        try:
            data = self._local.read(path)
        except ContentError:
            return None
        return data if len(data) == blob.size and blob_id(data) == blob.id else None

    def _with_those_to_come(self, path: str) -> Iterator[str]:
        """A path, and those that are likely to be read next: the same thing in other folders."""
        if not self._alike:
            self._alike = _grouped(self._files)
        group = self._alike[_role(path)]
        start = group.index(path)
        ahead = islice(group, start + 1, start + _AHEAD)
        yield path
        yield from islice((one for one in ahead if self._missing(one)), BATCH - 1)

    def _look_into(self, directory: str) -> None:
        """List what is not listed yet on the way to a directory."""
        here = ""
        for name in directory.split("/"):
            if self._directories.get(here, _NOTHING).get(name) != "dir":
                return
            here = join(here, name)
            if here in self._unlisted:
                self._load(here)

    def _load(self, directory: str) -> None:
        """List a directory and all below it or, if that is too much for one answer, only itself."""
        tree_id = self._unlisted.pop(directory)
        recursive = True
        entries, complete = self._source.listing(tree_id, recursive=True)
        if not complete:
            recursive = False
            entries, complete = self._source.listing(tree_id, recursive=False)
        self._count += len(entries)
        if not complete or self._count > MAX_ENTRIES:
            raise GitHubError(
                f"Commit {self.identity} has more files than GitHub lists.",
                "Check the commit out, so that it is read from disk.",
            )
        self._directories[directory] = {}
        self._alike = {}
        paths = [(_bytes(join(directory, entry.path)), entry) for entry in entries]
        # Sorted by bytes, a directory stands before what it holds, and siblings in their order.
        for raw, entry in sorted((one for one in paths if one[0]), key=lambda one: one[0]):
            self._add(os.fsdecode(raw), entry, recursive=recursive)

    def _add(self, path: str, entry: Entry, *, recursive: bool) -> None:
        directory, slash, name = path.rpartition("/")
        siblings = self._directories.get(directory)
        if siblings is None or name in siblings or name in _NO_NAMES or (slash and not directory):
            return
        siblings[name] = kind = _KINDS.get(entry.mode, "other")
        if kind == "file":
            self._files[path] = Blob(entry.id, entry.size)
            if entry.mode == _EXECUTABLE:
                self._executables.add(path)
        elif kind == "dir" and recursive:
            self._directories[path] = {}
        elif kind == "dir":
            self._unlisted[path] = entry.id


def _bytes(path: str) -> bytes:
    """A path as its bytes; empty if no checkout could hold it."""
    try:
        raw = os.fsencode(path)
    except UnicodeEncodeError:
        return b""
    return raw if len(raw) <= MAX_PATH else b""


def _grouped(paths: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    groups = defaultdict[tuple[str, str], list[str]](list)
    for path in paths:
        groups[_role(path)].append(path)
    return groups


def _role(path: str) -> tuple[str, str]:
    """What a file is for, as far as its name and folder tell: all manifests have one role.

    A name in capitals (SKILL.md) tells it alone, others with their folder (agents/*.md).
    """
    folder, _, name = path.rpartition("/")
    stem, _, suffix = name.rpartition(".")
    return ("", name) if stem.isupper() else (folder.rpartition("/")[2], suffix)
