"""The documents are true: examples raise what they say, numbers are the code's, links lead on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from math import fsum
from pathlib import Path
from typing import Final

import pytest

from documents import ROOT, Files, broken_links, example, read, rows, section
from memory_tree import MemoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.evaluate import score_agent, score_skill
from plugineval_action.layers.judge import prescreen
from plugineval_action.layers.static.layer import WEIGHTS
from plugineval_action.results import Result
from plugineval_action.rules import RULES
from plugineval_action.rulesets import DEFAULT
from plugineval_action.scoring import bands
from plugineval_action.scoring.dimensions import DIMENSIONS
from plugineval_action.survey import Target, score_target

DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "examples/README.md"]

MEASURED: Final = {spec.static_source: spec for spec in DIMENSIONS if spec.static_source}
"""The dimensions that the static layer measures, by its sub-scores."""

SKILL = "---\nname: it\ndescription: {}\n---\n"
PART_OF_FLAG = {
    "EMPTY_DESCRIPTION": ("frontmatter_quality", "description length"),
    "BLOATED_SKILL": ("progressive_disclosure", "length"),
    "MISSING_TRIGGER": ("frontmatter_quality", "trigger phrase"),
    "OVER_CONSTRAINED": ("token_efficiency", "directives"),
}
DESCRIPTION_WITH: dict[str, Callable[[int], str]] = {
    "description length": lambda count: "x" * count,
    "use cases": lambda count: "Helps" + ", for all" * count,
}
BODY_WITH: dict[str, Callable[[int], str]] = {
    "length": lambda count: "x\n" * (count - SKILL.count("\n")),
    "headings": lambda count: "## One\n" * count,
    "code blocks": lambda count: "```\nx\n```\n" * count,
    "languages": lambda count: "".join(f"```{name}\nx\n```\n" for name in range(count)),
    "cross-references": lambda count: "".join(f"[](../{name}/SKILL.md)\n" for name in range(count)),
}


def raised(files: Files) -> set[str]:
    """The ids of all flags and findings anywhere in a tree."""
    tree = MemoryTree(files)
    found = discover(tree)
    targets = [Target(unit.path, unit.plugin) for unit in found.skills]
    targets += [Target(unit.path, agent=True) for unit in found.agents]
    targets += [Target(plugin.path, plugin=plugin) for plugin in found.plugins]
    scored = [score_target(tree, target, DEFAULT) for target in targets]
    results = [one for one in scored if isinstance(one, Result)]
    told = [found.findings, *(result.findings for result in results)]
    told += [holder.findings for holder in found.plugins]
    told += [holder.findings for holder in found.marketplaces]
    layers = [layer for result in results for layer in result.layers]
    flags = {flag.flag for layer in layers for flag in layer.anti_patterns}
    told += [
        prescreen.findings(prescreen.aimed_at_judge(_text(tree, result)), "")
        for result in results
        if result.kind == "skill"
    ]
    return flags | {note.rule for findings in told for note in findings}


def _text(tree: MemoryTree, result: Result) -> str:
    return tree.read(f"{result.path}/SKILL.md").decode("utf-8", "replace")


def stakes(result: Result) -> dict[tuple[str, str], float]:
    """What each part of each sub-score could still add."""
    return {
        (sub.name, part.name): part.best - part.points
        for sub in result.layers[0].sub_scores
        for part in sub.parts
        if part.best > part.points
    }


def worst_skill() -> Result:
    """A skill where nothing is right."""
    text = "---\nname:\ndescription:\n---\n" + "You MUST, MUST orchestrate.\n" * 900
    return score_skill(MemoryTree({"it/SKILL.md": text}), "it")


def points_at_stake() -> dict[tuple[str, str], float]:
    """The points of the composite that each part of a skill can bring."""
    points = {part: worth(part[0]) * stake for part, stake in stakes(worst_skill()).items()}
    return {part: stake for part, stake in points.items() if stake}


def worth(sub_score: str) -> float:
    """Points of a skill's composite that a whole sub-score is worth."""
    if sub_score not in MEASURED:
        return 0.0
    return 100 * MEASURED[sub_score].weight / fsum(spec.weight for spec in MEASURED.values())


