"""SK062: a code block that does not parse as what it says it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.syntax import syntax_problem
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_LANGUAGES = {
    "json": "json",
    "py": "python",
    "python": "python",
    "python3": "python",
    "toml": "toml",
    "yaml": "yaml",
    "yml": "yaml",
}
_MARKS = ("...", "…", "{{", "[[", "${", "/*", "//", ">>>", "❌", "->")
_STAND_IN = re.compile(r"<[\w /|-]+>")
_PROMPT = re.compile(r"\n[ \t]*[>$%]")
_WITH_A_BODY = re.compile(r"^---[ \t]*\n(?=\s*\S)", re.MULTILINE)
_HALF = "expected an indented block"
_MOST_CHARACTERS = 1_500
_MOST_BLOCKS = 10


def find(subject: Skill) -> Iterator[Hit]:
    """Each JSON, Python, TOML or YAML block that is no sketch, and has an error."""
    for line, name, code in subject.blocks[:_MOST_BLOCKS]:
        language = _LANGUAGES.get(name)
        if language is None or len(code) > _MOST_CHARACTERS or _is_sketch(language, code):
            continue
        problem = syntax_problem(language, _dedented(code) if language == "python" else code)
        if problem and not problem.message.startswith(_HALF):
            what = f"(line {line + problem.line - 1}): {shown(problem.message, 80)}"
            yield Hit(line + problem.line - 1, f"The code block is not valid {name} {what}.")


def _is_sketch(language: str, code: str) -> bool:
    """Whether a block leaves something out, or is a part of JSON rather than a text of it."""
    if language == "json" and code.lstrip()[:1] not in ("{", "["):
        return True
    if language == "yaml" and _WITH_A_BODY.search(code.lstrip()[3:]):
        return True  # front matter, and the Markdown below it
    if any(mark in code for mark in _MARKS) or _STAND_IN.search(code):
        return True
    return _PROMPT.search(f"\n{code}") is not None


def _dedented(code: str) -> str:
    """Code as a file of its own: blocks in lists are indented, and so are parts of functions."""
    if code[:1].isalnum():
        return code

    from textwrap import dedent

    return dedent(code)


CHECK = Check(
    code="SK062",
    id="CODE_SYNTAX",
    family="scripts",
    level="note",
    title="Code block does not parse",
    why="A model copies what a skill shows, errors included.",
    source="https://spec.commonmark.org/0.31.2/#info-string",
    remedy="Correct it, or call the block text if it is only a sketch.",
    bad=skill(body='```json\n{"kinds": ["fix",]}\n```\n'),
    good=skill(body='```json\n{"kinds": ["fix"]}\n```\n'),
    find=find,
    ignore="If the block is a sketch that nobody would take for code.",
)
