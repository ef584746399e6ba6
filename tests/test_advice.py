"""Advice is worth what it says: whoever follows it gains those points."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final, NamedTuple

import pytest

from memory_tree import MemoryTree
from plugineval_action.content.plugin import read_plugin
from plugineval_action.evaluate import score_plugin
from plugineval_action.results import Improvement, Result
from plugineval_action.scoring.advice import improvements
from plugineval_action.scoring.dimensions import DIMENSIONS
from plugineval_action.scoring.remedies import CONDITIONAL, REMEDIES
from skills import (
    HOME,
    PLUGIN,
    Files,
    beside,
    composite,
    score,
    score_agent_text,
    skill_text,
)

NO_FILES: Final[Files] = MappingProxyType({})


class Skill(NamedTuple):
    """What a skill is built from; a case changes one of these."""

    name: str = "s"
    description: str = "Reads the bills of a house. Use when a bill is there."
    lines: int = 150
    body: str = "## One\n\n## Two\n\n```py\nx\n```\n\n```py\ny\n```\n"
    files: Files = NO_FILES

    def text(self) -> str:
        start = skill_text(self.body, f"name: {self.name}\ndescription: {self.description}\n")
        count = self.lines - start.count("\n")
        return start + "".join(f"Text {number} of it.\n" for number in range(count))

    def adding(self, text: str) -> Skill:
        return self._replace(body=self.body + text)

    def replacing(self, old: str, new: str) -> Skill:
        assert old in self.body
        return self._replace(body=self.body.replace(old, new))

    def score(self) -> Result:
        return score(self.text(), self.files)


SKILL = Skill()
LONG = "Reads the bills of a house. Use when a bill is there. " + "It reads them all. " * 3
NEIGHBOURS: Files = {f"{PLUGIN}/skills/n{number}/SKILL.md": "Text.\n" for number in range(4)}

CASES: dict[str, tuple[str, Skill, Skill]] = {
    "name": ("Name: ", SKILL._replace(name="other"), SKILL),
    "length": ("Description length", SKILL, SKILL._replace(description=LONG)),
    "trigger": (
        "Description does not say",
        SKILL._replace(description="Reads the bills of a house. It is for a bill."),
        SKILL,
    ),
    "proactively": (
        "Proactively",
        SKILL,
        SKILL._replace(description="Reads bills proactively. Use when a bill is there."),
    ),
    "strong word": (
        "Strong word",
        SKILL,
        SKILL._replace(description="Reads bills automatically. Use when a bill is there."),
    ),
    "use cases": (
        "Use cases",
        SKILL,
        SKILL._replace(description="Reads bills. Use when one is, for it, during it, when."),
    ),
    "activity": (
        "Activity",
        SKILL,
        SKILL._replace(description="Reads the bills of a house. Use when reading a bill."),
    ),
    "length and long enough": (
        "Description length",
        SKILL._replace(description="Use when a bill is there. A bill."),
        SKILL._replace(
            description="Reads a bill. Use when a bill is there. " + "A bill is a bill. " * 4
        ),
    ),
    "output format": (
        "Output format",
        SKILL.adding("Outputs\n"),
        SKILL.adding("Outputs, the output format\n"),
    ),
    "output words": ("Output words", SKILL, SKILL.adding("It returns.\n")),
    "input words": ("Input words", SKILL, SKILL.adding("Input.\n")),
    "two code blocks": (
        "Show two code blocks",
        SKILL.replacing("```py\nx\n```\n\n", ""),
        SKILL,
    ),
    "orchestrator words": ("Orchestrator words", SKILL.adding("It dispatches.\n"), SKILL),
    "lines": ("Length: 150 lines", SKILL, SKILL._replace(lines=250)),
    "references": ("References", SKILL, SKILL._replace(files=beside("references/a.md"))),
    "references of a long skill": (
        "References",
        SKILL._replace(lines=500),
        SKILL._replace(lines=500, files=beside("references/a.md")),
    ),
    "assets": ("Assets", SKILL, SKILL._replace(files=beside("assets/a.txt"))),
    "headings": ("Headings", SKILL, SKILL.adding("".join(f"## H{n}\n\n" for n in range(4)))),
    "five code blocks": (
        "Code blocks: 2",
        SKILL,
        SKILL.adding("".join(f"```py\n{n}\n```\n\n" for n in range(3))),
    ),
    "languages": (
        "Languages",
        SKILL.adding("```\nz\n```\n"),
        SKILL.replacing("```py\nx", "```js\nx").adding("```go\nz\n```\n"),
    ),
    "examples": ("Examples", SKILL, SKILL.replacing("## Two", "## Usage")),
    "troubleshooting": ("Troubleshooting", SKILL, SKILL.replacing("## Two", "## Pitfalls")),
    "table": ("Table", SKILL, SKILL.adding("\n| a | b |\n|---|---|\n| c | d |\n")),
    "help to decide": ("Help to decide", SKILL, SKILL.adding("A decision.\n")),
    "directives": (
        "Directives",
        SKILL._replace(lines=100).adding("MUST " * 15),
        SKILL._replace(lines=100),
    ),
    "repeated lines": (
        "Repeated lines",
        SKILL.adding("Same line.\n" * 40),
        SKILL.adding("".join(f"Same line {n}.\n" for n in range(40))),
    ),
    "cross-references": (
        "Cross-references",
        SKILL._replace(files=NEIGHBOURS).adding("`skills/n0`\n"),
        SKILL._replace(files=NEIGHBOURS).adding(
            "`skills/n0` `skills/n1` `skills/n2` `skills/n3`\n"
        ),
    ),
    "related words": ("Related words", SKILL, SKILL.adding("See also nothing.\n")),
    "over constrained": (
        "More than 15 MUST",
        SKILL.adding("MUST\n" * 40),
        SKILL.adding("Must\n" * 40),
    ),
    "bloated": ("Over 800 lines", SKILL._replace(lines=900), SKILL._replace(lines=600)),
    "orphans": (
        "Link into references/ leads to nothing (3 times)",
        SKILL.adding("[a](references/a) [b](references/b) [c](references/c)\n"),
        SKILL.adding("[a](a) [b](b) [c](c)\n"),
    ),
    "a dead reference": (
        "Reference to a skill or agent that is not there",
        SKILL.adding("`skills/gone`\n"),
        SKILL.adding("`gone`\n"),
    ),
    "more flags than the penalty counts": (
        "Link into references/ leads to nothing (20 times)",
        SKILL.adding("`skills/x`\n\n" + "".join(f"[a](references/{n})\n" for n in range(20))),
        SKILL.adding("`skills/x`\n\n" + "".join(f"[a](other/{n})\n" for n in range(20))),
    ),
}


def _advice(result: Result, title: str) -> Improvement:
    """The one piece of advice with this title, or remedy."""
    (found,) = [
        one
        for one in improvements(result)
        if one.title.startswith(title) or one.remedy.startswith(title)
    ]
    return found


@pytest.mark.parametrize("case", CASES)
def test_following_the_advice_gains_exactly_its_points(case: str) -> None:
    title, before, after = CASES[case]
    worse, better = before.score(), after.score()
    gained = composite(better) - composite(worse)

    assert _advice(worse, title).points == pytest.approx(gained, abs=1e-6)
    assert gained >= 0.05


def test_an_empty_description_gains_by_its_flag_its_length_and_being_long_enough() -> None:
    worse = SKILL._replace(description="Use when it is.").score()
    better = SKILL._replace(description=LONG).score()
    gained = composite(better) - composite(worse)

    assert _advice(worse, "Description under 20").points == pytest.approx(gained, abs=1e-6)


def _plugin(skill: Skill, agent: str) -> Result:
    files = {
        f"{PLUGIN}/.claude-plugin/plugin.json": '{"name": "own"}',
        f"{HOME}/SKILL.md": skill.text(),
        f"{PLUGIN}/skills/t/SKILL.md": SKILL.adding("`skills/gone`\n").text(),
        f"{PLUGIN}/agents/a.md": agent,
        **skill.files,
    }
    tree = MemoryTree(files)
    return score_plugin(tree, read_plugin(tree, PLUGIN, ruleset="plugineval"))


AGENT = "---\nname: a\ndescription: Reads the bills of a house.\n---\n"


@pytest.mark.parametrize(
    "case",
    [
        "name",
        "trigger",
        "input words",
        "lines",
        "headings",
        "orphans",
        "over constrained",
        "bloated",
    ],
)
def test_a_fix_inside_a_plugin_is_worth_what_it_moves_the_plugin(case: str) -> None:
    title, before, after = CASES[case]
    worse, better = _plugin(before, AGENT), _plugin(after, AGENT)
    gained = composite(better) - composite(worse)
    advised = [
        one.points
        for one in improvements(worse)
        if one.title.startswith(title) and one.path == f"{HOME}/SKILL.md"
    ]

    assert advised == [pytest.approx(gained, abs=1e-6)]


@pytest.mark.parametrize(
    ("title", "change"),
    [
        ("Use proactively", lambda text: text.replace("house.", "house. Use proactively.")),
        ("Tools", lambda text: text.replace("name: a", "name: a\ntools: Read")),
        ("Model", lambda text: text.replace("name: a", "name: a\nmodel: large")),
        ("Description length", lambda text: text.replace("house.", "house and of the garden.")),
    ],
)
def test_a_fix_of_an_agent_is_worth_what_it_moves_the_plugin(
    title: str, change: Callable[[str], str]
) -> None:
    text = AGENT.replace(
        "description: ", f"description: {'x' * 40} " if title[0] == "U" else "description: "
    )
    worse, better = _plugin(SKILL, text), _plugin(SKILL, change(text))
    gained = composite(better) - composite(worse)
    advised = [
        one.points
        for one in improvements(worse)
        if one.title.startswith(title) and one.path == f"{PLUGIN}/agents/a.md"
    ]

    assert advised == [pytest.approx(gained, abs=1e-6)]


def test_the_best_advice_comes_first_and_what_would_show_as_nothing_is_left_out() -> None:
    found = improvements(SKILL.adding("`skills/gone`\n").score())
    points = [one.points for one in found if one.remedy not in CONDITIONAL]

    assert len(points) > 10
    assert sorted(points, reverse=True) == points
    assert min(one.points for one in found) >= 0.05


def test_advice_that_is_right_for_some_skills_only_comes_last_whatever_it_brings() -> None:
    found = improvements(SKILL.adding("`skills/gone`\n").score())
    conditional = [one.remedy in CONDITIONAL for one in found]

    assert sorted(conditional) == conditional
    assert any(conditional)
    assert all(remedy.startswith("If ") for remedy in CONDITIONAL)
    assert {one for one in REMEDIES.values() if one.startswith("If ")} == CONDITIONAL


def test_one_defect_is_one_piece_of_advice() -> None:
    result = SKILL._replace(description="Reads bills.").score()
    titles = [one.title for one in improvements(result)]

    assert (
        sum(title.startswith(("Description under", "Description length")) for title in titles) == 1
    )
    assert sum(title.startswith(("Description does", "Trigger phrase")) for title in titles) == 1


def test_advice_names_a_file_a_line_and_a_remedy() -> None:
    result = SKILL.adding("It dispatches.\n[a](references/a)\n").score()
    lines = SKILL.adding("It dispatches.\n[a](references/a)\n").text().split("\n")
    found = improvements(result)

    assert {one.path for one in found} == {f"{HOME}/SKILL.md"}
    assert all(one.remedy and 1 <= one.line <= len(lines) for one in found)
    assert lines[_advice(result, "Orchestrator words").line - 1] == "It dispatches."
    assert lines[_advice(result, "Link into").line - 1] == "[a](references/a)"
    assert _advice(result, "Link into").rule == "ORPHAN_REFERENCE"


def test_every_part_that_moves_the_composite_has_a_remedy() -> None:
    scored = (SKILL.score(), score_agent_text(AGENT))
    counting = {spec.static_source for spec in DIMENSIONS} | {"agent"}
    parts = {
        (sub.name, part.name)
        for result in scored
        for sub in result.layers[0].sub_scores
        for part in sub.parts
        if sub.name in counting and part.name != "base"
    }

    comes_along = {("frontmatter_quality", "long enough to tell")}

    assert parts == set(REMEDIES) | comes_along


def test_nothing_scored_has_no_advice() -> None:
    tree = MemoryTree({"p/.claude-plugin/plugin.json": "{}"})
    result = score_plugin(tree, read_plugin(tree, "p", ruleset="plugineval"))

    assert improvements(result) == ()
    assert improvements(score_agent_text(AGENT)) == ()


def test_a_skill_without_a_gap_has_no_advice() -> None:
    body = (
        "## Usage\n\n## FAQ\n\n"
        + "".join(f"## H{n}\n\n```l{n}\n{n}\n```\n\n" for n in range(5))
        + "| a | b |\n|---|---|\n| c | d |\n\nSee also: a decision. Output format: text.\n"
        + "Input: none. It returns `skills/n0` `skills/n1` `skills/n2` `skills/n3`.\n"
    )
    files = {**NEIGHBOURS, **beside("references/a.md", "assets/b.txt")}
    description = (
        "Reads bills automatically. Use proactively when reading bills, when typing them,"
        " for filing, during audits and in many other situations."
    )
    skill = Skill("s", description, 450, body, files)

    assert improvements(skill.score()) == ()
