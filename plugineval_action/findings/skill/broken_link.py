"""SK041: a relative link that leads to nothing."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.links import file_links, other_case
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Each missing target; those in references/ and other skills are flags of their own."""
    for link in file_links(subject):
        if link.found is None and not link.flagged and not other_case(subject.tree, link.place):
            yield Hit(link.line, f"The link leads to {shown(link.target)}, which is not there.")


CHECK = Check(
    code="SK041",
    id="BROKEN_LINK",
    family="links",
    level="warning",
    title="Link to a file that is not there",
    why="A model that follows the link gets an error, and works without what it says.",
    source="https://agentskills.io/specification",
    remedy="Create the file, or correct or remove the link.",
    bad=skill(body="Read [the template](templates/notes.md).\n"),
    good=skill(
        body="Read [the template](templates/notes.md).\n", **{"templates/notes.md": "Text.\n"}
    ),
    find=find,
)
