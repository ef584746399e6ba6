"""The default ruleset measures what the methodology means: each decided case is a row."""

from __future__ import annotations

import pytest

from plugineval_action.results import Result
from skills import (
    DESCRIPTION,
    FIRST_BODY_LINE,
    FRONT,
    composite,
    described,
    filled,
    flags,
    part,
    points,
    rules,
    score,
    skill_text,
    sub_score,
)

FRONTMATTER = "frontmatter_quality"
STRUCTURE = "structural_completeness"
COHERENCE = "ecosystem_coherence"


def _lines_of(result: Result, sub: str, name: str) -> list[int]:
    return list(part(result, sub, name).lines)


# 1. Front matter


def test_a_byte_order_mark_is_dropped_and_told() -> None:
    plain, marked = score(skill_text("# a\n")), score("\ufeff" + skill_text("# a\n"))

    assert composite(plain) == composite(marked)
    assert rules(marked) == ["BYTE_ORDER_MARK"]


@pytest.mark.parametrize(
    "text",
    [
        f"---  \n{FRONT}---\t\nbody",
        f"---\n{FRONT}license: a --- b\n---\nbody",
        f"---\n{FRONT}license: |\n  ----\n   ---\n---\nbody",
        f"---\n{FRONT}---",
    ],
)
def test_front_matter_ends_at_a_line_that_is_exactly_three_hyphens(text: str) -> None:
    result = score(text)

    assert points(result, FRONTMATTER, "name") == 0.15
    assert rules(result) == []


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ("", "FRONTMATTER_MISSING", 1),
        ("# Title\n", "FRONTMATTER_MISSING", 1),
        ("----\nname: s\n----\n", "FRONTMATTER_MISSING", 1),
        ("---name: s\n---\n", "FRONTMATTER_MISSING", 1),
        (f"---\n{FRONT}# Title\n", "FRONTMATTER_UNCLOSED", 1),
        (f"---\n{FRONT}--- x\n ---\n", "FRONTMATTER_UNCLOSED", 1),
        (f"\n{skill_text()}", "FRONTMATTER_NOT_FIRST", 2),
        (f"<!-- Note. -->\n\n{skill_text()}", "FRONTMATTER_NOT_FIRST", 3),
        (f" {skill_text()}", "FRONTMATTER_MISSING", 1),
        ("Text.\n\n---\n\nMore: text.\n\n---\n", "FRONTMATTER_MISSING", 1),
    ],
)
def test_front_matter_that_harnesses_do_not_see(text: str, rule: str, line: int) -> None:
    result = score(text)

    assert [(rule, line)] == [(found.rule, found.line) for found in result.findings]
    assert flags(result) == ["EMPTY_DESCRIPTION"]
    assert points(result, FRONTMATTER, "name") == 0.10


def test_yaml_that_does_not_parse_is_one_finding_and_one_flag() -> None:
    result = score(skill_text("", "name: s\ndescription: Use when: a bill arrives.\n"))
    (found,) = result.findings

    assert (found.rule, found.line) == ("INVALID_YAML", 3)
    assert "line 3, column 22" in found.message
    assert '": "' in found.remedy
    assert flags(result) == ["EMPTY_DESCRIPTION"]
    assert points(result, FRONTMATTER, "name") == 0.0


@pytest.mark.parametrize("front", ["description: ''\n", "description:\n", "name: s\n", ""])
def test_an_empty_description_is_one_defect_and_one_flag(front: str) -> None:
    assert flags(score(skill_text("", front))) == ["EMPTY_DESCRIPTION"]


def test_a_short_description_may_lack_a_trigger_too() -> None:
    assert flags(score(described("Reads bills."))) == ["EMPTY_DESCRIPTION", "MISSING_TRIGGER"]


# 3. Description and when_to_use


def test_when_to_use_belongs_to_the_trigger_and_not_to_the_length() -> None:
    front = (
        "name: s\ndescription: Reads bills of any kind.\n"
        "when_to_use: Use proactively when reading.\n"
    )
    result = score(skill_text("", front))
    trigger = part(result, FRONTMATTER, "trigger phrase")

    assert flags(result) == []
    assert trigger.lines == (4,)
    assert points(result, FRONTMATTER, "proactively") == 0.09
    assert points(result, FRONTMATTER, "activity") == 0.09
    assert part(result, FRONTMATTER, "description length").found == "24 characters"


def test_when_to_use_does_not_stand_in_for_a_description() -> None:
    front = "name: s\nwhen_to_use: For bills and letters.\n"

    assert flags(score(skill_text("", front))) == ["EMPTY_DESCRIPTION"]


# 4. Trigger phrases (those of other languages have tests of their own)


