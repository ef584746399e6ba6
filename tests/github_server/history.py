"""What lies between two revisions: commits, and files."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import Literal, NamedTuple

from github_server.objects import Entry, Store

LARGEST_PATCH = 20_000
"""Bytes of a file whose patch is shown; GitHub leaves out large ones too."""

Status = Literal["added", "removed", "modified", "renamed"]


class FileChange(NamedTuple):
    status: Status
    path: str
    previous: str | None
    before: Entry | None
    after: Entry | None


class Patch(NamedTuple):
    text: str | None
    additions: int
    deletions: int


def ancestors(store: Store, sha: str) -> set[str]:
    """A commit and all commits before it."""
    found: set[str] = set()
    rest = [sha]
    while rest:
        if (one := rest.pop()) not in found:
            found.add(one)
            rest += store.commit(one).parents
    return found


def log(store: Store, sha: str) -> list[str]:
    """A commit and those before it, every commit before its parents, the newest first."""
    order: list[str] = []
    seen: set[str] = set()
    rest = [(sha, False)]
    while rest:
        one, done = rest.pop()
        if done:
            order.append(one)
        elif one not in seen:
            seen.add(one)
            rest.append((one, True))
            rest += [(parent, False) for parent in store.commit(one).parents]
    return order[::-1]


def merge_base(store: Store, base: str, head: str) -> str | None:
    """A best common ancestor; None if the histories have nothing in common."""
    common = ancestors(store, base) & ancestors(store, head)
    return next((sha for sha in log(store, head) if sha in common), None)


@lru_cache(maxsize=8)
def changes(store: Store, before: str | None, after: str) -> tuple[FileChange, ...]:
    """Files that differ between two trees, by path; a moved file that kept its bytes is renamed."""
    old = store.leaves(before) if before else {}
    new = store.leaves(after)
    gone = {entry.sha: path for path, entry in old.items() if path not in new}
    moved: dict[str, str] = {}
    for path, entry in new.items():
        if path not in old and entry.sha in gone:
            moved[path] = gone.pop(entry.sha)
    sources = set(moved.values())
    found = []
    for path in sorted((old.keys() | new.keys()) - sources):
        previous = moved.get(path)
        was, now = old.get(previous or path), new.get(path)
        if was is None or now is None or previous or was[::2] != now[::2]:
            found.append(FileChange(_status(was, now, previous), path, previous, was, now))
    return tuple(found)


def _status(before: Entry | None, after: Entry | None, previous: str | None) -> Status:
    if previous:
        return "renamed"
    if before is None:
        return "added"
    return "modified" if after else "removed"


def patch(store: Store, change: FileChange) -> Patch:
    """The hunks as GitHub shows them; without text for binary, large and unchanged files."""
    before, after = (_text(store, entry) for entry in (change.before, change.after))
    if before is None or after is None or before == after:
        return Patch(None, 0, 0)
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm=""))[2:]
    return Patch(
        "\n".join(lines),
        sum(line.startswith("+") for line in lines),
        sum(line.startswith("-") for line in lines),
    )


def _text(store: Store, entry: Entry | None) -> str | None:
    if entry is None:
        return ""
    if entry.kind != "blob" or b"\0" in (data := store.blob(entry.sha)):
        return None
    return data.decode("utf-8", "replace") if len(data) <= LARGEST_PATCH else None
