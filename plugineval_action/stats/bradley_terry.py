"""Strengths from comparisons in pairs: Bradley and Terry's model with ties and a preferred place.

With u = strength of who was shown first - strength of who was shown second + place, the three
verdicts have probabilities proportional to exp(u / 2), exp(tie) and exp(-u / 2) (Bradley and Terry
1952, ties after Davidson 1970, order after Davidson and Beaver 1977). The fit is the maximum of the
likelihood with a small normal prior, which keeps whoever won or lost everything on the scale.

What is resampled are cases: all verdicts on one pair and one task, as those are not independent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, sqrt
from operator import mul
from random import Random
from statistics import NormalDist, pstdev
from typing import Final, Literal, NamedTuple

from plugineval_action.stats.linear import Factor, Matrix, factored, solved
from plugineval_action.stats.proportions import LEVEL, Interval
from plugineval_action.stats.resampling import middle

Better = Literal["first", "second", "equal"]

RESAMPLES: Final = 500
PRIOR: Final = 0.1
"""The precision of the prior: one game between equals tells twice as much."""

FEWEST: Final = 5
"""Cases below which an interval would say nothing but that nothing is known."""

_TIE: Final = log(0.5)
"""Where the prior of the tie parameter stands."""

_STEPS: Final = 60
_LONGEST_STEP: Final = 1.0
_CLOSE: Final = 1e-9


class Trial(NamedTuple):
    """One verdict on two players, in the order in which they were shown."""

    first: str
    second: str
    better: Better


Case = tuple[Trial, ...]
"""Verdicts that belong together."""


class Fit(NamedTuple):
    """Strengths of one component, with mean 0, on the logistic scale.

    `place` is what being shown first is worth, `tie` the log-odds of a tie between equals.
    `intervals` are of 95 %; a player with fewer than FEWEST cases has none.
    """

    strengths: dict[str, float]
    place: float
    tie: float
    intervals: dict[str, Interval]


def components(cases: Iterable[Case]) -> list[frozenset[str]]:
    """The players that comparisons connect; nothing can be said of one against another.

    The largest comes first, of equal size the one with the first name.
    """
    near: defaultdict[str, set[str]] = defaultdict(set)
    for case in cases:
        for trial in case:
            near[trial.first].add(trial.second)
            near[trial.second].add(trial.first)
    left, found = set(near), []
    while left:
        waiting = [left.pop()]
        together = set(waiting)
        while waiting:
            new = near[waiting.pop()] - together
            together |= new
            waiting += new
        left -= together
        found.append(frozenset(together))
    return sorted(found, key=lambda one: (-len(one), min(one)))


def fit(cases: Sequence[Case], rng: Random, resamples: int = RESAMPLES) -> Fit:
    """Fit the players of one component. Raises ValueError if there are several, or none."""
    if len(components(cases)) != 1:
        raise ValueError("only players that comparisons connect can be compared")
    names = sorted({name for case in cases for trial in case for name in trial[:2]})
    at = {name: number for number, name in enumerate(names)}
    rows = [[(at[one.first], at[one.second], one.better) for one in case] for case in cases]
    values, factor = _climbed(rows, len(names))
    draws = _draws(rows, values, factor, rng, resamples)
    errors = _errors(factor)
    played = Counter(number for case in rows for number in {n for row in case for n in row[:2]})
    intervals = {}
    for name, number in at.items():
        if draws and played[number] >= FEWEST:
            own = [draw[number] for draw in draws]
            low, high = _moves(own, played[number], errors[number], rng)
            intervals[name] = Interval(values[number] + low, values[number] + high)
    strengths = {name: values[number] for name, number in at.items()}
    return Fit(strengths, values[-2], values[-1], intervals)


_Row = tuple[int, int, Better]


class _Slope(NamedTuple):
    """What one verdict says: of the difference, of ties, and how strongly the two curve."""

    difference: float
    tie: float
    curve: tuple[float, float, float]


def _slope(row: _Row, values: Sequence[float]) -> _Slope:
    first, second, better = row
    u, tie = values[first] - values[second] + values[-2], values[-1]
    top = max(abs(u) / 2, tie)
    parts = exp(u / 2 - top), exp(tie - top), exp(-u / 2 - top)
    total = sum(parts)
    p_first, p_tie, p_second = (part / total for part in parts)
    lead = (p_first - p_second) / 2
    seen = {"first": 0.5, "second": -0.5, "equal": 0.0}[better]
    return _Slope(
        seen - lead,
        (better == "equal") - p_tie,
        ((p_first + p_second) / 4 - lead * lead, p_tie * (1 - p_tie), -lead * p_tie),
    )


def _climbed(rows: Sequence[Sequence[_Row]], players: int) -> tuple[list[float], Factor]:
    """Newton's method to the top, which is the only one; and the curvature there."""
    values = [0.0] * (players + 1) + [_TIE]
    every = [row for case in rows for row in case]
    for _ in range(_STEPS):
        gradient, hessian = _curved(every, values)
        factor = factored(hessian)
        step = solved(factor, gradient)
        size = max(map(abs, step))
        scale = min(1.0, _LONGEST_STEP / size) if size else 1.0
        values = [value + scale * each for value, each in zip(values, step, strict=True)]
        if size < _CLOSE:
            break
    return values, factor


