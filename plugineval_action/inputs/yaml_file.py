"""YAML with the line of every value. Only plain values: no dates, no tags, no merging."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from plugineval_action.inputs.mistakes import Located, Mistake, Place, quoted, refuse
from plugineval_action.inputs.text_file import read_input

_MOST_VALUES: Final = 50_000
_DEEPEST: Final = 20
_READ: Final = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("bool", "float", "int", "null"))
_LONGEST_NUMBER: Final = 40
_REMEDY: Final = "Look for a missing quote, a tab, or a colon in text that has no quotes."
_REMEDIES: Final = {
    "tab character": "Indent with spaces.",
    "mapping values": "Put text that holds a colon in quotes.",
    "expected '-' indicator": "Indent all keys of an entry alike, under the first one.",
    "expected <block end>": "Indent all keys of an entry alike, under the first one.",
    "could not find expected ':'": "Write a colon and a space behind each key.",
    "end of stream": "Close the quote or bracket that is opened here.",
    "control characters": "Remove what cannot be seen, such as a zero byte.",
    "cannot start any token": "Indent with spaces, and put text that starts with a sign in quotes.",
    "escape character": "Write it in single quotes, in which a backslash is a backslash.",
    "another document": "Remove the line --- and all that does not belong to the first part.",
    "nesting depth": "Nest it less.",
}


class _Reading:
    """One pass over the nodes: values out, lines and mistakes beside them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.lines: dict[Place, int] = {}
        self.mistakes: list[Mistake] = []
        self.values = 0
        self.scalars = yaml.constructor.SafeConstructor()

    def value(self, node: yaml.Node, place: Place) -> Any:  # noqa: ANN401 - whatever YAML holds
        """The value of a node."""
        self.values += 1
        line = node.start_mark.line + 1
        self.lines[place] = self.lines.get(place, line)
        if self.values > _MOST_VALUES or len(place) > _DEEPEST:
            refuse([Mistake(self.path, line, "The file says too much.", "Write it out, shorter.")])
        if isinstance(node, yaml.MappingNode):
            return dict(self._pairs(node, place))
        if isinstance(node, yaml.SequenceNode):
            return [self.value(one, (*place, at)) for at, one in enumerate(node.value)]
        if "\0" in node.value:
            self._mistake(line, "There is a zero byte here.", "Remove it.")
        if node.tag not in _READ or len(node.value) > _LONGEST_NUMBER:
            return node.value
        try:
            return self.scalars.construct_object(node)
        except (ValueError, KeyError, IndexError, OverflowError):
            # A tag calls it a number, and it is none: `!!int ""`.
            return node.value

    def _pairs(self, node: yaml.MappingNode, place: Place) -> Iterator[tuple[str, Any]]:
        met: set[str] = set()
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self._mistake(line, "A key has to be a word.", "Write a word.")
                continue
            key = str(key_node.value)
            if key in met:
                self._mistake(line, f"{quoted(key)} is given twice.", "Keep one.")
            met.add(key)
            self.lines[(*place, key)] = line
            yield key, self.value(value_node, (*place, key))

    def _mistake(self, line: int, reason: str, remedy: str) -> None:
        self.mistakes.append(Mistake(self.path, line, reason, remedy))


def read_yaml(path: Path) -> Located:
    """The values of a YAML file, None for an empty one. Raises UsageError with line and remedy."""
    return parse_yaml(str(path), read_input(path))


def parse_yaml(name: str, text: str) -> Located:
    """The same of a file's text."""
    try:
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        refuse([_invalid(name, error)])
    reading = _Reading(name)
    value = None if root is None else reading.value(root, ())
    if reading.mistakes:
        refuse(reading.mistakes)
    return Located(name, value, reading.lines)


def _invalid(path: str, error: Exception) -> Mistake:
    what = str(
        getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
    )
    # What never ends is best looked for where it begins.
    where = "context_mark" if "end of stream" in what else "problem_mark"
    mark = getattr(error, where, None) or getattr(error, "problem_mark", None)
    remedy = next((one for part, one in _REMEDIES.items() if part in what), _REMEDY)
    return Mistake(path, mark.line + 1 if mark else 1, f"This is not valid YAML: {what}.", remedy)
