"""The questions of the judge, as requests. Pure: the same skill and nonce, the same requests.

Order of a request: the rules about data, the rubrics, the skill between its marks (all of it
cached, as it is the same for every question about the skill), and last what is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from plugineval_action.layers.judge import delimiters
from plugineval_action.layers.judge.rubrics import CRITERIA, VERSION, rubric
from plugineval_action.layers.judge.shown import Shown
from plugineval_action.layers.judge.verdict import SCHEMA, Key, control
from plugineval_action.llm.client import Message, Request, Text

OF_SKILL: Final = ("orchestration_fitness", "scope_calibration")
RUBRICS: Final = (*OF_SKILL, "output_quality")
TASKS: Final = 3
"""Imagined tasks that the output is rated on."""

_MAX_TOKENS: Final = 6_000


class Panel(NamedTuple):
    """Who judges: how often, and by which models (ids).

    `writer` is the cheap one, which writes and predicts prompts and rates replies; `judge` rates
    the skill. `nonce` marks foreign text as data.
    """

    judges: int
    writer: str
    judge: str
    nonce: str


class Question(NamedTuple):
    """A request for a verdict, and the ratings that it asks for."""

    assessment: str
    request: Request
    asked: tuple[Key, ...]


def on_skill(shown: Shown, assessment: str, panel: Panel, judge: int) -> Question:
    """The question by one of the first two rubrics; `judge` counts from 1."""
    words = (
        f"Rate the skill by the rubric `{assessment}`. Subject: `skill`. Criterion: `{assessment}`."
    )
    identity = "\0".join((shown.digest, assessment, str(judge)))
    request = _request(shown, f"judge.{assessment}", words, panel, identity)
    return Question(assessment, request, (("skill", assessment),))


def on_output(shown: Shown, tasks: Sequence[str], panel: Panel, judge: int) -> Question:
    """The question about imagined output; the tasks were written by a model, so they are data."""
    listed = "\n".join(f"task {number}: {task}" for number, task in enumerate(tasks, start=1))
    words = (
        "Rate by the rubric `output_quality` what following the skill would most likely give on "
        f"each of these tasks:\n{delimiters.data(panel.nonce, listed)}\n"
        f"Subjects: `task 1` to `task {len(tasks)}`. Criteria for each: "
        f"{', '.join(f'`{criterion}`' for criterion in CRITERIA)}."
    )
    asked = tuple(
        (f"task {number}", criterion)
        for number in range(1, len(tasks) + 1)
        for criterion in CRITERIA
    )
    identity = "\0".join((shown.digest, "output_quality", str(judge), listed))
    request = _request(shown, "judge.output_quality", words, panel, identity)
    return Question("output_quality", request, asked)


def _request(shown: Shown, purpose: str, words: str, panel: Panel, identity: str) -> Request:
    question = Text(f"{words}\n{control(identity).question}")
    skill = Text(delimiters.skill_data(panel.nonce, shown), cached=True)
    return Request(
        model=panel.judge,
        system=(Text(f"{delimiters.rules(panel.nonce)}\n\n{_all_rubrics()}"),),
        messages=(Message("user", (skill, question)),),
        purpose=purpose,
        version=VERSION,
        identity=identity,
        max_tokens=_MAX_TOKENS,
        schema=SCHEMA,
        effort="medium",
    )


def _all_rubrics() -> str:
    return "\n".join(map(rubric, RUBRICS))
