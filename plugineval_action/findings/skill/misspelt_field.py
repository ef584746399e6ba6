"""SK022: a field whose name is nearly right."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.near import near_field
from plugineval_action.findings.profiles import CLAUDE_CODE_FIELDS
from plugineval_action.findings.skill.agent_field import OF_AGENTS
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Each field that is one slip away from a known one which is not given as well."""
    for name, field in subject.front.fields.items():
        meant = None if name in OF_AGENTS else near_field(name, CLAUDE_CODE_FIELDS)
        if meant and meant not in subject.front.fields:
            yield Hit(
                field.line, f"The field {name!r} is ignored; {meant!r} is the one that is read."
            )


CHECK = Check(
    code="SK022",
    id="MISSPELT_FIELD",
    family="front matter",
    level="warning",
    title="Field name is misspelt",
    why="A misspelt field is silently ignored: the skill loads, and does not do what was asked.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Write the field as it is documented.",
    bad=skill("user_invocable: false\n"),
    good=skill("user-invocable: false\n"),
    find=find,
)
