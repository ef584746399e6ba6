"""Whether the code in a skill parses: each fenced block with a language, by that language's parser.

An extra beside the dimensions: the published methodology lists code_template_quality and does not
say how it is measured, so it has no weight in the rulesets there are. Nothing is ever executed.
"""

from __future__ import annotations

import ast
import json
import textwrap
import tomllib
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import yaml

from plugineval_action.content.markdown import CodeBlock, outline
from plugineval_action.results import Extra

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

NAME: Final = "code_template_quality"

_MOST_BLOCKS: Final = 200
_LARGEST: Final = 20_000
"""Characters of a block that is parsed: longer ones are data, and deep nesting costs time."""

_SYNTAX_ONLY: Final = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

_PYTHON, _TYPESCRIPT, _JAVASCRIPT, _BASH = "python", "typescript", "javascript", "bash"
_LANGUAGES: Final = {
    "python": _PYTHON,
    "py": _PYTHON,
    "python3": _PYTHON,
    "json": "json",
    "yaml": "yaml",
    "yml": "yaml",
    "toml": "toml",
    "bash": _BASH,
    "sh": _BASH,
    "shell": _BASH,
    "zsh": _BASH,
    "javascript": _JAVASCRIPT,
    "js": _JAVASCRIPT,
    "jsx": _JAVASCRIPT,
    "mjs": _JAVASCRIPT,
    "typescript": _TYPESCRIPT,
    "ts": _TYPESCRIPT,
    "tsx": "tsx",
}
"""Info words of fences, and the parser that reads them; other languages are not judged."""


class _Fault(NamedTuple):
    """Where a parser stopped, from the block's first line on, and what it said."""

    line: int
    what: str


def code_templates(text: str) -> Extra:
    """The share of a Markdown text's blocks that parse, and a line for each that does not."""
    parsed, evidence = 0, []
    for block, source in _blocks(text):
        parsed += 1
        fault = _PARSERS[_LANGUAGES[block.language]](source)
        if fault is not None:
            line = min(block.line + fault.line, max(block.line, block.end_line - 1))
            evidence.append(f"Line {line}: {block.language} does not parse: {fault.what}.")
    if not parsed:
        return Extra(NAME, None, 0, "No fenced code in a language that can be parsed here.")
    return Extra(NAME, 1 - len(evidence) / parsed, parsed, "", tuple(evidence))


def _blocks(text: str) -> Iterator[tuple[CodeBlock, str]]:
    lines = text.split("\n")
    known = (block for block in outline(text).code_blocks if block.language in _LANGUAGES)
    for number, block in enumerate(known):
        source = textwrap.dedent("\n".join(lines[block.line : block.end_line - 1]))
        if number < _MOST_BLOCKS and source.strip() and len(source) <= _LARGEST:
            yield block, source


def _python(source: str) -> _Fault | None:
    if source.lstrip().startswith(">>>"):
        return None  # a session, with output between its lines
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "block", "exec", _SYNTAX_ONLY, dont_inherit=True)
        except SyntaxError as error:
            return _Fault(error.lineno or 1, error.msg)
        except (ValueError, MemoryError, RecursionError) as error:
            return _Fault(1, f"{type(error).__name__}")
    return None


def _json(source: str) -> _Fault | None:
    try:
        json.loads(source)
    except json.JSONDecodeError as error:
        return _Fault(error.lineno, error.msg)
    except (ValueError, RecursionError) as error:
        return _Fault(1, type(error).__name__)
    return None


def _yaml(source: str) -> _Fault | None:
    """Events only: nothing is built, so aliases cannot make it large."""
    try:
        for _ in yaml.parse(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        return _Fault(line, error.problem or "it is no YAML")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return _Fault(1, type(error).__name__)
    return None


def _toml(source: str) -> _Fault | None:
    try:
        tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        return _Fault(1, str(error))
    except (ValueError, RecursionError) as error:
        return _Fault(1, type(error).__name__)
    return None


def _tree_sitter(language: str) -> Callable[[str], _Fault | None]:
    def parse(source: str) -> _Fault | None:
        root = _parser(language).parse(source.encode("utf-8", "replace")).root_node
        return _first_fault(root) if root.has_error else None

    return parse


@cache
def _parser(language: str) -> Parser:
    from tree_sitter import Language, Parser

    if language == _BASH:
        import tree_sitter_bash

        return Parser(Language(tree_sitter_bash.language()))
    if language == _JAVASCRIPT:
        import tree_sitter_javascript

        return Parser(Language(tree_sitter_javascript.language()))
    import tree_sitter_typescript as ts

    return Parser(Language(ts.language_tsx() if language == "tsx" else ts.language_typescript()))


def _first_fault(node: Node) -> _Fault:
    """Down to the first node that is an error or was missing."""
    while not (node.is_error or node.is_missing):
        node = next(child for child in node.children if child.has_error or child.is_missing)
    what = f"{node.type} is missing" if node.is_missing else "syntax error"
    return _Fault(node.start_point[0] + 1, what)


_PARSERS: Final[dict[str, Callable[[str], _Fault | None]]] = {
    _PYTHON: _python,
    "json": _json,
    "yaml": _yaml,
    "toml": _toml,
    **{name: _tree_sitter(name) for name in (_BASH, _JAVASCRIPT, _TYPESCRIPT, "tsx")},
}