@pytest.mark.parametrize(
    "phrase",
    [
        "Use when a bill arrives",
        "Used when a bill arrives",
        "Should be used when a bill arrives",
        "Use this skill immediately after a bill",
        "Use proactively",
        "Triggers on bills",
        "Auto-loads when a bill arrives",
        "Use for bills",
        "Use to read bills",
        "Use if a bill arrives",
        "Use it when a bill arrives",
        "Use this when a bill arrives",
        "Use any time a bill arrives",
        "Triggers: bill, letter",
        "When: a bill arrives",
        "Invoke when a bill arrives",
        "Activate whenever a bill arrives",
        "Run after a bill arrives",
        "Apply before a bill arrives",
        "Call when a bill arrives",
        "Load this skill when a bill arrives",
        "Do not use when a letter arrives. Use when a bill arrives",
    ],
)
def test_trigger_phrases_say_when_to_use(phrase: str) -> None:
    assert flags(score(described(f"Reads all bills. {phrase}."))) == []


@pytest.mark.parametrize(
    "phrase",
    [
        "Reads bills of any kind.",
        "Do not use when a letter arrives.",
        "Don''t trigger on letters.",
        "Never use when a letter arrives.",
        "The tools you use to read.",
    ],
)
def test_what_says_no_time_to_use_is_no_trigger(phrase: str) -> None:
    assert flags(score(described(f"Reads all bills. {phrase}"))) == ["MISSING_TRIGGER"]


# 5. Headings, code blocks, tables, languages


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("## a\n\n### b\n\n#### c\n\n# d", [5, 7]),
        ("```\n## a\n```\n\n## b", [9]),
        ("~~~\n## a\n~~~\n", []),
        ("text\n\n    ## a\n", []),
        ("##no space", []),
        ("##\ttab", [5]),
        ("  ## indented", [5]),
        ("Set\n---\n\nTop\n===", [5]),
        ("## é\n\n説\n\n## 説", [5, 9]),
        ("> ## quoted", [5]),
        ("- ## listed", [5]),
        ("<!--\n## a\n-->", []),
    ],
)
def test_headings_are_those_of_the_parse(body: str, lines: list[int]) -> None:
    assert lines == _lines_of(score(skill_text(body)), STRUCTURE, "headings")


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("```\na\n```", [5]),
        ("~~~\na\n~~~", [5]),
        ("````md\n```js\n```\n````", [5]),
        ("text\n\n    indented\n", [7]),
        ("a ```b``` c", []),
        ("```\nunclosed", [5]),
        ("- a\n\n  ```\n  b\n  ```", [7]),
        ("> ```\n> a\n> ```\n\n```\nb\n```", [5, 9]),
        ("<pre>\na\n</pre>", []),
    ],
)
def test_a_code_block_counts_once(body: str, lines: list[int]) -> None:
    assert lines == _lines_of(score(skill_text(body)), STRUCTURE, "code blocks")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("```Python title=x\n```", "python"),
        ("```  JS\n```\n\n~~~js\n~~~", "js"),
        ("```c++\n```\n\n```objective-c\n```", "c++, objective-c"),
        ("````md\n```js\n```\n````", "md"),
        ("```\n```", "none"),
        ("`py`", "none"),
    ],
)
def test_a_language_is_the_first_word_of_the_info_string(body: str, found: str) -> None:
    assert found == part(score(skill_text(body)), STRUCTURE, "languages").found


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("| a | b |\n|---|---|\n| c | d |", [5]),
        ("text\n\na | b\n--|--\nc | d", [7]),
        ("| a | b | c |", []),
        ("```\n| a | b |\n|---|---|\n```", []),
        ("a ||| b", []),
    ],
)
def test_tables_are_those_of_the_parse(body: str, lines: list[int]) -> None:
    assert lines == _lines_of(score(skill_text(body)), STRUCTURE, "table")


# 6. Headings for examples and troubleshooting


@pytest.mark.parametrize(
    ("heading", "part_name"),
    [
        ("## Example", "examples"),
        ("#### Some examples", "examples"),
        ("###### USAGE", "examples"),
        ("Samples\n---", "examples"),
        ("## `Sample` code", "examples"),
        ("## Troubleshoot", "troubleshooting"),
        ("## Troubleshooting guide", "troubleshooting"),
        ("## Common issue", "troubleshooting"),
        ("## Common mistakes", "troubleshooting"),
        ("## Common errors", "troubleshooting"),
        ("### FAQ", "troubleshooting"),
        ("## Pitfalls", "troubleshooting"),
        ("## A gotcha", "troubleshooting"),
        ("## Error handling", "troubleshooting"),
        ("## Edge cases", "troubleshooting"),
        ("## Known issues", "troubleshooting"),
        ("## Limitations", "troubleshooting"),
        ("## Beispiele", "examples"),
        ("## 常见问题", "troubleshooting"),
    ],
)
def test_sections_are_known_by_their_headings(heading: str, part_name: str) -> None:
    result = score(skill_text(f"Text.\n\n{heading}\n"))

    assert points(result, STRUCTURE, part_name) == 0.15
    assert _lines_of(result, STRUCTURE, part_name) == [FIRST_BODY_LINE + 2]


