"""Badges cannot be bought: forms that are filled with nothing lose theirs, honest ones never do."""

from __future__ import annotations

from collections import Counter

import pytest

from corpus import marketplaces, needs_corpus
from gaming import KINDS, Gaming, gaming_skills, honest_skills
from gaming_held_out import held_out_skills
from memory_tree import MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.content.plugin import read_plugin
from plugineval_action.evaluate import score_plugin, score_skill
from plugineval_action.findings.withheld import reasons
from plugineval_action.results import Result
from plugineval_action.rulesets import Ruleset
from plugineval_action.scoring import bands

GAMING = list(gaming_skills())
HELD_OUT = list(held_out_skills())


def scored(skill: Gaming, ruleset: Ruleset = "plugineval") -> Result:
    files = {f"{skill.name}/{path}": text for path, text in skill.files.items()}
    return score_skill(MemoryTree(files), skill.name, ruleset=ruleset)


def badge(result: Result) -> str:
    assert result.composite is not None
    return result.composite.badge


def test_the_set_has_over_forty_skills_of_over_ten_kinds_and_each_scores_for_a_badge() -> None:
    scores = [result.composite.score for result in map(scored, GAMING) if result.composite]

    assert len(GAMING) >= 40
    assert len(KINDS) >= 10
    assert len({tuple(skill.files.items()) for skill in GAMING}) == len(GAMING) == len(scores)
    assert min(scores) >= 60


def test_at_least_95_percent_of_gaming_skills_get_no_badge_and_of_each_kind_most() -> None:
    caught = Counter(skill.kind for skill in GAMING if badge(scored(skill)) == "withheld")

    assert caught.total() >= 0.95 * len(GAMING)
    assert min(caught[kind.__name__] for kind in KINDS) >= 3


def test_at_least_95_percent_of_the_once_held_out_kinds_get_no_badge() -> None:
    withheld = [skill.kind for skill in HELD_OUT if badge(scored(skill)) == "withheld"]

    assert len(withheld) >= 0.95 * len(HELD_OUT)


@pytest.mark.parametrize("skill", list(honest_skills()), ids=lambda skill: skill.name)
def test_the_same_form_filled_with_something_keeps_its_badge(skill: Gaming) -> None:
    result = scored(skill)

    assert badge(result) == "gold"
    assert reasons(result) == ()


def test_a_withheld_badge_leaves_the_number_and_every_reason_is_one_sentence() -> None:
    for skill in [*GAMING, *HELD_OUT]:
        result = scored(skill)
        assert result.composite is not None

        assert bands.badge(result.composite.score) != "no_badge"
        assert all(note.message.isprintable() for note in reasons(result))
        assert all(note.message.count(". ") == 0 for note in reasons(result))


def test_the_reference_ruleset_gives_the_badge_that_was_published() -> None:
    result = scored(GAMING[0], "reference")
    assert result.composite is not None

    assert badge(result) == bands.badge(result.composite.score)


def test_what_is_below_every_badge_is_not_called_withheld() -> None:
    text = (
        "---\nname: s\ndescription: x\n---\n\n" + "Lorem ipsum dolor sit amet elit enim sint. " * 40
    )
    result = score_skill(MemoryTree({"s/SKILL.md": text}), "s")

    assert badge(result) == "no_badge"
    assert reasons(result)


def test_a_plugin_with_a_gaming_skill_gets_no_badge() -> None:
    skill = GAMING[0]
    files = {f"p/skills/{skill.name}/{path}": text for path, text in skill.files.items()}
    tree = MemoryTree({"p/.claude-plugin/plugin.json": '{"name": "p"}', **files})
    result = score_plugin(tree, read_plugin(tree, "p", ruleset="plugineval"))

    assert badge(result) == "withheld"
    assert {note.path for note in reasons(result)} == {f"p/skills/{skill.name}/SKILL.md"}


@needs_corpus
def test_at_most_one_in_two_hundred_real_skills_loses_its_badge() -> None:
    withheld, total = [], 0
    for root in marketplaces():
        tree = DirectoryTree(root)
        for unit in discover(tree).skills:
            total += 1
            if reasons(score_skill(tree, unit.path, plugin=unit.plugin)):
                withheld.append(f"{root.name}/{unit.path}")

    assert len(withheld) <= 0.005 * total, withheld
