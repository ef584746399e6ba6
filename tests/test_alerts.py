"""Alerts: what is below the line, and the one issue that says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from github_page import render
from plugineval_action.action.alerts import AlertPlan, gate_of, plan_alert
from plugineval_action.action.inputs import GateInputs
from plugineval_action.action.report_commit import Place
from plugineval_action.gh.client import Issue
from plugineval_action.render.report.model import Model, model
from plugineval_action.report.comparison import WEEK, compared
from plugineval_action.report.history import History, Record
from plugineval_action.report.runs import runs_of
from plugineval_action.report.timeline import timeline
from plugineval_action.report_values import MarketplaceReport
from sample_history import RULESET, record

PLACE = Place("plugin-eval-report", "")
FIVE = GateInputs.model_validate({"max-regression": "5"})
SIXTY = GateInputs.model_validate({"fail-under": "60"})


def after(*runs: list[Record]) -> Model:
    """What a report knows after these runs."""
    history = History(tuple(found for run in runs for found in run))
    past = timeline(history, runs_of(history)[-1])
    report = MarketplaceReport("skills", past.now.commit, past.now.ruleset, past.now.date, ())
    return model(report, History())._replace(timeline=past, week=compared(past, WEEK))


def week(number: int, ruleset: str = RULESET, /, **scores: float | None) -> list[Record]:
    """One run, so many weeks after the first."""
    day = f"2026-01-{5 + 7 * number:02}"
    return [
        record(day, f"c{number}", plugin, score, ruleset=ruleset)
        for plugin, score in scores.items()
    ]


def issue(plan: AlertPlan, *, mine: bool = True) -> Issue:
    return Issue(3, plan.body, "https://github.example/o/r/issues/3", mine)


def test_without_a_limit_everything_passes() -> None:
    assert gate_of(after(week(0, a=80), week(1, a=10)), GateInputs()).passed


def test_what_lost_exactly_as_much_as_is_allowed_passes() -> None:
    assert gate_of(after(week(0, a=80, b=70), week(1, a=75, b=70)), FIVE).passed


def test_the_mean_and_the_deepest_fall_are_told_first() -> None:
    gate = gate_of(after(week(0, a=80, b=80, c=80), week(1, a=70, b=60, c=80)), FIVE)

    assert (
        "The mean lost 10.0 points since 2026-01-05 (80.0 to 70.0); max-regression allows 5.",
        "b lost 20.0 points since 2026-01-05 (80.0 to 60.0); max-regression allows 5.",
        "a lost 10.0 points since 2026-01-05 (80.0 to 70.0); max-regression allows 5.",
    ) == gate.reasons


def test_a_plugin_that_cannot_be_scored_any_more_has_fallen() -> None:
    gate = gate_of(after(week(0, a=80, b=70), week(1, a=None, b=70)), FIVE)

    assert "a has no score any more (it was 80.0); max-regression allows 5." in gate.reasons


def test_new_and_removed_plugins_have_not_fallen() -> None:
    assert gate_of(after(week(0, a=80, b=80), week(1, b=80, c=79)), FIVE).passed


def test_another_ruleset_is_nothing_to_fall_from() -> None:
    assert gate_of(after(week(0, a=80), week(1, "plugineval/2", a=10)), FIVE).passed


def test_a_floor_holds_without_a_past() -> None:
    gate = gate_of(after(week(0, a=59.96, b=60, c=None)), SIXTY)

    assert ("a scores 59.96; fail-under asks for 60.",) == gate.reasons


def test_nothing_below_the_line_opens_nothing() -> None:
    assert AlertPlan("none") == plan_alert([], after(week(0, a=80)), FIVE, PLACE)


def test_an_issue_names_what_fell_and_when_in_its_first_line() -> None:
    plan = plan_alert([], after(week(0, a=80), week(1, a=70)), FIVE, PLACE)
    first, *rest = plan.body.splitlines()

    assert "open" == plan.action
    assert first.startswith("<!-- plugin-eval alert ")
    assert " since 2026-01-05 " in first
    assert any("a lost 10.0 points" in line for line in rest)


def test_who_stays_low_stays_in_the_issue_though_last_week_was_as_low() -> None:
    opened = plan_alert([], after(week(0, a=80), week(1, a=70)), FIVE, PLACE)
    found = after(week(0, a=80), week(1, a=70), week(2, a=70))
    plan = plan_alert([issue(opened)], found, FIVE, PLACE)

    assert gate_of(found, FIVE).passed
    assert ("edit", 3) == (plan.action, plan.number)
    assert "a lost 10.0 points since 2026-01-05" in plan.body


def test_who_fell_on_the_day_of_the_run_before_stays_in_the_issue() -> None:
    day = [[record("2026-01-05", "c1", score=80.0)], [record("2026-01-05", "c2", score=70.0)]]
    opened = plan_alert([], after(*day), FIVE, PLACE)
    found = after(*day, [record("2026-01-06", "c3", score=70.0)])

    assert "lost 10.0 points" in plan_alert([issue(opened)], found, FIVE, PLACE).body


def test_the_same_report_leaves_the_issue_as_it_is() -> None:
    found = after(week(0, a=80), week(1, a=70))
    opened = plan_alert([], found, FIVE, PLACE)
    edited_in_a_form = opened._replace(body=opened.body.replace("\n", "\r\n"))

    assert "keep" == plan_alert([issue(edited_in_a_form)], found, FIVE, PLACE).action


def test_an_issue_is_closed_when_all_is_mended() -> None:
    opened = plan_alert([], after(week(0, a=80), week(1, a=70)), FIVE, PLACE)
    plan = plan_alert(
        [issue(opened)], after(week(0, a=80), week(1, a=70), week(2, a=76)), FIVE, PLACE
    )

    assert ("close", 3, "Plugin scores are fine again") == (plan.action, plan.number, plan.title)


def test_a_new_ruleset_closes_what_can_no_longer_be_compared() -> None:
    opened = plan_alert([], after(week(0, a=80), week(1, a=70)), FIVE, PLACE)
    found = after(week(0, a=80), week(1, a=70), week(2, "plugineval/2", a=60))

    assert "close" == plan_alert([issue(opened)], found, FIVE, PLACE).action


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<!-- plugin-eval -->",
        "<!-- plugin-eval alert 00000000 since 2026-01-05 00000000 -->",
        "<!-- plugin-eval alert x since y -->",
    ],
)
def test_an_issue_with_another_first_line_is_none_of_ours(body: str) -> None:
    other = Issue(1, body, "", mine=True)

    assert "open" == plan_alert([other], after(week(0, a=80), week(1, a=70)), FIVE, PLACE).action


def test_an_issue_of_somebody_else_is_none_of_ours_whatever_it_says() -> None:
    found = after(week(0, a=80), week(1, a=70))
    planted = issue(plan_alert([], found, FIVE, PLACE), mine=False)

    assert "open" == plan_alert([planted], found, FIVE, PLACE).action


def test_two_reports_of_one_repository_have_an_issue_each() -> None:
    found = after(week(0, a=80), week(1, a=70))
    other = issue(plan_alert([], found, FIVE, Place("other", "")))

    assert "open" == plan_alert([other], found, FIVE, PLACE).action


def test_a_day_that_is_not_in_the_history_any_more_is_the_last_one_before_it() -> None:
    opened = plan_alert([], after(week(0, a=80), week(1, a=70)), FIVE, PLACE)
    later = issue(opened)._replace(body=opened.body.replace("2026-01-05", "2026-01-07"))
    plan = plan_alert([later], after(week(0, a=80), week(2, a=70)), FIVE, PLACE)

    assert "since 2026-01-05" in plan.body.splitlines()[0]


def test_a_long_list_is_cut_and_counted() -> None:
    names = [f"p{number}" for number in range(80)]
    found = after(week(0, **dict.fromkeys(names, 80.0)), week(1, **dict.fromkeys(names, 10.0)))
    body = plan_alert([], found, FIVE, PLACE).body

    assert "- and 31 more" in body
    assert len(body) < 60_000


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_a_name_is_text_in_an_issue(name: str) -> None:
    body = plan_alert([], after(week(0, **{name: 80.0}), week(1, **{name: 10.0})), FIVE, PLACE).body

    assert "<a " not in render(body)
    assert "<img" not in render(body)
