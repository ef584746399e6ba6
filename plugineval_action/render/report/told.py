"""What a report says beside the numbers: why badges are withheld, and what helps a reader most."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.findings.problems import Problem
from plugineval_action.findings.withheld import reasons
from plugineval_action.render.fixes import SENTENCE_LIMIT
from plugineval_action.render.helpful import helpful
from plugineval_action.render.links import Links, Markdown
from plugineval_action.results import Finding, Result


class Told(NamedTuple):
    """A skill or agent, what there is to say of it, where, and by which rule."""

    name: Markdown
    what: str
    place: Markdown
    rule: Markdown


def withheld(skills: Iterable[Result], links: Links) -> Iterator[Told]:
    """Why badges of skills are withheld; a plugin's is for theirs."""
    for skill in skills:
        if skill.composite and skill.composite.badge == "withheld":
            for note in reasons(skill):
                yield _told(skill, note, links)


def helps(results: Iterable[Result], links: Links, known: Collection[Told]) -> Iterator[Told]:
    """The changes that help a reader most, whether they raise points or not.

    Those that are known are told elsewhere. Skills have to come before plugins, which repeat flags.
    """
    for result, problem in helpful(result._replace(members=()) for result in results):
        told = _told(result, problem, links)
        if told not in known:
            yield told


def _told(owner: Result, note: Finding | Problem, links: Links) -> Told:
    return Told(
        links.name(owner),
        shorten(f"{note.message} {note.remedy}", 2 * SENTENCE_LIMIT),
        links.place(note.path, note.line),
        links.rule(note.rule),
    )
