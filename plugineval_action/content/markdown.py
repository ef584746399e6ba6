"""The Markdown body as an outline: headings, code, tables, links, and the prose around them.

The parse is pulldown-cmark's (GitHub tables on), through pyromark: events with byte ranges,
measured as the fastest parser with exact source positions. Lines are those of the file, not of
the body.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, NamedTuple, TypeAlias, cast

import pyromark

from plugineval_action.content.text import Spot

Event: TypeAlias = dict[str, Any]
"""An event or tag of pyromark: one key, its kind."""

MAX_EVENTS = 100_000
"""Parse events that are looked at: 200 times the average skill, and a bound on hostile text."""

_HEADING_CHARACTERS = 1_000
"""How much of a heading is read: no one writes longer ones."""

_BLANK = bytes(10 if byte == 10 else 32 for byte in range(256))
_HTML_TARGET = re.compile(
    r"<(?:a|img)\s(?:[^<>]*?\s)?(?:href|src)\s*=\s*"
    r"(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\"'\s<>]+))",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)|[`*]|__")
_CLOSING_MARKS = re.compile(r"(?:^|[ \t])#+[ \t]*\Z")
_LEVEL = {"H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}


class Heading(NamedTuple):
    """A heading of level 1 to 6, and its text without the marks that make it one."""

    level: int
    line: int
    text: str


class CodeBlock(NamedTuple):
    """A fenced or indented block; `language` is the first word of the info string, lower-cased."""

    line: int
    end_line: int
    language: str


class Link(NamedTuple):
    """The target of a link or image as written, inline, by reference or in HTML."""

    line: int
    target: str


class Outline(NamedTuple):
    """What the parser saw. `text` has code blocks blanked out, `prose` inline code too.

    Both keep the body's lines. `tables` are (first, last) lines. `stopped_at` is the line where
    measuring stopped because the text holds more than MAX_EVENTS constructs, else None.
    """

    first_line: int
    headings: tuple[Heading, ...]
    code_blocks: tuple[CodeBlock, ...]
    tables: tuple[tuple[int, int], ...]
    links: tuple[Link, ...]
    inline_code: tuple[Spot, ...]
    text: str
    prose: str
    stopped_at: int | None


def outline(body: str, first_line: int = 1) -> Outline:
    """Parse a body whose first line is line `first_line` of the file."""
    return _Reader(body.encode("utf-8", "replace"), first_line).read(body)


class _Reader:
    """Walks the events once; keeps a line cursor, so that the whole walk stays linear."""

    def __init__(self, data: bytes, first_line: int) -> None:
        self.data = data
        self.first_line = first_line
        self.cursor, self.cursor_line = 0, first_line
        self.headings: list[Heading] = []
        self.code_blocks: list[CodeBlock] = []
        self.tables: list[tuple[int, int]] = []
        self.links: list[Link] = []
        self.inline_code: list[Spot] = []
        self.block_spans: list[tuple[int, int]] = []
        self.code_spans: list[tuple[int, int]] = []
        self.stopped_at: int | None = None

    def read(self, body: str) -> Outline:
        events = pyromark.events_with_range(body, options=pyromark.Options.ENABLE_TABLES)
        for event, span in islice(events, MAX_EVENTS):
            # Most events are texts and ends: passing them over here halves the time of the walk.
            if isinstance(event, dict) and "Text" not in event and "End" not in event:
                tag = event.get("Start")
                if not isinstance(tag, str) or tag == "HtmlBlock":
                    self.handle(cast("Event", event), span["start"], span["end"])
        cut = next(events, None)
        if cut is not None:
            self.stopped_at = self.line(cut[1]["start"])
        text = _blanked(self.data, self.block_spans)
        prose = _blanked(text, self.code_spans)
        return Outline(
            self.first_line,
            tuple(self.headings),
            tuple(self.code_blocks),
            tuple(self.tables),
            tuple(self.links),
            tuple(self.inline_code),
            text.decode("utf-8", "replace"),
            prose.decode("utf-8", "replace"),
            self.stopped_at,
        )

    def line(self, offset: int) -> int:
        """The line of a byte offset; events come in order, so mostly a short step forward."""
        if offset >= self.cursor:
            self.cursor_line += self.data.count(b"\n", self.cursor, offset)
        else:
            self.cursor_line -= self.data.count(b"\n", offset, self.cursor)
        self.cursor = offset
        return self.cursor_line

    def handle(self, event: Event, start: int, end: int) -> None:
        if "Start" in event:
            self.start(event["Start"], start, end)
        elif "Code" in event:
            self.inline_code.append(Spot(self.line(start), event["Code"]))
            self.code_spans.append((start, end))
        elif "InlineHtml" in event:
            self.html(event["InlineHtml"], start)

    def start(self, tag: Event | str, start: int, end: int) -> None:
        if isinstance(tag, str):
            # An HTML block, as a whole: its events are single lines, and a tag may have several.
            self.html(self.data[start:end].decode("utf-8", "replace"), start)
        elif "Link" in tag or "Image" in tag:
            target = (tag.get("Link") or tag["Image"])["dest_url"]
            self.links.append(Link(self.line(start), target))
        elif "Heading" in tag:
            text = _heading_text(self.data[start:end].decode("utf-8", "replace"))
            self.headings.append(Heading(_LEVEL[tag["Heading"]["level"]], self.line(start), text))
        elif "CodeBlock" in tag:
            self.code_block(tag["CodeBlock"], start, end)
        elif "Table" in tag:
            self.tables.append(self.lines(start, end))

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """The first and last line of a block."""
        first = self.line(start)
        return first, first + self.data[start:end].rstrip(b"\n").count(b"\n")

    def code_block(self, kind: str | Event, start: int, end: int) -> None:
        info = kind["Fenced"].split() if isinstance(kind, dict) else []
        self.code_blocks.append(CodeBlock(*self.lines(start, end), info[0].lower() if info else ""))
        self.block_spans.append((start, end))

    def html(self, text: str, start: int) -> None:
        lower = text.lower()
        if "href" not in lower and "src" not in lower:
            return
        line, position = self.line(start), 0
        shown = _without_comments(text)
        for found in _HTML_TARGET.finditer(shown):
            line += shown.count("\n", position, found.start())
            position = found.start()
            self.links.append(Link(line, next(filter(None, found.groups()), "")))


def _without_comments(html: str) -> str:
    """The same HTML and as many lines; a comment is never shown, so nothing in it is a link."""
    pieces: list[str] = []
    position = 0
    while (start := html.find("<!--", position)) >= 0:
        end = html.find("-->", start)
        after = len(html) if end < 0 else end
        pieces += (html[position:start], "\n" * html.count("\n", start, after))
        position = after
    return "".join((*pieces, html[position:]))


def _heading_text(source: str) -> str:
    """The plain text of a heading, from its source with all marks."""
    text = source[:_HEADING_CHARACTERS].strip()
    if "\n" in text:
        lines = text.split("\n")
        if not lines[-1].strip("=- \t"):
            lines.pop()
        text = " ".join(line.strip() for line in lines)
    text = text.lstrip("#")
    # Most headings hold no marks, and asking for each costs less than a pattern that finds none.
    if "#" in text:
        text = _CLOSING_MARKS.sub("", text)
    if "`" in text or "*" in text or "[" in text or "_" in text:
        return _MARKUP.sub(r"\1", text.strip())
    return text.strip()


def _blanked(data: bytes, spans: list[tuple[int, int]]) -> bytes:
    """The same bytes with the spans turned into blanks, line breaks kept."""
    if not spans:
        return data
    pieces: list[bytes] = []
    position = 0
    for start, end in spans:
        pieces += (data[position:start], data[start:end].translate(_BLANK))
        position = end
    pieces.append(data[position:])
    return b"".join(pieces)
