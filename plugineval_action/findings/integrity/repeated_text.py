"""IN001: the same words over and over."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.integrity.example_skill import GOOD, filled
from plugineval_action.findings.integrity.prose import prose
from plugineval_action.findings.subject import Skill

LEAST_WORDS = 80
POOR = 7.5
"""Richness under which shingles are counted: counting them in every text takes too long."""

SHINGLE = 5
MOST_REPEATED = 0.3


def repeated_share(words: list[str]) -> float:
    """The share of runs of five words that stand again elsewhere in the same text, 0 to 1."""
    runs = list(zip(*(words[start:] for start in range(SHINGLE)), strict=False))
    return 1 - len(set(runs)) / len(runs) if runs else 0.0


def find(subject: Skill) -> Iterator[Hit]:
    """The share, if it is far over what any real skill has."""
    text = prose(subject)
    if len(text.words) >= LEAST_WORDS and text.richness < POOR:
        share = repeated_share(text.words)
        if share >= MOST_REPEATED:
            message = f"{share:.0%} of the text is a repetition of other parts of it."
            yield Hit(subject.body.first_line, message)


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
