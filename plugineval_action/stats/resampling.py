"""Sampling distributions as draws, so that uncertainty goes through any formula.

Each sampled number becomes DRAWS values that it might have been; a formula applied draw by draw
gives the distribution of its result, and quantiles of that the interval (propagation of
distributions, JCGM 101:2008). What is resampled are prompts and judges, never single runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from plugineval_action.stats.proportions import LEVEL, Interval, Sample

if TYPE_CHECKING:
    from random import Random

DRAWS: Final = 2_000
"""Draws of a distribution: an end of a 95 % interval is then good to about a tenth of its width."""

Draws = tuple[float, ...]


class Sampled(NamedTuple):
    """A number from a sample, and DRAWS values that it might have been; () if it has no spread."""

    value: float
    draws: Draws = ()

    def interval(self, level: float = LEVEL) -> Interval | None:
        """Where the middle of the draws lies, the value itself included; None without spread."""
        if not self.draws:
            return None
        low, high = middle(self.draws, level)
        return Interval(min(low, self.value), max(high, self.value))


def mean_draws(units: Sequence[float], rng: Random, *, resolution: float = 0.0) -> Draws:
    """Means of resampled units, widened as Student's t is against the normal.

    The plain bootstrap of n units is too narrow by sqrt((n - 1) / n) and knows nothing of the
    error in their spread; dividing by a draw of it mends both, exactly so for normal units. One
    unit has no spread, and no draws. `resolution` is the step of a scale; units that differ by
    less than its rounding error (step / sqrt 12) count as if by that.
    """
    from statistics import stdev

    n = len(units)
    centre = fsum(units) / n
    if n == 1:
        return ()
    floor = resolution / sqrt(12)
    if stdev(units) < floor:
        return t_draws(centre, floor / sqrt(n), n - 1, rng)
    return tuple(
        centre + _deviation(units, centre, rng) * sqrt(n / rng.gammavariate((n - 1) / 2, 2))
        for _ in range(DRAWS)
    )


def _deviation(units: Sequence[float], centre: float, rng: Random) -> float:
    return fsum(rng.choices(units, k=len(units))) / len(units) - centre


def t_draws(centre: float, error: float, freedom: int, rng: Random) -> Draws:
    """What a number may be whose standard error was estimated with so many degrees of freedom."""
    return tuple(
        centre + rng.gauss(0, error) * sqrt(freedom / rng.gammavariate(freedom / 2, 2))
        for _ in range(DRAWS)
    )


def rate_draws(sample: Sample, rng: Random) -> Draws:
    """Rates that a share of successes may come from: the posterior under Jeffreys' prior."""
    successes, trials = sample
    return tuple(rng.betavariate(successes + 0.5, trials - successes + 0.5) for _ in range(DRAWS))


def statistic_draws(
    units: Sequence[Sequence[float]], statistic: Callable[[list[float]], float], rng: Random
) -> Draws:
    """A statistic over the values of resampled units, each with all of its values."""
    drawn = (rng.choices(units, k=len(units)) for _ in range(DRAWS))
    return tuple(statistic([value for unit in choice for value in unit]) for choice in drawn)


def middle(draws: Sequence[float], level: float = LEVEL) -> Interval:
    """The interval that leaves the same share of draws out at both ends."""
    ordered = sorted(draws)
    out = (1 - level) / 2 * len(ordered)
    return Interval(_at(ordered, out), _at(ordered, len(ordered) - out))


def _at(ordered: Sequence[float], place: float) -> float:
    """The value at a place between 0 and n, between two values in proportion."""
    below = min(len(ordered) - 1.0, max(0.0, place - 0.5))
    first = int(below)
    second = min(first + 1, len(ordered) - 1)
    return ordered[first] + (below - first) * (ordered[second] - ordered[first])
