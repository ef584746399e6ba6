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

LEAST_WORDS: Final = 160
SHINGLE: Final = 5
MOST_REPEATED: Final = 0.3

LEAST_PLAIN_WORDS: Final = 40
LEAST_RICHNESS: Final = 4.2

LEAST_SECTIONS: Final = 4
MOST_SAME: Final = 0.4

LEAST_SENTENCES: Final = 6
MOST_ECHO: Final = 0.75
_ECHO: Final = 0.6


def find(subject: Skill) -> Iterator[Hit]:
    """What repeats other parts of the text, or its description, far beyond any real skill."""
    text = prose(subject)
    if text.richness < POOR:
        message = (
            _runs(subject, text.words)
            or _few(subject, text.words)
            or _same(subject)
            or _echo(subject)
        )
        if message:
            yield Hit(subject.body.first_line, message)


def repeated_share(words: list[str]) -> float:
    """The share of runs of five words that stand again elsewhere in the same text, 0 to 1."""
    runs = list(zip(*(words[start:] for start in range(SHINGLE)), strict=False))
    return 1 - len(set(runs)) / len(runs) if runs else 0.0


def _runs(subject: Skill, words: list[str]) -> str:
    share = repeated_share(words) if len(words) >= LEAST_WORDS else 0.0
    if share >= MOST_REPEATED:  # a page of calls says in code what differs between them
        share *= len(words) / (len(words) + len(_words_of_code(subject)))
    if share < MOST_REPEATED:
        return ""
    return f"{share:.0%} of the text is a repetition of other parts of it."


def _few(subject: Skill, words: list[str]) -> str:
    for some in (words, words + _words_of_code(subject)):
        different, total = different_words(some)
        if total < LEAST_PLAIN_WORDS or different >= LEAST_RICHNESS * math.sqrt(total):
            return ""
    return f"{total} words of text are the same {different} again and again."


def _words_of_code(subject: Skill) -> list[str]:
    """Words of the different lines of code."""
    lines = dict.fromkeys(line for _, _, code in subject.blocks for line in code.split("\n"))
    return [word for line in lines for word in line.split()]


def different_words(words: list[str]) -> tuple[int, int]:
    """How many words differ in more than signs and capitals, and how many there are."""
    plain = [bare for word in words if (bare := word.strip(SIGNS).lower())]
    return len(set(plain)), len(plain)


def _same(subject: Skill) -> str:
    same, total = same_sections(subject)
    if total < LEAST_SECTIONS or same < MOST_SAME * total:
        return ""
    return f"{same} of {total} sections repeat another section word by word."


def same_sections(subject: Skill) -> tuple[int, int]:
    """How many sections hold the text of an earlier one, and how many hold a text."""
    texts = [text for one in sections(subject) if (text := one.text(subject).strip())]
    return len(texts) - len(set(texts)), len(texts)


def _echo(subject: Skill) -> str:
    echoes, total = echoing_sentences(subject)
    if total < LEAST_SENTENCES or echoes < MOST_ECHO * total:
        return ""
    return f"{echoes} of {total} sentences only say the description again."


def echoing_sentences(subject: Skill) -> tuple[int, int]:
    """How many sentences are made of the description's words, and how many there are."""
    own, found = stems(subject.description), said(subject)
    return sum(_is_made_of(list(content_words(one)), own) for one in found), len(found)


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