def _curved(rows: Iterable[_Row], values: Sequence[float]) -> tuple[list[float], Matrix]:
    """The gradient of the log-likelihood with its prior, and minus its second derivatives."""
    size = len(values)
    gradient = [-PRIOR * value for value in values]
    gradient[-1] += PRIOR * _TIE
    hessian = [[PRIOR * (row == column) for column in range(size)] for row in range(size)]
    for row in rows:
        slope = _slope(row, values)
        own, tie, mixed = slope.curve
        signs = ((row[0], 1.0), (row[1], -1.0), (size - 2, 1.0))
        for one, sign in signs:
            gradient[one] += sign * slope.difference
            hessian[size - 1][one] += sign * mixed
            for other, other_sign in signs:
                hessian[one][other] += sign * other_sign * own
        gradient[-1] += slope.tie
        hessian[-1][-1] += tie
    return gradient, hessian


def _draws(
    rows: Sequence[Sequence[_Row]],
    values: Sequence[float],
    factor: Factor,
    rng: Random,
    resamples: int,
) -> list[list[float]]:
    """How far each value moves when cases are drawn again: one step of Newton's from the top."""
    pulls = [_pull(case, values) for case in rows]
    whole = [0.0] * len(values)
    for pull in pulls:
        for at, value in pull.items():
            whole[at] += value
    moved = []
    for _ in range(resamples):
        right = [-value for value in whole]
        for pull in rng.choices(pulls, k=len(pulls)):
            for at, value in pull.items():
                right[at] += value
        moved.append(solved(factor, right))
    return moved


def _pull(case: Iterable[_Row], values: Sequence[float]) -> Mapping[int, float]:
    """What a case adds to the gradient."""
    size = len(values)
    pull: defaultdict[int, float] = defaultdict(float)
    for row in case:
        slope = _slope(row, values)
        pull[row[0]] += slope.difference
        pull[row[1]] -= slope.difference
        pull[size - 2] += slope.difference
        pull[size - 1] += slope.tie
    return pull


def _errors(factor: Factor) -> list[float]:
    """The standard error of each player against the mean of all, by the curvature at the top."""
    players = len(factor.lower) - 2
    errors = []
    for at in range(players):
        unit = [float(row == at) - 1 / players for row in range(players)] + [0.0, 0.0]
        errors.append(sqrt(sum(map(mul, unit, solved(factor, unit)))))
    return errors


def _moves(draws: Sequence[float], cases: int, error: float, rng: Random) -> Interval:
    """How far a strength may lie from its fit: the wider of two spreads.

    Resampled cases are widened as Student's t is against the normal (`resampling.mean_draws`), for
    their spread is itself estimated from few. Where all cases say the same, as for who won
    everything, they show no spread at all. The least is therefore that of the curvature, which the
    model gives and no sample: it is not widened.
    """
    if pstdev(draws) < error:
        half = NormalDist().inv_cdf((1 + LEVEL) / 2) * error
        return Interval(-half, half)
    widened = [draw * sqrt(cases / rng.gammavariate((cases - 1) / 2, 2)) for draw in draws]
    return middle(widened)
