"""JSON with the line of every value, which Python's reader does not tell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from plugineval_action.inputs.mistakes import Located, Mistake, Place, quoted, refuse
from plugineval_action.inputs.text_file import read_input

_MARK: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+')
_COLON: Final = re.compile(r"\s*+:")
_UNWRITABLE: Final = re.compile("[\0\ud800-\udfff]")
_REMEDIES: Final = {
    "Expecting property name": "Put keys in double quotes, and no comma behind the last one.",
    "Expecting ',' delimiter": 'Put a comma between two values, and write a quote as \\".',
    "Expecting ':' delimiter": "Write a colon behind each key.",
    "Expecting value": "Write a value; JSON has no comments and no comma behind the last one.",
    "Extra data": "Keep one value, and remove what follows it.",
    "Invalid control character": "Write a line break in text as \\n.",
    "Invalid \\escape": "Write a backslash twice.",
    "Unterminated string": "Close the quote that is opened here.",
}
_REMEDY: Final = "Look for a missing quote, comma or bracket."


def read_json(path: Path) -> Located:
    """The values of a JSON file. Raises UsageError with line and remedy."""
    name, text = str(path), read_input(path)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        remedy = next((one for start, one in _REMEDIES.items() if error.msg.startswith(start)), "")
        reason = f"This is not valid JSON: {error.msg}."
        refuse([Mistake(name, error.lineno, reason, remedy or _REMEDY)])
    except (RecursionError, ValueError) as error:
        reason = f"This cannot be read: {type(error).__name__}."
        refuse([Mistake(name, 1, reason, "Nest it less, and write shorter numbers.")])
    reading = _Lines(name, text)
    lines = dict(reading.places())
    file = Located(name, value, lines)
    mistakes = [*reading.twice, *_unwritable(file, value, ())]
    if mistakes:
        refuse(mistakes)
    return file


class _Lines:
    """One pass over the marks of a text that is valid; `twice` are keys that hide others."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text
        self.twice: list[Mistake] = []

    def places(self) -> Iterator[tuple[Place, int]]:
        """Where each value of an object or a list stands."""
        path: list[str | int] = []
        keys: list[set[str] | None] = []
        line, position = 1, 0
        for match in _MARK.finditer(self._text):
            line += self._text.count("\n", position, match.start())
            position, mark = match.start(), match[0]
            if mark in ("}", "]"):
                keys.pop()
                path.pop()
            elif mark == "," and isinstance(path[-1], int):
                path[-1] += 1
            elif mark in (",", ":"):
                continue
            elif keys and keys[-1] is not None and _COLON.match(self._text, match.end()):
                path[-1] = self._key(mark, keys[-1], line)
                yield tuple(path), line
            else:
                if path and isinstance(path[-1], int):
                    yield tuple(path), line
                if mark in ("{", "["):
                    keys.append(set() if mark == "{" else None)
                    path.append("" if mark == "{" else 0)

    def _key(self, mark: str, met: set[str], line: int) -> str:
        key = str(json.loads(mark))
        if key in met:
            reason = f"{quoted(key)} is given twice."
            self.twice.append(Mistake(self._name, line, reason, "Keep one."))
        met.add(key)
        return key


def _unwritable(file: Located, value: Any, place: Place) -> Iterator[Mistake]:  # noqa: ANN401 - whatever JSON holds
    """Text that no file can hold, such as half of a surrogate pair."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _unwritable(file, inner, (*place, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _unwritable(file, inner, (*place, at))
    texts = [value] if isinstance(value, str) else [*value] if isinstance(value, dict) else []
    if any(_UNWRITABLE.search(text) for text in texts):
        reason = "There is a zero byte or half a character here."
        yield file.mistake(place, reason, "Remove it.")
