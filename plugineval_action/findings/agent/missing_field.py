"""AG001: an agent without name or description."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.subject import Agent

GOOD = (
    "---\nname: notes-writer\ndescription: Writes release notes. Use proactively for tags.\n---\n"
)
PATH = "plugins/p/agents/notes-writer.md"
PLUGIN = {"plugins/p/.claude-plugin/plugin.json": '{"name": "p"}\n'}


def find(agent: Agent) -> Iterator[Hit]:
    """Each of the two required fields that is absent or empty."""
    if agent.front.readable and agent.front.source:
        for name in ("name", "description"):
            if not agent.front.text(name).strip():
                yield Hit(agent.front.line(name), f"The field {name} is missing; agents need it.")


CHECK = Check(
    code="AG001",
    id="AGENT_MISSING_FIELD",
    family="agents",
    level="error",
    title="Agent without name or description",
    why="Both are required: without them the agent is not loaded, or never chosen.",
    source="https://code.claude.com/docs/en/sub-agents",
    remedy="Add the field.",
    bad={PATH: "---\nname: notes-writer\n---\n\nWrite the notes.\n", **PLUGIN},
    good={PATH: f"{GOOD}\nWrite the notes.\n", **PLUGIN},
    find=find,
    profiles=("claude-code",),
)
