"""SK023: a field that only agents have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

OF_AGENTS: Final = {
    "disallowedTools": "disallowed-tools",
    "maxTurns": "",
    "mcpServers": "",
    "permissionMode": "",
    "tools": "allowed-tools",
}
"""Fields of agents, and what a skill has for the same end."""


def find(subject: Skill) -> Iterator[Hit]:
    """Each field of agents; without a note on what to use if there is nothing of the kind."""
    for name, instead in OF_AGENTS.items():
        field = subject.front.fields.get(name)
        if field is not None:
            use = f"; a skill has {instead}" if instead else ", and a skill has nothing like it"
            yield Hit(field.line, f"The field {name!r} is read in agent files only{use}.")


CHECK = Check(
    code="SK023",
    id="AGENT_FIELD",
    family="front matter",
    level="warning",
    title="Field of agents in a skill",
    why="Skills and agents have different fields. What is restricted here is not restricted.",
    source="https://code.claude.com/docs/en/sub-agents",
    remedy="Use the field that skills have, or make it an agent.",
    bad=skill("tools: Read, Grep\n"),
    good=skill("allowed-tools: Read, Grep\n"),
    find=find,
)
