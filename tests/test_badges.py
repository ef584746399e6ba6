"""Badges and sparklines: small pictures that say what they are."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from github_page import render
from plugineval_action.render.report.badge import COLOURS, badge_svg, shields_json, snippet
from plugineval_action.render.report.sparkline import sparkline
from plugineval_action.results import Badge
from plugineval_action.scoring.bands import badge
from svg import parsed, texts


@pytest.mark.parametrize(
    ("name", "score", "message"),
    [
        ("platinum", 100.0, "100.0 platinum"),
        ("gold", 84.25, "84.2 gold"),
        ("silver", 79.96, "79.9 silver"),
        ("bronze", 60.0, "60.0 bronze"),
        ("no_badge", 0.0, "0.0 no badge"),
        (None, None, "not scored"),
    ],
)
def test_a_badge_says_score_and_badge_and_the_layer_they_come_from(
    name: Badge | None, score: float | None, message: str
) -> None:
    assert ["plugin eval (static)", message] == texts(badge_svg(name, score))
    assert {
        "schemaVersion": 1,
        "label": "plugin eval (static)",
        "message": message,
        "color": COLOURS[name].lstrip("#"),
    } == json.loads(shields_json(name, score))


@given(st.floats(0, 100))
def test_text_is_as_wide_as_the_room_that_it_has(score: float) -> None:
    root = parsed(badge_svg(badge(score), score))
    inner = [e for e in root.iter() if e.tag.endswith("}text")]
    ends = [float(e.get("x", "")) + float(e.get("textLength", "")) for e in inner]
    assert ends[0] + 6 == float(inner[1].get("x", "")) - 6
    assert ends[1] + 6 == float(root.get("width", ""))


def test_a_badge_has_a_name_for_those_who_do_not_see_it() -> None:
    root = parsed(badge_svg("gold", 84.0))
    assert "plugin eval (static): 84.0 gold" == root.get("aria-label")


def test_the_snippet_is_a_picture_that_leads_to_the_page_whatever_the_name_is() -> None:
    copied = snippet(
        "a](http://x) `b` ![c", "https://h/o/r/raw/b/a.svg", "https://h/o/r/blob/b/a.md"
    )
    html = render(copied)
    assert 1 == html.count("<a ")
    assert 1 == html.count("<img ")
    assert 'href="https://h/o/r/blob/b/a.md"' in html
    assert 'src="https://h/o/r/raw/b/a.svg"' in html


def points(svg: str) -> list[list[tuple[float, float]]]:
    return [
        [(float(x), float(y)) for x, y in (pair.split(",") for pair in found.split())]
        for found in re.findall(r'points="([^"]*)"', svg)
    ]


def test_a_sparkline_joins_scores_and_leaves_gaps() -> None:
    first, second = points(sparkline([60.0, 70.0, None, 80.0, 75.0], "light"))
    assert [3.0, 25.5] == [x for x, _ in first]
    assert [70.5, 93.0] == [x for x, _ in second]
    assert first[0][1] > first[1][1] > second[1][1] > second[0][1]


def test_small_moves_stay_small() -> None:
    (line,) = points(sparkline([70.0, 70.1], "dark"))
    assert abs(line[0][1] - line[1][1]) < 1


def test_a_single_score_is_a_dot_at_the_right() -> None:
    svg = sparkline([70.0], "light")
    assert [[(93.0, 10.0), (93.0, 10.0)]] == points(svg)
    assert 1 == svg.count("<circle ")


def test_without_scores_there_is_an_empty_picture() -> None:
    root = parsed(sparkline([None, None], "light"))
    assert 0 == len(root)
    assert 0 == len(parsed(sparkline([], "light")))


@given(st.lists(st.none() | st.floats(0, 100), max_size=120))
def test_a_sparkline_stays_inside_and_under_two_kilobytes(scores: list[float | None]) -> None:
    svg = sparkline(scores, "light")
    inside = [0 <= x <= 96 and 0 <= y <= 20 for line in points(svg) for x, y in line]
    assert all(inside)
    assert len(sparkline(scores[:52], "light")) < 4_000
