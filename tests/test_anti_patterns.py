"""Anti-patterns and portability findings: when they are raised, in which order, at which line."""

from __future__ import annotations

import pytest

from plugineval_action.findings.catalogue import RULES
from plugineval_action.layers.static.antipatterns import penalty
from plugineval_action.rulesets import Ruleset
from skills import (
    DESCRIPTION,
    HOME,
    beside,
    composite,
    described,
    filled,
    flag_lines,
    flags,
    rules,
    score,
    skill_text,
)

both = pytest.mark.parametrize("ruleset", ["plugineval", "reference"])


@both
@pytest.mark.parametrize(
    ("body", "raised"),
    [
        ("MUST " * 15, False),
        ("MUST " * 16, True),
        ("MUST NEVER ALWAYS " * 5, False),
        ("MUST NEVER ALWAYS " * 5 + "NEVER", True),
        ("must never always " * 9, False),
    ],
)
def test_over_constrained_from_sixteen_directives(
    body: str, raised: bool, ruleset: Ruleset
) -> None:
    assert raised == ("OVER_CONSTRAINED" in flags(score(skill_text(body), ruleset=ruleset)))


@both
@pytest.mark.parametrize(
    ("description", "raised"),
    [
        ("", True),
        ("Use when so it is.", True),
        ("Use when it is so, x", False),
        ("x" * 19, True),
        ("x" * 20, False),
        ("説" * 19, True),
        ("説" * 20, False),
        (" " * 9 + "x" * 19 + "\xa0", True),
    ],
)
def test_empty_description_under_twenty_characters(
    description: str, raised: bool, ruleset: Ruleset
) -> None:
    found = flags(score(described(description), ruleset=ruleset))

    assert raised == ("EMPTY_DESCRIPTION" in found)


@both
@pytest.mark.parametrize(
    ("fields", "raised"),
    [
        ("", True),
        ("disable-model-invocation: true\n", False),
        ("disable-model-invocation: yes\n", False),
        ("disable-model-invocation: false\n", True),
        ("disable-model-invocation: 1\n", True),
        ("disable-model-invocation: 'true'\n", True),
        ("paths: '*.py'\n", False),
        ("paths: ''\n", True),
        ("paths: ['*.py']\n", True),
        ("paths:\n", True),
    ],
)
def test_missing_trigger_unless_people_or_paths_invoke_the_skill(
    fields: str, raised: bool, ruleset: Ruleset
) -> None:
    text = skill_text("", f"name: s\ndescription: Reads bills of any kind.\n{fields}")

    assert raised == ("MISSING_TRIGGER" in flags(score(text, ruleset=ruleset)))


@both
@pytest.mark.parametrize(
    ("lines", "files", "raised"),
    [
        (800, (), False),
        (801, (), True),
        (801, ("references/a.md",), False),
        (801, ("references/deeper/a.md",), False),
        (801, ("assets/a.md",), True),
        (801, ("References/a.md",), True),
    ],
)
def test_bloated_over_800_lines_without_references(
    lines: int, files: tuple[str, ...], raised: bool, ruleset: Ruleset
) -> None:
    result = score(filled(lines, skill_text()), beside(*files), ruleset=ruleset)

    assert raised == ("BLOATED_SKILL" in flags(result))


@both
def test_flags_come_in_the_order_of_the_methodology(ruleset: Ruleset) -> None:
    front = "name: s\ndescription: Reads bills.\n"
    body = "`skills/gone` [a](references/a.md)\n" + "MUST " * 16 + "\n"
    found = flags(score(filled(801, skill_text(body, front)), ruleset=ruleset))
    flagged = flags(score(skill_text(body, front), beside("references/b.md"), ruleset=ruleset))

    assert found[:4] == [
        "OVER_CONSTRAINED",
        "EMPTY_DESCRIPTION",
        "MISSING_TRIGGER",
        "BLOATED_SKILL",
    ]
    assert flagged[3:] == ["ORPHAN_REFERENCE", "DEAD_CROSS_REF"]


