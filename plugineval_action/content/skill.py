"""A skill as it lies in its tree: the text of SKILL.md and the names around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from plugineval_action.content.text import BOM, Text, read_text
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.results import Finding, Level
from plugineval_action.rules import RAISED_IN_PLACE

SKILL_FILE = "SKILL.md"


class SkillSource(NamedTuple):
    """One skill before it is measured.

    `path` is its directory ("" for the tree's root), `directory_name` the name it goes by, `plugin`
    the directory of the plugin around it (None outside any), `references` and `assets` the plain
    files directly inside those folders (None where the folder does not exist). `reference_texts`
    are the contents of the references that are text.
    """

    tree: Tree
    path: str
    directory_name: str
    text: Text
    plugin: str | None
    references: tuple[str, ...] | None
    assets: tuple[str, ...] | None
    findings: tuple[Finding, ...]
    reference_texts: Mapping[str, str]


def read_skill(tree: Tree, path: str, plugin: str | None = None) -> SkillSource:
    """Read the skill in a directory. Raises ContentError if there is no readable SKILL.md."""
    text = read_text(tree, join(path, SKILL_FILE))
    texts: dict[str, str] = {}
    folder_findings = tuple(_folder_findings(tree, path, texts))
    return SkillSource(
        tree,
        path,
        path.rpartition("/")[2] or tree.name,
        text,
        plugin,
        _folder_files(tree, join(path, "references")),
        _folder_files(tree, join(path, "assets")),
        (*text_findings(text), *folder_findings),
        texts,
    )


def text_findings(text: Text) -> list[Finding]:
    """What is wrong with a file before anyone reads its content."""
    found = []
    if text.content.startswith(BOM):
        found.append(
            finding("BYTE_ORDER_MARK", "The file starts with a byte order mark.", text.path)
        )
    if not text.decodable:
        found.append(finding("UNDECODABLE_BYTES", "The file is not valid UTF-8.", text.path))
    if "\0" in text.content:
        line = 1 + text.content.count("\n", 0, text.content.index("\0"))
        found.append(finding("NUL_BYTES", "The file holds NUL bytes.", text.path, line))
    return found


def finding(
    rule: str, message: str, path: str, line: int = 1, end_line: int | None = None
) -> Finding:
    """A finding with the level and remedy that the catalogue gives its rule."""
    level: Level = RAISED_IN_PLACE[rule].level
    return Finding(rule, level, message, RAISED_IN_PLACE[rule].remedy, path, line, end_line or line)


def _folder_files(tree: Tree, folder: str) -> tuple[str, ...] | None:
    if not tree.is_dir(folder):
        return None
    return tuple(name for name, kind in tree.listing(folder).items() if kind == "file")


def _folder_findings(tree: Tree, path: str, texts: dict[str, str]) -> Iterator[Finding]:
    for name in ("references", "assets"):
        folder, kind = join(path, name), tree.kind(join(path, name))
        if kind == "file":
            yield finding("EXPECTED_DIRECTORY", f"{name} is a file, not a folder.", folder)
        elif kind == "symlink":
            yield finding("SYMLINK_REFUSED", f"{name} is a symbolic link.", folder)
    references = join(path, "references")
    for name, kind in tree.listing(references).items():
        if kind == "symlink":
            yield finding("SYMLINK_REFUSED", f"{name} is a symbolic link.", join(references, name))
        elif kind == "file":
            yield from _read_reference(tree, join(references, name), texts)


def _read_reference(tree: Tree, path: str, texts: dict[str, str]) -> Iterator[Finding]:
    try:
        texts[path.rpartition("/")[2]] = tree.read(path).decode("utf-8")
    except UnicodeDecodeError:
        yield finding("BINARY_REFERENCE", "The file is not text, and no model can read it.", path)
    except ContentError as error:
        yield finding("BINARY_REFERENCE", error.message, path)
