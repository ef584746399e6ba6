"""history.jsonl: what is written is read again, no other run is lost, errors say where."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.errors import HistoryError
from plugineval_action.report.history import (
    History,
    Record,
    read_history,
    run_key,
    storable,
    thinned,
    with_run,
    write_history,
)
from sample_history import record, records

histories = st.lists(
    records, max_size=6, unique_by=lambda one: (*run_key(one), one.plugin, one.path)
).map(lambda found: History(tuple(found)))


def days(history: History) -> list[str]:
    return [one.date for one in history.records]


@given(histories)
def test_what_is_written_reads_as_the_same(history: History) -> None:
    assert history == read_history(write_history(history))


@given(histories)
def test_a_line_holds_one_record_and_a_file_ends_with_its_last_line(history: History) -> None:
    text = write_history(history)

    assert text.count("\n") == len(history.records)
    assert not text or text.endswith("}\n")


@given(histories, st.lists(records, min_size=1, max_size=4))
def test_adding_a_run_twice_is_adding_it_once(history: History, run: list[Record]) -> None:
    own = [
        one._replace(commit="now", date="2026-12-31", plugin=str(at)) for at, one in enumerate(run)
    ]
    once = with_run(history, own)

    assert once == with_run(once, own)
    assert own == [one for one in once.records if one.commit == "now"]


@given(histories, records)
def test_no_line_of_another_run_is_lost_doubled_or_moved_but_by_thinning(
    history: History, new: Record
) -> None:
    others = History(tuple(one for one in history.records if run_key(one) != run_key(new)))
    kept = [one for one in with_run(history, [new]).records if run_key(one) != run_key(new)]
    newest = thinned(History((*others.records, new)))

    assert [one for one in newest.records if run_key(one) != run_key(new)] == kept


@given(histories)
def test_thinning_again_takes_nothing_more(history: History) -> None:
    assert thinned(history) == thinned(thinned(history))


def test_a_run_that_is_made_again_takes_the_place_of_its_own_lines() -> None:
    first, second, third = (record(f"2026-01-0{at}", f"c{at}") for at in (1, 2, 3))
    again = [second._replace(score=70.0), second._replace(plugin="q")]
    history = with_run(History((first, second, third)), again)

    assert (first, *again, third) == history.records


def test_all_of_a_year_stays_and_of_each_month_before_it_the_last_run() -> None:
    written = ["2024-11-03", "2024-12-08", "2024-12-29", "2025-01-04", "2025-01-30", "2025-02-06"]
    runs = [record(day, day, plugin) for day in (*written, "2026-01-31") for plugin in "pq"]
    history = with_run(History(tuple(runs)), [record("2026-02-07", "now")])

    assert [
        *("2024-11-03", "2024-12-29", "2025-01-30", "2025-02-06", "2026-01-31", "2026-02-07")
    ] == sorted(set(days(history)))
    assert 2 == days(history).count("2024-12-29")


def test_a_commit_that_a_wrong_clock_dated_thins_no_other_run() -> None:
    past = History(tuple(record(f"2026-01-{day:02}", str(day)) for day in range(1, 29)))
    dated_wrongly = record("2099-01-01", "wrong")

    assert (*past.records, dated_wrongly) == with_run(past, [dated_wrongly]).records


def test_the_first_day_of_the_calendar_is_a_day() -> None:
    first = record("0001-01-01")

    assert (first,) == with_run(History(), [first]).records


@pytest.mark.parametrize(
    "broken",
    [
        record(score=500.0),
        record(score=-1.0),
        record(score=float("nan")),
        record(day="soon"),
        record(commit="c" * 5000),
        record(ruleset="r" * 5000),
    ],
)
def test_a_run_that_could_not_be_read_back_is_not_recorded(broken: Record) -> None:
    """Its shards may have been tampered with; every later run would stop at such a line."""
    with pytest.raises(HistoryError, match=r"^The run cannot be recorded \("):
        with_run(History((record(),)), [broken])


def test_a_run_just_366_days_old_is_of_the_last_year_and_one_a_day_older_is_not() -> None:
    runs = [record(day, day) for day in ("2025-01-28", "2025-01-29", "2025-01-30", "2025-01-31")]
    history = with_run(
        History((*runs, record("2026-01-31", "then"))), [record("2026-02-01", "now")]
    )

    assert ["2025-01-30", "2025-01-31", "2026-01-31", "2026-02-01"] == days(history)


def test_runs_out_of_order_are_all_kept_where_they_are() -> None:
    late = History((record("2026-02-01", "b"), record("2026-01-01", "a")))

    assert late == read_history(write_history(late))
    assert ["2026-02-01", "2026-01-01", "2026-01-15"] == days(
        with_run(late, [record("2026-01-15", "c")])
    )


def test_of_two_lines_of_one_run_and_plugin_the_later_one_counts() -> None:
    """As a merge of two branches that both kept their lines leaves them."""
    lines = write_history(History((record(), record(plugin="q"), record(score=70.0))))

    assert (record(score=70.0), record(plugin="q")) == read_history(lines).records


def test_the_first_run_has_no_history_and_blank_lines_are_none() -> None:
    assert History() == read_history("") == read_history("\n \n")


LINE = write_history(History((record(),))).strip()


@pytest.mark.parametrize(
    ("line", "said", "remedy"),
    [
        ("<<<<<<< HEAD", "is a conflict marker", "Keep the lines of both sides"),
        ("=======", "is a conflict marker", "Keep the lines of both sides"),
        (">>>>>>> theirs", "is a conflict marker", "Keep the lines of both sides"),
        (LINE.replace('"v":1', '"v":2'), "has format 2; this version reads format 1", "newer"),
        ('{"v":7,"anything":[]}', "has format 7", "newer"),
        (LINE[:-9], "cannot be read (Invalid JSON", "from the commit before"),
        (LINE.replace("80.0", '"80"'), "cannot be read (score", "from the commit before"),
        (LINE.replace("80.0", "NaN"), "cannot be read (", "from the commit before"),
        (LINE.replace("80.0", "100.1"), "cannot be read (score", "from the commit before"),
        (
            LINE.replace("2026-01-05", "2026-02-30"),
            "cannot be read (date",
            "from the commit before",
        ),
        (LINE.replace("2026-01-05", "20260105"), "cannot be read (date", "from the commit before"),
        (LINE.replace('"skills":1', '"skills":-1'), "(skills", "from the commit before"),
        (LINE.replace('"v":1', '"v":1,"x":0'), "(x: ", "from the commit before"),
        (LINE.replace(',"skills":1', ""), "(skills: Field required", "from the commit before"),
        ("[]", "cannot be read (", "from the commit before"),
        ("[" * 100_000, "cannot be read (", "from the commit before"),
        ('"x"', "cannot be read (", "from the commit before"),
        ("\ufeff" + LINE, "cannot be read (", "from the commit before"),
    ],
)
def test_a_line_that_is_no_record_is_an_error_that_names_it_and_never_an_empty_history(
    line: str, said: str, remedy: str
) -> None:
    with pytest.raises(HistoryError) as caught:
        read_history(f"{LINE}\n\n{line}\n{LINE}\n")

    assert caught.value.message.startswith("Line 3 of history.jsonl ")
    assert said in caught.value.message
    assert remedy in caught.value.remedy


def test_a_line_says_nothing_twice() -> None:
    """What the line looks like; other programs read it too."""
    expected = {
        "v": 1,
        "date": "2026-01-05",
        "commit": "c1",
        "ruleset": "plugineval/1",
        "plugin": "p",
        "path": "plugins/p",
        "slug": "p",
        "score": 80.0,
        "badge": "gold",
        "flags": {},
        "skills": 1,
        "agents": 0,
        "sub_scores": [0.5, 0.9, 0.75, 0.6, 1.0, 0.5, 1.0],
        "digest": "",
    }

    assert expected == json.loads(LINE)
    assert list(expected) == list(json.loads(LINE))


@pytest.mark.parametrize("unit", ["x", "\U0001f389", "\udcff"])
def test_names_of_any_length_are_stored_apart_in_what_a_line_may_hold(unit: str) -> None:
    stored = [storable(unit * 10_000), storable(unit * 10_001)]
    history = History(tuple(record(plugin=name, path=name) for name in stored))

    assert stored[0] != stored[1]
    assert history == read_history(write_history(history))


@given(st.text(st.characters()))
def test_a_name_that_is_no_unicode_is_stored_as_text_that_any_json_holds(name: str) -> None:
    stored = storable(name)

    assert History((record(plugin=stored),)) == read_history(
        write_history(History((record(plugin=stored),)))
    )
    assert stored == name or "\\ud" in stored
