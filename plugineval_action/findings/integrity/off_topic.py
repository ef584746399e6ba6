"""IN004: sections that have nothing to do with what the skill says it is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.integrity.example_skill import GOOD
from plugineval_action.findings.integrity.prose import Section, prose, sections
from plugineval_action.findings.subject import Skill

LEAST_SECTIONS: Final = 4
MOST_OFF: Final = 0.9
LEAST_TERMS: Final = 3
_READ: Final = 400
"""Characters of the description that the terms are taken from."""

_LEAST_CHARACTERS: Final = 60
_STEM: Final = 5
_SIGNS: Final = ".,;:!?()[]{}<>/'\"`*"
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
    return _named(subject) | _stems(subject.description[:_READ])


def _named(subject: Skill) -> frozenset[str]:
    return _stems(f"{subject.front.text('name')} {subject.source.directory_name}")


def _stems(said: str) -> frozenset[str]:
    words = (word.strip(_SIGNS) for word in said.lower().replace("-", " ").split())
    return frozenset(word[:_STEM] for word in words if len(word) > 2 and word not in _COMMON)


def find(subject: Skill) -> Iterator[Hit]:
    """The share of sections without any of the terms, in texts in Latin letters."""
    below = [one for one in sections(subject) if one.level > 1 and one.last - one.line > 1]
    # Most skills name themselves all over; only where one does not, the description is read too.
    if len(below) < LEAST_SECTIONS or not _count(subject, below, _named(subject))[1]:
        return
    own = terms(subject)
    if len(own) < LEAST_TERMS:
        return
    long, off = _count(subject, below, own)
    if long >= LEAST_SECTIONS and off >= MOST_OFF * long and prose(subject).latin:
        message = f"{off} of {long} sections use none of the words of the description."
        yield Hit(below[0].line, message)


def _count(subject: Skill, below: list[Section], own: frozenset[str]) -> tuple[int, int]:
    """How many sections are long enough to judge, and how many of those touch nothing.

    Counting ends as soon as too many touch the subject, which in a real skill is at once.
    """
    long = off = 0
    for one in below:
        text = one.text(subject)
        if len(text) < _LEAST_CHARACTERS:
            continue
        long += 1
        title = subject.lines[one.line - 1].lower()
        off += not (_touches(title, own) or _touches(text.lower(), own))
        if long - off > (1 - MOST_OFF) * len(below):
            return long, 0
    return long, off


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
