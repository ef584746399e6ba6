"""What can be put right in a SKILL.md without knowing what it is about. Pure over a document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from plugineval_action.content.document import Document
from plugineval_action.content.frontmatter import split_lines
from plugineval_action.findings.links import file_links, other_case, relative
from plugineval_action.findings.near import near_field
from plugineval_action.findings.profiles import CLAUDE_CODE_FIELDS, DEFAULT_PROFILE, PROFILES
from plugineval_action.findings.subject import Skill

_PLAIN = re.compile(r"([A-Za-z_][\w-]*):[ \t]+([^\s\"'|>\[{&*!%@`#].*?)[ \t]*")
_COMMENT = re.compile(r"[ \t]#(?:\s|$)")
_GRANTING = frozenset(("allowed-tools", "hooks"))
"""Fields that give rights as soon as they are read: that takes somebody's judgement."""

_LONGEST_LINE = 4_000
_KEY = re.compile(r"([A-Za-z_][\w-]*)(?=:)")
_NOT_KEBAB = re.compile(r"[^a-z0-9]+")


class Edit(NamedTuple):
    """One line as it was and as it should be; the lines count from 1 in the whole file."""

    rule: str
    line: int
    old: str
    new: str


def edits(document: Document) -> tuple[Edit, ...]:
    """Every edit, at most one a line. Together they leave front matter that can be read."""
    lines = document.content.split("\n")
    end = document.front.body_line - 1 if document.front.source else _end_of_front_matter(lines)
    found: dict[int, Edit] = {}
    for edit in (*_quotes(lines, end), *_names(document, lines), *_links(document, lines)):
        found.setdefault(edit.line, edit)
    chosen = tuple(found[line] for line in sorted(found))
    in_front = [edit for edit in chosen if edit.line < end]
    if in_front and not split_lines(apply(document.content, tuple(in_front))).readable:
        return tuple(edit for edit in chosen if edit.line >= end)
    return chosen


def apply(text: str, chosen: tuple[Edit, ...]) -> str:
    """The text with some edits."""
    lines = text.split("\n")
    for edit in chosen:
        lines[edit.line - 1] = edit.new
    return "\n".join(lines)


def with_final_newline(text: str) -> str:
    """The text with a line break at its end, if it holds anything."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def _end_of_front_matter(lines: list[str]) -> int:
    """The number of the closing line; 0 without front matter."""
    if lines[0].rstrip() != "---":
        return 0
    closing = (at for at, line in enumerate(lines[1:], start=2) if line.rstrip() == "---")
    return next(closing, 0)


def _quotes(lines: list[str], end: int) -> Iterator[Edit]:
    """Values that hold a colon or a number sign, and go on in no other line."""
    for number in range(2, end):
        line, following = lines[number - 1], lines[number]
        found = _PLAIN.fullmatch(line) if len(line) <= _LONGEST_LINE else None
        if found is None or following[:1] in (" ", "\t"):
            continue
        key, value = found.groups()
        if _COMMENT.search(value):
            continue  # somebody's note to the next writer, and no part of the value
        colon, sign = ": " in value or value.endswith(":"), " #" in value
        if colon or (sign and key in ("name", "description", "when_to_use")):
            quoted = value.replace("'", "''")
            rule = "INVALID_YAML" if colon else "YAML_COMMENT_CUT"
            yield Edit(rule, number, line, f"{key}: '{quoted}'")


def _names(document: Document, lines: list[str]) -> Iterator[Edit]:
    """Misspelt fields, and a name that is its directory's but for capitals and blanks."""
    fields, directory = document.front.fields, document.source.directory_name
    for name, field in fields.items():
        line = lines[field.line - 1]
        meant = near_field(name, CLAUDE_CODE_FIELDS)
        if meant and meant not in fields and meant not in _GRANTING:
            yield Edit("MISSPELT_FIELD", field.line, line, _KEY.sub(meant, line, count=1))
        slug = _NOT_KEBAB.sub("-", field.text.lower()).strip("-")
        if name == "name" and field.text != directory == slug:
            yield Edit("NAME_NOT_DIRECTORY", field.line, line, f"name: {directory}")


def _links(document: Document, lines: list[str]) -> Iterator[Edit]:
    """Links to a file under other capitals, where the line holds the target once."""
    subject = Skill(document, PROFILES[DEFAULT_PROFILE])
    for link in file_links(subject):
        real = other_case(subject.tree, link.place) if link.found is None else None
        line = lines[link.line - 1]
        written = next((one for one in (link.target, quote(link.target)) if one in line), None)
        if real and written and line.count(written) == 1:
            right = relative(subject, real)
            new = line.replace(written, right if written == link.target else quote(right))
            yield Edit("LINK_CASE", link.line, line, new)
