"""How far values lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from statistics import median, quantiles
from typing import Final, NamedTuple

_FENCE: Final = 1.5
"""Tukey's fence: interquartile ranges from a quartile to where outliers begin."""


class Spread(NamedTuple):
    """The middle, the quartiles (inclusive method), and the values beyond Tukey's fences."""

    median: float
    lower_quartile: float
    upper_quartile: float
    outliers: tuple[float, ...]


def spread(values: Sequence[float]) -> Spread | None:
    """The spread of values; None if there are none."""
    if not values:
        return None
    if len(values) == 1:
        return Spread(values[0], values[0], values[0], ())
    low, _, high = quantiles(values, method="inclusive")
    reach = _FENCE * (high - low)
    outliers = tuple(value for value in values if not low - reach <= value <= high + reach)
    return Spread(median(values), low, high, outliers)


def variation(values: Sequence[float]) -> float | None:
    """The coefficient of variation, sd / mean; None below two values, or around a mean of 0."""
    n = len(values)
    if n < 2 or not (centre := fsum(values) / n):
        return None
    # statistics.stdev is exact, and forty times as slow: too slow to resample.
    return sqrt(fsum((value - centre) ** 2 for value in values) / (n - 1)) / centre
