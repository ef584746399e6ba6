"""What the charts of a report are drawn from: pure numbers over weeks, scores and moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from math import ceil, floor, fsum
from statistics import quantiles
from typing import Final, NamedTuple

from plugineval_action.report.weeks import Move, Week

MOST_MOVES: Final = 10
LOWEST: Final = 45
STEP: Final = 5
"""Bars of the distribution are five points wide; the first one stands for all below 50."""


class Spread(NamedTuple):
    """Mean and quartiles of some scores."""

    mean: float
    low: float
    high: float


class Point(NamedTuple):
    """A week that has scores."""

    week: Week
    spread: Spread


def spread_of(scores: Sequence[float]) -> Spread | None:
    """Mean and quartiles (linear between scores) of ascending scores; None without any."""
    if not scores:
        return None
    low, _, high = quantiles(scores, n=4, method="inclusive") if scores[1:] else [scores[0]] * 3
    return Spread(fsum(scores) / len(scores), low, high)


def points_of(weeks: Sequence[Week]) -> list[Point]:
    """The runs that found scores, one a day."""
    return [Point(week, found) for week in by_day(weeks) if (found := spread_of(week.scores))]


def by_day(weeks: Sequence[Week]) -> list[Week]:
    """The last run of each day that found any score; a break before it is not lost."""
    days: dict[str, Week] = {}
    broken = False
    for week in weeks:
        broken = broken or week.breaks
        if week.scores:
            before = days.get(week.date)
            days[week.date] = week._replace(breaks=broken or bool(before and before.breaks))
            broken = False
    return list(days.values())


def runs_of(points: Sequence[Point]) -> Iterator[list[Point]]:
    """What one line joins: the weeks of one ruleset."""
    run: list[Point] = []
    for point in points:
        if point.week.breaks and run:
            yield run
            run = []
        run.append(point)
    yield run


def day_of(week: Week) -> int:
    """The number of a week's day."""
    return date.fromisoformat(week.date).toordinal()


def limits(scores: Sequence[float]) -> tuple[int, int]:
    """Tens around all scores, at least twenty points apart and within 0 and 100."""
    low, high = 10 * floor(min(scores) / 10), 10 * ceil(max(scores) / 10)
    high = min(max(high, low + 20), 100)
    return min(low, high - 20), high


def bar_counts(scores: Sequence[float]) -> list[int]:
    """How many scores each bar of the distribution stands for."""
    counts = [0] * ((100 - LOWEST) // STEP)
    for score in scores:
        # Rounded as badges are: 0.1 * 0.7 / 0.1 is 70, and not a hair below it.
        index = floor((round(score, 9) - LOWEST) / STEP)
        counts[min(max(index, 0), len(counts) - 1)] += 1
    return counts


def largest(moves: Sequence[Move]) -> list[Move]:
    """Those that moved most, from the highest rise to the deepest fall."""
    moved = [move for move in moves if move.after != move.before]
    ordered = sorted(moved, key=lambda move: (-abs(move.after - move.before), move.name))
    return sorted(ordered[:MOST_MOVES], key=lambda move: (move.before - move.after, move.name))
