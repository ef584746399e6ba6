"""Which skills and agents lie in a folder, and what stands where one of them should be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plugineval_action.content.manifest import shown
from plugineval_action.content.skill import SKILL_FILE, finding
from plugineval_action.content.tree import EntryKind, Tree, join
from plugineval_action.results import Finding

PLUGIN_FOLDER = ".claude-plugin"

SKIPPED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".tox", ".venv", "__pycache__", "node_modules", "venv"}
)
"""Folders that hold no content of the repository's own."""

RESOURCE_FOLDERS = frozenset({"assets", "references", "scripts"})
"""The folders of a skill that hold its own material; a SKILL.md in there is a sample."""


class Members(NamedTuple):
    """Paths in byte order, each once, and what was refused on the way."""

    paths: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def in_byte_order(paths: Iterable[str]) -> tuple[str, ...]:
    """Each path once, in the order of its bytes: the same on every machine."""
    return tuple(sorted(set(paths), key=byte_order))


def byte_order(path: str) -> bytes:
    """The sort key of a path."""
    return path.encode("utf-8", "surrogateescape")


def skill_in(tree: Tree, directory: str) -> Members:
    """The directory itself, if its SKILL.md is a plain file."""
    path = join(directory, SKILL_FILE)
    return _member(tree.kind(path), path, directory)


def skills_below(tree: Tree, folder: str, *, nested: bool) -> Members:
    """The skills in the folders of a folder, or at any depth below it.

    Deeper down, another plugin keeps its skills, and a skill what lies in its resource folders.
    """
    found = [Members((), expected_folder(tree.kind(folder), folder))]
    for name, kind in tree.listing(folder).items():
        if kind == "dir" and name != SKILL_FILE:
            found.append(skill_in(tree, join(folder, name)))
        elif kind == "symlink" and "." not in name:
            found.append(Members((), (refused_link(join(folder, name)),)))
    if nested:
        found += _deeper_skills(tree, folder)
    return merged(found)


def _deeper_skills(tree: Tree, folder: str) -> Iterator[Members]:
    waiting = list(_inner_folders(tree, folder))
    while waiting:
        inner = list(_inner_folders(tree, waiting.pop()))
        yield from (skill_in(tree, path) for path in inner)
        waiting += inner


def _inner_folders(tree: Tree, folder: str) -> Iterator[str]:
    skipped = SKIPPED_FOLDERS | {SKILL_FILE}
    if tree.is_file(join(folder, SKILL_FILE)):
        skipped |= RESOURCE_FOLDERS
    for name, kind in tree.listing(folder).items():
        path = join(folder, name)
        if kind == "dir" and name not in skipped and not tree.exists(join(path, PLUGIN_FOLDER)):
            yield path


def agents_in(tree: Tree, folder: str) -> Members:
    """The plain files called *.md directly inside a folder."""
    found = [Members((), expected_folder(tree.kind(folder), folder))]
    for name, kind in tree.listing(folder).items():
        if name.endswith(".md"):
            found.append(_member(kind, join(folder, name), join(folder, name)))
    return merged(found)


def merged(parts: Iterable[Members]) -> Members:
    """All of them as one; a part that comes many times is looked at once."""
    parts = list({id(part): part for part in parts}.values())
    return Members(
        in_byte_order(path for part in parts for path in part.paths),
        tuple(dict.fromkeys(note for part in parts for note in part.findings)),
    )


def _member(kind: EntryKind | None, path: str, member: str) -> Members:
    if kind == "file":
        return Members((member,))
    return Members((), expected_file(kind, path))


def expected_file(kind: EntryKind | None, path: str) -> tuple[Finding, ...]:
    """What to say of something that stands where a plain file is expected."""
    if kind == "symlink":
        return (refused_link(path),)
    if kind in ("dir", "other"):
        what = "a folder" if kind == "dir" else "no plain file"
        return (finding("EXPECTED_FILE", f"{_name(path)} is {what}; it is skipped.", path),)
    return ()


def expected_folder(kind: EntryKind | None, path: str) -> tuple[Finding, ...]:
    """What to say of something that stands where a folder is expected."""
    if kind == "symlink":
        return (refused_link(path),)
    if kind in ("file", "other"):
        message = f"{_name(path)} is a file; it counts as absent."
        return (finding("EXPECTED_DIRECTORY", message, path),)
    return ()


def refused_link(path: str) -> Finding:
    """What to say of a symbolic link that would otherwise count."""
    message = f"{_name(path)} is a symbolic link, which is not followed."
    return finding("SYMLINK_REFUSED", message, path)


def _name(path: str) -> str:
    return shown(path.rpartition("/")[2])
