"""The sentences of a skill, and whether one of them says something that can be done or checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.integrity.english import BINDING, GENERAL, ORDERING
from plugineval_action.findings.subject import Skill

SIGNS: Final = ".,;:!?()[]*_\"'`"
_LEAST_WORDS: Final = 3
STEM: Final = 5
MARKERS: Final = "-*+>0123456789.)[] \t"
_END: Final = re.compile(r"(?<=[.!?])\s+")
_FULL_WORDS: Final = 6

_SPECIFIC: Final = re.compile(r"[`\d=<>→{}$%_\\]")
_JOINED: Final = re.compile(r"[./A-Z-](?:(?<=\w[./])\w|(?<=[A-Za-z][A-Z])|(?<=--)\w)")
"""Code and numbers; paths, options and names in capitals. A set to begin with makes them fast."""

_POINTING: Final = re.compile(
    r"\b(?:[Ss]ee|[Rr]efer|[Rr]ead|[Cc]onsult|[Vv]isit|[Ll]ook|explained|described|covered|found) "
    r".{0,200}\b(?:sections?|above|below|there|elsewhere|chapters?|documentation)\b"
)
_BEGINNINGS: Final = frozenset(
    ("if", "when", "unless", "before", "after", "once", "for", "never", "don't")
)
_ORDER: Final = re.compile(r"\b(?:must|never|should|do not|don't|cannot)\b", re.IGNORECASE)
_NEXT_CLAUSE: Final = re.compile(r"[:;—–,]\s+\**(?:and |then |or |please )?(\w+)")


def sentences(text: str) -> list[str]:
    """Those of a Markdown text; headings, tables and what is under three words are left out."""
    lines = (line.strip() for line in text.split("\n"))
    found = (
        sentence
        for line in lines
        if line and line[0] not in "#|"
        for sentence in _END.split(line.lstrip(MARKERS))
    )
    return [sentence for sentence in found if sentence.count(" ") >= _LEAST_WORDS - 1]


def first_sentence(line: str) -> str:
    """The one that a line begins with."""
    return _END.split(line.lstrip(MARKERS), maxsplit=1)[0]


def said(subject: Skill) -> list[str]:
    """The sentences of the body."""
    return subject.once(_said)


def _said(subject: Skill) -> list[str]:
    return sentences(subject.body.text)


def is_full(sentence: str) -> bool:
    """Whether it is one to its end, and no item of a list."""
    return (
        sentence.rstrip('*_")')[-1:] in (".", "!", "?") and sentence.count(" ") >= _FULL_WORDS - 1
    )


def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text, without those that only bind."""
    return frozenset(word[:STEM] for word in content_words(text.replace("-", " ")))


def content_words(sentence: str) -> Iterator[str]:
    """Its words in small letters, without signs and without those that only bind."""
    words = (word.strip(SIGNS).lower() for word in sentence.split())
    return (word for word in words if len(word) > 2 and word not in BINDING)


def is_telling(sentence: str, own: frozenset[str]) -> bool:
    """Whether it names something (code, a number, a path, a name), or orders something.

    An order or condition is about something if one word of it is neither general nor in `own`,
    the stems of the skill's name. A question does not tell, nor does sending readers elsewhere.
    """
    if sentence.rstrip("*_ ").endswith("?"):
        return False
    if _SPECIFIC.search(sentence) or _JOINED.search(sentence):
        return True
    if _POINTING.search(sentence):
        return False
    start, *others = sentence.lstrip(MARKERS).split() or [""]
    if any(word[:1].isupper() for word in others):
        return True
    return _orders(start.strip(SIGNS).lower(), sentence) and any(
        word not in GENERAL and word[:STEM] not in own for word in content_words(sentence)
    )


def _orders(start: str, sentence: str) -> bool:
    if start in ORDERING or start in _BEGINNINGS or _ORDER.search(sentence):
        return True
    return any(found[1].lower() in ORDERING for found in _NEXT_CLAUSE.finditer(sentence))
