"""Runs over time: which plugin is which, what moved and why, and where the past ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.report.comparison import Comparison, compared
from plugineval_action.report.history import History, Record
from plugineval_action.report.runs import Run, runs_of
from plugineval_action.report.timeline import Timeline, timeline, unchanged_since
from plugineval_action.report.weeks import Move, weeks
from sample_history import RULESET, record, records


def story(*runs: list[Record]) -> Timeline:
    """The timeline up to the last of some runs."""
    last = runs[-1]
    now = Run(last[0].commit, last[0].date, last[0].ruleset, tuple(last))
    return timeline(History(tuple(one for run in runs for one in run)), now)


def since(days: int, *runs: list[Record]) -> Comparison:
    found = compared(story(*runs), days)

    assert found is not None
    return found


def a_week_later(*found: Record) -> list[Record]:
    return [one._replace(date="2026-01-12", commit="c2") for one in found]


def test_runs_come_by_date_and_those_of_a_day_in_the_order_of_their_lines() -> None:
    days = [("2026-01-12", "b"), ("2026-01-05", "x"), ("2026-01-05", "a")]
    found = runs_of(History(tuple(record(day, commit) for day, commit in days)))

    assert ["x", "a", "b"] == [run.commit for run in found]


def test_a_report_on_an_earlier_commit_does_not_know_what_came_later() -> None:
    first, second, third = (record(f"2026-01-0{at}", f"c{at}") for at in (1, 2, 3))
    now = Run("c2", "2026-01-02", RULESET, (second,))
    found = timeline(History((first, second, third)), now)

    assert ["c1", "c2"] == [run.commit for run in found.runs]


def test_a_run_that_found_nothing_has_a_past_too() -> None:
    now = Run("c2", "2026-01-12", RULESET, ())
    found = timeline(History((record(),)), now)
    week = compared(found, 7)

    assert week is not None
    assert ("p",) == tuple(one.plugin for one in week.removed)


def test_new_removed_and_moved_plugins_are_told_apart() -> None:
    before = [record(plugin="stays"), record(plugin="goes"), record(plugin="falls")]
    now = a_week_later(before[0], record(plugin="comes"), record(plugin="falls", score=75.5))
    week = since(7, before, now)

    assert ["comes"] == [one.plugin for one in week.new]
    assert ["goes"] == [one.plugin for one in week.removed]
    assert [("falls", -4.5)] == [(one.now.plugin, one.points) for one in week.fallers]
    assert () == week.risers
    assert [Move("falls", 80.0, 75.5)] == week.moves


def test_a_plugin_is_known_by_its_content_under_another_name() -> None:
    old = record(plugin="old", digest="d", score=70.0)
    week = since(7, [old], a_week_later(record(plugin="new", digest="d")))

    assert [("old", "new")] == [(one.before.plugin, one.now.plugin) for one in week.renamed]
    assert [10.0] == [one.points for one in week.shifts]
    assert ((), ()) == (week.new, week.removed)


def test_a_plugin_is_known_by_its_name_in_another_place() -> None:
    moved = record(path="elsewhere/p", digest="other")
    week = since(7, [record(digest="d")], a_week_later(moved))

    assert ((), (), ()) == (week.new, week.removed, week.renamed)


@pytest.mark.parametrize("digest", ["", "same"])
def test_content_that_several_plugins_share_tells_nothing(digest: str) -> None:
    before = [record(plugin=name, digest=digest) for name in "ab"]
    week = since(7, before, a_week_later(*(record(plugin=name, digest=digest) for name in "cd")))

    assert ["c", "d"] == [one.plugin for one in week.new]
    assert ["a", "b"] == [one.plugin for one in week.removed]


def test_a_trend_goes_on_over_renames_and_runs_in_which_the_plugin_was_missing() -> None:
    first = [record("2026-01-05", "c1", "old", 60.0, digest="d")]
    second = [record("2026-01-12", "c2", "other")]
    third = [record("2026-01-19", "c3", "new", 70.0, digest="d")]

    assert [60.0, None, 70.0] == story(first, second, third).scores("new")


def test_reasons_are_flags_members_and_the_sub_scores_that_weigh_most() -> None:
    before = record(flags={"DEAD_CROSS_REF": 2, "MISSING_TRIGGER": 1})
    now = record(
        score=90.0,
        flags={"DEAD_CROSS_REF": 1, "BLOATED_SKILL": 1},
        skills=3,
        sub_scores=(0.7, 0.95, 0.75, 0.6, 1.0, 0.5, 0.996),
    )
    (shift,) = since(7, [before], a_week_later(now)).shifts

    assert (("BLOATED_SKILL", 1), ("DEAD_CROSS_REF", -1), ("MISSING_TRIGGER", -1)) == shift.flags
    assert ["frontmatter_quality", "orchestration_wiring"] == [name for name, _ in shift.sub_scores]
    assert 2 == shift.members


def test_a_change_that_is_not_shown_is_no_move() -> None:
    week = since(7, [record(score=80.04)], a_week_later(record(score=80.0)))

    assert () == week.shifts


def test_what_has_no_score_neither_rises_nor_falls() -> None:
    week = since(7, [record(score=None)], a_week_later(record()))

    assert () == week.shifts


@pytest.mark.parametrize(
    ("days", "expected"), [(7, "2026-03-16"), (28, "2026-02-23")], ids=["a week", "four weeks"]
)
def test_of_weekly_runs_the_one_nearest_to_that_day_is_compared(days: int, expected: str) -> None:
    runs = [
        [record(day, day)]
        for day in ("2026-01-05", "2026-02-16", "2026-02-23", "2026-03-02", "2026-03-16")
    ]
    found = since(days, *runs, [record("2026-03-22", "now")])

    assert expected == found.since.date


def test_last_weeks_run_is_not_called_four_weeks_old() -> None:
    assert compared(story([record()], a_week_later(record())), 28) is None


def test_the_past_ends_where_the_ruleset_changes() -> None:
    old = [record("2026-01-05", "c1", ruleset="plugineval/0", score=10.0)]
    new = [record("2026-01-12", "c2"), record("2026-01-12", "c2", "q")]
    found = story(old, new)

    assert compared(found, 7) is None
    assert [80.0] == found.scores("p")
    assert [False, True] == [week.breaks for week in weeks(found.runs)]


def test_a_trend_starts_anew_where_the_ruleset_came_back() -> None:
    days = [("2026-01-05", RULESET), ("2026-01-12", "plugineval/2"), ("2026-01-19", RULESET)]
    runs = [[record(day, day, ruleset=ruleset)] for day, ruleset in days]

    assert [80.0] == story(*runs).scores("p")


def test_weeks_have_ascending_scores_and_count_every_badge() -> None:
    (week,) = weeks(story([record(score=82.0), record(plugin="q", score=60.5)]).runs)

    assert (60.5, 82.0) == week.scores
    expected = {"platinum": 0, "gold": 1, "silver": 0, "bronze": 0, "no_badge": 1, "withheld": 0}
    assert expected == week.badges


def test_content_is_as_old_as_the_first_of_the_latest_runs_that_had_it() -> None:
    digests = ["a", "b", "a", "a"]
    runs = [
        [record(f"2026-01-0{at}", f"c{at}", digest=digest)] for at, digest in enumerate(digests, 1)
    ]

    assert "c3" == unchanged_since(story(*runs), "p").commit


def test_content_in_another_place_is_as_old_as_the_move() -> None:
    """Links lead to the commit that has the files where they are now."""
    before = record(digest="a", path="old/p")
    now = a_week_later(before._replace(path="plugins/p"))

    assert "c2" == unchanged_since(story([before], now), "p").commit


def test_unknown_content_is_as_old_as_the_run() -> None:
    assert "c2" == unchanged_since(story([record()], a_week_later(record())), "p").commit


@given(st.lists(records, max_size=6), records)
def test_every_plugin_of_an_earlier_run_is_at_most_one_of_today(
    earlier: list[Record], now: Record
) -> None:
    today = [now._replace(slug=str(at), plugin=name) for at, name in enumerate(("a", "b", "x"))]
    run = Run("now", "2027-01-01", RULESET, tuple(today))
    found = timeline(History(tuple(earlier)), run)

    for matched, of in zip(found.past, found.runs, strict=True):
        assert len({id(one) for one in matched.values()}) == len(matched)
        assert {id(one) for one in matched.values()} <= {id(one) for one in of.records}
