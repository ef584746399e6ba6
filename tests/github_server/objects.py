"""Git objects as git stores them, so that their ids are git's own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha1
from typing import Final, NamedTuple

from memory_tree import Link

FILE: Final = "100644"
EXECUTABLE: Final = "100755"
SYMLINK: Final = "120000"
SUBMODULE: Final = "160000"
DIRECTORY: Final = "40000"


class Executable(NamedTuple):
    """A file with the executable bit."""

    content: str | bytes


class Submodule(NamedTuple):
    """A commit of another repository."""

    sha: str


Content = str | bytes | Link | Executable | Submodule


class Stored(NamedTuple):
    kind: str
    data: bytes


class Entry(NamedTuple):
    """One line of a tree; names that are not UTF-8 hold surrogates."""

    mode: str
    name: str
    sha: str

    @property
    def kind(self) -> str:
        return {DIRECTORY: "tree", SUBMODULE: "commit"}.get(self.mode, "blob")

    @property
    def order(self) -> bytes:
        """Git compares directories as if their names ended in a slash."""
        return os.fsencode(self.name + "/" * (self.mode == DIRECTORY))


class Person(NamedTuple):
    name: str
    email: str
    seconds: int


class Commit(NamedTuple):
    tree: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: str


class Store:
    """All objects of a repository and its forks, as GitHub keeps them."""

    def __init__(self) -> None:
        self._objects: dict[str, Stored] = {}
        self._trees: dict[str, tuple[Entry, ...]] = {}

    def put(self, kind: str, data: bytes) -> str:
        header = b"%b %d\0" % (kind.encode(), len(data))
        sha = sha1(header + data, usedforsecurity=False).hexdigest()
        self._objects[sha] = Stored(kind, data)
        return sha

    def kind(self, sha: str) -> str | None:
        stored = self._objects.get(sha)
        return stored.kind if stored else None

    def raw(self, sha: str) -> bytes:
        """The bytes that the id is made of, but for the header."""
        return self._objects[sha].data

    def blob(self, sha: str) -> bytes:
        return self._read("blob", sha)

    def tree(self, sha: str) -> tuple[Entry, ...]:
        if sha not in self._trees:
            self._trees[sha] = tuple(_parse_tree(self._read("tree", sha)))
        return self._trees[sha]

    def commit(self, sha: str) -> Commit:
        return _parse_commit(self._read("commit", sha))

    def abbreviated(self, prefix: str) -> str | None:
        """The commit whose id starts like this, if it is the only one."""
        found = [
            sha
            for sha, stored in self._objects.items()
            if stored.kind == "commit" and sha.startswith(prefix)
        ]
        return found[0] if len(found) == 1 else None

    def _read(self, kind: str, sha: str) -> bytes:
        stored = self._objects[sha]
        if stored.kind != kind:
            raise KeyError(sha)
        return stored.data

    def put_tree(self, entries: Iterable[Entry]) -> str:
        lines = [
            b"%b %b\0%b" % (entry.mode.encode(), os.fsencode(entry.name), bytes.fromhex(entry.sha))
            for entry in sorted(entries, key=lambda entry: entry.order)
        ]
        return self.put("tree", b"".join(lines))

    def put_leaves(self, leaves: Mapping[str, Entry]) -> str:
        """Store the trees of all files by path; only mode and sha of their entries count."""
        directories: dict[str, list[Entry]] = {"": []}
        for path, leaf in leaves.items():
            parent, _, name = path.rpartition("/")
            directories.setdefault(parent, []).append(Entry(leaf.mode, name, leaf.sha))
            while parent and (parent := parent.rpartition("/")[0]) not in directories:
                directories[parent] = []
        # From the deepest directory up: no recursion, since a hostile tree may be very deep.
        for path in sorted(filter(None, directories), key=lambda path: -path.count("/")):
            parent, _, name = path.rpartition("/")
            directories[parent].append(Entry(DIRECTORY, name, self.put_tree(directories[path])))
        return self.put_tree(directories[""])

    def put_files(self, files: Mapping[str, Content]) -> str:
        return self.put_leaves({path: self._leaf(content) for path, content in files.items()})

    def _leaf(self, content: Content) -> Entry:
        if isinstance(content, Submodule):
            return Entry(SUBMODULE, "", content.sha)
        mode = SYMLINK if isinstance(content, Link) else FILE
        if isinstance(content, Executable):
            mode, content = EXECUTABLE, content.content
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
        return Entry(mode, "", self.put("blob", data))

    def put_commit(
        self, tree: str, parents: Sequence[str], author: Person, committer: Person, message: str
    ) -> str:
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        for role, person in (("author", author), ("committer", committer)):
            lines.append(f"{role} {person.name} <{person.email}> {person.seconds} +0000")
        return self.put("commit", "\n".join([*lines, "", message]).encode("utf-8", "replace"))

    def walk(self, tree: str) -> Iterator[tuple[str, Entry]]:
        """Everything below a tree by path, in git's order, a directory before what is in it."""
        rest = [("", iter(self.tree(tree)))]
        while rest:
            parent, entries = rest[-1]
            entry = next(entries, None)
            if entry is None:
                rest.pop()
                continue
            path = f"{parent}{entry.name}"
            yield path, entry
            if entry.kind == "tree":
                rest.append((f"{path}/", iter(self.tree(entry.sha))))

    def leaves(self, tree: str) -> dict[str, Entry]:
        return {path: entry for path, entry in self.walk(tree) if entry.kind != "tree"}

    def find(self, tree: str, path: str) -> Entry | None:
        """What stands at a path; the tree itself at the empty one."""
        entry: Entry | None = Entry(DIRECTORY, "", tree)
        for name in filter(None, path.split("/")):
            if entry is None or entry.kind != "tree":
                return None
            entry = next((each for each in self.tree(entry.sha) if each.name == name), None)
        return entry


def content_of(store: Store, entry: Entry) -> Content:
    """What `Store.put_files` takes for this entry."""
    if entry.mode == SUBMODULE:
        return Submodule(entry.sha)
    data = store.blob(entry.sha)
    if entry.mode == SYMLINK:
        return Link(data.decode("utf-8", "surrogateescape"))
    return Executable(data) if entry.mode == EXECUTABLE else data


def _parse_tree(data: bytes) -> Iterator[Entry]:
    start = 0
    while start < len(data):
        end = data.index(b"\0", start)
        mode, _, name = data[start:end].partition(b" ")
        yield Entry(mode.decode(), os.fsdecode(name), data[end + 1 : end + 21].hex())
        start = end + 21


def _parse_commit(data: bytes) -> Commit:
    head, _, message = data.decode("utf-8", "replace").partition("\n\n")
    fields: dict[str, list[str]] = {}
    for line in head.split("\n"):
        name, _, value = line.partition(" ")
        fields.setdefault(name, []).append(value)
    return Commit(
        fields["tree"][0],
        tuple(fields.get("parent", ())),
        _parse_person(fields["author"][0]),
        _parse_person(fields["committer"][0]),
        message,
    )


def _parse_person(text: str) -> Person:
    name, _, rest = text.partition(" <")
    email, _, when = rest.partition("> ")
    return Person(name, email, int(when.split()[0]))
