"""SK074: characters that a reader does not see and a model does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.text import line_at
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_TAGS = re.compile("(?<!\U0001f3f4)[\U000e0020-\U000e007f]+")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_WIDTHLESS = re.compile(
    "[\u200b\u2060\u2062-\u2064\ufeff]{2,}|(?<=[A-Za-z])[\u200b-\u200d\u2060\u00ad](?=[A-Za-z])"
)
_KINDS = (
    (_TAGS, re.compile("[\U000e0020\U000e0061\U000e0065\U000e006f\U000e007f]"),
     "text in tag characters, which no reader sees"),
    (_TURNING, _TURNING,
     "a character that turns the reading direction"),
    (_WIDTHLESS, re.compile("[\u200b-\u200d\u2060\u2062-\u2064\ufeff\u00ad]"),
     "characters without width inside a word or in a row"),
)  # fmt: skip
"""Patterns, and characters of which every text of the kind has one: blank and vowels.

Those are looked for among the characters beyond ASCII, of which there are few.
"""
_ASCII = bytes(range(128))


def find(subject: Skill) -> Iterator[Hit]:
    """The first place of each kind; emoji and scripts that join letters are left alone."""
    text = subject.content
    if text.isascii():
        return
    signs = text.encode("utf-8", "replace").translate(None, _ASCII).decode("utf-8")
    for pattern, sign, what in _KINDS:
        if sign.search(signs) and (found := pattern.search(text)):
            code = f"U+{ord(found[0][0]):04X}"
            yield Hit(line_at(text, found.start()), f"Hidden here: {what} ({code}).")


CHECK = Check(
    code="SK074",
    id="HIDDEN_UNICODE",
    family="hygiene",
    level="error",
    title="Hidden characters",
    why="A model reads what a reviewer cannot see; that is how instructions are smuggled in.",
    source="https://www.unicode.org/reports/tr36/",
    remedy="Remove them; most editors can show such characters.",
    bad=skill(body="Write the no\u200btes.\n"),
    good=skill(body="Write the notes.\n"),
    find=find,
)
