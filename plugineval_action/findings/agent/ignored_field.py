"""AG002: a field that agents of plugins do not have."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.agent.missing_field import GOOD, PATH, PLUGIN
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.subject import Agent


def find(agent: Agent) -> Iterator[Hit]:
    """Each of the three, if a plugin is around the agent."""
    if agent.plugin is None:
        return
    for name in ("hooks", "mcpServers", "permissionMode"):
        if name in agent.front.fields:
            message = f"{name} is ignored in an agent of a plugin, for security."
            yield Hit(agent.front.line(name), message)


CHECK = Check(
    code="AG002",
    id="PLUGIN_AGENT_FIELD",
    family="agents",
    level="warning",
    title="Field that agents of plugins do not have",
    why="Claude Code ignores hooks, mcpServers and permissionMode in agents that a plugin brings.",
    source="https://code.claude.com/docs/en/sub-agents",
    remedy="Move hooks and servers to the plugin itself; leave permissions to the user.",
    bad={PATH: GOOD.replace("\n---\n", "\npermissionMode: plan\n---\n"), **PLUGIN},
    good={PATH: GOOD, **PLUGIN},
    find=find,
    profiles=("claude-code",),
)
