"""The seven sub-scores: every threshold at, below and above its line, in both rulesets."""

from __future__ import annotations

from math import fsum

import pytest

from plugineval_action.rulesets import Ruleset
from skills import (
    DESCRIPTION,
    beside,
    described,
    filled,
    part,
    points,
    score,
    skill_text,
    sub_score,
)

FRONTMATTER = "frontmatter_quality"
WIRING = "orchestration_wiring"
DISCLOSURE = "progressive_disclosure"
STRUCTURE = "structural_completeness"
EFFICIENCY = "token_efficiency"
COHERENCE = "ecosystem_coherence"
PORTABILITY = "harness_portability"

both = pytest.mark.parametrize("ruleset", ["plugineval", "reference"])


@both
@pytest.mark.parametrize(
    ("length", "wanted"),
    [
        (0, 0.0),
        (9, 0.0),
        (10, 0.05),
        (29, 0.05),
        (30, 0.15),
        (59, 0.15),
        (60, 0.20),
        (99, 0.20),
        (100, 0.25),
        (101, 0.25),
    ],
)
def test_a_description_earns_by_its_length(length: int, wanted: float, ruleset: Ruleset) -> None:
    result = score(described("x" * length), ruleset=ruleset)

    assert wanted == points(result, FRONTMATTER, "description length")


@both
@pytest.mark.parametrize("description", ["é" * 10, "説" * 10, "🦊" * 10, "  " + "x" * 10 + "\xa0"])
def test_length_counts_characters_without_white_space_around(
    description: str, ruleset: Ruleset
) -> None:
    result = score(described(description), ruleset=ruleset)

    assert points(result, FRONTMATTER, "description length") == 0.05
    assert part(result, FRONTMATTER, "description length").found == "10 characters"


@pytest.mark.parametrize(
    ("field", "plugineval", "reference"),
    [
        ("name: s\n", 0.15, 0.10),
        ("name: other\n", 0.10, 0.15),
        ("name: S\n", 0.10, 0.15),
        ("", 0.10, 0.10),
        ("name: ''\n", 0.0, 0.0),
        ("name:\n", 0.0, 0.0),
        ("name: no\n", 0.0, 0.0),
        ("name: 0\n", 0.0, 0.0),
        ("name: 7\n", 0.10, 0.15),
        ("name: 2024-01-02\n", 0.10, 0.15),
        ("name: [s]\n", 0.15, 0.15),
    ],
)
def test_a_name_earns_by_the_directory_it_names(
    field: str, plugineval: float, reference: float
) -> None:
    text = skill_text("", f"{field}description: {DESCRIPTION}\n")

    assert plugineval == points(score(text), FRONTMATTER, "name")
    assert reference == points(score(text, ruleset="reference"), FRONTMATTER, "name")


@both
@pytest.mark.parametrize(
    ("description", "name", "wanted"),
    [
        ("Reads bills.", "trigger phrase", 0.0),
        ("Use when.", "trigger phrase", 0.15),
        ("Reads bills reactively.", "proactively", 0.0),
        ("Reads bills proactivelyish.", "proactively", 0.0),
        ("Reads bills PROACTIVELY.", "proactively", 0.09),
        ("Reads bills automatic.", "strong word", 0.0),
        ("Reads bills automatically.", "strong word", 0.06),
        ("Always  Use it.", "strong word", 0.06),
        ("A trigger.", "strong word", 0.06),
        ("Triggers.", "strong word", 0.0),
        ("Invoke it.", "strong word", 0.06),
        ("Invoked.", "strong word", 0.0),
        ("Bills", "use cases", 0.0),
        ("Bills, when", "use cases", 0.06),
        ("Bills, when, for", "use cases", 0.06),
        ("Bills, when, for, during", "use cases", 0.12),
        ("Bills, when, for, during, or building", "use cases", 0.12),
        ("Bills when.", "activity", 0.0),
        ("Bills when reading.", "activity", 0.09),
        ("Bills for reading.", "activity", 0.09),
        ("Bills during reading.", "activity", 0.09),
        ("Bills whenever reading.", "activity", 0.0),
        ("x" * 39, "long enough to tell", 0.0),
        ("x" * 40, "long enough to tell", 0.06),
    ],
)
def test_pushiness_counts_for_six_tenths(
    description: str, name: str, wanted: float, ruleset: Ruleset
) -> None:
    assert wanted == points(score(described(description), ruleset=ruleset), FRONTMATTER, name)


