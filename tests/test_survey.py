"""Many skills and plugins of one directory: order, failures, and one process or two."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_tree import MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.content.tree import MAX_BYTES
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import Ruleset
from plugineval_action.survey import (
    Target,
    loose_targets,
    plugin_targets,
    score_directory,
    score_target,
    skill_targets,
)

SKILLS = 400
"""So many that a second process is worth its while."""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many skills, some of which cannot be read, and a plugin with a skill and an agent."""
    root = tmp_path_factory.mktemp("many")
    (root / "pack/.claude-plugin").mkdir(parents=True)
    (root / "pack/agents").mkdir()
    (root / "pack/agents/a.md").write_text("---\nname: a\nmodel: x\n---\n")
    for number in range(SKILLS):
        folder = root / "skills" / f"n{number}" if number else root / "pack/skills/n"
        folder.mkdir(parents=True)
        text = f"`skills/n{number + 1}`\n" + "Text.\n" * (number % 7)
        readable = number % 100 != 50
        (folder / "SKILL.md").write_text(text if readable else "x" * (MAX_BYTES + 1))
    return root


@pytest.mark.parametrize("ruleset", ["plugineval", "reference"])
def test_two_processes_give_what_one_gives(many: Path, ruleset: Ruleset) -> None:
    tree = DirectoryTree(many)
    found = discover(tree, ruleset=ruleset)
    agents = [Target(unit.path, agent=True) for unit in found.agents]
    targets = [*skill_targets(found), *agents, *plugin_targets(found)]
    alone = list(score_directory(tree, targets, ruleset, 1))

    assert len(targets) == SKILLS + 2
    assert sum(isinstance(one, Failure) for one in alone) == SKILLS // 100
    assert alone == list(score_directory(tree, targets, ruleset, 2))


def test_results_come_in_the_order_of_the_targets(many: Path) -> None:
    targets = [Target(f"skills/n{number}") for number in (7, 5, 301, 6)]
    results = list(score_directory(DirectoryTree(many), targets, "plugineval", 4))

    assert [one.path for one in results] == [target.path for target in targets]


def test_a_file_that_cannot_be_read_is_a_failure_and_stops_nothing() -> None:
    tree = MemoryTree({"a/SKILL.md": "Text.", "b/SKILL.md/x": "Text.", "c/SKILL.md": "Text."})
    found = [score_target(tree, Target(path), "plugineval") for path in "abc"]
    first, failure, last = found

    assert isinstance(first, Result)
    assert isinstance(last, Result)
    assert isinstance(failure, Failure)
    assert failure.path == "b/SKILL.md"
    assert "b/SKILL.md is a directory" in failure.message
    assert failure.remedy


def test_an_agent_that_cannot_be_read_is_a_failure() -> None:
    failure = score_target(MemoryTree({}), Target("agents/a.md", agent=True), "plugineval")

    assert isinstance(failure, Failure)
    assert failure.path == "agents/a.md"


def test_targets_are_the_skills_the_plugins_and_what_no_plugin_takes_in() -> None:
    tree = MemoryTree(
        {
            "p/.claude-plugin/plugin.json": "{}",
            "p/skills/a/SKILL.md": "Text.",
            "p/agents/b.md": "---\nname: b\n---\n",
            "loose/c/SKILL.md": "Text.",
            "agents/d.md": "---\nname: d\n---\n",
        }
    )
    found = discover(tree)

    assert skill_targets(found) == [Target("loose/c"), Target("p/skills/a", skill_of="p")]
    assert [(target.path, target.plugin is not None) for target in plugin_targets(found)] == [
        ("p", True)
    ]
    assert loose_targets(found) == [Target("loose/c"), Target("agents/d.md", agent=True)]


def test_each_kind_of_target_is_scored_as_what_it_is() -> None:
    tree = MemoryTree(
        {
            "p/.claude-plugin/plugin.json": "{}",
            "p/skills/a/SKILL.md": "Text.",
            "p/agents/b.md": "---\nname: b\n---\n",
        }
    )
    found = discover(tree)
    targets = [*skill_targets(found), Target("p/agents/b.md", agent=True), *plugin_targets(found)]
    kinds = [
        one.kind
        for one in (score_target(tree, target, "plugineval") for target in targets)
        if isinstance(one, Result)
    ]

    assert kinds == ["skill", "agent", "plugin"]