@both
def test_each_flag_shows_its_published_severity_and_the_remedy_of_its_rule(
    ruleset: Ruleset,
) -> None:
    front = "name: s\ndescription: Reads bills.\n"
    body = "`skills/gone` [a](references/a.md)\n" + "MUST " * 16 + "\n"
    results = (
        score(filled(801, skill_text(body, front)), ruleset=ruleset),
        score(skill_text(body, front), beside("references/b.md"), ruleset=ruleset),
    )
    shown = {flag.flag: flag for one in results for flag in one.layers[0].anti_patterns}

    assert {name: flag.severity for name, flag in shown.items()} == {
        "OVER_CONSTRAINED": 0.10,
        "EMPTY_DESCRIPTION": 0.10,
        "MISSING_TRIGGER": 0.15,
        "BLOATED_SKILL": 0.10,
        "ORPHAN_REFERENCE": 0.05,
        "DEAD_CROSS_REF": 0.05,
    }
    assert all(flag.remedy == RULES[name].remedy for name, flag in shown.items())
    assert all(flag.path == f"{HOME}/SKILL.md" for flag in shown.values())


@pytest.mark.parametrize(
    ("count", "factor"),
    [(0, 1.0), (1, 0.95), (2, 0.9), (9, 0.55), (10, 0.5), (11, 0.5), (1000, 0.5)],
)
def test_each_flag_takes_five_percent_down_to_a_half(count: int, factor: float) -> None:
    assert penalty(count) == pytest.approx(factor, abs=1e-15)
    assert penalty(count) == max(0.5, 1.0 - 0.05 * count)


@both
@pytest.mark.parametrize("count", [0, 1, 9, 10, 12])
def test_the_penalty_of_a_skill_counts_every_flag(count: int, ruleset: Ruleset) -> None:
    links = "".join(f"[x](references/gone{number}.md)\n" for number in range(count))
    result = score(skill_text(links), beside("references/a.md"), ruleset=ruleset)

    assert result.composite is not None
    assert ["ORPHAN_REFERENCE"] * count == flags(result)
    assert penalty(count) == result.composite.anti_pattern_penalty


def test_severity_never_weighs() -> None:
    missing = skill_text("", "name: s\ndescription: Reads bills and letters.\n")
    manual = skill_text(
        "", "name: s\ndescription: Reads bills and letters.\ndisable-model-invocation: true\n"
    )

    assert flags(score(missing)) == ["MISSING_TRIGGER"]
    assert composite(score(missing)) == pytest.approx(0.95 * composite(score(manual)), abs=1e-9)


def test_flags_point_at_the_lines_that_raise_them() -> None:
    text = skill_text(
        "Text é.\n\nMUST\n\n[a](references/a.md)\n\n`skills/gone`\n\n" + "NEVER\n" * 15,
        "name: s\ndescription: >\n  Reads\n  bills.\n",
    )
    result = score(text)
    lines = text.split("\n")
    shown = {flag.flag: (flag.line, flag.end_line) for flag in result.layers[0].anti_patterns}

    assert {flag: lines[first - 1] for flag, (first, _) in shown.items()} == {
        "OVER_CONSTRAINED": "MUST",
        "EMPTY_DESCRIPTION": "description: >",
        "MISSING_TRIGGER": "description: >",
        "ORPHAN_REFERENCE": "[a](references/a.md)",
        "DEAD_CROSS_REF": "`skills/gone`",
    }
    assert shown["OVER_CONSTRAINED"][1] == len(lines) - 1


@both
def test_a_bloated_skill_is_flagged_as_a_whole(ruleset: Ruleset) -> None:
    result = score(filled(801, skill_text()), ruleset=ruleset)
    flag = result.layers[0].anti_patterns[-1]

    assert (flag.flag, flag.line, flag.end_line) == ("BLOATED_SKILL", 1, 801)


@both
def test_a_description_is_flagged_on_its_line(ruleset: Ruleset) -> None:
    result = score(skill_text("", "name: s\n\nother: é\ndescription: Reads.\n"), ruleset=ruleset)

    assert flag_lines(result, "EMPTY_DESCRIPTION") == [5]
    assert flag_lines(result, "MISSING_TRIGGER") == [5]


@both
def test_a_missing_description_is_flagged_on_the_first_line(ruleset: Ruleset) -> None:
    result = score(skill_text("", "name: s\n"), ruleset=ruleset)

    assert flag_lines(result, "EMPTY_DESCRIPTION") == [1]


def _sized(size: int) -> str:
    start = skill_text("\n", f"name: s\ndescription: {DESCRIPTION}\n")
    return start + "x" * (size - len(start))


@both
@pytest.mark.parametrize(("size", "raised"), [(8191, False), (8192, False), (8193, True)])
def test_codex_reads_8192_bytes(size: int, raised: bool, ruleset: Ruleset) -> None:
    result = score(_sized(size), ruleset=ruleset)

    assert raised == ("SKILL_OVER_CODEX_CAP" in rules(result))