@both
@pytest.mark.parametrize(
    ("listed", "found"),
    [
        (", when", "1 listed"),
        (",when", "1 listed"),
        (", or when", "1 listed"),
        (",  or  for", "1 listed"),
        (", formatting", "1 listed"),
        (", and when", "0 listed"),
        ("; when", "0 listed"),
        (", implementing, creating, debugging", "3 listed"),
        (", testing, deploying, configuring", "3 listed"),
        (", setting up", "1 listed"),
        (", setting  up", "0 listed"),
        (", Building", "1 listed"),
    ],
)
def test_use_cases_are_counted_after_commas(listed: str, found: str, ruleset: Ruleset) -> None:
    result = score(described(f"Bills{listed}"), ruleset=ruleset)

    assert found == part(result, FRONTMATTER, "use cases").found


@both
def test_frontmatter_quality_adds_in_the_order_of_the_page(ruleset: Ruleset) -> None:
    text = described("Use proactively when reading bills, when typing, for filing, during audits.")
    name = 0.10 if ruleset == "reference" else 0.15
    pushiness = 0.25 + 0.15 + 0.20 + 0.15 + 0.10

    assert name + 0.20 + 0.60 * pushiness == sub_score(score(text, ruleset=ruleset), FRONTMATTER)


@both
@pytest.mark.parametrize(
    ("body", "name", "wanted"),
    [
        ("The output has a format.", "output format", 0.10),
        ("A format for output.", "output format", 0.10),
        ("Outputs have a format.", "output format", 0.0),
        ("The output.\nThe format.", "output format", 0.0),
        ("Formatted output.", "output format", 0.0),
        ("It returned text/json.", "output format", 0.10),
        ("JSON is returned.", "output format", 0.0),
        ("It returns jsonl.", "output format", 0.0),
        ("It returns\njson.", "output format", 0.0),
        ("It returns it.", "output words", 0.05),
        ("It produces it.", "output words", 0.05),
        ("OUTPUT", "output words", 0.05),
        ("Generate it.", "output words", 0.05),
        ("Generated, returned, outputting.", "output words", 0.0),
        ("Input.", "input words", 0.10),
        ("Inputs.", "input words", 0.0),
        ("It receives it.", "input words", 0.10),
        ("Accept it.", "input words", 0.10),
        ("Parameters.", "input words", 0.10),
        ("args", "input words", 0.10),
        ("argument", "input words", 0.0),
        ("It orchestrates.", "orchestrator words", -0.15),
        ("Coordination.", "orchestrator words", -0.15),
        ("Dispatch it.", "orchestrator words", -0.15),
        ("Subcoordination.", "orchestrator words", 0.0),
    ],
)
def test_wiring_finds_whole_words(body: str, name: str, wanted: float, ruleset: Ruleset) -> None:
    assert wanted == points(score(skill_text(body), ruleset=ruleset), WIRING, name)


@both
def test_orchestration_wiring_adds_in_the_order_of_the_page(ruleset: Ruleset) -> None:
    body = "Output format: text. Input: none.\n\n```\na\n```\n\n```\nb\n```\n\nDispatches it.\n"
    result = score(skill_text(body), ruleset=ruleset)

    assert 0.70 + 0.10 + 0.05 + 0.10 + 0.05 + -0.15 == sub_score(result, WIRING)


@both
@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (99, 0.20),
        (100, 0.50),
        (199, 0.50),
        (200, 0.60),
        (600, 0.60),
        (601, 0.40),
        (800, 0.40),
        (801, 0.15),
    ],
)
def test_disclosure_depends_on_the_lines(lines: int, wanted: float, ruleset: Ruleset) -> None:
    result = score(filled(lines, skill_text()), ruleset=ruleset)

    assert wanted == points(result, DISCLOSURE, "length")
    assert part(result, DISCLOSURE, "length").found == f"{lines} lines"


