"""What `fix` would do to a tree of files: a list of changes, each of one file."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import Final, NamedTuple

from plugineval_action.content.discovery import Discovery
from plugineval_action.content.document import Document, read_document
from plugineval_action.content.skill import read_skill
from plugineval_action.content.text import BOM
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.fixing.edits import apply, edits, with_final_newline
from plugineval_action.layers.static.antipatterns import CODEX_CAP_BYTES

_MOST_ROUNDS: Final = 8


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
        text, rules = _settled(document)
        new = _as_bytes(text, old)
        if text != document.content and new is not None and not _outgrows(old, new):
            yield Rewrite(document.source.text.path, old, new, rules)


def _settled(document: Document) -> tuple[str, tuple[str, ...]]:
    """The text when nothing is left to fix, and the rules: a line may need several edits.

    One fix may also bring to light what another one is for.
    """
    rules: dict[str, None] = {}
    for _ in range(_MOST_ROUNDS):
        chosen = edits(document)
        if not chosen:
            break
        rules |= dict.fromkeys(edit.rule for edit in chosen)
        text = document.source.text._replace(content=apply(document.content, chosen))
        document = read_document(document.source._replace(text=text))
    return with_final_newline(document.content), tuple(rules)


def _outgrows(old: bytes, new: bytes) -> bool:
    """Whether a fix would cost more than it brings, as a reader's limit is passed."""
    return len(old) <= CODEX_CAP_BYTES < len(new)


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


def _named(path: str) -> str:
    """A path as git writes it in a patch: a name must not begin another file's part of it."""
    if path.isprintable() and not {'"', "\\"} & set(path):
        return path
    octal = (f"\\{byte:03o}" for byte in path.encode("utf-8", "surrogateescape"))
    plain = (chr(byte) for byte in path.encode("utf-8", "surrogateescape"))
    return (
        '"'
        + "".join(
            one if " " <= one <= "~" and one not in '"\\' else code
            for one, code in zip(plain, octal, strict=True)
        )
        + '"'
    )


def diff(change: Rewrite) -> str:
    """The change as a unified diff, with `a/` and `b/` as git has them."""
    old, new = (
        data.decode("utf-8", "replace").splitlines(keepends=True)
        for data in (change.old, change.new)
    )
    lines = unified_diff(old, new, _named(f"a/{change.path}"), _named(f"b/{change.path}"))
    marked = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return "".join(marked)
