"""From a tree to a Result: skills, agents, plugins, and what cannot be scored."""

from __future__ import annotations

from math import fsum

import pytest

from memory_tree import SYMLINK, MemoryTree
from plugineval_action.content.plugin import read_plugin
from plugineval_action.errors import ContentError
from plugineval_action.evaluate import score_plugin, score_skill
from plugineval_action.results import Result
from plugineval_action.rulesets import Ruleset
from skills import HOME, Files, beside, flags, repository, rules, score, skill_text

both = pytest.mark.parametrize("ruleset", ["plugineval", "reference"])

AGENT = "---\nname: a\ndescription: Reads the bills of a house and its garden.\nmodel: x\n---\n"
MANIFEST = "p/.claude-plugin/plugin.json"


def _plugin(files: Files, ruleset: Ruleset = "plugineval") -> Result:
    tree = MemoryTree({MANIFEST: '{"name": "pack"}', **files})
    return score_plugin(tree, read_plugin(tree, "p", ruleset=ruleset), ruleset=ruleset)


@pytest.mark.parametrize(
    ("ruleset", "named"), [("plugineval", "plugineval/1"), ("reference", "reference/0.1.0")]
)
def test_every_result_names_its_ruleset_and_version(ruleset: Ruleset, named: str) -> None:
    files = {"p/skills/s/SKILL.md": skill_text(), "p/agents/a.md": AGENT}
    result = _plugin(files, ruleset)

    assert [named] * 3 == [one.ruleset for one in (result, *result.members)]


@both
@pytest.mark.parametrize(
    ("front", "name"),
    [("name: reader\n", "reader"), ("name: ''\n", "s"), ("", "s"), ("name:\n", "s")],
)
def test_a_skill_goes_by_its_name_or_that_of_its_directory(
    front: str, name: str, ruleset: Ruleset
) -> None:
    result = score(skill_text("", front), ruleset=ruleset)

    assert (result.kind, result.name, result.path) == ("skill", name, HOME)


@both
def test_a_skill_at_the_root_is_named_like_its_repository(ruleset: Ruleset) -> None:
    result = score_skill(
        MemoryTree({"SKILL.md": "Text."}, "/somewhere/reader"), "", ruleset=ruleset
    )

    assert (result.name, result.path) == ("reader", "")


@both
def test_a_score_has_its_lines_its_label_and_no_reason_to_be_unscored(ruleset: Ruleset) -> None:
    result = score(skill_text("a\nb"), ruleset=ruleset)

    assert result.layers[0].metadata["line_count"] == 6
    assert result.composite is not None
    assert result.composite.confidence_label == "Estimated"
    assert result.unscored is None


def test_findings_come_content_first_and_portability_last() -> None:
    text = "\ufeff" + skill_text("Use `Bash`.\0", "name: 7\nname: 8\n")
    result = score(text, beside("assets"))

    assert rules(result) == [
        "BYTE_ORDER_MARK",
        "NUL_BYTES",
        "EXPECTED_DIRECTORY",
        "DUPLICATE_KEY",
        "NON_STRING_FIELD",
        "CLAUDE_TOOL_REFS",
    ]


def test_findings_name_the_lines_they_are_about() -> None:
    front = "name: s\nlicense: é\ndescription: 7\nname: s\n"
    text = skill_text("\nText.\na\0b\nUse `Bash`.\nThe Read tool.\n", front)
    found = {one.rule: one.line for one in score(text).findings}

    assert found == {
        "NUL_BYTES": 9,
        "DUPLICATE_KEY": 5,
        "NON_STRING_FIELD": 4,
        "CLAUDE_TOOL_REFS": 10,
        "CLAUDE_TOOL_PROSE": 11,
    }


@both
@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "not there"),
        ({"s/SKILL.md/x": "Text."}, "is a directory"),
        ({"s/SKILL.md": SYMLINK}, "symbolic link"),
        ({"s/skill.md": "Text."}, "not there"),
        ({"s": "Text."}, "not there"),
    ],
)
def test_a_skill_that_cannot_be_read_is_refused_by_name(
    files: Files, why: str, ruleset: Ruleset
) -> None:
    with pytest.raises(ContentError, match=why) as caught:
        score_skill(MemoryTree(files), "s", ruleset=ruleset)

    assert caught.value.path == "s/SKILL.md"
    assert "s/SKILL.md" in caught.value.message
    assert caught.value.remedy


@both
def test_the_same_text_has_the_same_result(ruleset: Ruleset) -> None:
    text = skill_text("`skills/gone` [a](references/a)\n\n```py js\n```\n")

    assert score(text, ruleset=ruleset) == score(text, ruleset=ruleset)