@both
def test_codex_counts_bytes_and_not_characters(ruleset: Ruleset) -> None:
    text = _sized(8191)[:-1]

    assert "SKILL_OVER_CODEX_CAP" not in rules(score(text + "é", ruleset=ruleset))
    assert "SKILL_OVER_CODEX_CAP" in rules(score(text + "説", ruleset=ruleset))


@both
def test_line_ends_count_as_one_byte_however_they_are_written(ruleset: Ruleset) -> None:
    text = skill_text() + "\n" * (8192 - len(skill_text()))

    assert "SKILL_OVER_CODEX_CAP" not in rules(score(text.replace("\n", "\r\n"), ruleset=ruleset))


@both
def test_references_keep_a_long_skill_within_the_codex_cap(ruleset: Ruleset) -> None:
    result = score(_sized(9000), beside("references/a.md"), ruleset=ruleset)

    assert "SKILL_OVER_CODEX_CAP" not in rules(result)


@both
@pytest.mark.parametrize(
    "tool",
    [
        "Read",
        "Edit",
        "Write",
        "Bash",
        "Grep",
        "Glob",
        "Agent",
        "Task",
        "TodoWrite",
        "WebFetch",
        "WebSearch",
        "LS",
        "LSP",
    ],
)
def test_every_tool_name_is_known(tool: str, ruleset: Ruleset) -> None:
    result = score(skill_text(f"\nUse `{tool}`, then the {tool} tool.\n"), ruleset=ruleset)

    assert rules(result) == ["CLAUDE_TOOL_REFS", "CLAUDE_TOOL_PROSE"]
    assert [found.line for found in result.findings] == [6, 6]


@both
@pytest.mark.parametrize(
    ("body", "raised"),
    [
        ("the `Read`", True),
        ("use `Read`", True),
        ("using `Read`", True),
        ("call `Read`", True),
        ("calling `Read`", True),
        ("invoke `Read`", True),
        ("invoking `Read`", True),
        ("via `Read`", True),
        ("Via  \n`Read`", True),
        ("USE `Read`", True),
        ("`Read` tool", True),
        ("`Read` \n Tool.", True),
        ("`Read` tools", False),
        ("`Read`tool", False),
        ("use`Read`", False),
        ("misuse `Read`", False),
        ("with `Read`", False),
        ("use Read", False),
        ("use `Reader`", False),
        ("use `Read file`", False),
    ],
)
def test_tool_names_in_back_ticks(body: str, raised: bool, ruleset: Ruleset) -> None:
    assert raised == ("CLAUDE_TOOL_REFS" in rules(score(skill_text(body), ruleset=ruleset)))


@both
@pytest.mark.parametrize(
    ("body", "raised"),
    [
        ("the Read tool", True),
        ("THE Read tool", True),
        ("the `Read` tool", True),
        ("the `Read tool", True),
        ("the Read\n  tool.", True),
        ("the Read Tool", False),
        ("the read tool", False),
        ("the Read tools", False),
        ("a Read tool", False),
        ("the Reader tool", False),
        ("bathe Read tool", False),
    ],
)
def test_tool_names_in_prose(body: str, raised: bool, ruleset: Ruleset) -> None:
    assert raised == ("CLAUDE_TOOL_PROSE" in rules(score(skill_text(body), ruleset=ruleset)))


@pytest.mark.parametrize(
    ("body", "plugineval", "reference"),
    [
        ("use `read`", False, True),
        ("use `BASH`", False, True),
        ("`webfetch` tool", False, True),
        ("use `Bash`", True, True),
    ],
)
def test_only_exact_case_names_a_tool_in_the_default_ruleset(
    body: str, plugineval: bool, reference: bool
) -> None:
    text = skill_text(body)

    assert plugineval == ("CLAUDE_TOOL_REFS" in rules(score(text)))
    assert reference == ("CLAUDE_TOOL_REFS" in rules(score(text, ruleset="reference")))


@both
def test_portability_findings_are_no_anti_patterns(ruleset: Ruleset) -> None:
    result = score(skill_text("Use `Bash` or the Read tool." + "x" * 8192), ruleset=ruleset)

    assert rules(result) == ["SKILL_OVER_CODEX_CAP", "CLAUDE_TOOL_REFS", "CLAUDE_TOOL_PROSE"]
    assert flags(result) == []
