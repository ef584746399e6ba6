"""The `reference` ruleset measures as the reference implementation does, oddities included."""

from __future__ import annotations

import pytest

from plugineval_action.content.frontmatter import split_reference
from plugineval_action.layers.static.reference import cross_references
from plugineval_action.results import Result
from skills import (
    FRONT,
    HOME,
    PLUGIN,
    Files,
    beside,
    described,
    flag_lines,
    flags,
    part,
    points,
    rules,
    skill_text,
)
from skills import score as score_with

BESIDE = f"{PLUGIN}/skills"


def score(text: str | bytes, files: Files | None = None) -> Result:
    return score_with(text, files, ruleset="reference")


@pytest.mark.parametrize(
    ("text", "name", "body"),
    [
        ("---\nname: x\n---\nbody", "x", "\nbody"),
        ("---name: x\n---\nbody", "x", "\nbody"),
        ("---\nname: x---y\n---\nbody", "x", "y\n---\nbody"),
        ("---\nname: x # ---\nb", "x", "\nb"),
        ("----\nname: x\n---\nbody", "", "\nbody"),
        ("---\nname: x\nbody", "", "---\nname: x\nbody"),
        ("\n---\nname: x\n---\nbody", "", "\n---\nname: x\n---\nbody"),
        ("text --- text --- text", "", "text --- text --- text"),
        ("------", "", ""),
        ("", "", ""),
    ],
)
def test_front_matter_ends_at_the_second_three_hyphens_wherever_they_stand(
    text: str, name: str, body: str
) -> None:
    front = split_reference(text)

    assert (name, body) == (front.text("name"), front.body)


@pytest.mark.parametrize("value", ["x\t", "\tx", "a\tb", "x\t# note"])
def test_a_tab_in_a_plain_value_is_no_yaml(value: str) -> None:
    front = split_reference(f"---\nname: {value}\n---\n")

    assert front.fields == {}
    assert [problem.rule for problem in front.problems] == ["INVALID_YAML"]


def test_a_byte_order_mark_hides_the_front_matter_and_is_told() -> None:
    result = score("\ufeff" + skill_text())

    assert "EMPTY_DESCRIPTION" in flags(result)
    assert "BYTE_ORDER_MARK" in rules(result)


def test_a_final_newline_adds_a_line() -> None:
    assert part(score(skill_text("a")), "progressive_disclosure", "length").found == "5 lines"
    assert part(score(skill_text("a\n")), "progressive_disclosure", "length").found == "6 lines"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("## a\n### b\n#### c", "2"),
        ("```\n## in code\n```", "1"),
        ("a\n ## indented\n\n## b", "1"),
        ("  ## first line\n\n## b", "2"),
        ("##no space\n##\ttab", "0"),
        ("Set\n---\n", "0"),
        ("  \n  ## stripped", "1"),
    ],
)
def test_headings_are_lines_that_begin_with_hashes(body: str, found: str) -> None:
    result = score(skill_text("\n" + body))

    assert found == part(result, "structural_completeness", "headings").found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("```\na\n```", "2"),
        ("````\na\n````", "2"),
        ("``````", "2"),
        ("`` ` ``", "0"),
        ("~~~\na\n~~~", "0"),
        ("a ```b``` c", "2"),
        ("```\nunclosed", "1"),
    ],
)
def test_code_blocks_are_runs_of_three_back_ticks(body: str, found: str) -> None:
    assert found == part(score(skill_text(body)), "structural_completeness", "code blocks").found


def test_back_ticks_in_the_front_matter_count() -> None:
    result = score(described("Shows ```py and such."))

    assert part(result, "structural_completeness", "code blocks").found == "1"
    assert part(result, "structural_completeness", "languages").found == "py"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("```Py\n```js\n```py", "Py, js, py"),
        ("```c++\n```objective-c", "c, objective"),
        ("``` py", "none"),
        ("```é_1", "é_1"),
    ],
)
def test_languages_are_word_characters_right_after_back_ticks(body: str, found: str) -> None:
    assert found == part(score(skill_text(body)), "structural_completeness", "languages").found


@pytest.mark.parametrize(
    ("body", "examples", "troubleshooting"),
    [
        ("a ## Example", True, False),
        ("#### Examples", True, False),
        ("### Usage", True, False),
        ("##  Example", False, False),
        ("## Sample", False, False),
        ("```\n## usage\n```", True, False),
        ("a ## FAQs", False, True),
        ("## Common Issues", False, True),
        ("## Common problems", False, False),
        ("## Gotchas", False, False),
        ("## Troubleshooter", False, True),
    ],
)
def test_sections_are_found_anywhere_in_the_body(
    body: str, examples: bool, troubleshooting: bool
) -> None:
    result = score(skill_text(body))
    found = [
        points(result, "structural_completeness", name) > 0
        for name in ("examples", "troubleshooting")
    ]

    assert [examples, troubleshooting] == found


