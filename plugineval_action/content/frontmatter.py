"""Front matter: where it ends, and what its fields say.

The two rulesets split differently: the reference at the first two `---` wherever they stand, the
default at lines that are exactly `---`. Both read YAML 1.1 as PyYAML's safe loader does.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Mapping
from typing import NamedTuple

import yaml

from plugineval_action.content.yaml_words import in_plain_words

MAX_CHARACTERS = 100_000
"""Front matter longer than this is not read: harnesses show 1,536 characters of it at most."""

_JOINED_LIMIT = 100_000
"""Characters of a list joined to text: aliases can make a small file say a lot."""

_LONGEST_NUMBER = 1_000
"""Digits of a number that is read as one: its value is never used, and long ones take long."""

_MOST_PAIRS = 10_000
"""Fields of all nested mappings together, merged ones included."""

_SPECIAL_KEYS = ("tag:yaml.org,2002:merge", "tag:yaml.org,2002:value")
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_CLOSING = re.compile(r"^---[ \t]*$", re.MULTILINE)
_LATE_OPENING = re.compile(r"^---[ \t]*\n(?:[A-Za-z_-]+:.*\n)+", re.MULTILINE)


_UNREADABLE = {"FRONTMATTER_NOT_MAPPING", "FRONTMATTER_UNCLOSED", "INVALID_YAML"}


class Field(NamedTuple):
    """One field: its YAML value, the same as text ("" for null and mappings), and its line."""

    value: object
    text: str
    line: int


class Problem(NamedTuple):
    """What is wrong with the front matter: a rule of the catalogue, a line, a sentence."""

    rule: str
    line: int
    message: str


class FrontMatter(NamedTuple):
    """The fields of a file, and the body that follows from `body_line` on."""

    fields: Mapping[str, Field]
    source: str
    body: str
    body_line: int
    problems: tuple[Problem, ...] = ()

    @property
    def readable(self) -> bool:
        """Whether no problem keeps the fields from being read."""
        return not {problem.rule for problem in self.problems} & _UNREADABLE

    def text(self, name: str) -> str:
        """A field as text, "" if it is absent."""
        field = self.fields.get(name)
        return field.text if field else ""

    def line(self, name: str) -> int:
        """The line of a field, 1 if it is absent."""
        field = self.fields.get(name)
        return field.line if field else 1


_PASSAGE = re.compile(r"\s{0,20}<!--[ \t]{0,9}[\w:.-]{1,100}[: -](?:start|begin)[ \t]{0,9}-->")
"""The mark at the start of a passage that a generator puts elsewhere."""


def split_reference(text: str) -> FrontMatter:
    """Split as the reference does: at the first two `---`, wherever they stand."""
    pieces = text.split("---", 2) if text.startswith("---") else []
    if len(pieces) < 3:
        return FrontMatter({}, "", text, 1)
    fields, problems = read_fields(pieces[1], first_line=1, pure=_needs_pure(pieces[1]))
    return FrontMatter(fields, pieces[1], pieces[2], 1 + pieces[1].count("\n"), problems)


def _needs_pure(source: str) -> bool:
    """Whether PyYAML's own parser may see it differently, and is not slowed down without bound."""
    small = len(source) <= MAX_CHARACTERS // 10
    return "\t" in source and small and source.count("[") + source.count("{") < 100


def split_lines(text: str) -> FrontMatter:
    """Split as harnesses do: from a first line `---` to the next line that is exactly `---`."""
    opening = re.match(r"---[ \t]*(?:\n|$)", text)
    if not opening:
        return FrontMatter({}, "", text, 1, _why_missing(text))
    closing = _CLOSING.search(text, opening.end())
    if not closing:
        problem = Problem("FRONTMATTER_UNCLOSED", 1, "The front matter is never closed.")
        return FrontMatter({}, "", text, 1, (problem,))
    source = text[opening.end() : closing.start()]
    fields, problems = read_fields(source, first_line=2)
    body_line = 2 + source.count("\n") + 1
    return FrontMatter(fields, source, text[closing.end() + 1 :], body_line, problems)


def _why_missing(text: str) -> tuple[Problem, ...]:
    if _PASSAGE.match(text):
        return ()  # a part that is put into another file, which has the front matter
    late = _LATE_OPENING.search(text)
    # What stands in a code block is an example of front matter.
    if late and "```" not in text[: late.start()] and _CLOSING.search(text, late.end()):
        line = 1 + text.count("\n", 0, late.start())
        message = f"The front matter starts on line {line}; agents only see it on line 1."
        return (Problem("FRONTMATTER_NOT_FIRST", line, message),)
    return (Problem("FRONTMATTER_MISSING", 1, "The file has no front matter."),)


def read_fields(
    source: str, first_line: int, *, pure: bool = False
) -> tuple[dict[str, Field], tuple[Problem, ...]]:
    """Read YAML fields; anything that is no mapping gives none, with the problem that says so.

    `pure`: with PyYAML's own parser, as the reference does: it refuses tabs that libyaml allows,
    is ten times slower, and quadratic over nested brackets.
    """
    if len(source) > MAX_CHARACTERS:
        message = f"The front matter has over {MAX_CHARACTERS:,} characters and is not read."
        return {}, (Problem("INVALID_YAML", first_line, message),)
    places = _Places(source, first_line)
    try:
        loader = _PureLoader(source) if pure else _Loader(source)
        return _fields(loader, loader.get_single_node(), places)
    except (yaml.YAMLError, RecursionError) as error:
        return {}, (_invalid(error, places),)


