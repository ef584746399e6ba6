"""Markdown as GitHub shows it: rendered with its extensions, cleaned by an allowlist, dissected."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import comrak
import nh3

_EXTENSIONS = (
    *("alerts", "autolink", "footnotes", "math_code", "math_dollars"),
    *("shortcodes", "strikethrough", "table", "tagfilter", "tasklist"),
)
_VOID = {"br", "hr", "img", "input", "wbr", "source"}
_REFERENCE = re.compile(
    r"(?<![\w`])@[\w-] | (?<![\w`&])\#\d | \bGH-\d | \w/[\w.-]+\#\d | \b[0-9a-f]{7,40}\b"
    r"| (?<!\w):[a-z_+-]+: | https?:// | \bwww\.\w",
    re.VERBOSE | re.IGNORECASE,
)


def render(markdown: str) -> str:
    """The page before it is cleaned."""
    extensions, options = comrak.ExtensionOptions(), comrak.RenderOptions()
    for name in _EXTENSIONS:
        setattr(extensions, name, True)
    options.unsafe_ = True
    return comrak.render_markdown(markdown, extension_options=extensions, render_options=options)


def cleaned(html: str) -> str:
    """What the cleaner leaves of a page."""
    return nh3.clean(html, tags=nh3.ALLOWED_TAGS | {"details", "summary", "input"})


class Page(HTMLParser):
    """The elements of a page, its links, its table rows and its running text.

    Raises AssertionError where an element is closed that is not the innermost open one.
    """

    def __init__(self, markdown: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: set[str] = set()
        self.links: list[str] = []
        self.tables: list[list[int]] = []
        self.prose: list[str] = [""]
        self.feed(render(markdown))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.prose.append("")
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "a":
            self.links.append(dict(attrs).get("href") or "")
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append(0)
        if tag in ("td", "th"):
            self.tables[-1][-1] += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # `<img />`, as comrak writes pictures

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert tag == self.open.pop()

        self.prose.append("")

    def handle_comment(self, data: str) -> None:  # noqa: ARG002 - it ends a text node
        self.prose.append("")

    def handle_data(self, data: str) -> None:
        if not {"a", "code"} & set(self.open):
            self.prose[-1] += data

    @property
    def references(self) -> list[str]:
        """What GitHub would link in running text: mentions, issues, commits, emoji, addresses."""
        return [found[0] for text in self.prose for found in _REFERENCE.finditer(text)]


def assert_whole(page: Page) -> None:
    """Every element is closed, and every table has the same number of cells in each row."""
    assert [] == page.open
    assert all(len(set(rows)) == 1 for rows in page.tables)
