"""IN002: text that stands for text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.integrity.example_skill import GOOD, filled
from plugineval_action.findings.integrity.prose import prose
from plugineval_action.findings.subject import Skill

_LOREM_TEXT: Final = """
adipiscing aliqua aliquip amet anim aute cillum commodo consectetur consequat culpa
cupidatat deserunt dolor dolore duis eiusmod elit enim esse excepteur exercitation
fugiat incididunt ipsum irure labore laboris laborum lorem magna minim mollit nisi
nostrud nulla occaecat officia pariatur proident quis reprehenderit sint sunt tempor
ullamco velit veniam voluptate
"""
_LOREM: Final = frozenset(_LOREM_TEXT.split())
_LEAST: Final = 10
_PLACEHOLDERS: Final = (
    "lorem ipsum", "your text here", "insert text here", "content goes here", "text goes here",
    "placeholder text", "add content here", "to be written", "coming soon", "fill this in",
)  # fmt: skip
_LAST_WORDS: Final = frozenset(
    f"{word}{sign}"
    for word in ("ipsum", "Ipsum", "here", "text", "written", "soon", "in")
    for sign in ".,!]>*_…"
) | {"ipsum", "soon", "placeholder"}  # fmt: skip
"""Ends of such sentences: without one of these words there is none."""

_LEAST_PLACEHOLDERS: Final = 4


def find(subject: Skill) -> Iterator[Hit]:
    """Words of the printers' Latin, or sentences that announce text."""
    words = prose(subject).different
    latin = {word.strip(".,;:!?()*_") for word in words} & _LOREM if _is_likely(words) else ()
    if len(latin) >= _LEAST:
        message = f"The text is printers' Latin ({len(latin)} of its words), which says nothing."
        yield Hit(subject.body.first_line, message)
    likely = not words.isdisjoint(_LAST_WORDS)
    promised = sum(map(subject.lower.count, _PLACEHOLDERS)) if likely else 0
    if promised >= max(_LEAST_PLACEHOLDERS, len(prose(subject).words) / 40):
        message = f"{promised} times the text says that text is still to come."
        yield Hit(subject.body.first_line, message)


def _is_likely(words: frozenset[str]) -> bool:
    """Whether a few of the words are there in their plain form."""
    return len(words & _LOREM) >= _LEAST // 2


CHECK = Check(
    code="IN002",
    id="FILLER_TEXT",
    family="integrity",
    level="warning",
    title="Filler instead of text",
    why="Headings over filler look like a skill to a counter, and are nothing to a reader.",
    source="https://en.wikipedia.org/wiki/Lorem_ipsum",
    remedy="Write what the skill knows, or leave the section out.",
    bad=filled(
        (
            "Collect",
            "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.",
        ),
        (
            "Write",
            "Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi aliquip.",
        ),
    ),
    good=GOOD,
    find=find,
    withholds=True,
)
