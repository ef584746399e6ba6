"""SK028: a description that the open format refuses."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.profiles import DESCRIPTION_LIMIT
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """The description: its length, and angle brackets where they are refused."""
    text, line = subject.front.text("description"), subject.front.line("description")
    if len(text) > DESCRIPTION_LIMIT:
        yield Hit(
            line, f"The description has {len(text):,} characters, over {DESCRIPTION_LIMIT:,}."
        )
    if not subject.profile.markup and ("<" in text or ">" in text):
        yield Hit(line, "The description holds angle brackets, which are refused.")


CHECK = Check(
    code="SK028",
    id="DESCRIPTION_LIMIT",
    family="front matter",
    level="error",
    title="Description breaks the limits of the open format",
    why="Readers that keep to the open format refuse a description over 1,024 characters.",
    source="https://agentskills.io/specification",
    remedy="Keep what the skill does and when to use it; move the rest into the body.",
    bad={"skills/release-notes/SKILL.md": "---\nname: release-notes\ndescription: Use when "
         f"{'a release is tagged, or ' * 50}on request.\n---\n"},
    good=skill(),
    find=find,
    profiles=("agentskills", "claude-ai-upload", "codex"),
)  # fmt: skip
