"""Ratings on Elo's scale: the published running Elo, and strengths put on the same scale.

The running Elo depends on the order of its games: the same 100 games in another order move it by
about 24 points. It is what badges ask for; who stands above whom is read from the strengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from random import Random
from typing import Final, NamedTuple

from plugineval_action.stats.resampling import middle

START: Final = 1500.0
K: Final = 32.0
RESAMPLES: Final = 500
SCALE: Final = 400 / log(10)
"""Points a unit of the logistic scale."""


class Match(NamedTuple):
    """The rating of an opponent, and what came of it: 1 won, 0.5 drawn, 0 lost."""

    opponent: float
    outcome: float


class Rating(NamedTuple):
    """A rating and its 95 % interval, None where there is nothing to resample."""

    value: float
    ci_lower: float | None = None
    ci_upper: float | None = None


def rating_of(strength: float) -> float:
    """A strength of the logistic scale as a rating; 0, the mean, is START."""
    return START + strength * SCALE


def expected(own: float, other: float) -> float:
    """The score that a rating promises against another one."""
    return float(1 / (1 + 10 ** ((other - own) / 400)))


def elo(matches: Iterable[Match]) -> float:
    """The running rating after all matches, in their order."""
    own = START
    for match in matches:
        own += K * (match.outcome - expected(own, match.opponent))
    return own


def elo_rating(matches: Sequence[Match], rng: Random) -> Rating:
    """The running rating, and where the middle of 500 resampled series ends, itself included."""
    value = elo(matches)
    if len(matches) < 2:
        return Rating(value)
    low, high = middle([elo(rng.choices(matches, k=len(matches))) for _ in range(RESAMPLES)])
    return Rating(value, min(low, value), max(high, value))
