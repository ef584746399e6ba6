"""JSON manifests of plugins and marketplaces, read as what they are: files by strangers.

Nothing here raises: a file that is no JSON object has no fields, a field of the wrong type is
absent, and each of these is a finding with its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from plugineval_action.content.skill import finding, text_findings
from plugineval_action.content.text import BOM, read_text
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError
from plugineval_action.results import Finding

Place = tuple[str | int, ...]
"""Keys and list positions from the top of the file, as in `("plugins", 3, "name")`."""

MOST_PATHS = 1_000
"""Paths that one field may list; more are ignored, with a finding."""

_WORDS: Mapping[type, str] = {
    bool: "true or false",
    dict: "an object",
    float: "a number",
    list: "a list",
    str: "text",
    type(None): "missing or null",
}
_PLACE_DEPTH = 4
_MOST_REPEATS = 20
_MOST_PIECES = 200_000
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)

_CREDENTIALS = re.compile(r"(?<=//)[^/\s@]+@|^[^@/\s:]+:[^@/\s]+@")
"""User and password before a host; nothing that is shown keeps them."""


class Manifest(NamedTuple):
    """A JSON object with the lines its fields stand on; empty if the file is absent or unusable."""

    path: str
    fields: Mapping[str, object]
    lines: Mapping[Place, int]
    findings: tuple[Finding, ...]

    def line(self, *place: str | int) -> int:
        """The line of a place, or of the nearest thing around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)


def read_manifest(tree: Tree, path: str) -> Manifest:
    """Read a manifest, if there is one."""
    kind = tree.kind(path)
    if kind is None:
        return _unusable(path)
    if kind == "symlink":
        return _unusable(path, finding("SYMLINK_REFUSED", "The manifest is a symbolic link.", path))
    if kind != "file":
        return _unusable(path, finding("EXPECTED_FILE", "The manifest is not a plain file.", path))
    try:
        text = read_text(tree, path)
    except ContentError as error:
        return _unusable(path, finding("INVALID_JSON", error.message, path))
    content = text.content.removeprefix(BOM)
    return _parse(path, content, [note for note in text_findings(text) if note.rule != "NUL_BYTES"])


def _unusable(path: str, *findings: Finding) -> Manifest:
    return Manifest(path, {}, {}, findings)


def _parse(path: str, content: str, findings: list[Finding]) -> Manifest:
    constants: list[str] = []
    try:
        # No number is ever used, and int() refuses very long ones.
        value = json.loads(content, parse_int=float, parse_constant=constants.append)
    except json.JSONDecodeError as error:
        message = f"It is not valid JSON (line {error.lineno}, column {error.colno}): {error.msg}."
        return _unusable(path, *findings, finding("INVALID_JSON", message, path, error.lineno))
    except RecursionError:
        message = "The JSON is nested too deeply."
        return _unusable(path, *findings, finding("INVALID_JSON", message, path))
    if constants:
        line = next(line for piece, line in _pieces(content) if piece == constants[0])
        message = f"{constants[0]} is not JSON (line {line})."
        return _unusable(path, *findings, finding("INVALID_JSON", message, path, line))
    if not isinstance(value, dict):
        message = f"The manifest is {described(value)}, not an object."
        return _unusable(path, *findings, finding("WRONG_TYPE", message, path))
    lines: dict[Place, int] = {}
    findings += islice(_repeated_keys(path, content, lines), _MOST_REPEATS)
    return Manifest(path, value, lines, tuple(findings))


def _repeated_keys(path: str, content: str, lines: dict[Place, int]) -> Iterator[Finding]:
    for place, line in _places(islice(_pieces(content), _MOST_PIECES)):
        if place in lines:
            message = f"{named(place)} is given twice; the last one counts."
            yield finding("DUPLICATE_KEY", message, path, line)
        lines[place] = line


def _pieces(content: str) -> Iterator[tuple[str, int]]:
    line, end = 1, 0
    for match in _PIECE.finditer(content):
        line += content.count("\n", end, match.start())
        end = match.start()
        yield match[0], line


