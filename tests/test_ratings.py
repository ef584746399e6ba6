"""Ratings from comparisons: strengths with ties and a preferred place, and the published Elo."""

from __future__ import annotations

from itertools import combinations
from math import exp, log
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.stats import ratings
from plugineval_action.stats.bradley_terry import (
    FEWEST,
    Better,
    Case,
    Trial,
    components,
    fit,
)
from plugineval_action.stats.linear import factored, solved

BETTER: tuple[Better, ...] = ("first", "equal", "second")


def won(winner: str, loser: str) -> Case:
    """A game that the winner won in both orders."""
    return (Trial(winner, loser, "first"), Trial(loser, winner, "second"))


def games(
    strengths: dict[str, float], seed: int, *, place: float = 0.0, tie: float = -1.0, each: int = 2
) -> list[Case]:
    """Every pair on `each` tasks in both orders, drawn from the model itself."""
    rng = Random(seed)

    def trial(one: str, other: str) -> Trial:
        u = strengths[one] - strengths[other] + place
        weights = exp(u / 2), exp(tie), exp(-u / 2)
        return Trial(one, other, rng.choices(BETTER, weights)[0])

    return [
        (trial(one, other), trial(other, one))
        for one, other in combinations(strengths, 2)
        for _ in range(each)
    ]


def test_three_wins_of_four_are_a_difference_of_the_logarithm_of_three() -> None:
    """The textbook vector; so many games that the prior does not count."""
    cases = [won("a", "b")] * 3_000 + [won("b", "a")] * 1_000
    found = fit(cases, Random(1), resamples=0)

    assert log(3) == pytest.approx(found.strengths["a"] - found.strengths["b"], abs=1e-3)
    assert 190.85 == pytest.approx(
        ratings.rating_of(found.strengths["a"]) - ratings.rating_of(found.strengths["b"]), abs=0.2
    )


def test_strengths_are_found_again_with_ties_and_a_preferred_place() -> None:
    true = {"a": -1.2, "b": -0.4, "c": 0.2, "d": 1.4}
    found = fit(games(true, 3, place=0.8, tie=-0.5, each=800), Random(1), resamples=0)

    assert true == pytest.approx(found.strengths, abs=0.12)
    assert 0.8 == pytest.approx(found.place, abs=0.1)
    assert -0.5 == pytest.approx(found.tie, abs=0.1)


def test_who_won_everything_stays_on_the_scale() -> None:
    found = fit([won("a", "b")] * 10, Random(1))

    assert 0 < found.strengths["a"] < 5
    assert found.intervals["a"].low < found.strengths["a"] < found.intervals["a"].high


def test_disagreement_of_the_orders_says_nothing_about_strength() -> None:
    """Whoever is shown first wins: that is the place, and not the players."""
    case = (Trial("a", "b", "first"), Trial("b", "a", "first"))
    found = fit([case] * 10, Random(1))

    assert 0 == pytest.approx(found.strengths["a"], abs=1e-9)
    assert found.place > 1


def test_the_order_of_games_does_not_count() -> None:
    cases = games({"a": 0.5, "b": 0.0, "c": -0.5}, 5)
    forward = fit(cases, Random(1), resamples=0)
    backward = fit(cases[::-1], Random(1), resamples=0)

    assert forward.strengths == pytest.approx(backward.strengths)


def test_the_same_seed_gives_the_same_intervals() -> None:
    cases = games({"a": 0.5, "b": 0.0, "c": -0.5}, 5)

    assert fit(cases, Random(9)) == fit(cases, Random(9))


def test_few_games_have_no_interval() -> None:
    cases = [won("a", "b")] * FEWEST + [won("b", "c")] * (FEWEST - 1)

    assert {"a", "b"} == set(fit(cases, Random(1)).intervals)


def test_what_no_game_connects_is_never_ranked_together() -> None:
    cases = [won("a", "b"), won("b", "c"), won("x", "y")]

    assert [{"a", "b", "c"}, {"x", "y"}] == components(cases)
    with pytest.raises(ValueError, match="only players that comparisons connect"):
        fit(cases, Random(1))


def test_intervals_hold_about_as_often_as_they_say() -> None:
    """A few worlds only; `scripts/certify_figures.py` measures it."""
    true = {f"s{number}": (number - 4.5) / 4 for number in range(10)}
    held = []
    for seed in range(30):
        found = fit(games(true, seed), Random(seed), resamples=200)
        held += [
            found.intervals[name].low <= strength <= found.intervals[name].high
            for name, strength in true.items()
        ]

    assert 0.90 < fmean(held) < 0.99


def test_the_published_elo_moves_by_half_of_k_between_equals() -> None:
    assert 1516 == ratings.elo([ratings.Match(1500, 1)])
    assert 1500 == ratings.elo([ratings.Match(1500, 0.5)])
    assert 1484 == ratings.elo([ratings.Match(1500, 0)])


def test_the_published_elo_of_a_series_by_hand() -> None:
    first = 1500 + 32 * (1 - 1 / (1 + 10 ** (100 / 400)))
    second = first + 32 * (0 - 1 / (1 + 10 ** ((1450 - first) / 400)))

    assert second == ratings.elo([ratings.Match(1600, 1), ratings.Match(1450, 0)])


def test_the_published_elo_hangs_on_the_order_of_games() -> None:
    """Which is why nobody is ranked by it."""
    series = [ratings.Match(1500, 1)] * 5 + [ratings.Match(1500, 0)] * 5

    assert ratings.elo(series) != ratings.elo(series[::-1])


def test_an_elo_of_one_game_has_no_interval() -> None:
    rating = ratings.elo_rating([ratings.Match(1500, 1)], Random(1))

    assert (1516, None, None) == rating


def test_the_interval_of_an_elo_holds_the_elo() -> None:
    matches = [ratings.Match(1500, outcome) for outcome in (1, 0, 0.5, 1, 1, 0, 1)]
    value, low, high = ratings.elo_rating(matches, Random(1))

    assert low is not None
    assert high is not None
    assert low <= value <= high
    assert ratings.elo_rating(matches, Random(1)) == (value, low, high)


@given(st.lists(st.lists(st.floats(-5, 5), min_size=4, max_size=4), min_size=4, max_size=4))
def test_a_system_of_equations_is_solved(rows: list[list[float]]) -> None:
    matrix = [
        [sum(row[i] * row[j] for row in rows) + 0.5 * (i == j) for j in range(4)] for i in range(4)
    ]
    wanted = [1.0, -2.0, 3.0, 0.5]
    right = [sum(one * other for one, other in zip(row, wanted, strict=True)) for row in matrix]

    assert wanted == pytest.approx(solved(factored(matrix), right), abs=1e-6)


def test_a_matrix_that_has_no_factor_is_refused() -> None:
    with pytest.raises(ValueError, match="not positive definite"):
        factored([[1.0, 0.0], [2.0, 1.0]])
