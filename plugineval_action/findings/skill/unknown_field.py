"""SK021: a field that the target does not read."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.near import near_field
from plugineval_action.findings.skill.agent_field import OF_AGENTS
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Each unknown field that is neither a slip nor an agent's."""
    known = subject.profile.fields
    for name, field in subject.front.fields.items():
        if name not in known and name not in OF_AGENTS and not near_field(name, known):
            message = f"{subject.profile.title} does not know the field {name!r} and ignores it."
            if subject.profile.closed:
                message = f"{subject.profile.title} takes six fields only, and refuses {name!r}."
            yield Hit(field.line, message)


CHECK = Check(
    code="SK021",
    id="UNKNOWN_FIELD",
    family="front matter",
    level="note",
    title="Field that nobody reads",
    why="A field that the target does not know does nothing. Whoever wrote it expects otherwise.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Put your own data below metadata:, as in metadata: {version: '1.2'}, or remove it.",
    bad=skill("version: 1.2.0\n"),
    good=skill("metadata:\n  version: 1.2.0\n"),
    find=find,
    ignore="If a tool of your own reads the field. It stays harmless for Claude Code.",
)
