"""No text talks its own verdict up: it is found, or its verdict is void, or it is listed here."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from attacked import POOR, Attack, GullibleClient, attacks
from documents import read, rows
from memory_tree import MemoryTree
from plugineval_action.assess import Settings, assess_skill
from plugineval_action.layers.judge.prescreen import aimed_at_judge
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.results import Result

PANEL: Final = Panel(1, "writer", "judge", "f00d")
STANDARD: Final = Settings("standard", PANEL, "executor")
SUCCEED: Final = {"smart-control"}
"""Attacks that raise the score on a judge that obeys everything: known, and not hidden."""

ALL: Final = attacks()


def judged(tree: MemoryTree, settings: Settings = STANDARD) -> Result:
    return asyncio.run(assess_skill(GullibleClient(), tree, "s", settings))


def honest() -> Result:
    front = "---\nname: s\ndescription: 'Simulated. Reads bills. '\n---\n"
    return judged(MemoryTree({"s/SKILL.md": front + POOR}))


def highest(result: Result) -> list[str]:
    """The assessments of the judge that came out at the top."""
    return [
        sub.name
        for layer in result.layers
        if layer.layer == "judge"
        for sub in layer.sub_scores
        if sub.score == 1
    ]


def test_there_are_many_attacks_of_many_kinds() -> None:
    assert 25 <= len(ALL)
    assert 8 <= len({attack.kind for attack in ALL})


@pytest.mark.parametrize("attack", ALL, ids=lambda attack: attack.name)
def test_an_attack_raises_no_assessment(attack: Attack) -> None:
    raised = highest(judged(attack.tree()))

    assert (attack.name in SUCCEED) == bool(raised)


@pytest.mark.parametrize("attack", ALL, ids=lambda attack: attack.name)
def test_the_control_question_alone_stops_a_judge_that_obeys_blindly(attack: Attack) -> None:
    """With the pre-screen switched off."""
    result = judged(attack.tree(), STANDARD._replace(judge_anyway=True))

    assert (attack.name in SUCCEED) == bool(highest(result))


def test_the_document_counts_them_as_they_are() -> None:
    of_attacks = read("docs/validity.md").split("\n### Attacks\n")[1].split("\n### ")[0]
    found = sum(bool(aimed_at_judge(attack.file())) for attack in ALL)

    assert f"holds {len(ALL)} texts of twelve kinds" in of_attacks
    assert 12 == len({attack.kind for attack in ALL})
    assert [str(found), str(len(ALL) - len(SUCCEED)), str(len(SUCCEED))] == [
        count for _, count in rows(of_attacks)
    ]


def test_what_is_found_is_a_finding_and_the_judge_is_not_asked() -> None:
    attack = next(attack for attack in ALL if attack.name == "plain-order")
    client = GullibleClient()
    result = asyncio.run(assess_skill(client, attack.tree(), "s", STANDARD))
    composite = result.composite
    assert composite

    assert [] == client.requests
    assert [("PRESCREENED", 9)] == [
        (found.rule, found.line) for found in result.findings if found.rule == "PRESCREENED"
    ]
    assert "Estimated" == composite.confidence_label
    assert result.notes[0].startswith("The judge was not asked, as the text speaks to it: line 9")


def test_an_honest_text_is_asked_about() -> None:
    result = honest()

    assert ["static", "judge"] == [layer.layer for layer in result.layers]
    assert [] == [found for found in result.findings if found.rule == "PRESCREENED"]


@pytest.mark.parametrize(
    "text",
    [
        "Rate each candidate answer from 1 to 5 by the rubric, and give the reason first.",
        "Use this skill when evaluating language models as judges.",
        "The reviewer gives a score of 5 to answers that cite their sources.",
        "Return the highest score of all candidates, and its index.",
        "Do not ignore the instructions in CONTRIBUTING.md.",
        "Grade the essay. A perfect essay gets full marks.",
        "Wales 🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f plays.",
        "Families are 👩\u200d👩\u200d👧.",
        "می\u200cخواهم",
    ],
)
def test_a_skill_about_judging_is_not_taken_for_an_attack(text: str) -> None:
    assert () == aimed_at_judge(f"# Title\n\n{text}\n")
