"""Draws of two sides that met the same prompts: what is shared cancels in their difference."""

from __future__ import annotations

from random import Random
from statistics import fmean, median, pstdev

import pytest

from plugineval_action.stats.pairing import (
    Pair,
    apart,
    paired_means,
    paired_rates,
    paired_statistic,
)
from plugineval_action.stats.proportions import Sample
from plugineval_action.stats.resampling import DRAWS, rate_draws

HARD = {f"p{number}": number / 12 for number in range(12)}
"""Prompts from the hardest to the easiest."""


def spread(pair: Pair | None) -> float:
    """The standard deviation of the difference."""
    assert pair is not None
    assert (DRAWS, DRAWS) == (len(pair.one), len(pair.other))
    return pstdev(other - one for one, other in zip(*pair, strict=True))


def unpaired(pair: Pair | None) -> float:
    assert pair is not None
    return spread(apart(pair.one, pair.other, Random(9)))


def test_prompts_that_are_as_hard_for_both_are_in_no_difference() -> None:
    better = {name: value + 0.05 + 0.01 * (name > "p5") for name, value in HARD.items()}
    pair = paired_means(HARD, better, Random(1))

    assert spread(pair) < unpaired(pair) / 10


def test_sides_that_share_nothing_are_as_wide_as_apart() -> None:
    shuffled = dict(zip(HARD, Random(3).sample(list(HARD.values()), 12), strict=True))
    pair = paired_means(HARD, shuffled, Random(1))

    assert 0.6 * unpaired(pair) < spread(pair) < 1.6 * unpaired(pair)


def test_sides_that_differ_alike_everywhere_are_rounded_all_the_same() -> None:
    pair = paired_means(HARD, HARD, Random(1), resolution=0.1)

    assert 0.01 < spread(pair) < 0.05


def test_a_prompt_that_one_side_lacks_counts_for_the_other_alone() -> None:
    fewer = {name: value for name, value in HARD.items() if name != "p0"}
    pair = paired_means(HARD, fewer, Random(1))

    assert pair is not None
    assert fmean(HARD.values()) == pytest.approx(fmean(pair.one), abs=0.02)
    assert fmean(fewer.values()) == pytest.approx(fmean(pair.other), abs=0.02)


@pytest.mark.parametrize("other", [{}, {"p1": 0.5}, {"x": 0.1, "y": 0.2}])
def test_without_common_prompts_there_is_no_pair(other: dict[str, float]) -> None:
    assert paired_means(HARD, other, Random(1)) is None


def test_each_rate_is_drawn_as_if_it_were_alone() -> None:
    """Of 30 prompts 20 succeeded on one side: Jeffreys' prior, as without a pair."""
    clusters = [[(at < 20, at % 2 == 0)] for at in range(30)]
    pair = paired_rates(clusters, Random(1))
    alone = rate_draws(Sample(20, 30), Random(2))

    assert pair is not None
    assert fmean(alone) == pytest.approx(fmean(pair.one), abs=0.01)
    assert pstdev(alone) == pytest.approx(pstdev(pair.one), rel=0.1)


def test_prompts_that_succeed_on_both_sides_or_neither_say_that_rates_are_alike() -> None:
    alike = paired_rates([[(at % 2 == 0, at % 2 == 0)] for at in range(30)], Random(1))
    apart_ = paired_rates([[(at % 2 == 0, at % 3 == 0)] for at in range(30)], Random(1))

    assert spread(alike) < spread(apart_) / 3


def test_runs_of_one_prompt_tell_less_than_as_many_prompts() -> None:
    outcomes = [(at % 3 == 0, at % 2 == 0) for at in range(12)]
    single = paired_rates([[one] for one in outcomes for _ in range(3)], Random(1))
    repeated = paired_rates([[one] * 3 for one in outcomes], Random(1))

    assert spread(single) < 0.75 * spread(repeated)


def test_without_a_pair_of_runs_there_is_no_rate() -> None:
    assert paired_rates([], Random(1)) is None
    assert paired_rates([[]], Random(1)) is None


def test_a_statistic_takes_the_same_prompts_on_both_sides() -> None:
    one = {name: [value, value + 0.01] for name, value in HARD.items()}
    other = {name: [value + 0.05] for name, value in HARD.items()}
    pair = paired_statistic(one, other, median, Random(1))

    assert spread(pair) < unpaired(pair) / 3
    assert paired_statistic(one, {"x": [1.0]}, median, Random(1)) is None
