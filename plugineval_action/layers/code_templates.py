"""Whether the code in a skill parses: each fenced block with a language, by that language's parser.

An extra beside the dimensions: the published methodology lists code_template_quality and does not
say how it is measured, so it has no weight in the rulesets there are. Nothing is ever executed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from plugineval_action.content.markdown import CodeBlock, outline
from plugineval_action.content.syntax import SyntaxProblem, syntax_problem
from plugineval_action.results import Extra

NAME: Final = "code_template_quality"

_MOST_BLOCKS: Final = 200
_LARGEST: Final = 20_000
"""Characters of a block that is parsed: longer ones are data, and deep nesting costs time."""

_LANGUAGES: Final = {
    "bash": "bash",
    "javascript": "javascript",
    "js": "javascript",
    "json": "json",
    "jsx": "javascript",
    "mjs": "javascript",
    "py": "python",
    "python": "python",
    "python3": "python",
    "sh": "bash",
    "shell": "bash",
    "toml": "toml",
    "ts": "typescript",
    "tsx": "tsx",
    "typescript": "typescript",
    "yaml": "yaml",
    "yml": "yaml",
    "zsh": "bash",
}
"""Info words of fences, and the parser that reads them; other languages are not judged."""


def code_templates(text: str) -> Extra:
    """The share of a Markdown text's blocks that parse, and a line for each that does not."""
    parsed, evidence = 0, []
    for block, source in _blocks(text):
        parsed += 1
        problem = _problem(block.language, source)
        if problem is not None:
            line = min(block.line + problem.line, max(block.line, block.end_line - 1))
            evidence.append(f"Line {line}: {block.language} does not parse: {problem.message}.")
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


def _problem(language: str, source: str) -> SyntaxProblem | None:
    if source.lstrip().startswith(">>>"):
        return None  # a session, with output between its lines
    return syntax_problem(_LANGUAGES[language], source)