@pytest.mark.parametrize(
    ("body", "wanted"),
    [("a ||| b", 0.10), ("a | b | c", 0.0), ("a || b\n|", 0.0), ("`|||`", 0.10)],
)
def test_a_table_is_a_line_with_three_pipes(body: str, wanted: float) -> None:
    assert wanted == points(score(skill_text(body)), "structural_completeness", "table")


@pytest.mark.parametrize("place", ["```\nMUST\n```", "`MUST`", "MUST"])
def test_directives_count_in_code_too(place: str) -> None:
    result = score(skill_text(f"{place}\n"))

    assert part(result, "token_efficiency", "directives").found.startswith("1 in")


@pytest.mark.parametrize(
    ("description", "found"),
    [
        ("Use when", True),
        ("used WHEN", True),
        ("Should be used when", True),
        ("use this skill after", True),
        ("use immediately before", True),
        ("use this skill immediately whenever", True),
        ("use\u00a0when", True),
        ("misuse when", False),
        ("use whenever", True),
        ("use whence", False),
        ("uses when", False),
        ("use proactively", True),
        ("trigger when", True),
        ("triggers on", True),
        ("triggered on", False),
        ("auto-load when", True),
        ("auto loads on", True),
        ("autoloads when", True),
        ("auto  loads when", False),
        ("use if", False),
        ("do not use when", True),
        ("Использовать когда", False),
    ],
)
def test_trigger_phrases(description: str, found: bool) -> None:
    result = score(described(description))

    assert found == (points(result, "frontmatter_quality", "trigger phrase") > 0)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("skills/a", ["a"]),
        ("skill/a", ["a"]),
        ("sub-skills/a", ["sub-skills/a"]),
        ("skills/sub-skills/a", ["sub-skills/a"]),
        ("skills/a/b-c/d1", ["a/b-c/d1"]),
        ("skills/a skills/a", ["a", "a"]),
        ("skills/A", []),
        ("skills/aB", ["a"]),
        ("skills/a.md", ["a"]),
        ("skills/a_b", ["a"]),
        ("skills/a/", ["a"]),
        ("skills//a", []),
        ("myskills/a", []),
        ("my-skills/a", []),
        ("/skills/a", ["a"]),
        ("https://host/skills/a", ["a"]),
        ("```\nskills/a\n```", ["a"]),
        ("skills/", []),
    ],
)
def test_cross_references_are_paths_in_lower_case(body: str, wanted: list[str]) -> None:
    assert wanted == [spot.text for spot in cross_references(body)]


def test_cross_references_know_their_lines() -> None:
    found = cross_references("é skills/a\n\nskills/b skills/c\n", first_line=5)

    assert [(spot.line, spot.text) for spot in found] == [(5, "a"), (7, "b"), (7, "c")]


@pytest.mark.parametrize(
    ("reference", "there", "dead"),
    [
        ("skills/a", "plugins/own/skills/a/SKILL.md", False),
        ("skills/a/b", "plugins/own/skills/a/b", False),
        ("skills/a", "skills/a/SKILL.md", True),
        ("skills/a", f"{HOME}/a/SKILL.md", True),
        ("sub-skills/a", f"{HOME}/sub-skills/a/SKILL.md", False),
        ("skills/sub-skills/a", f"{HOME}/sub-skills/a/SKILL.md", False),
        ("sub-skills/a", "plugins/own/skills/sub-skills/a/SKILL.md", False),
        ("skills/a", f"{BESIDE}/A/SKILL.md", True),
        ("skills/s", "elsewhere", False),
    ],
)
def test_a_cross_reference_is_looked_up_beside_the_skill(
    reference: str, there: str, dead: bool
) -> None:
    result = score(skill_text(reference), {there: "Text.\n"})

    assert dead == ("DEAD_CROSS_REF" in flags(result))


def test_repeated_dead_references_are_repeated_flags_and_feed_coherence() -> None:
    result = score(skill_text("skills/gone\nskills/gone\n\nskills/gone\n"))

    assert flag_lines(result, "DEAD_CROSS_REF") == [5, 6, 8]
    assert points(result, "ecosystem_coherence", "cross-references") == 0.24


def test_cross_references_in_the_front_matter_do_not_count() -> None:
    result = score(skill_text("", FRONT + "other: skills/gone\n"))

    assert "DEAD_CROSS_REF" not in flags(result)


