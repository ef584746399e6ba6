"""SK026: a name that differs from its directory's."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """The name, if there is one."""
    name, directory = subject.front.text("name"), subject.source.directory_name
    if name and name != directory:
        message = f"The name is {shown(name, 40)!r}, the directory {shown(directory, 40)!r}."
        yield Hit(subject.front.line("name"), message)


CHECK = Check(
    code="SK026",
    id="NAME_NOT_DIRECTORY",
    family="front matter",
    level="error",
    title="Name differs from its directory's",
    why="The open format wants both to be the same; strict readers refuse the skill.",
    source="https://agentskills.io/specification",
    remedy="Give both the same name.",
    bad={"skills/notes/SKILL.md": skill()["skills/release-notes/SKILL.md"]},
    good=skill(),
    find=find,
    profiles=("agentskills", "claude-ai-upload"),
)
