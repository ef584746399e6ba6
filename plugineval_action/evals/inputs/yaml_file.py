"""YAML with the line of every value. Only plain values: no dates, no tags, no merging."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from plugineval_action.evals.inputs.mistakes import Located, Mistake, Place, quoted, refuse
from plugineval_action.evals.inputs.text_file import read_input

_MOST_VALUES: Final = 50_000
_DEEPEST: Final = 20
_READ: Final = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("bool", "float", "int", "null"))
_LONGEST_NUMBER: Final = 40


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
        if node.tag not in _READ or len(node.value) > _LONGEST_NUMBER:
            return node.value
        try:
            return self.scalars.construct_object(node)
        except (ValueError, KeyError):
            return node.value

    def _pairs(self, node: yaml.MappingNode, place: Place) -> Iterator[tuple[str, Any]]:
        met: set[str] = set()
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.mistakes.append(
                    Mistake(self.path, line, "A key has to be a word.", "Write a word.")
                )
                continue
            key = str(key_node.value)
            if key in met:
                reason = f"{quoted(key)} is given twice."
                self.mistakes.append(Mistake(self.path, line, reason, "Keep one."))
            met.add(key)
            self.lines[(*place, key)] = line
            yield key, self.value(value_node, (*place, key))


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
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", "it cannot be read")
    remedy = "Look for a missing quote, a tab, or a colon in text that has no quotes."
    return Mistake(path, mark.line + 1 if mark else 1, f"This is not valid YAML: {what}.", remedy)
