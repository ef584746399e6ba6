"""What `fix` would do to a tree of files: a list of changes, each of one file."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import NamedTuple

from plugineval_action.content.discovery import Discovery
from plugineval_action.content.document import read_document
from plugineval_action.content.skill import read_skill
from plugineval_action.content.text import BOM
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.fixing.edits import apply, edits, with_final_newline


class Rewrite(NamedTuple):
    """A file whose text changes; `rules` are what its edits put right."""

    path: str
    old: bytes
    new: bytes
    rules: tuple[str, ...]


class MakeExecutable(NamedTuple):
    """A script that names its interpreter and may not be run."""

    path: str


def rewrites(tree: Tree, found: Discovery) -> Iterator[Rewrite]:
    """The changes to every SKILL.md that can be read; bytes that stay are those that were."""
    for unit in found.skills:
        try:
            document = read_document(read_skill(tree, unit.path, unit.plugin))
            old = tree.read(document.source.text.path)
        except ContentError:
            continue
        if not document.source.text.decodable or "\0" in document.content:
            continue
        chosen = edits(document)
        text = with_final_newline(apply(document.content, chosen))
        new = _as_bytes(text, old)
        if text != document.content and new is not None:
            rules = tuple(dict.fromkeys(edit.rule for edit in chosen))
            yield Rewrite(document.source.text.path, old, new, rules)


def _as_bytes(text: str, old: bytes) -> bytes | None:
    """Text with the line ends and the mark of the file that it replaces; None if they are mixed."""
    mark = BOM if old.startswith(BOM.encode()) else ""
    lone, pairs = old.count(b"\n"), old.count(b"\r\n")
    if old.count(b"\r") != pairs or pairs not in (0, lone):
        return None
    ends = "\r\n" if pairs else "\n"
    return f"{mark}{text}".replace("\n", ends).encode("utf-8", "surrogatepass")


def executables(tree: Tree, found: Discovery) -> Iterator[MakeExecutable]:
    """Scripts in scripts/ that start with #! and lack the right to be run."""
    for unit in found.skills:
        folder = join(unit.path, "scripts")
        for path in unit.files:
            if path.startswith(f"{folder}/") and _lacks_right(tree, path):
                yield MakeExecutable(path)


def _lacks_right(tree: Tree, path: str) -> bool:
    try:
        return tree.read(path).startswith(b"#!") and not tree.is_executable(path)
    except ContentError:
        return False


def diff(change: Rewrite) -> str:
    """The change as a unified diff, with `a/` and `b/` as git has them."""
    old, new = (
        data.decode("utf-8", "replace").splitlines(keepends=True)
        for data in (change.old, change.new)
    )
    lines = unified_diff(old, new, f"a/{change.path}", f"b/{change.path}")
    marked = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return "".join(marked)
