"""IN006: text that no reader sees and every counter counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from plugineval_action.content.text import line_at
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.integrity.example_skill import BODY, GOOD
from plugineval_action.findings.integrity.prose import prose
from plugineval_action.findings.subject import Skill

LEAST_WORDS: Final = 30
LEAST_SHARE: Final = 0.15
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_LABEL_START = re.compile(r"\[(?://|comment|#|_)")
_LABEL = re.compile(r"^\[(?://|comment|#|_)[^\]\n]{0,100}\]:\s*(?:#|<>)\s*(.*)$", re.MULTILINE)
_HIDDEN = re.compile(
    r"<(\w+)\s[^<>]{0,300}?(?:\bhidden\b|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|"
    r"opacity\s*:\s*0[;\"'\s]|color\s*:\s*(?:white|#fff(?:fff)?|transparent))[^<>]{0,300}>(.*?)(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
LEAST_BLANK: Final = 40
LEAST_BLANK_SHARE: Final = 0.06
_BLANK: Final = (
    "\u115f\u1160\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b"
    "\u2028\u2029\u202f\u205f\u2060\u2061\u2062\u2063\u2064\u2800\u3164\ufeff\uffa0"
)
"""Characters that show nothing; joiners belong to emoji and scripts, U+3000 to Chinese."""


def find(subject: Skill) -> Iterator[Hit]:
    """Text that is there and is not seen, or is nothing to see."""
    yield from _unseen(subject)
    text = prose(subject)
    if not text.latin:  # where so many are, the text is long in bytes
        count = blanks(text.text)
        if count >= LEAST_BLANK and count >= LEAST_BLANK_SHARE * len(text.text):
            share = f"{count / len(text.text):.0%}"
            yield Hit(subject.body.first_line, f"{count} characters ({share}) show nothing at all.")


def blanks(text: str) -> int:
    """How many characters show nothing."""
    return sum(map(text.count, _BLANK))


def _unseen(subject: Skill) -> Iterator[Hit]:
    """Comments and invisible elements that together hold a good part of the text."""
    found = list(_hidden(subject))
    count = sum(len(inner.split()) for _, inner in found)
    if count >= LEAST_WORDS and count >= LEAST_SHARE * len(prose(subject).words):
        start = min(start for start, _ in found)
        line = line_at(subject.body.prose, start, subject.body.first_line)
        share = f"{count / max(1, len(prose(subject).words)):.0%}"
        yield Hit(line, f"{count} words ({share}) are in comments or elements that nobody sees.")


def _hidden(subject: Skill) -> Iterator[tuple[int, str]]:
    """Where each hidden part starts, and what it holds."""
    text = subject.body.prose
    if subject.has_html and "<!--" in text:
        yield from ((one.start(), one[1]) for one in _COMMENT.finditer(text))
    if _LABEL_START.search(text) and "]: " in text:
        yield from ((one.start(), one[1]) for one in _LABEL.finditer(text))
    if subject.has_html and ("style=" in text or " hidden" in text):
        yield from ((one.start(), one[2]) for one in _HIDDEN.finditer(text))


CHECK = Check(
    code="IN006",
    id="HIDDEN_TEXT",
    family="integrity",
    level="warning",
    title="Much of the text is hidden",
    why="A rendered page shows nothing of it, while a model reads it and a counter counts it.",
    source="https://html.spec.whatwg.org/multipage/syntax.html#comments",
    remedy="Show it, or remove it.",
    bad=skill(
        body=f"{BODY}\n<!-- {'More on the notes and their output format, with examples. ' * 6}-->\n"
    ),
    good=GOOD,
    find=find,
    withholds=True,
)
