"""`score --output github`: commands that a runner reads as we meant them, no more than it shows."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.escape import printable
from plugineval_action.render.score.to_commands import render
from plugineval_action.render.view import ScoreRun
from plugineval_action.results import AntiPattern, Finding, Result
from sample_results import (
    FAILURE,
    HOSTILE,
    RUNS,
    anti_pattern,
    changelog,
    finding,
    hostile_run,
    release_notes,
    scored,
    skill,
    sub_scores,
)

COMMAND = re.compile(r"::(error|warning|notice) ([^:\r\n]*)::([^\r\n]*)\n")


class Annotation(NamedTuple):
    """A command as the runner reads it."""

    level: str
    properties: dict[str, str]
    message: str


def commands(run: ScoreRun) -> list[Annotation]:
    """Every command of the output; fails on a line that is none."""
    text = render(run)

    assert "" == COMMAND.sub("", text)
    return [_read(*found.groups()) for found in COMMAND.finditer(text)]


def _read(level: str, properties: str, message: str) -> Annotation:
    pairs = (pair.split("=", 1) for pair in properties.split(","))
    values = {
        name: _decoded(value.replace("%3A", ":").replace("%2C", ",")) for name, value in pairs
    }
    return Annotation(level, values, _decoded(message))


def _decoded(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def many(count: int) -> Result:
    """A skill with so many errors, warnings and notes."""
    path = "skills/many/SKILL.md"
    flags: tuple[AntiPattern, ...] = tuple(
        anti_pattern("DEAD_CROSS_REF", path, line) for line in range(1, count + 1)
    )
    findings: tuple[Finding, ...] = tuple(
        finding(rule, path, line)
        for rule in ("INVALID_YAML", "CLAUDE_TOOL_PROSE")
        for line in range(1, count + 1)
    )
    return skill("many", "skills/many", sub_scores(), flags, findings)


def test_a_problem_is_annotated_where_it_stands() -> None:
    found = commands(RUNS["one"])
    first = next(each for each in found if each.properties["title"].startswith("Link into"))

    assert "warning" == first.level
    assert {
        "file": "skills/release-notes/SKILL.md",
        "line": "12",
        "endLine": "12",
        "title": "Link into references/ leads to nothing",
    } == first.properties
    assert "references/format.md is not there." in first.message
    assert "(ORPHAN_REFERENCE)" in first.message


@pytest.mark.parametrize(("count", "left_out"), [(9, 0), (10, 1), (25, 46)])
def test_at_most_ten_of_each_level_are_written_and_the_rest_is_counted(
    count: int, left_out: int
) -> None:
    found = commands(scored(many(count)))
    levels = Counter(each.level for each in found)

    assert max(levels.values()) <= 10
    assert min(count, 10) == levels["error"] == levels["warning"]
    assert (f"{left_out} of them not shown" in found[-1].message) == (left_out > 0)


def test_the_last_command_is_a_notice_with_the_verdict() -> None:
    one, several = commands(RUNS["one"])[-1], commands(RUNS["many"])[-1]

    assert "notice" == one.level == several.level
    assert one.message.startswith("release-notes: 47.8, No badge.")
    assert several.message.startswith("4 results scored: 1 Platinum, 1 No badge.")
    assert "Estimated at depth quick, ruleset plugineval/1." in one.message


def test_a_score_below_the_threshold_is_an_error_and_one_above_is_not() -> None:
    found = commands(scored(release_notes(), changelog(), threshold=80))
    gates = [each for each in found if each.properties["title"] == "Below the threshold"]

    assert ["skills/release-notes/SKILL.md"] == [each.properties["file"] for each in gates]
    assert "release-notes scores 47.8; 80 is asked for." == gates[0].message


def test_what_could_not_be_scored_is_an_error() -> None:
    first = commands(scored(failures=(FAILURE,)))[0]

    assert ("error", FAILURE.path) == (first.level, first.properties["file"])
    assert f"{FAILURE.message} {FAILURE.remedy}" == first.message


@given(st.one_of(st.text(max_size=20), st.just(HOSTILE), st.sampled_from(HOSTILE.split(" "))))
def test_foreign_text_never_ends_a_command_or_a_property(text: str) -> None:
    text = f"x{text}"
    found = commands(hostile_run(text))

    assert len(commands(hostile_run("x"))) == len(found)
    assert printable(text) == found[0].properties["file"]
    assert printable(f"{text} {text}") == found[0].message
