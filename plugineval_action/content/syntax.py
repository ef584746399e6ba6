"""Syntax errors, as real parsers report them. Nothing is ever executed or imported."""

from __future__ import annotations

import ast
import json
import sys
import warnings
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from plugineval_action.content.yaml_words import in_plain_words

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_CHARACTERS: Final = 200_000
"""Longer texts are not parsed: no one writes such scripts by hand, and time is bounded."""

_MOST_BRACKETS: Final = 60
"""Depth of brackets that a parser is asked to follow."""


class SyntaxProblem(NamedTuple):
    """The line of the first error, counted from 1, and what the parser says of it."""

    line: int
    message: str


def syntax_problem(language: str, text: str) -> SyntaxProblem | None:
    """The first syntax error of a text; None if there is none, or no parser for the language."""
    parse = _PARSERS.get(language)
    if parse is None or len(text) > MAX_CHARACTERS or not text.strip() or _is_deep(text):
        return None
    return parse(text.removeprefix("\ufeff"))


def _is_deep(text: str) -> bool:
    """Whether brackets are nested as no person nests them: parsers recurse."""
    if sum(map(text.count, "([{")) <= _MOST_BRACKETS:
        return False
    depth = deepest = 0
    for character in text:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth = max(0, depth - 1)
    return deepest > _MOST_BRACKETS


def _python(text: str) -> SyntaxProblem | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        if _is_newer_python(error.msg):
            return None
        return SyntaxProblem(error.lineno or 1, error.msg)
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def _is_newer_python(message: str) -> bool:
    """Whether a later Python than the one that runs here may well accept it."""
    return sys.version_info < (3, 12) and "f-string" in message


def _json(text: str) -> SyntaxProblem | None:
    try:
        json.loads(text, parse_int=float)
    except json.JSONDecodeError as error:
        return SyntaxProblem(error.lineno, error.msg)
    except RecursionError:
        return None
    return None


def _toml(text: str) -> SyntaxProblem | None:
    import tomllib

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).partition(" (at line ")
        line = place.partition(",")[0]
        return SyntaxProblem(int(line) if line.isdigit() else 1, what)
    except RecursionError:
        return None
    return None


def _yaml(text: str) -> SyntaxProblem | None:
    import yaml

    try:
        # Events only: nothing is built, so aliases cannot make a small text large.
        for _ in yaml.parse(text, Loader=yaml.CSafeLoader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        what = in_plain_words(error.problem or "not valid YAML")
        return SyntaxProblem(mark.line + 1 if mark else 1, what)
    except yaml.YAMLError:
        return SyntaxProblem(1, "not valid YAML")
    return None


def _grown(language: str) -> Callable[[str], SyntaxProblem | None]:
    def parse(text: str) -> SyntaxProblem | None:
        root = _parser(language).parse(text.encode("utf-8", "replace")).root_node
        if not root.has_error:
            return None
        node = _first_error(root)
        what = f"{node.type!r} is missing" if node.is_missing else "unexpected text"
        return SyntaxProblem(node.start_point[0] + 1, what)

    return parse


@cache
def _parser(language: str) -> Parser:
    from tree_sitter import Language, Parser

    return Parser(Language(_grammar(language)))


def _grammar(language: str) -> Any:  # noqa: ANN401 - a capsule of C
    from importlib import import_module

    # One package may hold several grammars: that of TypeScript has TSX too.
    package = "typescript" if language == "tsx" else language
    of = f"language_{language}" if package == "typescript" else "language"
    return getattr(import_module(f"tree_sitter_{package}"), of)()


def _first_error(node: Node) -> Node:
    """The innermost first node that is, or holds, an error."""
    while not (node.is_error or node.is_missing):
        inner = next((one for one in node.children if one.has_error or one.is_missing), None)
        if inner is None:
            return node
        node = inner
    return node


_PARSERS: Final[dict[str, Callable[[str], SyntaxProblem | None]]] = {
    "bash": _grown("bash"),
    "javascript": _grown("javascript"),
    "json": _json,
    "python": _python,
    "toml": _toml,
    "tsx": _grown("tsx"),
    "typescript": _grown("typescript"),
    "yaml": _yaml,
}
