"""Relative links that lead to nothing in the files beside SKILL.md, looked up once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plugineval_action.content.markdown import outline
from plugineval_action.content.tree import join, normalise
from plugineval_action.findings.documents import linked_documents
from plugineval_action.findings.links import MOST_LINKS, is_path, other_case
from plugineval_action.findings.subject import Skill
from plugineval_action.layers.static.links import local_target

_TARGET = re.compile(r"\]\(\s*<?([^\s()<>#?]+)")


class Suspect(NamedTuple):
    """A link that leads to nothing: the file it stands in, its line and target.

    `other_case` is the path that is there under other capitals, None if there is none.
    """

    path: str
    line: int
    target: str
    other_case: str | None


def suspect_links(subject: Skill) -> tuple[Suspect, ...]:
    """Those of all files that the skill leads to."""
    return subject.once(_looked_up)


def _looked_up(subject: Skill) -> tuple[Suspect, ...]:
    return tuple(
        suspect
        for path, text in linked_documents(subject)
        if "](" in text
        for suspect in _in_file(subject, path, text)
    )


def _in_file(subject: Skill, path: str, text: str) -> Iterator[Suspect]:
    folder = path.rpartition("/")[0]
    # Parsing costs; so only a file with a suspect link is, to see whether it is one.
    suspects = {one for one in _TARGET.findall(text) if _is_dead(subject, folder, one)}
    if suspects:
        for link in outline(text).links[:MOST_LINKS]:
            if link.target.partition("#")[0] in suspects:
                yield Suspect(path, link.line, link.target, _other(subject, folder, link.target))


def _is_dead(subject: Skill, folder: str, written: str) -> bool:
    target = local_target(written)
    if not target or not is_path(target):
        return False
    places = (normalise(join(base, target)) for base in (folder, subject.path))
    return not any(place is not None and subject.tree.exists(place) for place in places)


def _other(subject: Skill, folder: str, written: str) -> str | None:
    target = local_target(written) or ""
    places = (normalise(join(base, target)) for base in (folder, subject.path))
    return next((one for place in places if (one := other_case(subject.tree, place))), None)
