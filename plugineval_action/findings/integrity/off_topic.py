"""IN004: sections that have nothing to do with what the skill says it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.integrity.example_skill import GOOD
from plugineval_action.findings.integrity.prose import prose, sections
from plugineval_action.findings.subject import Skill

LEAST_SECTIONS: Final = 4
MOST_OFF: Final = 0.9
_LEAST_CHARACTERS: Final = 60
_STEM: Final = 5
_WORD = re.compile(r"[a-z][a-z0-9]{2,}")
_COMMON_TEXT: Final = """
about after all also always and answer any are asks automatically based before best
building can check checking checks code complete comprehensive content create creating
data detail details document documents during each easily every expert file files find
for from given good guide handle handling helps high how implementing including input
inputs into its line lines make manage master more name need needs new not our output
outputs path patterns plan planning practices proactively professional project provides
quality question read reading report reports request requests result results return
returns review reviewing run running set setting should show skill skills start step
steps such summary support task tasks test testing text that the their them these they
this time tool tools trigger triggers update use used user users uses using various view
want wanted wants way when whenever where which will with work workflow workflows
working write writes writing you your
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())


def terms(subject: Skill) -> frozenset[str]:
    """The stems of the words by which the skill names and describes itself."""
    said = f"{subject.front.text('name')} {subject.source.directory_name} {subject.description}"
    return frozenset(word[:_STEM] for word in _WORD.findall(said.lower()) if word not in _COMMON)


def find(subject: Skill) -> Iterator[Hit]:
    """The share of sections without any of the terms, in texts in Latin letters."""
    long = [
        one for one in sections(subject) if len(one.text) >= _LEAST_CHARACTERS and one.level > 1
    ]
    if len(long) < LEAST_SECTIONS or not prose(subject).latin:
        return
    own = terms(subject)
    if len(own) < 3:
        return
    off = [one for one in long if not _touches(f"{one.title}\n{one.text}".lower(), own)]
    if len(off) >= MOST_OFF * len(long):
        message = f"{len(off)} of {len(long)} sections use none of the words of the description."
        yield Hit(off[0].line, message)


def _touches(text: str, own: frozenset[str]) -> bool:
    return any(term in text for term in own)


CHECK = Check(
    code="IN004",
    id="OFF_TOPIC",
    family="integrity",
    level="warning",
    title="Sections do not touch the skill's subject",
    why="Text about nothing in particular fits under every description, and helps with none.",
    source="https://nlp.stanford.edu/IR-book/html/htmledition/tokenization-1.html",
    remedy="Write about what the description promises.",
    bad=skill(body="# Overview\n\n" + "".join(
        f"## {title}\n\nIt is important to stay flexible and to keep an eye on the whole.\n\n"
        for title in ("Mindset", "Basics", "Advanced", "Outlook", "Summary"))),
    good=GOOD,
    find=find,
    withholds=True,
)  # fmt: skip