def points_with(part: str, count: int) -> float:
    """What a part brings to the composite of a skill with so many of the things that it counts."""
    description = DESCRIPTION_WITH[part](count) if part in DESCRIPTION_WITH else "A sample."
    body = BODY_WITH[part](count) if part in BODY_WITH else ""
    files = {f"{name}/SKILL.md": "" for name in range(count)}
    result = score_skill(
        MemoryTree({"it/SKILL.md": SKILL.format(description) + body} | files), "it"
    )
    parts = {
        one.name: worth(sub.name) * one.points
        for sub in result.layers[0].sub_scores
        for one in sub.parts
    }
    return parts[part]


def worked_example() -> Result:
    tree = MemoryTree(example("docs/methodology.md", "example"))
    return score_skill(tree, "skills/release-notes")


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    pages = {path.stem for path in (ROOT / "docs/rules").glob("*.md")} - {"README"}

    assert RULES.keys() == pages


def test_the_list_of_rules_has_each_rule_with_its_level_and_title() -> None:
    expected = [[f"[{rule.id}]({rule.id}.md)", rule.level, rule.title] for rule in RULES.values()]

    assert expected == rows(read("docs/rules/README.md"))


@pytest.mark.parametrize("rule", RULES)
def test_the_page_of_a_rule_is_short_and_says_family_and_level(rule: str) -> None:
    lines = read(f"docs/rules/{rule}.md").splitlines()
    kind = f"*{RULES[rule].family.capitalize()}, {RULES[rule].level}.*"

    assert f"# {rule}" == lines[0]
    assert kind == lines[4][: len(kind)]
    assert 25 <= len(lines) <= 60


@pytest.mark.parametrize("rule", RULES)
def test_the_bad_example_of_a_rule_raises_it(rule: str) -> None:
    assert rule in raised(example(f"docs/rules/{rule}.md", "bad"))


@pytest.mark.parametrize("rule", RULES)
def test_the_good_example_of_a_rule_raises_nothing_at_all(rule: str) -> None:
    files = example(f"docs/rules/{rule}.md", "good")

    assert files
    assert set() == raised(files)


def test_the_dimensions_are_listed_with_their_weights() -> None:
    listed = rows(section("docs/methodology.md", "## Dimensions"))
    expected = [
        (spec.name, spec.weight, spec.static, spec.judge, spec.monte_carlo, spec.static_source)
        for spec in DIMENSIONS
    ]

    assert expected == [
        (name, *map(float, weights), None if source == "—" else source)
        for name, *weights, source in listed
    ]


def test_the_sub_scores_are_listed_with_their_weights_in_the_layer() -> None:
    listed = rows(section("docs/methodology.md", "## The static layer's score"))

    assert WEIGHTS == {name: float(weight) for name, weight in listed}


def test_badges_and_grades_are_listed_with_their_lines() -> None:
    listed = rows(section("docs/methodology.md", "## Badges and grades"))
    badges = [[bands.badge_name(name), f"{line:g}"] for name, line in bands.BADGES]
    grades = {cells[at]: float(cells[at + 1]) for cells in listed[5:] for at in range(0, 8, 2)}

    assert [*badges, ["No badge", "0"]] == listed[:5]
    assert dict(bands.GRADES) == grades


def test_the_worked_example_has_every_part_with_its_points() -> None:
    listed = rows(section("docs/methodology.md", "## A worked example"))[:-6]
    parts = [
        (sub.name, part.name, round(part.points, 9))
        for sub in worked_example().layers[0].sub_scores
        for part in sub.parts
    ]

    assert parts == [
        (sub, part, float(points.replace("−", "-"))) for sub, part, points, _ in listed
    ]


