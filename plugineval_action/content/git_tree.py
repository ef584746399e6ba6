"""A git revision as a Tree: nothing is checked out, all of it comes from the local object store."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from plugineval_action.content import git
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
from plugineval_action.errors import ContentError, GitError

_MAX_LISTING = 1 << 26

_KINDS: dict[bytes, EntryKind] = {b"120000": "symlink", b"160000": "other"}
_EXECUTABLE = b"100755"
_NO_NAMES = frozenset({"", ".", ".."})
_NOTHING: Mapping[str, EntryKind] = {}


class GitTree(Tree):
    """The files of one commit, listed once; `identity` is the commit's id.

    A context manager: `close` ends the git process that reads, which a later read would start anew.
    Threads may share a tree, forked processes may not.
    """

    def __init__(self, repository: Path, commit: str) -> None:
        self.identity = commit
        self.name = repository.resolve().name
        self._repository = repository
        self._index = _Index()
        self._index.fill(_listing(repository, commit))
        self._blobs = _Blobs(repository)
        self._allowance = Allowance()

    @classmethod
    def open(cls, repository: Path, revision: str) -> Self:
        """Read a revision of the repository in a directory. Raises GitError with what to do."""
        return cls(repository, git.resolve(repository, revision))

    def listing(self, directory: str) -> Mapping[str, EntryKind]:
        return self._index.directories.get(directory, _NOTHING)

    def read(self, path: str) -> bytes:
        self._allowance.check(path)
        try:
            data = self._blobs.read(self.blob_id(path))
        except TypeError as error:
            raise ContentError(
                path, f"{path} is listed as a file, and is {error}.", "Check it: git fsck"
            ) from error
        if data is None:
            raise too_large(path)
        self._allowance.take(path, len(data))
        return data

    def blob_id(self, path: str) -> str:
        blob = self._index.blobs.get(path)
        if blob is None:
            raise not_a_file(path, self.kind(path))
        return blob.hex()

    def is_executable(self, path: str) -> bool:
        return path in self._index.executables

    def size(self, path: str) -> int:
        blob = self.blob_id(path)
        status, size, _ = git.ask(self._repository, "cat-file", "-s", blob)
        if status:
            raise ContentError(path, f"{path} is not in this clone.", "Fetch it: git fetch")
        return int(size)

    def close(self) -> None:
        """End the git process that reads, if one was started."""
        self._blobs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _listing(repository: Path, commit: str) -> bytes:
    """The NUL-terminated records "mode type id TAB path" of every file of a commit."""
    with git.start(repository, "ls-tree", "-r", "-z", "--full-tree", commit) as process:
        assert process.stdout is not None
        listing = process.stdout.read(_MAX_LISTING + 1)
    if len(listing) > _MAX_LISTING:
        raise _too_many()
    if process.returncode != 0:
        raise GitError(
            f"{repository} has only parts of commit {commit}.",
            "Fetch it whole: git fetch --refetch --no-filter origin (or check it: git fsck).",
        )
    return listing


class _Index:
    """What stands where: the listing of each directory, and each plain file's 20-byte blob id.

    `executables` are the plain files that may be run.
    """

    def __init__(self) -> None:
        self.directories: dict[str, dict[str, EntryKind]] = {"": {}}
        self.blobs: dict[str, bytes] = {}
        self.executables: set[str] = set()

    def fill(self, listing: bytes) -> None:
        """Take in the records of `ls-tree`, leaving out what no checkout could hold."""
        for count, record in enumerate(listing.split(b"\0")[:-1], start=1):
            head, _, path = record.partition(b"\t")
            mode, _, blob = head.split(b" ")
            if len(path) <= MAX_PATH:
                self._add(os.fsdecode(path), mode, bytes.fromhex(blob.decode()))
            if count + len(self.directories) > MAX_ENTRIES:
                raise _too_many()
        for directory, found in self.directories.items():
            # git's own order takes the directory `a` for `a/`, which sorts after `a.b`.
            self.directories[directory] = {k: found[k] for k in sorted(found, key=os.fsencode)}

    def _add(self, path: str, mode: bytes, blob: bytes) -> None:
        directory, _, name = path.rpartition("/")
        kind = _KINDS.get(mode, "file")
        listing = self.directories.get(directory) or self._enter(directory)
        if listing is None or name in _NO_NAMES or name in listing:
            return
        listing[name] = kind
        if kind == "file":
            self.blobs[path] = blob
            if mode == _EXECUTABLE:
                self.executables.add(path)

    def _enter(self, directory: str) -> dict[str, EntryKind] | None:
        """The listing of a directory, made where it is new; None if a file is in the way."""
        listing, here = self.directories[""], ""
        for name in directory.split("/") if directory else ():
            if name in _NO_NAMES or listing.setdefault(name, "dir") != "dir":
                return None
            here = join(here, name)
            listing = self.directories.setdefault(here, {})
        return listing


def _too_many() -> GitError:
    return GitError(
        f"The commit has more than {MAX_ENTRIES:,} files.",
        "Score a smaller directory of a checkout instead.",
    )


class _Blobs:
    """Contents by blob id, from one `git cat-file --batch` that the first read starts."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def read(self, blob: str) -> bytes | None:
        """The bytes of a blob, None if there are more than MAX_BYTES (those are not read).

        Raises TypeError if the id is that of another kind of object.
        """
        with self._lock:
            try:
                return self._ask(blob)
            except (OSError, EOFError) as error:
                self._stop()
                raise self._missing(blob) from error
            except TypeError:
                self._stop()
                raise

    def _ask(self, blob: str) -> bytes | None:
        if self._process is None:
            self._process = git.start(self._repository, "cat-file", "--batch")
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        requests.write(blob.encode() + b"\n")
        requests.flush()
        size = _size(blob, answers.readline())
        if size > MAX_BYTES:
            # Ending git is cheaper than reading the rest, however large, to reach the next answer.
            self._stop()
            return None
        data = answers.read(size + 1)
        if len(data) != size + 1:
            raise EOFError
        return data[:-1]

    def close(self) -> None:
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        if self._process is not None:
            with suppress(BrokenPipeError), self._process as process:
                process.kill()
            self._process = None

    def _missing(self, blob: str) -> GitError:
        return GitError(
            f"{self._repository} lacks the content of blob {blob}.",
            "Fetch it: git fetch --refetch --no-filter origin (or check it: git fsck).",
        )


def _size(blob: str, answer: bytes) -> int:
    """The size in the line that git puts before a blob.

    Raises TypeError if it stands before something else, and EOFError if it is no such line.
    """
    words = answer.split()
    if len(words) == 3 and words[1] in (b"tree", b"commit", b"tag"):
        raise TypeError(f"a {words[1].decode()}")
    if words[:2] != [blob.encode(), b"blob"]:
        raise EOFError
    return int(words[2])
