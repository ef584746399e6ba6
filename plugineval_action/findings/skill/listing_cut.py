"""SK029: a description that is cut where skills are listed."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.profiles import LISTING_LIMIT
from plugineval_action.findings.subject import Skill

_SHOWN = 120


def find(subject: Skill) -> Iterator[Hit]:
    """Description and when_to_use together, with the text that is lost."""
    front = subject.front
    told = " ".join(filter(None, (subject.description, front.text("when_to_use").strip())))
    lost = told[LISTING_LIMIT:]
    if lost:
        message = (
            f"Description and when_to_use have {len(told):,} characters, and Claude Code lists the "
            f"first {LISTING_LIMIT:,}. The model never sees: {shown(lost.strip(), _SHOWN)}"
        )
        yield Hit(front.line("description"), message)


CHECK = Check(
    code="SK029",
    id="LISTING_CUT",
    family="front matter",
    level="warning",
    title="Description is cut in the listing",
    why="Claude Code lists 1,536 characters of a skill; what follows cannot help to choose it.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Put what decides first, and move the rest into the body.",
    bad={"skills/release-notes/SKILL.md": "---\nname: release-notes\ndescription: Use when "
         f"{'a release is tagged, or ' * 70}on request.\n---\n"},
    good=skill(),
    find=find,
    profiles=("claude-code",),
)  # fmt: skip
