"""The configuration file: some of the inputs, as YAML.

    paths:
      - plugins/**
    fail-under: 60
    comment: off

Scalars are read as the text that they are written as, so that `off` is the word and not a truth
value, and are parsed as inputs are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import yaml
from pydantic import ValidationError

from plugineval_action.action.inputs import GateInputs, input_name, refused
from plugineval_action.errors import UsageError
from plugineval_action.escape import shorten

MAX_CHARACTERS: Final = 20_000
KEYS: Final = tuple(map(input_name, GateInputs.model_fields))

_REMEDY: Final = "Correct the file on the base branch: that is where it is read from."
_SHOWN: Final = 80


class _Entry(NamedTuple):
    """One key, its line, and its value as text; `problem` says why there is none."""

    key: str
    line: int
    text: str
    problem: str = ""


def parse_config(text: str, path: str) -> GateInputs:
    """The inputs that the file gives; `model_fields_set` tells which. `path` is for messages.

    Raises one UsageError with all problems, each with its line.
    """
    entries = list(_entries(text, path))
    problems = [f"{path}:{one.line}: {one.problem}" for one in entries if one.problem]
    given = {one.key: one.text for one in entries if one.text and not one.problem}
    try:
        config = GateInputs.model_validate(given)
    except ValidationError as error:
        lines = {one.key: one.line for one in entries}
        problems += [f"{path}:{lines[name]}: {told}" for name, told in refused(error, given)]
    if problems:
        raise UsageError("\n".join(problems), _REMEDY)
    return config


def _entries(text: str, path: str) -> Iterator[_Entry]:
    met: set[str] = set()
    for key_node, value_node in _root(text, path):
        key, line = str(key_node.value), key_node.start_mark.line + 1
        value, problem = _as_text(value_node)
        if key not in KEYS or not isinstance(key_node, yaml.ScalarNode):
            value, problem = "", f"there is no key {shorten(key, _SHOWN)!r}; {_known()}"
        elif key in met:
            problem = f"{key} is given more than once."
        met.add(key)
        yield _Entry(key, line, value, problem)


def _root(text: str, path: str) -> Iterator[tuple[yaml.Node, yaml.Node]]:
    if len(text) > MAX_CHARACTERS:
        raise UsageError(f"{path} has over {MAX_CHARACTERS:,} characters.", _REMEDY)
    try:
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise UsageError(f"{path} is not valid YAML: {_where(error)}.", _REMEDY) from error
    if root is not None and not isinstance(root, yaml.MappingNode):
        raise UsageError(f"{path} has to be a mapping of inputs to values.", _REMEDY)
    yield from root.value if root else ()


def _where(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or "it cannot be read"
    return f"line {mark.line + 1}: {what}" if mark else what


def _as_text(node: yaml.Node) -> tuple[str, str]:
    """The value as an input has it, a list as lines; and what is wrong with it."""
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    if not all(isinstance(item, yaml.ScalarNode) for item in items):
        return "", "only words, numbers and lists of them can be values here."
    null = len(items) == 1 and items[0].tag == "tag:yaml.org,2002:null"
    return "" if null else "\n".join(item.value for item in items).strip(), ""


def _known() -> str:
    return f"the file may give {', '.join(KEYS[:-1])} and {KEYS[-1]}."
