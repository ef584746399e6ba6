"""IN005: a description stuffed with what is looked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import SKILL_PATH, Check, Hit, skill
from plugineval_action.findings.integrity.example_skill import BODY
from plugineval_action.findings.subject import Skill

MOST_TRIGGERS: Final = 4
_STEMS: Final = ("use", "trigger", "proactively", "load", "invoke")
MOST_OF_ONE: Final = 0.4
LEAST_OF_ONE: Final = 6
_TRIGGER = re.compile(
    r"\b(?:use (?:this )?(?:skill )?(?:when|after|before|whenever|proactively)|always use"
    r"|triggers? (?:when|on)|proactively|auto-?loads? (?:when|on)|automatically invoke)"
)
_COMMON_TEXT: Final = """
the and for when use this with skill that are from you your any all
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())


def find(subject: Skill) -> Iterator[Hit]:
    """How often it says to be used, and the share of its commonest word."""
    text = f"{subject.description} {subject.front.text('when_to_use')}".lower()
    line = subject.front.line("description")
    stems = sum(map(text.count, _STEMS))
    asked = len(_TRIGGER.findall(text)) if stems > MOST_TRIGGERS else 0
    if asked > MOST_TRIGGERS:
        yield Hit(line, f"The description asks {asked} times to be used.")
    every = text.split()
    if len(every) - len(set(every)) < LEAST_OF_ONE - 1:
        return  # no word is there often enough
    words = [word for word in every if len(word) > 2 and word not in _COMMON]
    if len(words) >= LEAST_OF_ONE:
        word, count = Counter(words).most_common(1)[0]
        if count >= LEAST_OF_ONE and count >= MOST_OF_ONE * len(words):
            yield Hit(
                line, f"{count} of {len(words)} words of the description are {shown(word, 30)!r}."
            )


CHECK = Check(
    code="IN005",
    id="STUFFED_DESCRIPTION",
    family="integrity",
    level="warning",
    title="Description is stuffed",
    why="Repeating what a router looks for takes prompts from skills that would do them better.",
    source="https://arxiv.org/abs/2608.12610",
    remedy="Say once what the skill does, and once when to use it.",
    bad={SKILL_PATH: "---\nname: release-notes\ndescription: Use when releasing. Use proactively. "
         "Always use it. Use this skill when tagging. Use when asked, use before and use after. "
         f"Triggers on all.\n---\n\n{BODY}"},
    good=skill(body=BODY),
    find=find,
    withholds=True,
)  # fmt: skip
