"""IN007: headings without anything below."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.integrity.example_skill import GOOD
from plugineval_action.findings.integrity.prose import Section, sections
from plugineval_action.findings.subject import Skill

LEAST_SECTIONS: Final = 4
MOST_EMPTY: Final = 0.4
_LEAST_WORDS: Final = 4
_MOST_LINES: Final = 6
_NO_WORD: Final = "-*_=|:>`~.#\u200b\u2060\u2800\u3164\ufeff"
_SHOWS_NOTHING: Final = re.compile(
    r"<(?:br|hr|p|div|span)\b[^<>]{0,100}>|</\w{1,9}>|&(?:\w{0,4}nbsp|\w{0,4}sp\d{0,2}|zwn?j|shy|#\d{1,5}|#x\w{1,5});"
)
"""Tags without a text of their own, and entities of blanks."""


def find(subject: Skill) -> Iterator[Hit]:
    """The share of sections that hold no sentence, no code and no section of their own."""
    all_of_them = [one for one in sections(subject) if one.level > 1]
    least = MOST_EMPTY * len(all_of_them)
    short = [one for one in all_of_them if _is_short(one)]
    if len(all_of_them) < LEAST_SECTIONS or len(short) < least:
        return
    empty = [one for one in short if _is_empty(subject, one)]
    if len(empty) >= least:
        message = f"{len(empty)} of {len(all_of_them)} headings have nothing to say below them."
        yield Hit(empty[0].line, message)


def _is_short(section: Section) -> bool:
    """Whether there is little below, and no section of its own."""
    return section.last - section.line <= _MOST_LINES and section.next_level <= section.level


def _is_empty(subject: Skill, section: Section) -> bool:
    text = section.text(subject)
    if "<" in text or "&" in text:
        text = _SHOWS_NOTHING.sub(" ", text)
    words = [word for word in text.split() if word.strip(_NO_WORD)]
    # One word may be a link or a command; text without blanks is as long as it is.
    return len(words) < _LEAST_WORDS and len("".join(words)) < 20


CHECK = Check(
    code="IN007",
    id="EMPTY_SECTIONS",
    family="integrity",
    level="warning",
    title="Headings without text",
    why="Headings are counted, and these announce what is not there.",
    source="https://agentskills.io/specification",
    remedy="Write the sections, or remove their headings.",
    bad=skill(
        body="# Notes\n\n## Collect\n\n## Write\n\n## Check\n\n## Publish\n\nPush the tag of it.\n"
    ),
    good=GOOD,
    find=find,
    withholds=True,
)
