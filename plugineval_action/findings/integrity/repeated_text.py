"""IN001: the same words over and over."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.integrity.example_skill import GOOD, filled
from plugineval_action.findings.integrity.prose import prose, sections
from plugineval_action.findings.integrity.sentences import SIGNS, STEM, content_words, said, stems
from plugineval_action.findings.subject import Skill

POOR: Final = 7.5
"""Richness under which anything is counted: counting in every text takes too long."""

LEAST_WORDS: Final = 80
SHINGLE: Final = 5
MOST_REPEATED: Final = 0.3

LEAST_PLAIN_WORDS: Final = 40
LEAST_RICHNESS: Final = 5.0

LEAST_SECTIONS: Final = 4
MOST_SAME: Final = 0.4

LEAST_SENTENCES: Final = 6
MOST_ECHO: Final = 0.75
_ECHO: Final = 0.6


def find(subject: Skill) -> Iterator[Hit]:
    """What repeats other parts of the text, or its description, far beyond any real skill."""
    text = prose(subject)
    if text.richness < POOR:
        message = _runs(text.words) or _few(text.words) or _same(subject) or _echo(subject)
        if message:
            yield Hit(subject.body.first_line, message)


def repeated_share(words: list[str]) -> float:
    """The share of runs of five words that stand again elsewhere in the same text, 0 to 1."""
    runs = list(zip(*(words[start:] for start in range(SHINGLE)), strict=False))
    return 1 - len(set(runs)) / len(runs) if runs else 0.0


def _runs(words: list[str]) -> str:
    share = repeated_share(words) if len(words) >= LEAST_WORDS else 0.0
    return (
        f"{share:.0%} of the text is a repetition of other parts of it."
        if share >= MOST_REPEATED
        else ""
    )


def _few(words: list[str]) -> str:
    """Guiraud's index again, of words without signs and capitals: 5.9 and more in real skills."""
    plain = [bare for word in words if (bare := word.strip(SIGNS).lower())]
    different = len(set(plain))
    if len(plain) < LEAST_PLAIN_WORDS or different >= LEAST_RICHNESS * math.sqrt(len(plain)):
        return ""
    return f"{len(plain)} words of text are the same {different} again and again."


def _same(subject: Skill) -> str:
    texts = [text for one in sections(subject) if (text := one.text(subject).strip())]
    same = len(texts) - len(set(texts))
    if len(texts) < LEAST_SECTIONS or same < MOST_SAME * len(texts):
        return ""
    return f"{same} of {len(texts)} sections repeat another section word by word."


def _echo(subject: Skill) -> str:
    """How many sentences are made of the description's words."""
    own = stems(subject.description)
    found = said(subject)
    echoes = sum(_is_made_of(list(content_words(one)), own) for one in found)
    if len(found) < LEAST_SENTENCES or echoes < MOST_ECHO * len(found):
        return ""
    return f"{echoes} of {len(found)} sentences only say the description again."


def _is_made_of(words: list[str], own: frozenset[str]) -> bool:
    return len(words) > 2 and sum(word[:STEM] in own for word in words) >= _ECHO * len(words)


CHECK = Check(
    code="IN001",
    id="REPEATED_TEXT",
    family="integrity",
    level="warning",
    title="Text repeats itself",
    why="Length is measured, and repeating buys it. Real skills repeat 13 % of their text at most.",
    source="https://nlp.stanford.edu/IR-book/html/htmledition/near-duplicates-and-shingling-1.html",
    remedy="Say each thing once.",
    bad=filled(*((f"Part {at}", "Write the notes for users, and put what breaks first. " * 4)
                 for at in range(4))),
    good=GOOD,
    find=find,
    withholds=True,
)  # fmt: skip
