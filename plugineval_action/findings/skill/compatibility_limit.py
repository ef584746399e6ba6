"""SK035: a field compatibility that is too long."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.profiles import COMPATIBILITY_LIMIT
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Its length."""
    length = len(subject.front.text("compatibility"))
    if length > COMPATIBILITY_LIMIT:
        message = f"compatibility has {length:,} characters, over {COMPATIBILITY_LIMIT}."
        yield Hit(subject.front.line("compatibility"), message)


CHECK = Check(
    code="SK035",
    id="COMPATIBILITY_LIMIT",
    family="front matter",
    level="warning",
    title="Field compatibility is too long",
    why="The open format allows 500 characters; strict readers refuse the skill.",
    source="https://agentskills.io/specification",
    remedy="Name what the skill needs in one sentence, and explain it in the body.",
    bad=skill(f"compatibility: Needs {'git, ' * 100}and make.\n"),
    good=skill("compatibility: Needs git and make.\n"),
    find=find,
)
