"""The sentences of a skill, and whether one of them says something that can be done or checked."""

from __future__ import annotations

import re
from typing import Final

from plugineval_action.findings.integrity.english import BINDING, ORDERING
from plugineval_action.findings.subject import Skill

SIGNS: Final = ".,;:!?()[]*_\"'`"
_LEAST_WORDS: Final = 3
MARKERS: Final = "-*+>0123456789.)[] \t"
_END: Final = re.compile(r"(?<=[.!?])\s+")
_FULL_WORDS: Final = 6

_SPECIFIC: Final = re.compile(r"[`\d=<>→{}$%_\\]|\w[/.]\w|--\w|[a-zA-Z][A-Z]")
"""Code, numbers, paths, options, names in capitals."""

_LOOKING: Final = frozenset(("see", "refer", "read", "consult", "visit", "look"))
_POINTING: Final = re.compile(
    r"\b(?:[Ss]ee|[Rr]efer|[Rr]ead|[Cc]onsult|[Vv]isit|[Ll]ook|explained|described|covered|found) "
    r".{0,200}\b(?:sections?|above|below|there|elsewhere|chapters?|documentation)\b"
)
_FIRST: Final = _LOOKING | {
    "if", "when", "unless", "before", "after", "once", "for", "never", "don't"
}  # fmt: skip
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


def content_words(sentence: str) -> list[str]:
    """Its words in small letters, without signs and without those that only bind."""
    words = (word.strip(SIGNS).lower() for word in sentence.split())
    return [word for word in words if len(word) > 2 and word not in BINDING]


def is_order(sentence: str) -> bool:
    """Whether its first word orders, other than to read on elsewhere."""
    start = sentence.lstrip(MARKERS).partition(" ")[0].strip(SIGNS).lower()
    return start in ORDERING and start not in _LOOKING


def is_telling(sentence: str) -> bool:
    """Whether it orders, sets a condition, or names something: code, a number, a path, a name.

    A question does not, and neither does a sentence that sends its reader elsewhere.
    """
    if sentence.rstrip("*_ ").endswith("?"):
        return False
    if is_order(sentence) or _SPECIFIC.search(sentence):
        return True
    if _POINTING.search(sentence):
        return False
    start, *others = sentence.split() or [""]
    if start.strip(SIGNS).lower() in _FIRST or any(word[:1].isupper() for word in others):
        return True
    clauses = (found[1].lower() in ORDERING for found in _NEXT_CLAUSE.finditer(sentence))
    return any(clauses) or _ORDER.search(sentence) is not None
