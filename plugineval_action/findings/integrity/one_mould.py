"""IN012: one sentence again and again, with other nouns put in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.integrity.english import BINDING
from plugineval_action.findings.integrity.example_skill import GOOD, filled
from plugineval_action.findings.integrity.prose import prose
from plugineval_action.findings.subject import Skill

LEAST_SENTENCES: Final = 16
LEAST_WORDS: Final = 6
LEAST_BINDING: Final = 2
MOST_ALIKE: Final = 0.5
RICH: Final = 11.0
"""Richness above which nothing is compared: so many different words fit into no mould."""

_READ: Final = 5_000
"""Characters whose sentences are compared: in longer texts short frames meet by chance."""


def find(subject: Skill) -> Iterator[Hit]:
    """The share of sentences whose small words stand in another sentence in the same order."""
    text = prose(subject)
    if text.richness > RICH:
        return
    alike, total = shared_frames(text.text)
    if total >= LEAST_SENTENCES and alike >= MOST_ALIKE * total:
        message = f"{alike} of {total} sentences are another sentence with other words put in."
        yield Hit(subject.body.first_line, message)


def shared_frames(text: str) -> tuple[int, int]:
    """How many sentences share their frame with another one, and how many there are."""
    found = (line.split() for line in text[:_READ].replace("\n", ". ").split(". "))
    frames = [
        tuple([word for word in words if word in BINDING])
        for words in found
        if len(words) >= LEAST_WORDS and words[0] != "|"
    ]
    counts = Counter(frame for frame in frames if len(frame) >= LEAST_BINDING)
    return sum(count for count in counts.values() if count > 1), len(frames)


_MOULD: Final = (
    "Look at the {0} with care, and then go on to the {1} of it. "
    "The {1} is good when the {0} is good."
)
_NOUNS: Final = (
    ("Collect", "list", "order"),
    ("Write", "text", "style"),
    ("Check", "tone", "length"),
    ("Publish", "page", "title"),
    ("Gather", "change", "author"),
    ("Sort", "group", "name"),
    ("Trim", "line", "word"),
    ("Send", "mail", "reader"),
)

CHECK = Check(
    code="IN012",
    id="ONE_MOULD",
    family="integrity",
    level="warning",
    title="Sentences come from one mould",
    why="A sentence with other words put in is as long as a new one, and says nothing new. In real "
    "skills a third of the sentences share their frame at most.",
    source="https://en.wikipedia.org/wiki/Article_spinning",
    remedy="Say what differs between the cases, in a table if there are many.",
    bad=filled(*((title, _MOULD.format(one, other)) for title, one, other in _NOUNS)),
    good=GOOD,
    find=find,
    withholds=True,
)
