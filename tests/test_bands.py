"""Badges and grades: on which side of a line a score falls, and how it is shown."""

from __future__ import annotations

from math import nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.scoring.bands import (
    BADGES,
    badge,
    badge_name,
    grade,
    next_badge,
    shown,
    shown_beside,
)
from plugineval_action.scoring.composite import plugin_composite

NEAR_LINES = st.one_of(
    st.floats(0, 100),
    st.builds(
        lambda line, off, scale: min(100.0, line + off * 10.0**scale),
        st.sampled_from([60.0, 70.0, 80.0, 90.0]),
        st.floats(-1, 1),
        st.integers(-14, 0),
    ),
)


@pytest.mark.parametrize(
    ("score", "wanted"),
    [
        (100.0, "platinum"),
        (90.0, "platinum"),
        (nextafter(90.0, 0), "gold"),
        (80.0, "gold"),
        (nextafter(80.0, 0), "silver"),
        (70.0, "silver"),
        (nextafter(70.0, 0), "bronze"),
        (60.0, "bronze"),
        (nextafter(60.0, 0), "no_badge"),
        (0.0, "no_badge"),
    ],
)
def test_badges_have_lines(score: float, wanted: str) -> None:
    assert wanted == badge(score)


@pytest.mark.parametrize(
    ("line", "at", "below"),
    [
        (97.0, "A+", "A"),
        (93.0, "A", "A-"),
        (90.0, "A-", "B+"),
        (87.0, "B+", "B"),
        (83.0, "B", "B-"),
        (80.0, "B-", "C+"),
        (77.0, "C+", "C"),
        (73.0, "C", "C-"),
        (70.0, "C-", "D+"),
        (67.0, "D+", "D"),
        (63.0, "D", "D-"),
        (60.0, "D-", "F"),
    ],
)
def test_grades_have_lines(line: float, at: str, below: str) -> None:
    assert at == grade(line)
    assert below == grade(nextafter(line, 0))


@pytest.mark.parametrize("score", [0.0, 59.999, 100.0])
def test_the_ends_have_grades(score: float) -> None:
    assert grade(score) == ("A+" if score == 100.0 else "F")


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (89.96, "89.9"),
        (89.95, "89.9"),
        (89.94, "89.9"),
        (89.999999, "89.9"),
        (89.9999999999, "90.0"),
        (90.0, "90.0"),
        (90.04, "90.0"),
        (79.98, "79.9"),
        (69.97, "69.9"),
        (59.96, "59.9"),
        (49.96, "50.0"),
        (99.96, "100.0"),
        (0.0, "0.0"),
        (100.0, "100.0"),
    ],
)
def test_a_score_is_shown_with_one_decimal(score: float, text: str) -> None:
    assert text == shown(score)


@given(NEAR_LINES)
def test_a_score_never_shows_the_number_of_a_badge_it_lacks(score: float) -> None:
    """In the default ruleset, which compares what is rounded to nine decimals."""
    assert badge(float(shown(score))) == badge(round(score, 9))


@given(NEAR_LINES)
def test_a_shown_score_is_no_further_off_than_its_last_digit(score: float) -> None:
    assert abs(float(shown(score)) - score) <= 0.1 + 1e-9


@pytest.mark.parametrize(
    ("score", "limit", "text"),
    [
        (69.96, 70.0, "69.9"),
        (54.96, 55.0, "54.96"),
        (54.9999996, 55.0, "54.9999996"),
        (55.0, 55.0, "55.0"),
        (54.99999999999, 55.0, "55.0"),
        (69.96, 69.95, "69.96"),
        (54.9, 55.0, "54.9"),
        (54.96, None, "55.0"),
    ],
)
def test_a_score_beside_a_limit_shows_on_which_side_it_lies(
    score: float, limit: float | None, text: str
) -> None:
    assert text == shown_beside(score, limit)


@given(NEAR_LINES, st.floats(0, 100).map(lambda limit: round(limit, 9)))
def test_no_score_shows_a_limit_that_it_misses_nor_a_badge_that_it_lacks(
    score: float, limit: float
) -> None:
    shows = float(shown_beside(score, limit))

    assert (round(score, 9) >= limit) == (shows >= limit)
    assert badge(round(score, 9)) == badge(shows)


@given(NEAR_LINES)
def test_the_next_badge_is_the_lowest_line_above(score: float) -> None:
    above = [(name, line) for name, line in BADGES if line > round(score, 9)]
    found = next_badge(score)

    assert (found is None) == (not above)
    if found is not None:
        name, missing = found
        assert name == above[-1][0]
        assert missing == pytest.approx(above[-1][1] - score, abs=1e-9)
        assert badge(round(score + missing, 9)) == name


@pytest.mark.parametrize(
    ("mean", "plugineval", "reference"),
    [
        (0.8, "gold", "gold"),
        (0.8 - 1e-12, "gold", "silver"),
        (0.8 - 1e-10, "silver", "silver"),
    ],
)
def test_the_default_compares_what_is_rounded_to_nine_decimals(
    mean: float, plugineval: str, reference: str
) -> None:
    assert plugineval == plugin_composite(mean, 1.0, "plugineval").badge
    assert reference == plugin_composite(mean, 1.0, "reference").badge


def test_badges_have_names_for_people() -> None:
    names = [badge_name(badge(score)) for score in (95, 85, 75, 65, 5)]

    assert names == ["Platinum", "Gold", "Silver", "Bronze", "No badge"]