@both
@pytest.mark.parametrize(
    ("lines", "files", "references", "assets"),
    [
        (400, ("references/a.md",), 0.15, 0.0),
        (401, ("references/a.md",), 0.25, 0.0),
        (401, ("references/deeper/a.md",), 0.0, 0.0),
        (400, ("assets/a.txt",), 0.0, 0.15),
        (400, ("assets/deeper/a.txt",), 0.0, 0.0),
        (401, ("references/a.md", "references/b.md", "assets/a.txt"), 0.25, 0.15),
    ],
)
def test_disclosure_counts_files_right_in_the_folders(
    lines: int, files: tuple[str, ...], references: float, assets: float, ruleset: Ruleset
) -> None:
    result = score(filled(lines, skill_text()), beside(*files), ruleset=ruleset)

    assert references == points(result, DISCLOSURE, "references")
    assert assets == points(result, DISCLOSURE, "assets")
    assert 0.60 + references + assets == sub_score(result, DISCLOSURE)


@both
@pytest.mark.parametrize(
    ("count", "wanted"),
    [(1, 0.0), (2, 0.10), (3, 0.10), (4, 0.15), (5, 0.15), (6, 0.20), (7, 0.20)],
)
def test_structure_counts_headings_of_level_two_and_three(
    count: int, wanted: float, ruleset: Ruleset
) -> None:
    body = "# One\n\n" + "".join(f"{'##' if n % 2 else '###'} H{n}\n\n" for n in range(count))
    result = score(skill_text(body + "#### Four\n"), ruleset=ruleset)

    assert wanted == points(result, STRUCTURE, "headings")


@pytest.mark.parametrize(
    ("blocks", "plugineval", "reference"),
    [
        (0, 0.0, 0.0),
        (1, 0.10, 0.10),
        (2, 0.10, 0.15),
        (3, 0.15, 0.20),
        (4, 0.15, 0.20),
        (5, 0.20, 0.20),
    ],
)
def test_structure_counts_code_blocks(blocks: int, plugineval: float, reference: float) -> None:
    text = skill_text("".join(f"Text.\n\n```\n{n}\n```\n\n" for n in range(blocks)))

    assert plugineval == points(score(text), STRUCTURE, "code blocks")
    assert reference == points(score(text, ruleset="reference"), STRUCTURE, "code blocks")


@both
@pytest.mark.parametrize(
    ("languages", "wanted"),
    [("py", 0.0), ("py py", 0.0), ("py js", 0.10), ("py js go", 0.15), ("py js go c", 0.15)],
)
def test_structure_counts_different_languages(
    languages: str, wanted: float, ruleset: Ruleset
) -> None:
    body = "".join(f"```{language}\nx\n```\n\n" for language in languages.split())

    assert wanted == points(score(skill_text(body), ruleset=ruleset), STRUCTURE, "languages")


@both
@pytest.mark.parametrize(
    ("body", "name", "wanted"),
    [
        ("## Examples", "examples", 0.15),
        ("### Example", "examples", 0.15),
        ("## Usage", "examples", 0.15),
        ("# Examples", "examples", 0.0),
        ("Examples", "examples", 0.0),
        ("## Troubleshooting", "troubleshooting", 0.15),
        ("## Common issues", "troubleshooting", 0.15),
        ("### FAQ", "troubleshooting", 0.15),
        ("## Trouble", "troubleshooting", 0.0),
        ("| a | b |\n|---|---|\n| c | d |", "table", 0.10),
        ("a | b | c", "table", 0.0),
        ("Tradeoffs.", "help to decide", 0.05),
        ("DECISIONS", "help to decide", 0.05),
        ("When to use", "help to decide", 0.05),
        ("A comparison.", "help to decide", 0.05),
        ("A trade-off.", "help to decide", 0.0),
    ],
)
def test_structure_knows_helpful_sections(
    body: str, name: str, wanted: float, ruleset: Ruleset
) -> None:
    assert wanted == points(score(skill_text(body), ruleset=ruleset), STRUCTURE, name)


@both
def test_structural_completeness_adds_in_the_order_of_the_page(ruleset: Ruleset) -> None:
    body = (
        "## Example\n\n## FAQ\n\n```py\na\n```\n\n```js\nb\n```\n\n```go\nc\n```\n\n"
        "| a | b |\n|---|---|\n| c | d |\n\nDecision.\n"
    )
    code = 0.20 if ruleset == "reference" else 0.15
    result = score(skill_text(body), ruleset=ruleset)

    assert 0.10 + code + 0.15 + 0.15 + 0.15 + 0.10 + 0.05 == sub_score(result, STRUCTURE)