def _places(pieces: Iterable[tuple[str, int]]) -> Iterator[tuple[Place, int]]:
    """Where each key and list item of a valid JSON text stands, down to a depth of four."""
    keys: list[str | int | None] = []
    for piece, line in pieces:
        awaits_key = bool(keys) and keys[-1] is None
        if piece in "}]":
            keys.pop()
        elif piece == "," and keys:
            following = keys[-1]
            keys[-1] = following + 1 if isinstance(following, int) else None
        elif piece not in ",:":
            if awaits_key:
                keys[-1] = json.loads(piece)
            if keys and len(keys) <= _PLACE_DEPTH and (awaits_key or isinstance(keys[-1], int)):
                yield tuple(key for key in keys if key is not None), line
            if piece in "{[":
                keys.append(None if piece == "{" else 0)


class Fields:
    """One object of a manifest, read field by field; what is wrong is added to `findings`."""

    def __init__(self, manifest: Manifest, values: Mapping[str, object], *place: str | int) -> None:
        self.manifest = manifest
        self.values = values
        self.place = place
        self.findings: list[Finding] = []

    def line(self, *place: str | int) -> int:
        """The line of something inside this object."""
        return self.manifest.line(*self.place, *place)

    def inner(self, key: str, values: Mapping[str, object]) -> Fields:
        """An object inside this one; its findings are added here."""
        fields = Fields(self.manifest, values, *self.place, key)
        fields.findings = self.findings
        return fields

    def text(self, key: str) -> str:
        """A text field, "" if it is absent."""
        value = self.values.get(key, "")
        if isinstance(value, str):
            return clean(value)
        self._wrong("text", value, key)
        return ""

    def flag(self, key: str, *, default: bool) -> bool:
        """A field that is true or false."""
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            self._wrong("true or false", value, key)
            return default
        return value

    def paths(self, key: str) -> tuple[tuple[str, int], ...] | None:
        """A field that is one path or a list of them, each with its line; None if it is absent."""
        value = self.values.get(key, [])
        if isinstance(value, str):
            return ((clean(value), self.line(key)),)
        if not isinstance(value, list):
            self._wrong("a path or a list of paths", value, key)
        if not isinstance(value, list) or key not in self.values:
            return None
        found = []
        for position, item in enumerate(value[:MOST_PATHS]):
            if isinstance(item, str):
                found.append((clean(item), self.line(key, position)))
            else:
                self._wrong("a path", item, key, position)
        if len(value) > MOST_PATHS:
            self.note("WRONG_TYPE", f"Only the first {MOST_PATHS:,} paths of {key} are read.", key)
        return tuple(found)

    def objects(self, key: str, most: int) -> list[Fields]:
        """A field that must be a list of objects."""
        value = self.values.get(key)
        if not isinstance(value, list):
            self._wrong("a list", value, key)
            return []
        found = []
        for position, item in enumerate(value[:most]):
            if isinstance(item, dict):
                found.append(Fields(self.manifest, item, *self.place, key, position))
            else:
                self._wrong("an object", item, key, position)
        if len(value) > most:
            self.note("WRONG_TYPE", f"Only the first {most:,} of {key} are read.", key, most)
        return found

    def note(self, rule: str, message: str, *place: str | int) -> None:
        """Add a finding at a place inside this object."""
        self.findings.append(finding(rule, message, self.manifest.path, self.line(*place)))

    def _wrong(self, wanted: str, value: object, *place: str | int) -> None:
        where = named((*self.place, *place))
        self.note("WRONG_TYPE", f"{where} is {described(value)}, not {wanted}.", *place)


def described(value: object) -> str:
    """What a JSON value is, in words."""
    return _WORDS[type(value)]


def named(place: Place) -> str:
    """A place as people write it: `plugins[3].skills`."""
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)
    return shown(text.removeprefix("."))


def clean(text: str) -> str:
    """Text without lone surrogates, which JSON can spell and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode()


def shown(text: str, most: int = 80) -> str:
    """Text by a stranger as part of a sentence: printable characters only, cut to a length."""
    text = _CREDENTIALS.sub("", text)
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cut)
