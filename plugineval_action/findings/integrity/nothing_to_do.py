"""IN011: sentences of which none tells an agent anything to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.integrity.english import is_english
from plugineval_action.findings.integrity.example_skill import GOOD, filled
from plugineval_action.findings.integrity.sentences import (
    first_sentence,
    is_full,
    is_telling,
    said,
    stems,
)
from plugineval_action.findings.subject import Skill

LEAST_SENTENCES: Final = 5
LEAST_TELLING: Final = 0.34
_SAMPLE: Final = 24
"""Lines that are read first: if enough of them tell something, the others are not read."""

_ENOUGH: Final = 0.5
_LEAST_LENGTH: Final = 20


def find(subject: Skill) -> Iterator[Hit]:
    """The share of sentences that tell something, of the full ones and of all, in English."""
    own = name_stems(subject)
    if _tells_enough(subject.body.text, own):
        return
    found = said(subject)
    full = [one for one in found if is_full(one)]
    if not is_judged(full):
        return
    if telling_share(found, full, own) < LEAST_TELLING:
        idle = sum(not is_telling(one, own) for one in found)
        message = (
            f"{idle} of {len(found)} sentences order nothing in particular, and name nothing that "
            "could be looked up."
        )
        yield Hit(subject.body.first_line, message)


def is_judged(full: list[str]) -> bool:
    """Whether there are enough full sentences, in English."""
    return len(full) >= LEAST_SENTENCES and is_english(" ".join(full).split())


def name_stems(subject: Skill) -> frozenset[str]:
    """The stems of the words in the skill's name."""
    return stems(f"{subject.front.text('name')} {subject.source.directory_name}")


def telling_share(found: list[str], full: list[str], own: frozenset[str]) -> float:
    """The share of sentences that tell something, 0 to 1: of all or of the full ones, the higher.

    Lists of names and steps are fragments, so either alone would wrong some honest skills.
    """
    return max(sum(is_telling(one, own) for one in some) / len(some) for some in (found, full))


def _tells_enough(text: str, own: frozenset[str]) -> bool:
    """Whether most of a sample of lines hold code or begin with a sentence that tells."""
    lines = text.split("\n")
    some = [one for one in map(str.strip, lines[:: len(lines) // _SAMPLE + 1]) if _is_prose(one)]
    telling = sum("`" in line or is_telling(first_sentence(line), own) for line in some)
    return telling > _ENOUGH * len(some)


def _is_prose(line: str) -> bool:
    return len(line) > _LEAST_LENGTH and line[0] not in "#|"


CHECK = Check(
    code="IN011",
    id="NOTHING_TO_DO",
    family="integrity",
    level="warning",
    title="No sentence tells what to do",
    why="Praise, questions and pointers to elsewhere fill a page, and an agent that has read it "
    "knows no more than before. In real skills two of five sentences at least tell something.",
    source="https://agentskills.io/specification",
    remedy="Say what to do, in which case, and with which file, command or value.",
    bad=filled(
        ("Approach", "Our notes are known for their depth. Every release is a story of its own."),
        ("Quality", "The notes are clear, rich and dependable. What makes a release special?"),
        ("Experience", "The whole team enjoys the notes. Who would want to miss a release?"),
    ),
    good=GOOD,
    find=find,
    withholds=True,
)
