"""The charts of a report: the same bytes each time, readable, and safe whatever a name holds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugineval_action.render.report import charts
from plugineval_action.render.report.canvas import PALETTES, Theme, spread
from plugineval_action.render.report.chart_data import Spread, bar_counts, spread_of
from plugineval_action.report.weeks import Move, Week
from plugineval_action.scoring.bands import badge
from svg import parsed, texts

THEMES: tuple[Theme, ...] = ("light", "dark")
HOSTILE = "<script>alert(1)</script> $\\frac{a}{b}$ & \x1b[31m\x00 ]]> -- \"' " + "x" * 500


def week(number: int, *scores: float, ruleset: str = "plugineval/1", breaks: bool = False) -> Week:
    day = date(2026, 1, 5) + timedelta(weeks=number)
    ascending = tuple(sorted(scores))
    badges = Counter(badge(score) for score in ascending)
    return Week(day.isoformat(), "a" * 40, ruleset, ascending, badges, breaks)


def weeks(number: int, plugins: int) -> list[Week]:
    return [week(n, *(40 + (n + 7 * each) % 60 for each in range(plugins))) for n in range(number)]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("number", "plugins"), [(1, 1), (1, 0), (2, 18), (60, 100), (3, 1000)])
def test_every_chart_is_well_formed_and_small_for_any_number(
    number: int, plugins: int, theme: Theme
) -> None:
    history = weeks(number, plugins)
    drawn = [
        charts.trend(history, theme),
        charts.bands(history, theme),
        charts.distribution(history[-1].scores, theme),
    ]
    for svg in drawn:
        assert "360pt" == parsed(svg).get("width")
        assert len(svg) < 40_000


def test_nothing_to_show_is_said_in_words() -> None:
    assert "No plugin has a score." in texts(charts.trend([], "light"))
    assert "No plugin has a score." in texts(charts.bands([week(0)], "light"))
    assert "No plugin has a score." in texts(charts.distribution([], "dark"))
    assert "No score has changed." in texts(charts.movers([], "dark"))
    assert "No score has changed." in texts(charts.movers([Move("same", 70.0, 70.0)], "dark"))


def test_a_chart_has_the_same_bytes_in_every_process_whatever_the_user_prefers(
    tmp_path: Path,
) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 30\nsvg.fonttype: path\nlines.color: red\n")
    script = (
        "from test_charts import weeks, charts\n"
        "print(charts.trend(weeks(9, 9), 'light') + charts.bands(weeks(9, 9), 'dark'), end='')"
    )
    environ = {
        **os.environ,
        "MATPLOTLIBRC": str(tmp_path),
        "PYTHONHASHSEED": "7",
        "PYTHONPATH": os.pathsep.join(["tests", "."]),
    }
    elsewhere = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, env=environ, text=True
    )
    here = charts.trend(weeks(9, 9), "light") + charts.bands(weeks(9, 9), "dark")
    assert here == elsewhere.stdout


def test_a_chart_tells_neither_date_nor_version() -> None:
    svg = charts.trend(weeks(3, 3), "light")
    assert "<metadata>" not in svg
    assert "Matplotlib" not in svg


def test_text_stays_text_in_fonts_that_readers_have() -> None:
    svg = charts.distribution([71.0], "light")
    assert "'DejaVu Sans', 'Verdana', 'Geneva', sans-serif" in svg


def test_the_trend_is_labelled_with_its_last_numbers() -> None:
    shown = texts(charts.trend([week(0, 50, 60), week(1, 60, 70, 80, 90)], "light"))
    assert {"75.0 mean", "67.5 lower quartile", "82.5 upper quartile"} <= set(shown)
    assert ["2026-01-05", "2026-01-12"] == [text for text in shown if text.startswith("2026")]


def test_no_line_crosses_a_change_of_the_ruleset_and_the_change_is_named() -> None:
    before, after = [week(n, 70, 75) for n in range(3)], [week(n, 80, 85) for n in range(4, 6)]
    broken = [*before, week(3, 80, 85, ruleset="plugineval/2", breaks=True), *after]
    svg = charts.trend(broken, "light")
    assert "new ruleset plugineval/2" in texts(svg)
    line = PALETTES["light"].line
    paths = [e.get("style", "") for e in parsed(svg).iter() if e.get("d")]
    assert 2 == sum(f"stroke: {line}; stroke-width: 2" in style for style in paths)


def test_the_last_run_of_a_day_counts_and_a_break_before_it_is_kept() -> None:
    same_day = [
        week(0, 50),
        week(1, 60, ruleset="plugineval/2", breaks=True),
        week(1, 70, ruleset="plugineval/2"),
    ]
    shown = texts(charts.trend(same_day, "light"))
    assert "70.0 mean" in shown
    assert "new ruleset plugineval/2" in shown


def test_a_break_in_a_run_without_scores_is_kept() -> None:
    failed = week(1, ruleset="plugineval/2", breaks=True)
    runs = [week(0, 50), failed, week(2, 60, ruleset="plugineval/2")]

    assert "new ruleset plugineval/2" in texts(charts.trend(runs, "light"))
    assert "new ruleset plugineval/2" in texts(charts.bands(runs, "light"))
    assert "Ruleset plugineval/2 from 2026-01-19 on." in charts.trend_alt(runs)


def test_every_band_is_labelled_and_told_apart_without_colour() -> None:
    svg = charts.bands([week(0, 40, 65, 75, 85, 95)], "light")
    labels = ["1 No badge", "1 Bronze", "1 Silver", "1 Gold", "1 Platinum"]
    assert labels == [text for text in texts(svg) if text in labels]
    assert 2 == svg.count("<pattern ")


@pytest.mark.parametrize("theme", THEMES)
def test_neighbouring_bands_differ_in_lightness(theme: Theme) -> None:
    lights = [luminance(colour) for colour in PALETTES[theme].bands]
    ordered = sorted(lights, reverse=theme == "dark")
    assert ordered == lights
    assert all(contrast(*pair) > 1.15 for pair in pairwise(lights))


@pytest.mark.parametrize("theme", THEMES)
def test_text_stands_out_from_the_paper(theme: Theme) -> None:
    palette = PALETTES[theme]
    paper = luminance(palette.paper)
    for colour in (palette.ink, palette.soft, palette.line):
        assert contrast(luminance(colour), paper) > 4.5


def test_the_distribution_counts_each_score_once_on_the_side_of_its_badge() -> None:
    counts = bar_counts([0.0, 49.9, 50.0, 59.999, 0.1 * 0.7 / 0.1 * 100, 100.0])
    assert [2, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1] == counts


def test_movers_show_sign_direction_and_name() -> None:
    shown = texts(charts.movers([Move("fell", 80.0, 71.5), Move("rose", 60.0, 72.25)], "light"))
    assert ["rose", "+12.2", "fell", "−8.5"] == [
        text for text in shown if text in {"rose", "+12.2", "fell", "−8.5"}
    ]


def test_only_the_ten_largest_moves_are_drawn_and_the_rest_counted() -> None:
    moves = [Move(f"p{number:02}", 50.0, 51.0 + number) for number in range(14)]
    shown = texts(charts.movers(moves, "light"))
    assert [f"p{number:02}" for number in range(13, 3, -1)] == [s for s in shown if s[0] == "p"]
    assert charts.movers_alt(moves).endswith("; and 4 more.")


@pytest.mark.parametrize("theme", THEMES)
def test_a_hostile_name_is_shown_as_text_and_cut(theme: Theme) -> None:
    shown = texts(charts.movers([Move(HOSTILE, 50.0, 60.0)], theme))
    name = next(text for text in shown if "script" in text)
    assert "<script>alert(1)</script> $\\frac{…" == name


@settings(max_examples=25)
@given(st.text())
def test_any_name_gives_well_formed_charts(name: str) -> None:
    parsed(charts.movers([Move(name, 50.0, 60.0)], "light"))
    charts.movers_alt([Move(name, 50.0, 60.0)]).encode()


def test_alt_texts_hold_the_numbers() -> None:
    history = [
        week(0, 50, 60),
        week(1, 60, 70, 80, 90, ruleset="plugineval/2", breaks=True),
    ]
    assert (
        "Mean score of 4 plugins on 2026-01-12: 75.0, quartiles 67.5 and 82.5."
        " On 2026-01-05 the mean was 55.0. Ruleset plugineval/2 from 2026-01-12 on."
    ) == charts.trend_alt(history)
    assert (
        "Plugins by badge. 2026-01-12: 1 platinum, 1 gold, 1 silver, 1 bronze."
        " 2026-01-05: 1 bronze, 1 no badge."
    ) == charts.bands_alt(history)
    assert (
        "Plugins by score, in steps of 5 points: 1 below 50, 2 from 70."
    ) == charts.distribution_alt([41.0, 70.0, 74.9])
    moves = [Move("b", 80.0, 71.5), Move("a", 50.0, 60.0)]
    assert "Largest changes: a 50.0 to 60.0; b 80.0 to 71.5." == charts.movers_alt(moves)


def test_a_single_run_is_told_once() -> None:
    assert "On" not in charts.trend_alt([week(0, 50)])
    assert "Plugins by badge. 2026-01-05: 1 no badge." == charts.bands_alt([week(0, 50)])


def test_quartiles_are_those_of_linear_interpolation() -> None:
    assert Spread(75.0, 67.5, 82.5) == spread_of([60, 70, 80, 90])
    assert Spread(61.5, 61.5, 61.5) == spread_of([61.5])
    assert None is spread_of([])


@given(st.lists(st.floats(0, 100), max_size=6).map(sorted))
def test_labels_never_overlap_and_stay_inside(wanted: list[float]) -> None:
    places = spread(wanted, 15, 0, 100)
    assert len(wanted) == len(places)
    assert all(-1e-9 <= place <= 100 + 1e-9 for place in places)
    assert all(b - a >= 15 - 1e-9 for a, b in pairwise(places))


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