@pytest.mark.parametrize(
    "body", ["# Examples", "Examples", "```\n## Examples\n```", "**Examples**", "## Exemplary"]
)
def test_what_is_no_section_is_no_example(body: str) -> None:
    assert points(score(skill_text(body)), STRUCTURE, "examples") == 0.0


# 7. Lines, directives and words


def test_a_final_newline_adds_no_line() -> None:
    for text in (skill_text("a"), skill_text("a\n")):
        assert part(score(text), "progressive_disclosure", "length").found == "5 lines"


def test_eight_hundred_lines_with_a_final_newline_are_not_bloated() -> None:
    text = filled(800, skill_text())

    assert flags(score(text + "\n")) == []
    assert flags(score(text + "\n\n")) == ["BLOATED_SKILL"]


@pytest.mark.parametrize("place", ["```\n{}\n```", "~~~\n{}\n~~~", "`{}`", "text\n\n    {}\n"])
@pytest.mark.parametrize(
    ("words", "sub", "name"),
    [
        ("MUST", "token_efficiency", "directives"),
        ("orchestrate", "orchestration_wiring", "orchestrator words"),
        ("output format", "orchestration_wiring", "output format"),
        ("returns", "orchestration_wiring", "output words"),
        ("input", "orchestration_wiring", "input words"),
        ("see also", COHERENCE, "related words"),
    ],
)
def test_words_in_code_do_not_count(place: str, words: str, sub: str, name: str) -> None:
    result = score(skill_text(place.format(words)))

    assert part(result, sub, name).lines == ()
    assert part(score(skill_text(words)), sub, name).lines == (FIRST_BODY_LINE,)


def test_words_in_the_front_matter_count() -> None:
    result = score(described("MUST dispatch. Use when a bill arrives."))

    assert part(result, "token_efficiency", "directives").lines == (3,)
    assert part(result, "orchestration_wiring", "orchestrator words").lines == (3,)


@pytest.mark.parametrize(
    ("body", "orchestrates"),
    [
        ("Pixel coordinates are pairs.", False),
        ("Coordinates (x, y) come first.", False),
        ("The coordinates of a point.", False),
        ("A coordinate system.", False),
        ("Coordinate systems.", False),
        ("The coordinate plane.", False),
        ("A coordinate space.", False),
        ("Coordinate the agents.", True),
        ("It coordinates the agents.", True),
        ("Coordinating agents.", True),
        ("A coordinator.", True),
        ("Coordination.", True),
        ("Orchestrates agents.", True),
        ("Dispatches agents.", True),
    ],
)
def test_geometry_is_no_orchestration(body: str, orchestrates: bool) -> None:
    wanted = -0.15 if orchestrates else 0.0

    assert wanted == points(score(skill_text(body)), "orchestration_wiring", "orchestrator words")


# 8. Repetition


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("Same.\n\nSame.", "1 of 2"),
        ("Same.\n\n  Same.  ", "1 of 2"),
        ("a\n\nb\n\nc", "0 of 3"),
        ("```\nsame\nsame\n```\n\n```\nsame\n```", "0 of 0"),
        ("text\n\n    same\n    same\n", "0 of 1"),
        ("| a | b |\n|---|---|\n| c | d |\n| c | d |", "0 of 0"),
        ("One\n===\n\nTwo\n===", "0 of 2"),
        ("-\n-\n*\n1.\n1.\n", "0 of 0"),
        ("***\n\n***\n\n---\n\n---", "0 of 0"),
        (">\n>\n> a", "0 of 1"),
        ("`same`\n\n`same`", "1 of 2"),
        ("例\n\n例", "1 of 2"),
    ],
)
def test_repetition_counts_prose_only(body: str, found: str) -> None:
    assert found == part(score(skill_text(body)), "token_efficiency", "repeated lines").found


def test_repeated_lines_are_named_from_the_second_on() -> None:
    result = score(skill_text("Same.\n\n```\nSame.\n```\n\nSame.\nOther.\nSame.\n"))

    assert _lines_of(result, "token_efficiency", "repeated lines") == [11, 13]


# 11. Tools


def test_each_spelling_of_a_tool_counts_once() -> None:
    result = score(skill_text("Use `Read`. Using `Read`. `Read` tool. Use `read`."))

    assert round(sub_score(result, "harness_portability"), 12) == 0.98


# What can be measured of a text that is too intricate


def test_what_is_too_intricate_is_told_with_the_line_where_measuring_stopped() -> None:
    result = score(skill_text("*a* " * 200_000))

    assert result.composite is not None
    assert ["TOO_INTRICATE"] == [one.rule for one in result.findings if one.level == "warning"][:1]


def test_the_usual_description_is_a_trigger() -> None:
    assert flags(score(described(DESCRIPTION))) == []
