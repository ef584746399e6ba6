"""AG003: a field of skills, or a misspelt one, in an agent."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.agent.missing_field import GOOD, PATH, PLUGIN
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.near import near_field
from plugineval_action.findings.profiles import AGENT_FIELDS
from plugineval_action.findings.subject import Agent

_OF_SKILLS = {"allowed-tools": "tools", "disallowed-tools": "disallowedTools"}


def find(agent: Agent) -> Iterator[Hit]:
    """Each field with another name in agents."""
    fields = agent.front.fields
    for name in fields:
        meant = _OF_SKILLS.get(name) or near_field(name, AGENT_FIELDS)
        if meant and meant not in fields:
            message = f"The field {name!r} is ignored; in agents it is {meant!r}."
            yield Hit(agent.front.line(name), message)


CHECK = Check(
    code="AG003",
    id="AGENT_FIELD_NAME",
    family="agents",
    level="warning",
    title="Field has another name in agents",
    why="An agent whose list of tools is ignored gets all of them.",
    source="https://code.claude.com/docs/en/sub-agents",
    remedy="Use the name that the message gives.",
    bad={PATH: GOOD.replace("\n---\n", "\nallowed-tools: Read\n---\n"), **PLUGIN},
    good={PATH: GOOD.replace("\n---\n", "\ntools: Read\n---\n"), **PLUGIN},
    find=find,
    profiles=("claude-code",),
)
