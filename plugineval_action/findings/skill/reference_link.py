"""SK044: a broken link in a reference file."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill
from plugineval_action.findings.suspects import suspect_links


def find(subject: Skill) -> Iterator[Hit]:
    """Each relative link of a file that the skill leads to, if it leads to nothing."""
    for link in suspect_links(subject):
        if link.other_case is None:
            message = f"The link leads to {shown(link.target)}, which is not there."
            yield Hit(link.line, message, link.path)


CHECK = Check(
    code="SK044",
    id="REFERENCE_LINK",
    family="links",
    level="warning",
    title="Link in a reference leads to nothing",
    why="References are read one from another; a broken link ends the way.",
    source="https://agentskills.io/specification",
    remedy="Create the file, or correct or remove the link; it counts from the reference's folder.",
    bad=skill(body="Read [the rules](references/rules.md).\n",
              **{"references/rules.md": "See [words](words.md).\n"}),
    good=skill(body="Read [the rules](references/rules.md).\n",
               **{"references/rules.md": "See [the skill](../SKILL.md).\n"}),
    find=find,
)  # fmt: skip
