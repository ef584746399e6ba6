"""SK027: a name that somebody else keeps for himself."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_SYNCED = "synced"


def find(subject: Skill) -> Iterator[Hit]:
    """The words of the profile in the name, and the folder that Claude Code uses itself."""
    name = subject.front.text("name") or subject.source.directory_name
    word = next((word for word in subject.profile.words if word in name.lower()), None)
    if word:
        message = f"The name {shown(name, 40)!r} holds {word!r}, which is reserved."
        yield Hit(subject.front.line("name"), message)
    if subject.profile.name == "claude-code" and subject.source.directory_name == _SYNCED:
        yield Hit(1, "Claude Code keeps the folder name 'synced' for itself.")


CHECK = Check(
    code="SK027",
    id="RESERVED_NAME",
    family="front matter",
    level="error",
    title="Name is reserved",
    why="A skill under a reserved name is refused, or hidden by what it is reserved for.",
    source="https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview",
    remedy="Choose another name.",
    bad={"skills/synced/SKILL.md": "---\nname: synced\ndescription: >-\n  Writes release notes. "
         "Use when a release is tagged.\n---\n"},
    good=skill(),
    find=find,
    profiles=("claude-code", "claude-ai-upload"),
)  # fmt: skip
