"""SK042: a link in other capitals than the file."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.links import file_links, other_case, relative
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Each link whose target is there under other capitals."""
    for link in file_links(subject):
        if link.found is None and (real := other_case(subject.tree, link.place)):
            there = shown(relative(subject, real))
            yield Hit(link.line, f"The link says {shown(link.target)}, the file is {there}.")


CHECK = Check(
    code="SK042",
    id="LINK_CASE",
    family="links",
    level="warning",
    title="Link in other capitals than the file",
    why="It works on macOS and Windows, and leads to nothing on Linux, where agents mostly run.",
    source="https://agentskills.io/specification",
    remedy="Write the link exactly as the file is called.",
    bad=skill(
        body="Read [the template](Templates/notes.md).\n", **{"templates/notes.md": "Text.\n"}
    ),
    good=skill(
        body="Read [the template](templates/notes.md).\n", **{"templates/notes.md": "Text.\n"}
    ),
    find=find,
)