@both
@pytest.mark.parametrize(
    ("directives", "wanted"),
    [(0, 0.0), (10, 0.0), (11, -0.1), (20, -0.1), (21, -0.2), (50, -0.2), (51, -0.4), (120, -0.4)],
)
def test_efficiency_weighs_directives_a_line(
    directives: int, wanted: float, ruleset: Ruleset
) -> None:
    text = filled(
        100,
        skill_text("MUST NEVER ALWAYS " * (directives // 3) + "MUST " * (directives % 3) + "\n"),
    )
    result = score(text, ruleset=ruleset)

    assert wanted == points(result, EFFICIENCY, "directives")
    assert part(result, EFFICIENCY, "directives").found == f"{directives} in 100 lines"


@both
@pytest.mark.parametrize("body", ["must never always", "MUSTER NEVERS", "MUST_NOT", "xALWAYS"])
def test_directives_are_whole_words_in_capitals(body: str, ruleset: Ruleset) -> None:
    assert part(score(skill_text(body), ruleset=ruleset), EFFICIENCY, "directives").found == (
        "0 in 5 lines"
    )


def test_efficiency_loses_by_the_share_of_repeated_lines() -> None:
    text = skill_text("One line.\n\nOne line.\n  One line.  \nAnother line.\n")

    assert 1.0 - 0.4 * (1 - 2 / 4) == sub_score(score(text), EFFICIENCY)
    assert 1.0 - 0.4 * (1 - 4 / 6) == sub_score(score(text, ruleset="reference"), EFFICIENCY)


@both
@pytest.mark.parametrize(
    ("count", "wanted"), [(0, 0.0), (1, 0.08), (2, 0.16), (3, 0.24), (4, 0.25), (5, 0.25)]
)
def test_coherence_counts_references_to_other_skills(
    count: int, wanted: float, ruleset: Ruleset
) -> None:
    names = [f"other{number}" for number in range(count)]
    there = {f"plugins/own/skills/{name}/SKILL.md": "Text.\n" for name in names}
    body = " ".join(f"`skills/{name}`" for name in names)
    result = score(skill_text(body), there, ruleset=ruleset)

    assert wanted == points(result, COHERENCE, "cross-references")
    assert 0.50 + wanted == sub_score(result, COHERENCE)


@both
@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("Related skills.", 0.25),
        ("Unrelated skills.", 0.0),
        ("See also: nothing.", 0.25),
        ("See  also.", 0.0),
        ("A companion.", 0.25),
        ("Companions.", 0.0),
        ("Complements it.", 0.25),
        ("Uncomplemented.", 0.0),
    ],
)
def test_coherence_knows_related_words(body: str, wanted: float, ruleset: Ruleset) -> None:
    assert wanted == points(score(skill_text(body), ruleset=ruleset), COHERENCE, "related words")


@both
@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ("Read", 0.98),
        ("Read Read", 0.98),
        ("Read Edit", 0.96),
        ("Read Edit Write Bash", 0.92),
        ("Read Edit Write Bash Grep", 0.90),
        ("Read Edit Write Bash Grep Glob LS LSP", 0.90),
    ],
)
def test_portability_loses_for_each_tool_up_to_five(
    names: str, wanted: float, ruleset: Ruleset
) -> None:
    body = "\n".join(f"Use `{name}` for it." for name in names.split())

    assert wanted == round(sub_score(score(skill_text(body), ruleset=ruleset), PORTABILITY), 12)


@both
def test_portability_loses_for_size_tools_and_prose_together(ruleset: Ruleset) -> None:
    body = "Use `Bash` or the Read tool.\n" + "x" * 8192
    result = score(skill_text(body), ruleset=ruleset)

    assert 1.0 - (0.15 + 0.02 + 0.05) == pytest.approx(sub_score(result, PORTABILITY), abs=1e-12)


