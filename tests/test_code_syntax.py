"""Which code blocks do not parse (SK062), and which are sketches that nobody takes for code."""

from __future__ import annotations

import pytest

from plugineval_action.results import Finding
from skills import score, skill_text


def told(language: str, code: str) -> list[Finding]:
    """The findings about one code block, whose code starts in line 7."""
    found = score(skill_text(f"# A\n```{language}\n{code}\n```\n")).findings
    return [one for one in found if one.rule == "CODE_SYNTAX"]


@pytest.mark.parametrize(
    ("language", "code", "line"),
    [
        ("json", '{"a": }', 0),
        ("python", "a = 1\ndef f(:", 1),
        ("toml", "a =", 0),
        ("yaml", "a: 1\nb: c: d", 1),
        ("yml", "hint: [number] [title]", 0),
    ],
)
def test_a_block_that_does_not_parse_is_told_at_the_line_of_its_error(
    language: str, code: str, line: int
) -> None:
    fence = next(
        at for at, text in enumerate(skill_text("# A\n```\n").split("\n"), 1) if text == "```"
    )
    (note,) = told(language, code)

    assert fence + 1 + line == note.line
    assert note.message.startswith(f"The code block is not valid {language} (line {note.line}): ")


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("yaml", "---\nname: a\n---\n\n# A title\n\n- a list: of things\n\nand text: so: on"),
        ("yaml", "name: {{ value }} more: of: it"),
        ("yaml", "a: 1\n...\n b: : c"),
        ("yaml", "a: 1\n---\nb: 2"),
        ("json", '"a": 1'),
        ("python", "def f(a, ...):"),
        ("text", '{"a": }'),
        ("", '{"a": }'),
    ],
)
def test_a_sketch_and_a_block_of_another_language_are_left_alone(language: str, code: str) -> None:
    assert [] == told(language, code)
