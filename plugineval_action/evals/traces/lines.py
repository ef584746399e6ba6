"""The lines of a trace as JSON objects, one at a time, however large the file is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

from pydantic_core import from_json

MAX_LINE: Final = 32 << 20
"""Bytes of one line that are read; harnesses cut outputs far below. Longer ones are counted."""

SHOWN: Final = 2_000
"""Characters that are kept of a line nobody can read."""

_BLOCK: Final = 1 << 16
_BLANK: Final = " \t\r\n"
_DECODER: Final = json.JSONDecoder()
_LARGEST: Final = 1 << 53
_LONGEST_NAME: Final = 200


class Object(NamedTuple):
    """A line that holds a JSON object; of a key that stands twice the last one counts."""

    number: int
    data: dict[str, object]
    raw: bytes


class Unreadable(NamedTuple):
    """A line that holds no JSON object, and its first characters."""

    number: int
    why: str
    raw: str


def json_lines(file: BinaryIO) -> Iterator[Object | Unreadable]:
    """Every line that is not blank."""
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            _skip_line(file, line)
            yield Unreadable(number, "longer than 32 MiB", decoded(line[:SHOWN]))
        elif not line.isspace():
            yield _parsed(number, line)


def _skip_line(file: BinaryIO, read: bytes) -> None:
    while read and not read.endswith(b"\n"):
        read = file.readline(_BLOCK)


def _parsed(number: int, line: bytes) -> Object | Unreadable:
    try:
        # Half of the time that Python's own needs; whatever it refuses, that may still take.
        data = from_json(line)
    except ValueError:
        return _parsed_by_python(number, line)
    if isinstance(data, dict):
        return Object(number, data, line)
    return Unreadable(number, "no JSON object", decoded(line).strip(_BLANK)[:SHOWN].rstrip())


def _parsed_by_python(number: int, line: bytes) -> Object | Unreadable:
    """A line with broken UTF-8, half of a surrogate pair, or 200 levels; or one that is no JSON."""
    text = decoded(line).strip(_BLANK)
    try:
        # What `json.loads` does around this costs as much as reading a short line.
        data, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        data, end = None, 0
    if end != len(text):
        return Unreadable(number, "not JSON", text[:SHOWN].rstrip())
    if not isinstance(data, dict):
        return Unreadable(number, "no JSON object", text[:SHOWN].rstrip())
    return Object(number, data, line)


def decoded(line: bytes) -> str:
    """Text of a line, or of its beginning; what is not UTF-8 becomes U+FFFD."""
    return line.decode("utf-8", "replace").removeprefix("\ufeff")


def text_of(data: object, key: str) -> str:
    """The text under a key, "" if there is none."""
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, str) else ""


def name_of(data: object, key: str) -> str:
    """The text under a key as a name that is kept: an id, a version, a model."""
    return text_of(data, key)[:_LONGEST_NAME]


def object_of(data: object, key: str) -> dict[str, object]:
    """The object under a key, an empty one if there is none."""
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


def list_of(data: object, key: str) -> list[object]:
    """The list under a key, an empty one if there is none."""
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, list) else []


def texts_of(data: object, key: str) -> tuple[str, ...] | None:
    """The texts in a list under a key; None if there is no list."""
    value = data.get(key) if isinstance(data, dict) else None
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else None


def whole_of(data: object, key: str) -> int | None:
    """The whole number under a key, None if there is none that a harness could have counted."""
    value = data.get(key) if isinstance(data, dict) else None
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        return None
    return value


def count_of(data: object, key: str) -> int:
    """The count under a key, 0 if there is none: what a harness leaves out it did not use."""
    return max(0, whole_of(data, key) or 0)


def dollars_of(data: object, key: str) -> float | None:
    """The amount under a key, None if there is none that could be one."""
    value = data.get(key) if isinstance(data, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e9 else None
