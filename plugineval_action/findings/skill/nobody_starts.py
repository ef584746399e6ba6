"""SK033: a skill that neither the model nor a person can start."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_YES = {"true", "yes", "on", "1"}
_NO = {"false", "no", "off", "0"}


def find(subject: Skill) -> Iterator[Hit]:
    """Both ways shut."""
    front = subject.front
    model = front.text("disable-model-invocation").lower() in _YES
    if model and front.text("user-invocable").lower() in _NO:
        message = (
            "disable-model-invocation keeps the model from starting the skill, and "
            "user-invocable: false the user, so that nobody can."
        )
        yield Hit(front.line("user-invocable"), message)


CHECK = Check(
    code="SK033",
    id="NOBODY_STARTS_IT",
    family="front matter",
    level="error",
    title="Neither the model nor a person can start the skill",
    why="One field keeps the model from using the skill, the other one everybody else.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Remove one of the two fields.",
    bad=skill("disable-model-invocation: true\nuser-invocable: false\n"),
    good=skill("disable-model-invocation: true\n"),
    find=find,
    profiles=("claude-code",),
)
