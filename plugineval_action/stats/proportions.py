"""Intervals around a share of successes. Both are two-sided and stay inside [0, 1]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, fsum, sqrt
from typing import Final, NamedTuple

LEVEL: Final = 0.95
"""The confidence level of everything that is reported, unless it names another."""

_BISECTIONS: Final = 60
"""Halvings of [0, 1]: past the last bit of a double."""


class Interval(NamedTuple):
    """A confidence interval: both ends belong to it."""

    low: float
    high: float


class Sample(NamedTuple):
    """Successes among trials; not whole numbers where dependent trials count for less than one."""

    successes: float
    trials: float


def wilson(sample: Sample, level: float = LEVEL) -> Interval:
    """The score interval (Wilson 1927). Raises ValueError without a trial."""
    successes, trials = sample
    if not 0 <= successes <= trials or trials <= 0:
        raise ValueError(f"{successes} successes of {trials} trials")
    from statistics import NormalDist

    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # At the ends the formula gives the end itself, but for a rounding error.
    low = 0.0 if successes == 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if successes == trials else min(1.0, (centre + half) / scale)
    return Interval(low, high)


def clopper_pearson(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """The exact interval (Clopper and Pearson 1934): never less than the level, mostly more."""
    if not 0 <= successes <= trials or trials <= 0:
        raise ValueError(f"{successes} successes of {trials} trials")
    tail = (1 - level) / 2
    low = high = None
    if successes > 0:
        low = _root(lambda share: 1 - _at_most(successes - 1, trials, share) < tail)
    if successes < trials:
        high = _root(lambda share: _at_most(successes, trials, share) > tail)
    return Interval(0.0 if low is None else low, 1.0 if high is None else high)


def effective(clusters: Sequence[Sequence[bool]]) -> Sample:
    """Successes and trials of several runs for each prompt, as if the runs were independent.

    The design effect (Kish 1965) is the variance between prompts, over what it would be if every
    run were drawn alone; below 1 it is chance and counts as 1. The share stays what it is.
    """
    sizes = [len(cluster) for cluster in clusters if cluster]
    trials = sum(sizes)
    if not trials:
        return Sample(0, 0)
    successes = sum(map(sum, clusters))
    share = successes / trials
    single = share * (1 - share) / trials
    if len(sizes) < 2 or single == 0 or trials == len(sizes):
        return Sample(successes, trials)
    spread = fsum((sum(cluster) - share * len(cluster)) ** 2 for cluster in clusters if cluster)
    between = spread / trials**2 * len(sizes) / (len(sizes) - 1)
    design = max(1.0, between / single)
    return Sample(successes / design, trials / design)


def _at_most(successes: int, trials: int, share: float) -> float:
    """The probability of so many successes or fewer."""
    return fsum(
        comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(successes + 1)
    )


def _root(below: Callable[[float], bool]) -> float:
    """Where a condition that holds from 0 on ends."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return (low + high) / 2
