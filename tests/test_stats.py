"""Statistics against published figures and hand-made cases."""

from __future__ import annotations

from itertools import accumulate
from math import sqrt
from random import Random
from statistics import NormalDist, mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.stats.agreement import Level, cohen_kappa, krippendorff_alpha
from plugineval_action.stats.proportions import (
    Interval,
    Sample,
    clopper_pearson,
    effective,
    wilson,
)
from plugineval_action.stats.resampling import (
    Sampled,
    mean_draws,
    middle,
    rate_draws,
    statistic_draws,
)
from plugineval_action.stats.sequential import level_of_each, looks
from plugineval_action.stats.spread import Spread, spread, variation

STANDARD_TABLE = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
"""Krippendorff's own example: 4 raters, 12 units, the last of which has one rating only."""


@pytest.mark.parametrize(
    ("successes", "trials", "expected_wilson", "expected_exact"),
    [
        (7, 10, (0.3968, 0.8922), (0.3475, 0.9333)),
        (9, 10, (0.5958, 0.9821), (0.5550, 0.9975)),
        (0, 10, (0.0, 0.2775), (0.0, 0.3085)),
        (0, 50, (0.0, 0.0713), (0.0, 0.0711)),
        (18, 20, (0.6990, 0.9721), (0.6830, 0.9877)),
        (10, 10, (0.7225, 1.0), (0.6915, 1.0)),
    ],
)
def test_intervals_of_shares_are_those_of_the_tables(
    successes: int,
    trials: int,
    expected_wilson: tuple[float, float],
    expected_exact: tuple[float, float],
) -> None:
    assert pytest.approx(expected_wilson, abs=5e-5) == wilson(Sample(successes, trials))
    assert pytest.approx(expected_exact, abs=5e-5) == clopper_pearson(successes, trials)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_a_share_of_nothing_has_no_interval(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="successes of"):
        wilson(Sample(successes, trials))
    with pytest.raises(ValueError, match="successes of"):
        clopper_pearson(successes, trials)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_the_share_and_the_exact_one_is_hardly_narrower(
    counts: tuple[int, int],
) -> None:
    successes, trials = counts
    share = successes / trials
    for low, high in (wilson(Sample(successes, trials)), clopper_pearson(successes, trials)):
        assert 0 <= low <= share <= high <= 1


def test_runs_of_one_prompt_that_agree_count_as_one_run() -> None:
    clusters = [[True] * 4, [False] * 4] * 5

    successes, trials = effective(clusters)

    assert pytest.approx((4.5, 9.0)) == (successes, trials)


def test_runs_that_agree_no_more_than_chance_count_in_full() -> None:
    assert Sample(10, 20) == effective([[True, False]] * 10)
    assert Sample(1, 3) == effective([[True], [False], [False]])
    assert Sample(6, 6) == effective([[True] * 3, [True] * 3])
    assert Sample(0, 0) == effective([[], []])


def test_cohen_kappa_is_that_of_the_textbook_table() -> None:
    first = [1] * 25 + [0] * 25
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15

    assert pytest.approx(0.4) == cohen_kappa(first, second)


def test_cohen_kappa_is_not_defined_where_both_use_one_category() -> None:
    assert cohen_kappa([3, 3, 3], [3, 3, 3]) is None
    assert cohen_kappa([], []) is None
    assert pytest.approx(0.0) == cohen_kappa([3, 3, 3], [3, 3, 4])


@pytest.mark.parametrize(
    ("level", "alpha"),
    [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107), ("ratio", 0.797403)],
)
def test_krippendorff_alpha_is_that_of_the_standard_table(level: Level, alpha: float) -> None:
    assert pytest.approx(alpha, abs=1e-6) == krippendorff_alpha(STANDARD_TABLE, level)


def test_krippendorff_alpha_is_not_defined_where_all_use_one_category() -> None:
    assert krippendorff_alpha([[2, 2], [2, 2], [2, None]], "ordinal") is None
    assert krippendorff_alpha([[2, None], [None, 3]], "ordinal") is None


def test_spread_names_the_quartiles_and_what_lies_far_out() -> None:
    assert Spread(3, 2, 4, (100,)) == spread([1, 2, 3, 4, 100])
    assert Spread(7, 7, 7, ()) == spread([7])
    assert spread([]) is None


def test_variation_is_the_sample_deviation_over_the_mean() -> None:
    assert pytest.approx(1 / 2) == variation([1, 2, 3])
    assert variation([1]) is None
    assert variation([-1, 1]) is None


def test_draws_of_a_mean_are_as_wide_as_students_t() -> None:
    """For 0 … 9: 4.5 ± 2.262 · 3.0277 / sqrt 10."""
    low, high = middle(mean_draws(range(10), Random(1)))

    assert pytest.approx(4.5 - 2.166, abs=0.15) == low
    assert pytest.approx(4.5 + 2.166, abs=0.15) == high


def test_equal_readings_of_a_coarse_scale_are_no_more_certain_than_its_step() -> None:
    exact = middle(mean_draws([0.75] * 3, Random(1)))
    coarse = middle(mean_draws([0.75] * 3, Random(1), resolution=0.25))

    assert Interval(0.75, 0.75) == exact
    assert pytest.approx(4.303 * 0.25 / sqrt(36), abs=0.02) == coarse.high - 0.75


def test_a_single_reading_has_no_spread() -> None:
    assert () == mean_draws([0.5], Random(1))
    assert Sampled(0.5).interval() is None


def test_draws_of_a_rate_are_uncertain_even_when_all_succeeded() -> None:
    low, high = middle(rate_draws(Sample(10, 10), Random(1)))

    assert 0.70 < low < 0.85
    assert 0.99 < high < 1


def test_units_are_resampled_whole() -> None:
    draws = statistic_draws([[0, 0], [1, 1]], mean, Random(1))

    assert {0, 0.5, 1} == set(draws)


def test_the_middle_leaves_the_same_share_out_at_both_ends() -> None:
    assert pytest.approx((25.5, 975.5)) == middle([float(n) for n in range(1, 1001)])


@pytest.mark.parametrize(("runs", "count", "expected"), [(50, 3, (17, 33, 50)), (100, 1, (100,))])
def test_looks_are_evenly_spaced_and_end_with_the_last_run(
    runs: int, count: int, expected: tuple[int, ...]
) -> None:
    assert expected == looks(runs, count)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_all_looks_together_hold_at_95_percent(count: int) -> None:
    """Simulated: normal steps, sums at each look, 20,000 times (fixed seed)."""
    rng, times = Random(count), 20_000
    bound = NormalDist().inv_cdf((1 + level_of_each(count)) / 2)
    held = sum(
        all(
            abs(total) <= bound * sqrt(look)
            for look, total in enumerate(accumulate(rng.gauss(0, 1) for _ in range(count)), start=1)
        )
        for _ in range(times)
    )

    assert pytest.approx(0.95, abs=0.005) == held / times
