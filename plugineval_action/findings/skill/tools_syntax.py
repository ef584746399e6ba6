"""SK036: allowed-tools that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Each of the two fields whose brackets do not pair."""
    for name in ("allowed-tools", "disallowed-tools"):
        text = subject.front.text(name)
        if text.count("(") != text.count(")"):
            message = f"The brackets of {name} do not pair: {shown(text, 60)}"
            yield Hit(subject.front.line(name), message)


CHECK = Check(
    code="SK036",
    id="TOOLS_SYNTAX",
    family="front matter",
    level="warning",
    title="Brackets of allowed-tools do not pair",
    why="A rule for a tool that cannot be read grants nothing.",
    source="https://code.claude.com/docs/en/permissions",
    remedy="Write each rule as Tool or Tool(pattern), as in Bash(git log:*).",
    bad=skill("allowed-tools: Read, Bash(git log:*\n"),
    good=skill("allowed-tools: Read, Bash(git log:*)\n"),
    find=find,
)