class _Places:
    """Lines and columns of offsets; YAML ends lines at signs that are no line end in the file."""

    def __init__(self, source: str, first_line: int) -> None:
        self.source = source
        self.first_line = first_line
        self.line_ends = [found.start() for found in re.finditer("\n", source)]

    def line(self, offset: int) -> int:
        return self.first_line + bisect_left(self.line_ends, offset)

    def column(self, offset: int) -> int:
        return offset - self.source.rfind("\n", 0, offset)


class _Bounded(yaml.constructor.SafeConstructor):
    """For texts by strangers: what is built is bounded, and a scalar that cannot be stays text."""

    pairs = 0

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:  # noqa: FBT001, FBT002 - PyYAML's signature
        """See PyYAML: what looks like a date or number and is none stays text."""
        if not isinstance(node, yaml.ScalarNode):
            return self._construct_other(node, deep=deep)
        if node.tag in _NUMBERS and len(node.value) > _LONGEST_NUMBER:
            return node.value
        try:
            return super().construct_object(node, deep=deep)
        except (ArithmeticError, AttributeError, LookupError, ValueError):
            return node.value

    def _construct_other(self, node: yaml.Node, *, deep: bool) -> object:
        """A list or mapping; one that claims to be a number, date or truth value is an error."""
        problem = "a value is not of the type it claims"
        if node.tag in _NUMBERS:
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        try:
            return super().construct_object(node, deep=deep)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            mark = node.start_mark
            raise yaml.constructor.ConstructorError(None, None, problem, mark) from error

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """See PyYAML; aliases in merge keys make a small text say a lot, so pairs are counted."""
        super().flatten_mapping(node)
        self.pairs += len(node.value)
        if self.pairs > _MOST_PAIRS:
            problem = "merge keys repeat too much"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


class _Loader(_Bounded, yaml.CSafeLoader):
    """libyaml's parser, ten times faster than PyYAML's."""


class _PureLoader(_Bounded, yaml.SafeLoader):
    """PyYAML's own parser."""


def _fields(
    loader: _Bounded, node: yaml.Node | None, places: _Places
) -> tuple[dict[str, Field], tuple[Problem, ...]]:
    if node is None:
        return {}, ()
    if not isinstance(node, yaml.MappingNode):
        message = "The front matter is not a list of fields."
        return {}, (Problem("FRONTMATTER_NOT_MAPPING", places.first_line, message),)
    own = {id(key) for key, _ in node.value}
    if any(key.tag in _SPECIAL_KEYS for key, _ in node.value):
        loader.flatten_mapping(node)
    fields: dict[str, Field] = {}
    met: set[str] = set()
    repeated: dict[str, Problem] = {}
    for key_node, value_node in node.value:
        name = _key(loader, node, key_node)
        value = loader.construct_object(value_node, deep=True)
        if not isinstance(name, str):
            continue
        line = places.line(key_node.start_mark.index)
        if name in met:
            message = f"The field {name!r} is given more than once."
            repeated.setdefault(name, Problem("DUPLICATE_KEY", line, message))
        if id(key_node) in own:
            met.add(name)
        fields[name] = Field(value, _as_text(value_node), line)
    return fields, tuple(repeated.values())


def _key(loader: _Bounded, node: yaml.MappingNode, key_node: yaml.Node) -> object:
    key = loader.construct_object(key_node, deep=True)
    if isinstance(key, Hashable):
        return key
    raise yaml.constructor.ConstructorError(
        "while constructing a mapping", node.start_mark, "a key is no text", key_node.start_mark
    )


def _as_text(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return "" if node.tag == "tag:yaml.org,2002:null" else str(node.value)
    if not isinstance(node, yaml.SequenceNode):
        return ""
    items: list[str] = []
    room = _JOINED_LIMIT
    for item in node.value:
        if isinstance(item, yaml.ScalarNode) and room > 0:
            items.append(_as_text(item)[:room])
            room -= len(items[-1]) + 2
    return ", ".join(items)


def _invalid(error: Exception, places: _Places) -> Problem:
    said = getattr(error, "problem", None) or getattr(error, "reason", "it is nested too deeply")
    what = in_plain_words(str(said))
    offset = _offset(error, places.source)
    if offset is None:
        message = f"The front matter is not valid YAML: {what}."
        return Problem("INVALID_YAML", places.first_line, message)
    line = places.line(offset)
    where = f"line {line}, column {places.column(offset)}"
    return Problem("INVALID_YAML", line, f"The front matter is not valid YAML ({where}): {what}.")


def _offset(error: Exception, source: str) -> int | None:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return int(mark.index)
    if isinstance(error, yaml.reader.ReaderError):
        # libyaml counts bytes, PyYAML's own parser, which has an encoding to name, characters.
        before = source.encode()[: error.position].decode("utf-8", "ignore")
        return len(before) if error.encoding == "?" else int(error.position)
    return None


def is_false(field: Field | None) -> bool:
    """Whether a field is present with an empty or false value: null, '', no, 0, [], {}."""
    return field is not None and not field.value
