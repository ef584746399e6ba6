"""Two sides that met the same prompts: draws of both together, so that what is shared cancels.

The prompts that a draw takes are the same on both sides. What is left in the difference of a draw
is what the sides made of the same prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from plugineval_action.stats.resampling import DRAWS, Draws

_PRIOR: Final = 0.25
"""Of each of the four outcomes of a pair: the rate of either side then has Jeffreys' prior."""

Tried = tuple[bool, bool]
"""Whether one side and the other succeeded at the same prompt."""


class Pair(NamedTuple):
    """Draws of two sides; the draws at one place belong together."""

    one: Draws
    other: Draws


def paired_rates(clusters: Sequence[Sequence[Tried]], rng: Random) -> Pair | None:
    """Rates of both sides, from pairs that are clustered by prompt; None without a pair.

    The posterior of the four outcomes of a pair under Dirichlet's prior. Pairs of one prompt count
    for less than as many of different ones, by the design effect (Kish 1965) of their difference.
    """
    pairs = [pair for cluster in clusters for pair in cluster]
    if not pairs:
        return None
    design = _design([[one - other for one, other in cluster] for cluster in clusters if cluster])
    outcomes = ((True, True), (True, False), (False, True), (False, False))
    counts = [pairs.count(outcome) / design + _PRIOR for outcome in outcomes]
    drawn = []
    for _ in range(DRAWS):
        both, first, second, neither = (rng.gammavariate(count, 1) for count in counts)
        total = both + first + second + neither
        drawn.append(((both + first) / total, (both + second) / total))
    return _pair(drawn)


def _design(clusters: Sequence[Sequence[int]]) -> float:
    """By how much clustered differences tell less than as many independent ones; 1 at least."""
    count, values = len(clusters), [value for cluster in clusters for value in cluster]
    total = len(values)
    mean = fmean(values)
    single = fsum((value - mean) ** 2 for value in values) / total / total
    if count < 2 or total == count or single == 0:
        return 1.0
    spread = fsum((sum(cluster) - mean * len(cluster)) ** 2 for cluster in clusters)
    return max(1.0, spread / total**2 * count / (count - 1) / single)


def paired_means(
    one: Mapping[str, float], other: Mapping[str, float], rng: Random, *, resolution: float = 0.0
) -> Pair | None:
    """Means of both sides over their prompts, by the name of the prompt.

    Widened as in `resampling.mean_draws`. `resolution` is the step of the scale: two sides that
    differ alike everywhere are still rounded each. None with fewer than two prompts in common.
    """
    common = sorted(one.keys() & other.keys())
    if len(common) < 2:
        return None
    names = sorted(one.keys() | other.keys())
    n = len(common)
    floor = resolution / sqrt(12)
    alike = stdev([one[name] - other[name] for name in common]) < sqrt(2) * floor
    noise = floor / sqrt(n) if alike else 0.0
    sides = [(side, fmean(side.values())) for side in (one, other)]
    drawn = []
    for _ in range(DRAWS):
        chosen = rng.choices(names, k=len(names))
        scale = sqrt(n / rng.gammavariate((n - 1) / 2, 2))
        moved = (
            _mean(side, chosen, centre) - centre + rng.gauss(0, noise) for side, centre in sides
        )
        drawn.append([c + scale * move for (_, c), move in zip(sides, moved, strict=True)])
    return _pair(drawn)


def _mean(side: Mapping[str, float], chosen: Sequence[str], centre: float) -> float:
    found = [side[name] for name in chosen if name in side]
    return fsum(found) / len(found) if found else centre


def paired_statistic(
    one: Mapping[str, Sequence[float]],
    other: Mapping[str, Sequence[float]],
    statistic: Callable[[list[float]], float],
    rng: Random,
) -> Pair | None:
    """A statistic of both sides over all values of their prompts; None without a common prompt."""
    if not one.keys() & other.keys():
        return None
    names = sorted(one.keys() | other.keys())
    every = [[value for values in side.values() for value in values] for side in (one, other)]
    drawn = []
    for _ in range(DRAWS):
        chosen = rng.choices(names, k=len(names))
        sides = [[v for name in chosen for v in side.get(name, ())] for side in (one, other)]
        drawn.append([statistic(a or b) for a, b in zip(sides, every, strict=True)])
    return _pair(drawn)


def _pair(drawn: Iterable[Sequence[float]]) -> Pair:
    one, other = zip(*drawn, strict=True)
    return Pair(one, other)


def apart(one: Draws, other: Draws, rng: Random) -> Pair:
    """Two sides that share nothing, whatever chance made their draws."""
    return Pair(one, tuple(rng.sample(other, len(other))))
