"""`score --output sarif`: valid by the schema of OASIS, and stable enough for code scanning."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from golden_files import assert_golden
from plugineval_action import __version__
from plugineval_action.findings.catalogue import RULES
from plugineval_action.render.score.to_sarif import render
from plugineval_action.render.view import ScoreRun
from sample_results import (
    FAILURE,
    RUNS,
    agent,
    anti_pattern,
    plugin,
    release_notes,
    scored,
    skill,
    sub_scores,
)

SCHEMA_FILE = Path(__file__).parent / "schemas/sarif-2.1.0-rtm.5.json"


def schema() -> dict[str, Any]:
    """The official schema; its two patterns of `language` have a bracket too many."""
    text = SCHEMA_FILE.read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}?$"))
    return loaded


def log(run: ScoreRun) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render(run))["runs"][0]
    return found


def line_of(result: dict[str, Any]) -> int:
    line: int = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    return line


def fingerprints(run: ScoreRun) -> list[str]:
    return [value for each in log(run)["results"] for value in each["partialFingerprints"].values()]


@pytest.mark.parametrize("name", ["one", "hostile"])
def test_golden(name: str) -> None:
    """But for the version, which every release changes."""
    text = render(RUNS[name]).replace(f'"version": "{__version__}"', '"version": "0.0.0"')

    assert_golden(f"score_{name}.sarif", text)


@pytest.mark.parametrize("name", RUNS)
def test_the_log_is_valid_sarif(name: str) -> None:
    validator = jsonschema_rs.validator_for(schema(), validate_formats=True)

    assert [] == [error.message for error in validator.iter_errors(json.loads(render(RUNS[name])))]


def test_every_rule_says_what_it_means_and_where_its_page_is() -> None:
    rules = log(RUNS["one"])["tool"]["driver"]["rules"]

    assert list(RULES) == [rule["id"] for rule in rules]
    assert [rule.url for rule in RULES.values()] == [rule["helpUri"] for rule in rules]
    assert [rule.level for rule in RULES.values()] == [
        rule["defaultConfiguration"]["level"] for rule in rules
    ]


def test_every_anti_pattern_and_finding_is_one_result_with_its_rule_level_and_place() -> None:
    run = log(RUNS["one"])
    found = [
        (
            each["ruleId"],
            each["level"],
            each["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for each in run["results"]
    ]

    assert [
        ("MISSING_TRIGGER", "warning", 3),
        ("ORPHAN_REFERENCE", "warning", 12),
        ("ORPHAN_REFERENCE", "warning", 57),
        ("INVALID_JSON", "error", 1),
        ("DUPLICATE_KEY", "warning", 4),
        ("CLAUDE_TOOL_PROSE", "note", 22),
    ] == found
    assert all(
        each["ruleId"] == run["tool"]["driver"]["rules"][each["ruleIndex"]]["id"]
        for each in run["results"]
    )


def test_a_plugin_and_its_skill_report_a_problem_once() -> None:
    alone = scored(release_notes())
    both = scored(plugin("p", "", release_notes(), agent("a", "agents/a.md")), release_notes())

    assert len(log(alone)["results"]) == len(log(both)["results"])


def test_fingerprints_are_distinct_and_stay_when_lines_move() -> None:
    def run(shift: int) -> ScoreRun:
        lines = (3, 12, 57)
        flags = tuple(
            anti_pattern("ORPHAN_REFERENCE", "a/SKILL.md", n + shift, "gone") for n in lines
        )
        return scored(skill("a", "a", sub_scores(), flags))

    assert 3 == len(set(fingerprints(run(0))))
    assert fingerprints(run(0)) == fingerprints(run(40))


def test_paths_become_relative_percent_encoded_addresses() -> None:
    flag = anti_pattern("MISSING_TRIGGER", "my skills/a#b%ü\udcff/SKILL.md", 3)
    result = log(scored(skill("a", "a", sub_scores(), (flag,))))["results"][0]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]

    assert {"uri": "my%20skills/a%23b%25%C3%BC%FF/SKILL.md", "uriBaseId": "%SRCROOT%"} == artifact


def test_a_message_cannot_plant_a_link() -> None:
    """In SARIF's plain text, [text](target) is a link unless the brackets are escaped."""
    messages = [each["message"]["text"] for each in log(RUNS["hostile"])["results"]]

    assert messages
    assert not [text for text in messages if re.search(r"(?<!\\)\]\(", text)]
    assert all("\n" not in text and "\x1b" not in text for text in messages)


def test_what_could_not_be_scored_is_told_as_a_notification() -> None:
    invocation = log(scored(failures=(FAILURE,)))["invocations"][0]

    assert invocation["executionSuccessful"] is False
    assert FAILURE.message in invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert log(RUNS["one"])["invocations"][0]["executionSuccessful"] is True


def test_nothing_in_the_text_steers_a_terminal_or_a_runner() -> None:
    text = render(RUNS["hostile"])

    assert not set("\x1b\x07\u202e\r") & set(text)
    assert "##[" not in text
    assert text.encode()