@both
def test_the_layer_is_the_weighted_sum_under_the_penalty(ruleset: Ruleset) -> None:
    result = score(skill_text("## Example\n\n```py\nx\n```\n", "name: t\n"), ruleset=ruleset)
    weights = {
        FRONTMATTER: 0.32,
        WIRING: 0.23,
        DISCLOSURE: 0.14,
        STRUCTURE: 0.10,
        EFFICIENCY: 0.09,
        COHERENCE: 0.06,
        PORTABILITY: 0.06,
    }
    layer = result.layers[0]
    weighted = fsum(weights[sub.name] * sub.score for sub in layer.sub_scores)
    penalty = 1.0 - 0.05 * len(layer.anti_patterns)

    assert list(weights) == [sub.name for sub in layer.sub_scores]
    assert penalty < 1.0
    assert penalty * weighted == layer.score


@both
def test_parts_add_up_to_their_sub_score_and_never_exceed_their_best(ruleset: Ruleset) -> None:
    body = "## Usage\n\nMUST read the input. Read the input.\n\nDispatch `skills/gone`.\n"
    result = score(skill_text(body), beside("references/a.md"), ruleset=ruleset)
    for sub in result.layers[0].sub_scores:
        total = fsum(one.points for one in sub.parts)

        assert total == pytest.approx(sub.score, abs=1e-12), sub.name
        assert all(one.points <= one.best for one in sub.parts), sub.name


BEST = {
    FRONTMATTER: {
        "name": 0.15,
        "description length": 0.25,
        "trigger phrase": 0.15,
        "proactively": 0.09,
        "strong word": 0.06,
        "use cases": 0.12,
        "activity": 0.09,
        "long enough to tell": 0.06,
    },
    WIRING: {
        "base": 0.70,
        "output format": 0.10,
        "output words": 0.05,
        "input words": 0.10,
        "two code blocks": 0.05,
        "orchestrator words": 0.0,
    },
    DISCLOSURE: {"length": 0.60, "references": 0.15, "assets": 0.15},
    STRUCTURE: {
        "headings": 0.20,
        "code blocks": 0.20,
        "languages": 0.15,
        "examples": 0.15,
        "troubleshooting": 0.15,
        "table": 0.10,
        "help to decide": 0.05,
    },
    EFFICIENCY: {"base": 1.0, "directives": 0.0, "repeated lines": 0.0},
    COHERENCE: {"base": 0.50, "cross-references": 0.25, "related words": 0.25},
    PORTABILITY: {"base": 1.0, "portability findings": 0.0},
}


@both
def test_each_part_says_how_much_it_can_add(ruleset: Ruleset) -> None:
    subs = score(skill_text(), ruleset=ruleset).layers[0].sub_scores
    best = {sub.name: {one.name: round(one.best, 12) for one in sub.parts} for sub in subs}

    assert best == BEST


def test_references_can_add_more_to_a_long_skill() -> None:
    parts = [part(score(filled(n, skill_text())), DISCLOSURE, "references") for n in (400, 401)]

    assert [one.best for one in parts] == [0.15, 0.25]


def test_parts_name_the_lines_where_they_were_seen() -> None:
    text = skill_text(
        "# Title é\n\n## Usage\n\nGives the output in JSON format.\n\nNeeds an input.\n\n"
        "```py\nx\n```\n\n| a |\n|---|\n| b |\n\n## FAQ\n\nA decision. See also more.\n"
        "It dispatches. You MUST.\n"
    )
    result = score(text)
    lines = text.split("\n")
    wanted = {
        (FRONTMATTER, "name"): "name: s",
        (FRONTMATTER, "description length"): f"description: {DESCRIPTION}",
        (FRONTMATTER, "trigger phrase"): f"description: {DESCRIPTION}",
        (WIRING, "output format"): "Gives the output in JSON format.",
        (WIRING, "output words"): "Gives the output in JSON format.",
        (WIRING, "input words"): "Needs an input.",
        (WIRING, "two code blocks"): "```py",
        (WIRING, "orchestrator words"): "It dispatches. You MUST.",
        (STRUCTURE, "headings"): "## Usage",
        (STRUCTURE, "code blocks"): "```py",
        (STRUCTURE, "examples"): "## Usage",
        (STRUCTURE, "troubleshooting"): "## FAQ",
        (STRUCTURE, "table"): "| a |",
        (STRUCTURE, "help to decide"): "A decision. See also more.",
        (EFFICIENCY, "directives"): "It dispatches. You MUST.",
        (COHERENCE, "related words"): "A decision. See also more.",
    }
    seen = {key: lines[part(result, *key).lines[0] - 1] for key in wanted}

    assert wanted == seen
