"""New is what was not there before; where before is not known, nothing is called new."""

from __future__ import annotations

import pytest

from plugineval_action.results import AntiPattern, Finding, LayerResult, Result
from plugineval_action.review.new_problems import new_problems
from plugineval_action.review_values import Change, ChangeStatus

NOTE = Finding("BROKEN_LINK", "warning", "Said.", "Mend it.", "a/SKILL.md", 7)
FLAG = AntiPattern("MISSING_TRIGGER", "Said.", 0.1, "Mend it.", "a/SKILL.md")
LAYER = LayerResult("static", 1.0, (), (FLAG,), {})


def skill(*notes: Finding, path: str = "a") -> Result:
    return Result("skill", "s", path, "r", findings=notes)


def new(status: ChangeStatus, before: Result | None, after: Result | None) -> list[str | None]:
    return [one.rule for one in new_problems(Change(status, before, after))]


def test_all_of_a_new_skill_is_new_and_nothing_where_before_is_not_known() -> None:
    assert ["BROKEN_LINK"] == new("new", None, skill(NOTE))
    assert [] == new("changed", None, skill(NOTE))
    assert [] == new("removed", skill(NOTE), None)


def test_lines_and_folders_may_move() -> None:
    moved = NOTE._replace(path="b/SKILL.md", line=90)

    assert [] == new("renamed", skill(NOTE), skill(moved, path="b"))
    assert ["BROKEN_LINK"] == new("changed", skill(NOTE), skill(NOTE, NOTE._replace(line=9)))


@pytest.mark.parametrize(("rule", "found"), [("INVALID_YAML", []), ("SECRET", ["SECRET"])])
def test_another_message_is_another_finding_but_of_what_a_file_has_once(
    rule: str, found: list[str]
) -> None:
    before = NOTE._replace(rule=rule)

    assert found == new("changed", skill(before), skill(before._replace(message="Other.")))


def test_anti_patterns_are_new_for_the_skill_and_not_for_the_plugin_around_it_again() -> None:
    flagged = skill()._replace(layers=(LAYER,))

    assert ["MISSING_TRIGGER"] == new("new", None, flagged)
    assert [] == new("new", None, flagged._replace(kind="plugin"))
