"""SK037: allowed-tools that grant everything."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_BROAD = re.compile(r"(?<![\w:*(.-])(?:Bash(?:\(\s*(?:\*|:\*|\*:\*)?\s*\))?|\*)(?![\w:*().-])")
_IN_BRACKETS = re.compile(r"\([^()]*\)")


def find(subject: Skill) -> Iterator[Hit]:
    """Bash without a pattern, or every tool."""
    text = subject.front.text("allowed-tools")
    if "Bash" in text or "*" in text:
        plain = _IN_BRACKETS.sub(
            lambda part: part[0] if part[0].strip("(*: )") == "" else "(…)", text
        )
        found = _BROAD.search(plain)
        if found:
            what = "every tool" if found[0] == "*" else "every shell command"
            message = f"{found[0]} in allowed-tools grants {what}, without asking."
            yield Hit(subject.front.line("allowed-tools"), message)


CHECK = Check(
    code="SK037",
    id="BROAD_TOOLS",
    family="hygiene",
    level="note",
    title="allowed-tools grants everything",
    why="allowed-tools does not restrict: it lists what runs without asking.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Name the commands that are needed, as in Bash(git log:*).",
    bad=skill("allowed-tools: Read, Bash\n"),
    good=skill("allowed-tools: Read, Bash(git log:*)\n"),
    find=find,
    ignore="If the skill really runs commands that cannot be told beforehand.",
)
