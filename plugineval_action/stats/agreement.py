"""Agreement beyond chance. None where it is not defined: everybody used one category."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from math import fsum
from typing import Final, Literal

Level = Literal["nominal", "ordinal", "interval", "ratio"]

Ratings = Sequence[float | None]
"""What one rater gave each unit, in the units' order; None for a unit not rated."""


def cohen_kappa(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Agreement of two raters on the same units (Cohen 1960), 1 at most.

    Raises ValueError if they did not rate the same number of units.
    """
    pairs = list(zip(first, second, strict=True))
    if not pairs:
        return None
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    by_first, by_second = Counter(first), Counter(second)
    chance = fsum(by_first[value] * by_second[value] for value in by_first) / n**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def krippendorff_alpha(raters: Sequence[Ratings], level: Level) -> float | None:
    """Agreement of any number of raters, with gaps (Krippendorff 2011), 1 at most.

    `level` says what a difference means: none, of ranks, of values, of values against their sum.
    Units with fewer than two ratings drop out.
    """
    units = [[value for value in unit if value is not None] for unit in zip(*raters, strict=True)]
    coincidences: defaultdict[tuple[float, float], float] = defaultdict(float)
    for unit in units:
        for pair in permutations(unit, 2):
            coincidences[pair] += 1 / (len(unit) - 1)
    totals: defaultdict[float, float] = defaultdict(float)
    for (value, _), count in coincidences.items():
        totals[value] += count
    if len(totals) < 2:
        return None
    distance = _DISTANCES[level](totals)
    n = fsum(totals.values())
    observed = fsum(count * distance(*pair) for pair, count in coincidences.items())
    expected = fsum(totals[a] * totals[b] * distance(a, b) for a, b in permutations(totals, 2))
    return 1 - (n - 1) * observed / expected


_Distance = Callable[[float, float], float]


def _nominal(_: Mapping[float, float]) -> _Distance:
    return lambda a, b: float(a != b)


def _ordinal(totals: Mapping[float, float]) -> _Distance:
    ranks = sorted(totals)

    def distance(a: float, b: float) -> float:
        low, high = sorted((a, b))
        between = fsum(totals[rank] for rank in ranks if low <= rank <= high)
        return (between - (totals[a] + totals[b]) / 2) ** 2

    return distance


def _interval(_: Mapping[float, float]) -> _Distance:
    return lambda a, b: (a - b) ** 2


def _ratio(_: Mapping[float, float]) -> _Distance:
    return lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else 0.0


_DISTANCES: Final[dict[Level, Callable[[Mapping[float, float]], _Distance]]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}
