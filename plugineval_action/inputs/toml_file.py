"""TOML with the line of every key, which Python's reader does not tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from plugineval_action.inputs.mistakes import Located, Mistake, Place, refuse
from plugineval_action.inputs.text_file import read_input

_AT: Final = re.compile(r" \(at line (\d+), column \d+\)$")
_TABLE: Final = re.compile(r"\s*+(\[{1,2})([^\[\]]++)\]{1,2}\s*+(?:#.*)?$")
_KEY: Final = re.compile(r"""\s*("[^"]*"|'[^']*'|[A-Za-z0-9_.-]+)\s*=\s*(.*)""")
_LONG_QUOTES: Final = ('"""', "'''")
_DEEPEST: Final = 100
_REMEDY: Final = "Look for a missing quote, bracket or equals sign."
_REMEDIES: Final = {
    "Cannot overwrite": "The same key or table stands twice: keep one.",
    "Cannot declare": "The same key or table stands twice: keep one.",
    "Invalid value": "Put text in straight quotes, and write true, false and numbers without.",
    "Expected newline": "Write one key a line, text in quotes, and numbers with a point: 0.5.",
    "Expected '='": 'Write key = "value", one a line.',
}


def read_toml(path: Path) -> Located:
    """The values of a TOML file. Raises UsageError with line and remedy."""
    name, text = str(path), read_input(path)
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT.search(str(error))
        line = int(found[1]) if found else max(1, text.count("\n"))
        told = _AT.sub("", str(error)).removesuffix(".")
        remedy = next((one for start, one in _REMEDIES.items() if told.startswith(start)), _REMEDY)
        refuse([Mistake(name, line, f"This is not valid TOML: {told}.", remedy)])
    except (RecursionError, ValueError) as error:
        reason = f"This cannot be read: {type(error).__name__}."
        refuse([Mistake(name, 1, reason, "Nest it less, and write shorter numbers.")])
    return Located(name, value, dict(_places(text)))


def _places(text: str) -> Iterator[tuple[Place, int]]:
    """Where each key stands, as far as files by people go: tables, arrays of tables, keys."""
    table: Place = ()
    counts: dict[Place, int] = {}
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        if inside:
            inside = "" if inside in line else inside
            continue
        if head := _TABLE.match(line):
            table = _names(head[2])
            if head[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            yield table, number
        elif key := _KEY.match(line):
            yield (*table, *_names(key[1])), number
            value = key[2]
            inside = next(
                (mark for mark in _LONG_QUOTES if value.startswith(mark) and mark not in value[3:]),
                "",
            )


def _names(dotted: str) -> Place:
    return tuple(part.strip().strip("\"'") for part in dotted.split(".")[:_DEEPEST])
