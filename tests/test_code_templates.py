"""Which code blocks parse, and which line says why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.layers.code_templates import code_templates


def block(language: str, source: str) -> str:
    return f"# Title\n\n```{language}\n{source}\n```\n"


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "async def f():\n    return await g()\n\nawait f()"),
        ("py", ">>> 1 + 1\n2"),
        ("json", '{"a": [1, null]}'),
        ("yaml", "a: 1\n---\nb: [x, y]"),
        ("toml", "[a]\nb = 1"),
        ("bash", 'for f in *; do echo "$f" | wc -l; done'),
        ("sh", "git commit -m 'x' && make"),
        ("javascript", "const a = async () => ({ ...b });"),
        ("js", "import x from 'y';\nexport default <a href={x}>z</a>;"),
        ("ts", "type A<T> = { [K in keyof T]: T[K] };\nlet a: A<string>;"),
        ("tsx", "const A = (p: { x: string }) => <b>{p.x}</b>;"),
    ],
)
def test_code_that_parses_counts_in_full(language: str, source: str) -> None:
    found = code_templates(block(language, source))

    assert (1.0, 1, ()) == (found.value, found.n, found.evidence)


@pytest.mark.parametrize(
    ("language", "source", "line"),
    [
        ("python", "x = 1\ndef f(:\n    pass", 5),
        ("json", '{\n  "a": 1,\n}', 6),
        ("yaml", "a: 1\nb: [x", 5),
        ("bash", "echo 1\nif true; then\n", 5),
        ("javascript", "let a = 1;\nlet = = 2;", 5),
        ("typescript", "let a: string = 'x';\ninterface { }", 5),
    ],
)
def test_code_that_does_not_parse_is_named_with_its_line(
    language: str, source: str, line: int
) -> None:
    found = code_templates(block(language, source))

    assert 0.0 == found.value
    assert 1 == len(found.evidence)
    assert found.evidence[0].startswith(f"Line {line}: {language} does not parse: ")


def test_the_share_is_of_blocks_with_a_language_that_can_be_parsed() -> None:
    text = (
        block("python", "a = 1")
        + block("json", "{")
        + block("", "not code (")
        + block("mermaid", "graph (")
        + block("python", "")
    )
    found = code_templates(text)

    assert (0.5, 2) == (found.value, found.n)


def test_a_text_without_such_code_is_not_measured() -> None:
    found = code_templates("# Title\n\n    indented (\n")

    assert found.value is None
    assert found.reason


def test_code_in_a_list_is_read_without_its_indentation() -> None:
    text = "1. Do:\n\n   ```python\n   if a:\n       b()\n   ```\n"

    assert 1.0 == code_templates(text).value


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "-" * 19_000 + "1"),
        ("python", "(" * 19_000),
        ("python", "\\u0000\0"),
        ("json", "[" * 19_000),
        ("yaml", "[" * 5_000),
        ("yaml", "a: &a [x]\n" + "b: [*a, *a]\n" * 500),
        ("toml", "a = " + "[" * 19_000),
        ("bash", "$(" * 9_000),
        ("tsx", "<a>" * 6_000),
    ],
)
def test_hostile_code_ends_in_a_verdict(language: str, source: str) -> None:
    assert code_templates(block(language, source)).value in (0.0, 1.0)


@given(
    st.sampled_from(["python", "json", "yaml", "toml", "bash", "js", "ts", "tsx"]),
    st.text(alphabet="()[]{}<>:;=\"'`$#\\ \nab1", max_size=80),
)
def test_any_text_ends_in_a_verdict(language: str, source: str) -> None:
    found = code_templates(block(language, source))

    assert found.value is None or 0 <= found.value <= 1
