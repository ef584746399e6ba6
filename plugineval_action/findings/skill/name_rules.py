"""SK025: a name that the open format refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.profiles import NAME_LIMIT
from plugineval_action.findings.subject import Skill

_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def broken_name(name: str) -> str | None:
    """Why the open format refuses a name; None if it does not."""
    if not name:
        return "the field name is missing"
    if len(name) > NAME_LIMIT:
        return f"the name has {len(name)} characters, over {NAME_LIMIT}"
    if not _KEBAB.fullmatch(name):
        return f"the name {shown(name, 40)!r} is not of small letters, digits and single hyphens"
    return None


def find(subject: Skill) -> Iterator[Hit]:
    """The name, if there is front matter to read it from."""
    if subject.front.readable and subject.front.source:
        why = broken_name(subject.front.text("name"))
        if why:
            yield Hit(subject.front.line("name"), f"{why[0].upper()}{why[1:]}.")


CHECK = Check(
    code="SK025",
    id="NAME_RULES",
    family="front matter",
    level="error",
    title="Name breaks the rules of the open format",
    why="Readers that keep to the open format do not load a skill under such a name.",
    source="https://agentskills.io/specification",
    remedy="Name it in small letters, digits and single hyphens, at most 64, as in release-notes.",
    bad={"skills/release-notes/SKILL.md": "---\nname: Release Notes\ndescription: >-\n  Writes "
         "release notes. Use when a release is tagged.\n---\n"},
    good=skill(),
    find=find,
    profiles=("agentskills", "claude-ai-upload", "codex"),
)  # fmt: skip