@pytest.mark.parametrize(
    ("body", "orphans"),
    [
        ("[a](references/there.md)", 0),
        ("[a](references/THERE.md)", 0),
        ("[a](references/gone.md)", 1),
        ("(references/gone.md)", 1),
        ("(references/deep/there.md)", 0),
        ("(references/there.md#part)", 1),
        ("(references/there.md 'title')", 1),
        ("(references/gone.md) (references/gone.md)", 2),
        ("`(references/gone.md)`", 1),
        ("```\n(references/gone.md)\n```", 1),
        ("(references/a\nb)", 1),
        ("(references/)", 0),
        ("(references/gone.md", 0),
        ("[a](./references/gone.md)", 0),
        ("[a]: references/gone.md", 0),
    ],
)
def test_orphans_are_looked_up_by_their_last_segment(body: str, orphans: int) -> None:
    result = score(skill_text(body), beside("references/there.md"))

    assert ["ORPHAN_REFERENCE"] * orphans == flags(result)


def test_without_references_nothing_is_an_orphan() -> None:
    assert flags(score(skill_text("[a](references/gone.md)"))) == []


def test_orphans_are_flagged_on_their_lines() -> None:
    body = (
        "(references/) (references/é)\n\n(references/b\n) (references/c)\n"
        "(references/there.md)\n(references/d)\n"
    )
    result = score(skill_text(body), beside("references/there.md"))

    assert flag_lines(result, "ORPHAN_REFERENCE") == [5, 7, 8, 10]


def test_orphans_in_the_front_matter_count() -> None:
    result = score(
        skill_text("", FRONT + "other: (references/gone.md)\n"), beside("references/there.md")
    )

    assert flag_lines(result, "ORPHAN_REFERENCE") == [4]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("same\nsame\n", 1 - 5 / 6),
        ("a\x0ca\x0c", 1 - 5 / 6),
        ("a\u2028a", 1 - 5 / 6),
        ("a\n---\n---x\n ---\n ---\n", 1 - 6 / 7),
        ("```\na\n```\n```\nb\n```\n", 1 - 7 / 10),
    ],
)
def test_repetition_counts_over_every_line(body: str, wanted: float) -> None:
    front = "name: s\ndescription: Reads bills. Use when a bill arrives.\nother: x\nmore: y\n"
    expected = -(0.4 * wanted)
    result = score(skill_text(body, front))

    assert expected == pytest.approx(part(result, "token_efficiency", "repeated lines").points)


@pytest.mark.parametrize("body", ["```\ncoordinates\n```", "Coordinates (x, y)"])
def test_any_coordinates_orchestrate(body: str) -> None:
    result = score(skill_text(body))

    assert points(result, "orchestration_wiring", "orchestrator words") == -0.15


@pytest.mark.parametrize(
    ("front", "length", "rule"),
    [
        ("description:\n", 0, "NON_STRING_FIELD"),
        ("description: {a: b}\n", 0, "NON_STRING_FIELD"),
        ("description: true\n", 4, "NON_STRING_FIELD"),
        ("description: 2024-01-02\n", 10, "NON_STRING_FIELD"),
        ("description: 1_000\n", 5, "NON_STRING_FIELD"),
        ("description: [one, two]\n", 8, "NON_STRING_FIELD"),
        ("- name\n", 0, "FRONTMATTER_NOT_MAPPING"),
        ("text\n", 0, "FRONTMATTER_NOT_MAPPING"),
        ("name: a: b\n", 0, "INVALID_YAML"),
    ],
)
def test_what_crashes_the_reference_is_measured_with_a_finding(
    front: str, length: int, rule: str
) -> None:
    result = score(skill_text("", front))

    assert f"{length} characters" == part(result, "frontmatter_quality", "description length").found
    assert rule in rules(result)


def test_what_does_not_decode_is_replaced_with_a_finding() -> None:
    result = score(skill_text("caf\xe9").encode("latin-1"))

    assert result.composite is not None
    assert "UNDECODABLE_BYTES" in rules(result)


@pytest.mark.parametrize("folder", ["references", "assets"])
def test_a_file_where_a_folder_belongs_is_absent_with_a_finding(folder: str) -> None:
    result = score(skill_text("[a](references/x)"), beside(folder))

    assert flags(result) == []
    assert points(result, "progressive_disclosure", folder) == 0.0
    assert "EXPECTED_DIRECTORY" in rules(result)


def test_a_reference_that_is_no_text_is_a_finding() -> None:
    result = score(skill_text(), {f"{HOME}/references/a.md": "bad".encode("utf-16")})

    assert points(result, "progressive_disclosure", "references") == 0.15
    assert "BINARY_REFERENCE" in rules(result)
