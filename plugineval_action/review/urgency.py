"""The order of changes: what asks for action first.

Worse (largest loss first), not scored, new (lowest score first), better, the same, removed; in each
of these, plugins come after the skills and agents that they move with.
"""

from __future__ import annotations

from typing import Final

from plugineval_action.results import Result
from plugineval_action.review_values import Change, Review
from plugineval_action.scoring import delta
from plugineval_action.scoring.delta import Verdict
from plugineval_action.scoring.points import points_of

_ORDER: Final[tuple[Verdict, ...]] = ("worse", "unscored", "new", "better", "same", "removed")


def urgent_first(review: Review) -> list[Change]:
    """The changes, what asks for action first."""
    return sorted(review.changes, key=_urgency)


def side(change: Change) -> Result:
    """The side to name: after, or before where nothing is left."""
    named = change.after or change.before
    if named is None:
        raise ValueError("a change has a side before or a side after")
    return named


def _urgency(change: Change) -> tuple[int, bool, float, str, str]:
    word, points = delta.verdict(change), delta.points(change) or 0.0
    weight = (points_of(side(change)) or 0.0) if word == "new" else -abs(points)
    named = side(change)
    return _ORDER.index(word), named.kind == "plugin", weight, named.path, named.kind
