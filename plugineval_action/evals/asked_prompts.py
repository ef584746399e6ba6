"""Prompts as users would write them, from a model: better than those that a draft makes up."""

from __future__ import annotations

from typing import Final

from plugineval_action.content.skill import SkillSource
from plugineval_action.evals.marks import new_nonce
from plugineval_action.layers.judge.prompts import Prompts, read_writing, writing
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.shown import show
from plugineval_action.llm.client import Client, Unmeasured
from plugineval_action.rulesets import DEFAULT

EACH: Final = 6
"""Prompts that should load the skill, and as many near misses."""


async def asked_prompts(source: SkillSource, model: str, client: Client) -> Prompts | str:
    """Prompts for a skill, from what a harness lists of it; or why there are none."""
    panel = Panel(1, model, model, new_nonce())
    answer = await client.ask(writing(show(source, DEFAULT), panel, 0, EACH))
    if isinstance(answer, Unmeasured):
        return answer.detail
    found = read_writing(answer.data, EACH)
    return found if isinstance(found, Prompts) else found.why
