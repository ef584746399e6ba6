"""The outline of a Markdown body: exact lines, code blanked out, and no text that breaks it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile_bodies
from plugineval_action.content.markdown import MAX_EVENTS, Outline, outline

MARKUP = st.text(
    st.sampled_from("ab `~#*_-+=|<>![]():\"'\\/&;.1\t\n\n\n  é説🦊\u2028\x85\x0b\0")
) | st.lists(
    st.sampled_from(
        [
            "```\n",
            "~~~ py\n",
            "    code\n",
            "\n",
            "# a\n",
            "- ",
            "> ",
            "|a|b|\n|-|-|\n|c|d|\n",
            "`x`",
            "[a](b)",
            "![a](b)",
            "[r]: c\n",
            "[r]",
            "<a href='x'>",
            "<!--",
            "-->",
            "<p>\n",
            "é",
            "text\n",
        ]
    )
).map("".join)

SAMPLE = """\
# Title é

Text `code é` more.

## Set 説

| a | b |
|---|---|
| c | `d` |

```Python title="x"
print("é")
```

- item

  ~~~
  in a list
  ~~~

    indented

[a](x.md "title") ![b](y%20z.png) [c][r] <a href="h.md">

[r]: z.md#part

Second
------
"""


def test_everything_is_found_on_its_line() -> None:
    found = outline(SAMPLE, first_line=10)

    assert [tuple(heading) for heading in found.headings] == [
        (1, 10, "Title é"),
        (2, 14, "Set 説"),
        (2, 36, "Second"),
    ]
    assert [tuple(block) for block in found.code_blocks] == [(20, 22, "python"), (26, 28, "")]
    assert found.tables == ((16, 18),)
    assert [tuple(link) for link in found.links] == [
        (32, "x.md"),
        (32, "y%20z.png"),
        (32, "z.md#part"),
        (32, "h.md"),
    ]
    assert [tuple(code) for code in found.inline_code] == [(12, "code é"), (18, "d")]
    assert found.stopped_at is None


def test_code_is_blanked_out_and_everything_else_stays() -> None:
    body = "a `b` c\n\n```py\nd\n```\n\n    e\n\n> ~~~\n> f\n> ~~~\n\ng\n"
    found = outline(body)

    assert found.text.split() == ["a", "`b`", "c", ">", "g"]
    assert found.prose.split() == ["a", "c", ">", "g"]


@pytest.mark.parametrize(
    ("body", "headings"),
    [
        ("#  a `b` *c* [d](e) ![f](g)  ", [(1, "a b c d f")]),
        ("###### a ######", [(6, "a")]),
        ("a\nb\n===", [(1, "a b")]),
        ("a\n-", [(2, "a")]),
        ("# a\n## b\n### c\n#### d\n##### e", [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]),
        ("# ", [(1, "")]),
        ("#a", []),
        ("\\# a", []),
        ("####### a", []),
        ("```\n# a\n```", []),
        ("    # a", []),
        ("<div>\n# a\n</div>", []),
    ],
)
def test_headings_have_a_level_and_plain_text(body: str, headings: list[tuple[int, str]]) -> None:
    found = [(heading.level, heading.text) for heading in outline(body).headings]

    assert headings == found


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("```\na\n```", [(1, 3, "")]),
        ("```\na", [(1, 2, "")]),
        ("```", [(1, 1, "")]),
        ("~~~  JS x\n~~~", [(1, 2, "js")]),
        ("```{python}\n```", [(1, 2, "{python}")]),
        ("````\n```\na\n```\n````", [(1, 5, "")]),
        ("a\n\n    b\n\n    c\n\n\nd", [(3, 5, "")]),
        ("```\na\n```\n```\nb\n```", [(1, 3, ""), (4, 6, "")]),
        ("a ```b``` c", []),
        ("a\n    b", []),
    ],
)
def test_code_blocks_have_lines_and_a_language(
    body: str, blocks: list[tuple[int, int, str]]
) -> None:
    assert blocks == [tuple(block) for block in outline(body).code_blocks]


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("[a](b)", [(1, "b")]),
        ("![a](b)", [(1, "b")]),
        ("[![a](b)](c)", [(1, "c"), (1, "b")]),
        ("[a](<b c>)", [(1, "b c")]),
        ("[a](b 'c')", [(1, "b")]),
        ("[a](b&amp;c)", [(1, "b&c")]),
        ("[a](b\\_c)", [(1, "b_c")]),
        ("[a](b(c))", [(1, "b(c)")]),
        ("[a][b]\n\n[B]: c", [(1, "c")]),
        ("[a]\n\n[a]: c\n[a]: d", [(1, "c")]),
        ("[a]: b", []),
        ("[a]", []),
        ("`[a](b)`", []),
        ("```\n[a](b)\n```", []),
        ("[a] (b)", []),
        ("<a href='b'>", [(1, "b")]),
        ('<a class="x" href = "b c">', [(1, "b c")]),
        ("<A HREF=b>", [(1, "b")]),
        ("<img alt='x'\n  src='b'>", [(1, "b")]),
        ("<p>\n<img\nsrc='b'>\n<a href='c'>\n</p>", [(2, "b"), (4, "c")]),
        ("a\n\nb <br> <a\nhref='c'>", [(3, "c")]),
        ("<a data-href='b' name=c>", []),
        ("<abbr href='b'>", []),
        ("<a href=''>", [(1, "")]),
        ("`<a href='b'>`", []),
        ("<!-- <a href='b'> --> <a href='c'>", [(1, "c")]),
        ("<!--\n<a href='b'>\n-->\n<a href='c'>", [(4, "c")]),
        ("<!--\n<a href='b'>", []),
        ("<a name='b'> text href='c'", []),
    ],
)
def test_links_are_inline_by_reference_or_in_html(
    body: str, targets: list[tuple[int, str]]
) -> None:
    assert targets == [tuple(link) for link in outline(body).links]


@pytest.mark.parametrize(
    ("body", "tables"),
    [
        ("|a|b|\n|-|-|\n|c|d|\n|e|f|\n\ntext", ((1, 4),)),
        ("a|b\n-|-\n", ((1, 2),)),
        ("> |a|\n> |-|\n> |b|", ((1, 3),)),
        ("a|b|c|d", ()),
        ("```\n|a|\n|-|\n```", ()),
    ],
)
def test_tables_have_a_first_and_last_line(body: str, tables: tuple[tuple[int, int], ...]) -> None:
    assert tables == outline(body).tables


def test_measuring_stops_after_so_many_events() -> None:
    line = "*a* `b` [c](d)\n\n"
    body = "# first\n\n" + line * MAX_EVENTS + "# last\n"
    found = outline(body, first_line=3)

    assert found.stopped_at is not None
    assert 3 < found.stopped_at < 3 + body.count("\n")
    assert [heading.text for heading in found.headings] == ["first"]
    assert max(link.line for link in found.links) <= found.stopped_at
    assert found.text.count("\n") == body.count("\n")


def test_what_holds_fewer_events_is_measured_whole() -> None:
    body = "text\n\n" * (MAX_EVENTS // 4) + "# last\n"

    assert outline(body).stopped_at is None
    assert [heading.text for heading in outline(body).headings] == ["last"]


@given(st.text() | MARKUP, st.integers(1, 50))
def test_no_text_breaks_the_outline_and_every_line_lies_inside(text: str, first: int) -> None:
    found = outline(text, first)
    last = first + text.count("\n")
    lines = [
        *(heading.line for heading in found.headings),
        *(line for block in found.code_blocks for line in (block.line, block.end_line)),
        *(line for table in found.tables for line in table),
        *(link.line for link in found.links),
        *(code.line for code in found.inline_code),
    ]

    assert all(first <= line <= last for line in lines)
    assert all(block.line <= block.end_line for block in found.code_blocks)
    assert all(start <= end for start, end in found.tables)


@given(st.text() | MARKUP)
def test_blanking_keeps_the_lines_and_changes_nothing_but_code(text: str) -> None:
    found = outline(text)

    assert text.count("\n") == found.text.count("\n") == found.prose.count("\n")
    assert found.code_blocks or text == found.text
    assert found.inline_code or found.text == found.prose
    for raw, shown, prose in zip(*map(_lines, (text, found.text, found.prose)), strict=True):
        assert _stands_in(raw, shown)
        assert _stands_in(shown, prose)


@given(MARKUP)
def test_blanked_text_holds_no_code(text: str) -> None:
    found = outline(text)
    code = [
        number for block in found.code_blocks for number in range(block.line, block.end_line + 1)
    ]
    shown = _lines(found.text)

    assert all(set(shown[number - 1]) <= set(" \t\x0b->*+.)0123456789") for number in code)


@pytest.mark.parametrize("secret", ["SECRET", "秘密"])
@pytest.mark.parametrize(
    "place",
    ["```\n{}\n```", "~~~x\n{}\n~~~", "\n    {}\n", "- a\n\n      {}\n", "> ```\n> {}\n> ```"],
)
def test_no_word_of_a_code_block_is_left(place: str, secret: str) -> None:
    found = outline(f"é 説\n\n{place.format(secret)}\n\nafter `{secret}`\n")

    assert found.text.count(secret) == 1
    assert secret not in found.prose
    assert "after" in found.prose


@pytest.mark.parametrize("name", hostile_bodies(0))
def test_hostile_bodies_take_no_more_than_linear_time(name: str) -> None:
    body = hostile_bodies(300_000)[name]
    begun = time.process_time()
    found = outline(body)

    assert time.process_time() - begun < 2
    assert found.text.count("\n") == body.count("\n")


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _stands_in(raw: str, shown: str) -> bool:
    """Whether the signs of `shown`, blanks aside, stand in `raw` in that order."""
    signs = iter(raw)
    return all(sign in signs for sign in shown.replace(" ", ""))


def test_an_outline_of_nothing_is_empty() -> None:
    assert outline("") == Outline(1, (), (), (), (), (), "", "", None)
