"""SK030: what stricter targets would refuse, as one hint."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.profiles import DESCRIPTION_LIMIT, PROFILES, SPECIFIED
from plugineval_action.findings.skill.name_rules import broken_name
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """One note with every reason."""
    if subject.front.readable and subject.front.source:
        reasons = list(_reasons(subject))
        if reasons:
            yield Hit(1, f"An upload to claude.ai would refuse this skill: {'; '.join(reasons)}.")


def _reasons(subject: Skill) -> Iterator[str]:
    front = subject.front
    name, description = front.text("name"), front.text("description")
    other = sorted(front.fields.keys() - SPECIFIED)
    if other:
        yield f"it takes six fields only, and not {shown(', '.join(other))}"
    why = broken_name(name)
    if why:
        yield why
    words = PROFILES["claude-ai-upload"].words
    yield from (f"the name holds {word!r}" for word in words if word in name.lower())
    if len(description) > DESCRIPTION_LIMIT:
        yield f"the description has {len(description):,} characters, over {DESCRIPTION_LIMIT:,}"
    if "<" in description or ">" in description:
        yield "the description holds angle brackets"


CHECK = Check(
    code="SK030",
    id="REFUSED_ELSEWHERE",
    family="front matter",
    level="note",
    title="An upload to claude.ai would refuse the skill",
    why="The upload takes the six fields of the open format and its limits, nothing more.",
    source="https://github.com/anthropics/skills/blob/main/skills/skill-creator/scripts/quick_validate.py",
    remedy="Nothing to do for Claude Code; for an upload, keep to what the message names.",
    bad=skill("argument-hint: '[tag]'\n"),
    good=skill(),
    find=find,
    profiles=("claude-code",),
    ignore="If the skill is only for Claude Code.",
)