def test_the_worked_example_adds_up_as_it_says() -> None:
    text, result = section("docs/methodology.md", "## A worked example"), worked_example()
    composite = result.composite
    assert composite
    scores = {sub.name: sub.score for sub in result.layers[0].sub_scores}
    dimensions = [
        [spec.name, f"{scores[sub]:.2f}", f"{spec.weight:.2f}", f"{worth(sub) * scores[sub]:.4f}"]
        for sub, spec in MEASURED.items()
    ]
    score, before = composite.score, composite.score / composite.anti_pattern_penalty

    assert dimensions == rows(text)[-6:]
    assert f"Together that is {before:.4f}." in text
    assert f"composite {before:.4f} × 0.95 = **{score:.4f}**" in text
    assert f"shown as {bands.shown(score)}, {bands.badge_name(composite.badge)}." in text
    assert f"it would be shown as {bands.shown(before)}." in text
    assert f"is 0.95 × 0.6911 = {result.layers[0].score:.4f}." in text


def test_the_highest_composite_is_computed() -> None:
    best = fsum(
        worth(sub.name) * fsum(part.best for part in sub.parts)
        for sub in worst_skill().layers[0].sub_scores
    )

    assert f"can reach is {best:.1f}." in section("docs/methodology.md", "## The composite")


@pytest.mark.parametrize("sub_score", MEASURED)
def test_what_each_part_can_bring_is_computed_and_the_most_comes_first(sub_score: str) -> None:
    name = MEASURED[sub_score].name
    listed = rows(section("docs/improving-scores.md", f"### {name}"))
    brings = {part: points for part, points, *_ in listed}
    at_stake = {
        part: points for (sub, part), points in points_at_stake().items() if sub == sub_score
    }

    assert {part: f"{points:.1f}" for part, points in at_stake.items()} == brings
    assert sorted(brings.values(), key=float, reverse=True) == list(brings.values())


def test_the_dimension_with_the_most_points_at_stake_comes_first() -> None:
    total = defaultdict[str, float](float)
    for (sub_score, _), points in points_at_stake().items():
        total[MEASURED[sub_score].name] += points
    named = re.findall(r"^### (\w+)$", read("docs/improving-scores.md"), re.MULTILINE)

    assert sorted(total, key=lambda name: -total[name]) == named


def test_what_fixing_a_flag_brings_besides_is_computed_and_the_most_comes_first() -> None:
    listed = rows(section("docs/improving-scores.md", "## Flags first"))
    brings = {flag[1:].partition("]")[0]: points for flag, _, points, _ in listed}
    flags = [rule.id for rule in RULES.values() if rule.family == "anti-pattern"]
    at_stake = points_at_stake()
    expected = {flag: at_stake.get(PART_OF_FLAG.get(flag, ("", "")), 0) for flag in flags}

    assert {flag: f"{points:.1f}" for flag, points in expected.items()} == brings
    assert sorted(brings.values(), key=float, reverse=True) == list(brings.values())


@pytest.mark.parametrize(
    ("part", "start", "points"), rows(section("docs/improving-scores.md", "## Steps"))
)
def test_each_step_starts_where_it_says_and_brings_what_it_says(
    part: str, start: str, points: str
) -> None:
    count = int(start.partition(" ")[0])

    assert points == f"{points_with(part, count):.1f}"
    assert points_with(part, count) != points_with(part, count - 1) or start == "1 line"


def test_what_a_tenth_of_a_sub_score_is_worth_is_computed() -> None:
    listed = rows(section("docs/improving-scores.md", "## Plugins"))
    expected = [
        [name, f"{worth(name) / 10:.1f}", f"{weight * 10:.1f}"] for name, weight in WEIGHTS.items()
    ]

    assert sorted(expected) == sorted(listed)


def test_what_each_part_of_an_agent_can_bring_is_computed() -> None:
    listed = rows(section("docs/improving-scores.md", "## Agents"))
    agent = score_agent(MemoryTree({"agents/a.md": "---\nname: a\n---\n"}), "agents/a.md")
    expected = {part: f"{100 * stake:.1f}" for (_, part), stake in stakes(agent).items()}

    assert expected == {part: points for part, points, *_ in listed}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file_and_every_anchor_to_a_heading(document: Path) -> None:
    assert [] == broken_links(document)
