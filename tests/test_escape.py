"""Foreign text renders as itself, and as nothing else.

The judge is a real GitHub-flavoured renderer with every extension on that could turn text into
something, followed by a cleaner with an allowlist such as GitHub's.
"""

from __future__ import annotations

import json
import re
import time
import unicodedata
from html.parser import HTMLParser

import comrak
import nh3
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plugineval_action import escape

EXTENSIONS = (
    *("alerts", "autolink", "footnotes", "math_code", "math_dollars", "shortcodes"),
    *("strikethrough", "table", "tagfilter", "tasklist"),
)
TOKENS = (
    *("@user", "@org/team", "#12", "GH-7", "owner/repo#3", "a@b.example", "https://x.example"),
    *("www.x.example", "://x.example", ":+1:", ":smile:", "deadbeef", "0123456789" * 4, "<b>"),
    *("<!--", "-->", "</p>", "&copy;", "&#64;", "![i](u)", "[a](b)", "[^1]", "**b**", "_e_", "$x$"),
    *("~~s~~", "$`x`$", "`c`", "```", "~~~", "---", "===", "- [ ]", "> [!NOTE]", "1.", "2)", "#"),
    *("+", "*", "|", "\\", "\\|", "\\`", "::error::", " ", "\n", "\t", "_", "[", "]", "(", ")"),
)
HOT = ("@", ":a", "#1", "a1", "`", "\\", "_", "www.", ":", "|", "<!--", "a", "\u202e", "\n")
LINKED = re.compile(
    r"@[\w-]|#\d|\bGH-\d|(?:https?|ftp)://|www\.|:[\w+-]+:|\b[0-9a-f]{7,40}\b", re.IGNORECASE
)
foreign = st.lists(st.one_of(st.sampled_from(TOKENS), st.text(max_size=3)), max_size=12).map(
    "".join
)


