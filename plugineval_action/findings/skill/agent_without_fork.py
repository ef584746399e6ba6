"""SK034: an agent is named for a skill that does not run in one."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """The field agent without context: fork."""
    front = subject.front
    if front.text("agent") and "context" not in front.fields:
        yield Hit(front.line("agent"), "The field agent only counts together with context: fork.")


CHECK = Check(
    code="SK034",
    id="AGENT_WITHOUT_FORK",
    family="front matter",
    level="warning",
    title="Agent named without context: fork",
    why="Without context: fork the skill runs in the conversation, and the agent is ignored.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Add context: fork, or remove agent.",
    bad=skill("agent: Explore\n"),
    good=skill("context: fork\nagent: Explore\n"),
    find=find,
    profiles=("claude-code",),
)
