"""SK042: a link in other capitals than the file."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.links import file_links, other_case, relative
from plugineval_action.findings.subject import Skill
from plugineval_action.findings.suspects import suspect_links


def find(subject: Skill) -> Iterator[Hit]:
    """Each link of SKILL.md and of references whose target is there under other capitals."""
    for link in file_links(subject):
        if link.found is None and (real := other_case(subject.tree, link.place)):
            there = shown(relative(subject, real))
            yield Hit(link.line, f"The link says {shown(link.target)}, the file is {there}.")
    for one in suspect_links(subject):
        if one.other_case:
            there = shown(posixpath.relpath(one.other_case, posixpath.dirname(one.path) or "."))
            message = f"The link says {shown(one.target)}, the file is {there}."
            yield Hit(one.line, message, one.path)


CHECK = Check(
    code="SK042",
    id="LINK_CASE",
    family="links",
    level="warning",
    title="Link in other capitals than the file",
    why="It works on macOS and Windows, and leads to nothing on Linux, where agents mostly run.",
    source="https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreignoreCase",
    remedy="Write the link exactly as the file is called.",
    bad=skill(
        body="Read [the template](Templates/notes.md).\n", **{"templates/notes.md": "Text.\n"}
    ),
    good=skill(
        body="Read [the template](templates/notes.md).\n", **{"templates/notes.md": "Text.\n"}
    ),
    find=find,
)