class Page(HTMLParser):
    """Elements of a page and its text; a comment ends a text node, as it does on GitHub."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: set[str] = set()
        self.nodes: list[str] = [""]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.elements.add(tag)
        self.nodes.append("")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self.nodes.append("")

    def handle_comment(self, data: str) -> None:  # noqa: ARG002
        self.nodes.append("")

    def handle_data(self, data: str) -> None:
        self.nodes[-1] += data

    @property
    def text(self) -> str:
        return "".join(self.nodes)


def render(markdown: str) -> str:
    extensions, options = comrak.ExtensionOptions(), comrak.RenderOptions()
    for name in EXTENSIONS:
        setattr(extensions, name, True)
    options.unsafe_ = True
    return comrak.render_markdown(
        markdown, extension_options=extensions, render_options=options
    ).removesuffix("\n")


def cell(markdown: str) -> Page:
    """The page of a one-cell table body."""
    html = render(f"| a | b |\n| - | - |\n| {markdown} | end |")
    body = html[html.index("<tbody>") :].replace("\n", "")

    assert body.endswith("<td>end</td></tr></tbody></table>")
    return Page(body.replace("<td>end</td>", ""))


@given(foreign)
@example("SHA 1234567 of 12345678901234567890")
def test_markdown_renders_as_one_paragraph_of_the_same_text(text: str) -> None:
    page = Page(render(escape.markdown(text)))
    cleaned = Page(nh3.clean(render(escape.markdown(text))))

    assert page.elements <= {"p"}
    assert cleaned.elements <= {"p"}
    assert escape.printable(text) == page.text == cleaned.text


@pytest.mark.parametrize(
    "text",
    [
        *("# h", "###### h", "> q", "- i", "+ i", "* i", "1. i", "2) i", "- [ ] i", "=", "==="),
        *("---", "- - -", "***", "___", "~~~", "```", "a | b", ":-", "[^1]: x", "[a]: b"),
        *("deadbee", "1234567", "GH-1", "www.x.example", "_www.x.example", "a@b.example", "(:+1:)"),
        *("<p>", "<!-- marker -->", "<?x", "<https://x.example>", "&lt;", "&#60;", "$`x`$"),
        *("\\", "\\<", "x\\", "$$x$$", "![i](u)", "[[wiki]]", "__s__", "~/a ~/b", "> [!NOTE]"),
        *(": term", "##[error]x"),
    ],
)
def test_no_construct_of_github_markdown_survives(text: str) -> None:
    alone, below = render(escape.markdown(text)), render(f"Before\n{escape.markdown(text)}")

    assert {"p"} == Page(alone).elements == Page(below).elements
    assert text == Page(alone).text
    assert f"Before\n{text}" == Page(below).text
    assert LINKED.search(alone) is None


@given(foreign)
def test_markdown_after_other_prose_does_not_change_it(text: str) -> None:
    page = Page(render(f"Before\n{escape.markdown(text)}! after"))

    assert page.elements == {"p"}
    assert f"Before\n{escape.printable(text)}! after" == page.text


@given(foreign)
def test_markdown_fills_exactly_one_table_cell(text: str) -> None:
    page = cell(escape.markdown(text))

    assert page.elements == {"tbody", "tr", "td"}
    assert escape.printable(text) == page.text


@given(foreign)
def test_markdown_leaves_github_nothing_to_link(text: str) -> None:
    """GitHub looks for these in each text node after Markdown is parsed."""
    assert not any(map(LINKED.search, Page(render(escape.markdown(text))).nodes))


@pytest.mark.parametrize("name", [":x", "a:tada", ":+1", ":smile_cat"])
def test_a_name_and_the_colon_after_it_make_no_emoji(name: str) -> None:
    page = Page(render(f"{escape.markdown(name)}: 1"))

    assert not [node for node in page.nodes if LINKED.search(node)]
    assert f"{name}: 1" == "".join(page.nodes).strip()


@given(foreign)
def test_code_is_one_code_element_in_prose_and_in_a_cell(text: str) -> None:
    span = escape.code(text)
    page = Page(render(f"x {span}"))

    assert escape.printable(text) == page.text.removeprefix("x").strip()
    assert page.elements == ({"p", "code"} if span else {"p"})
    assert cell(span).elements == ({"tbody", "tr", "td", "code"} if span else {"tbody", "tr", "td"})
    assert escape.printable(text) == cell(span).text


@given(st.text())
def test_printable_is_one_trimmed_line_without_control_direction_or_invisible_characters(
    text: str,
) -> None:
    line = escape.printable(text)

    assert line.strip() == line
    assert len(line.splitlines()) <= 1
    assert not {unicodedata.category(char) for char in line} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert escape.printable(line) == line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two\r\n  lines\there", "two lines here"),
        ("a\x1b[31mred", "a\\x1b[31mred"),
        ("user\u202egpj.exe", "user\\u202egpj.exe"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("name\udcff", "name\\udcff"),
        ("hidden\U000e0041\U000e0042", "hidden"),
        ("naïve 技能 ⚠️", "naïve 技能 ⚠️"),
    ],
)
def test_printable_shows_what_steers_and_drops_what_hides(text: str, expected: str) -> None:
    assert expected == escape.printable(text)


@pytest.mark.parametrize(
    "text",
    [
        "Reviews Python code (PEP 8); use when the user asks for a review.",
        "MISSING_TRIGGER costs 5 % of 70.5 points: see references/guide.md, line 12!",
        "-5 points, A & B, 3 > 2",
    ],
)
def test_markdown_leaves_plain_prose_as_it_is(text: str) -> None:
    assert text == escape.markdown(text)


def test_markdown_and_code_are_capped_and_say_so() -> None:
    assert "aaaa…" == escape.markdown("a" * 50, limit=5)
    assert "`aaaa…`" == escape.code("a" * 50, limit=5)
    assert len(escape.markdown("word " * 1000)) <= escape.TEXT_LIMIT


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:x",
        "data:text/html,x",
        "//x.example",
        "/etc",
        "",
        "http:///",
    ],
)
def test_link_refuses_every_other_target_and_keeps_the_text(url: str) -> None:
    assert "text" == escape.link("text", url)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://x.example/a%20b?q=1&r=2#L3", "https://x.example/a%20b?q=1&amp;r=2#L3"),
        ("docs/rules/A.md", "docs/rules/A.md"),
        ("a b(1)|[c]\\`100%`.md", "a%20b%281%29%7C%5Bc%5D%5C%60100%25%60.md"),
    ],
)
def test_link_encodes_its_target(url: str, expected: str) -> None:
    assert f"[text]({expected})" == escape.link("text", url)


@given(foreign, foreign.map(lambda path: f"https://x.example/{path}"))
def test_link_is_one_link_with_the_text(text: str, url: str) -> None:
    text += "!"
    page = cell(escape.link(text, url))

    assert page.elements == {"tbody", "tr", "td", "a"}
    assert escape.printable(text) == page.text


@given(st.text())
def test_path_url_holds_unreserved_characters_only(path: str) -> None:
    url = escape.path_url(path)

    assert re.fullmatch(r"[\w.~/%-]*", url, re.ASCII)


def test_path_url_encodes_undecodable_bytes_as_bytes() -> None:
    assert "a%FF%25%20b" == escape.path_url("a\udcff% b")


@given(foreign)
def test_workflow_command_values_end_neither_line_nor_property(text: str) -> None:
    data, value = escape.command_data(text), escape.command_property(text)

    assert not set("\r\n") & set(data)
    assert not set("\r\n:,") & set(value)
    assert escape.printable(text) == data.replace("%25", "%")


@given(foreign)
def test_json_text_is_the_same_data_without_what_steers(text: str) -> None:
    document = escape.json_text(json.dumps({"text": text}, ensure_ascii=False))

    assert {"text": text} == json.loads(document)
    assert not {unicodedata.category(char) for char in document} & {"Cc", "Zl", "Zp"}
    assert not set("\u202e\u200f\u2066") & set(document)
    assert "##[" not in document


def test_json_text_spells_a_lone_surrogate_out_so_that_strict_readers_take_it() -> None:
    document = escape.json_text(json.dumps(["name\udcff"], ensure_ascii=False))

    assert ["name\\udcff"] == json.loads(document)


def test_old_workflow_commands_are_inert_in_markdown_code_and_json() -> None:
    text = "x ##[set-output name=score]100 | y"

    assert "##[" not in escape.markdown(text)
    assert "##[" not in escape.code(text)
    assert "##[" not in escape.json_text(json.dumps(text))


def test_hostile_text_takes_linear_time() -> None:
    """Some seconds of slack for slow machines; anything quadratic takes far longer."""
    start = time.process_time()
    for hot in HOT:
        escape.markdown(hot * (200_000 // len(hot)), limit=200_000)
        escape.code(hot * (200_000 // len(hot)), limit=200_000)

    assert time.process_time() - start < 20
