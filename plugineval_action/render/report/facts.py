"""A scored marketplace, and what can be counted over it. Pure over results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from statistics import median
from typing import Final, NamedTuple

from plugineval_action.report_values import MarketplaceReport
from plugineval_action.results import Badge, Kind, Result
from plugineval_action.scoring.bands import ORDER, shown
from plugineval_action.scoring.points import points_of

MOST_FIXES: Final = 10


class Tally(NamedTuple):
    """How many there are, how they score (0 to 100, None without any score), and their badges."""

    number: int
    scored: int
    mean: float | None
    median: float | None
    badges: dict[Badge, int]


class FlagCount(NamedTuple):
    """How often an anti-pattern occurs, and in how many skills."""

    flag: str
    times: int
    skills: int


def rank_key(result: Result) -> tuple[float, bool, float, str, str]:
    """Sorts the best first; of scores that read the same, agents only come last.

    Equal scores go by name and path.
    """
    points = points_of(result) or 0.0
    read = -float(shown(points))
    return read, has_agents_only(result), -points, result.name, result.path


def has_agents_only(result: Result) -> bool:
    """Whether this is a plugin without a scored skill: little of it has been looked at."""
    return result.kind == "plugin" and not any(
        member.kind == "skill" and member.layers for member in result.members
    )


def members(report: MarketplaceReport, kind: Kind) -> list[Result]:
    """Skills or agents of all plugins and outside of them; what two plugins share counts once."""
    inside = (member for plugin in report.plugins for member in plugin.result.members)
    loose = (scored.result for scored in report.loose)
    found = {each.path: each for each in (*inside, *loose) if each.kind == kind}
    return [found[path] for path in sorted(found)]


def tally(results: Sequence[Result]) -> Tally:
    """Count results and their badges, and average their scores."""
    scores = [score for result in results if (score := points_of(result)) is not None]
    badges = Counter(result.composite.badge for result in results if result.composite)
    return Tally(
        number=len(results),
        scored=len(scores),
        mean=fsum(scores) / len(scores) if scores else None,
        median=median(scores) if scores else None,
        badges={badge: badges[badge] for badge in ORDER},
    )


def flag_counts(results: Iterable[Result]) -> list[FlagCount]:
    """The anti-patterns that occur, the most frequent first."""
    times: Counter[str] = Counter()
    skills: Counter[str] = Counter()
    for result in results:
        flags = flags_of(result)
        times.update(flags)
        skills.update(set(flags))
    order = sorted(times, key=lambda flag: (-times[flag], flag))
    return [FlagCount(flag, times[flag], skills[flag]) for flag in order]


def flags_of(result: Result) -> list[str]:
    """The anti-patterns of a result by their ids, repeats included."""
    return [found.flag for layer in result.layers for found in layer.anti_patterns]
