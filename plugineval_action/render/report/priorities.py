"""What to fix first across a marketplace: each remedy once, by the points it would bring in all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

from plugineval_action.report_values import MarketplaceReport, Scored
from plugineval_action.results import Improvement
from plugineval_action.scoring.advice import urgency
from plugineval_action.scoring.remedies import CONDITIONAL


class Priority(NamedTuple):
    """One remedy: its points over all skills, in how many skills, and where it brings most.

    Points are those of each skill's score, as if nothing else in it was changed.
    """

    points: float
    skills: int
    path: str
    most: Improvement


def priorities(report: MarketplaceReport) -> list[Priority]:
    """All remedies, the most points first; what two plugins share counts once.

    What is right for some skills only comes last, here as in a skill's own list.
    """
    found = dict.fromkeys(each for scored in _all(report) for each in scored.fixes)
    return _shared(found)


def own_priorities(scored: Scored) -> list[Priority]:
    """Those of one plugin."""
    return _shared(scored.fixes)


def largest(found: Sequence[Priority]) -> list[Priority]:
    """Sorted by what they bring in a single skill."""
    return sorted(found, key=lambda each: urgency(each.most))


def _all(report: MarketplaceReport) -> tuple[Scored, ...]:
    return (*report.plugins, *report.loose)


def _shared(fixes: Iterable[tuple[str, Improvement]]) -> list[Priority]:
    same = defaultdict[tuple[str, str | None], list[tuple[str, Improvement]]](list)
    for path, each in fixes:
        same[each.remedy, each.rule].append((path, each))
    return sorted(map(_priority, same.values()), key=_order)


def _priority(fixes: list[tuple[str, Improvement]]) -> Priority:
    path, most = min(fixes, key=lambda fix: (-fix[1].points, fix[0], fix[1].line, fix[1].title))
    points = fsum(each.points for _, each in fixes)
    return Priority(points, len({path for path, _ in fixes}), path, most)


def _order(found: Priority) -> tuple[bool, float, str, int, str]:
    most = found.most
    return most.remedy in CONDITIONAL, -found.points, found.path, most.line, most.title