@both
def test_a_plugin_has_the_mean_of_its_members_skills_first(ruleset: Ruleset) -> None:
    files = {
        "p/agents/b.md": AGENT,
        "p/agents/a.md": "Text.\n",
        "p/skills/z/SKILL.md": skill_text("`skills/gone`\n"),
        "p/skills/Y/SKILL.md": "Text.\n",
    }
    result = _plugin(files, ruleset)
    layer = result.layers[0]
    scores = [member.layers[0].score for member in result.members]

    assert [member.path for member in result.members] == [
        "p/skills/Y",
        "p/skills/z",
        "p/agents/a.md",
        "p/agents/b.md",
    ]
    assert fsum(scores) / 4 == layer.score
    assert (result.kind, result.name, result.path) == ("plugin", "pack", "p")


@both
def test_the_penalty_of_a_plugin_counts_the_flags_of_all_its_skills(ruleset: Ruleset) -> None:
    files = {
        "p/skills/a/SKILL.md": skill_text("`skills/gone`\n"),
        "p/skills/b/SKILL.md": skill_text("`skills/gone`\n" + "MUST " * 16),
        "p/agents/a.md": "Text.\n",
    }
    result = _plugin(files, ruleset)

    assert result.composite is not None
    assert flags(result) == ["DEAD_CROSS_REF", "OVER_CONSTRAINED", "DEAD_CROSS_REF"]
    assert result.composite.anti_pattern_penalty == 1.0 - 0.05 * 3
    assert result.composite.score == pytest.approx(100 * result.layers[0].score * 0.85)
    assert [one.path for one in result.layers[0].anti_patterns] == [
        "p/skills/a/SKILL.md",
        "p/skills/b/SKILL.md",
        "p/skills/b/SKILL.md",
    ]


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "It has no skills or agents."),
        ({"p/commands/run.md": "Text."}, "It has no skills or agents, only commands."),
        (
            {"p/commands/run.md": "Text.", "p/hooks/hooks.json": "{}", "p/.mcp.json": "{}"},
            "It has no skills or agents, only commands, hooks, MCP servers.",
        ),
    ],
)
def test_a_plugin_with_nothing_to_score_is_not_scored(files: Files, why: str) -> None:
    result = _plugin(files)

    assert result.composite is None
    assert result.layers == ()
    assert why == result.unscored


def test_the_reference_gives_a_plugin_with_nothing_to_score_a_half() -> None:
    result = _plugin({}, "reference")

    assert result.composite is not None
    assert result.layers[0].score == 0.5
    assert result.composite.score == pytest.approx(50.0)


def _too_large() -> bytes:
    return b"x" * (1 << 20) + b"x"


@both
def test_a_member_that_cannot_be_read_is_named_and_left_out_of_the_mean(ruleset: Ruleset) -> None:
    good: Files = {"p/skills/a/SKILL.md": skill_text()}
    broken: Files = {"p/skills/b/SKILL.md": _too_large(), "p/agents/c.md": _too_large()}
    result = _plugin({**good, **broken}, ruleset)
    unread = [member for member in result.members if member.unscored and member.kind != "agent"]

    assert result.composite == _plugin(good, ruleset).composite
    assert [member.path for member in result.members] == [
        "p/skills/a",
        "p/skills/b",
        "p/agents/c.md",
    ]
    assert [member.composite for member in unread] == [None]
    assert "p/skills/b/SKILL.md is larger than 1024 KiB" in str(unread[0].unscored)


def test_a_plugin_whose_members_cannot_be_read_says_so() -> None:
    result = _plugin({"p/skills/b/SKILL.md": _too_large()})

    assert result.composite is None
    assert result.unscored == "None of its skills and agents can be read."


@both
def test_a_skill_in_a_plugin_scores_as_on_its_own(ruleset: Ruleset) -> None:
    files = {"p/skills/s/SKILL.md": skill_text("`skills/s` `skills/t`\n")}
    tree = MemoryTree({MANIFEST: "{}", **files})
    alone = score_skill(tree, "p/skills/s", plugin="p", ruleset=ruleset)

    assert (alone,) == _plugin(files, ruleset).members


def test_the_plugin_around_a_skill_is_where_its_neighbours_are_looked_up() -> None:
    text = skill_text("`agents/b.md`\n")
    tree = repository(text, {"plugins/own/agents/b.md": AGENT})

    assert flags(score_skill(tree, HOME, plugin="plugins/own")) == []
    assert flags(score_skill(tree, HOME)) == ["DEAD_CROSS_REF"]
