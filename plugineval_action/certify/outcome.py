"""What may be said of a skill in the end: its badge, and whether enough is known. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from plugineval_action.assess import LABELS, Depth
from plugineval_action.certify.run import Measured
from plugineval_action.results import Badge, Composite, Outcome
from plugineval_action.scoring import bands

HALF_BAND: Final = 5.0
"""Points, half of a badge's band: a score whose interval is wider is called underpowered."""

FURTHEST: Final = 5.0
"""Points: if the interval's ends lie further from its middle, it is wider than a badge's whole band
and says too little to tell a badge from its neighbours."""

MOST_LOST: Final = 0.1
"""The share of games lost above which the rating is not complete."""


class Decision(NamedTuple):
    """The outcome, and the reasons in sentences if it is not `certified`.

    `badge` is the best that score and rating both allow; `no_badge` unless certified.
    """

    outcome: Outcome
    reasons: tuple[str, ...]
    badge: Badge
    by_score: Badge
    by_rating: Badge | None


def decide(measured: Measured, depth: Depth) -> Decision:
    """Decide. A skill of which too little is known gets no badge."""
    composite = measured.result.composite
    by_score: Badge = composite.badge if composite else "no_badge"
    by_rating = bands.rating_badge(measured.elo.rating) if measured.elo else None
    missing = tuple(_missing(measured, depth))
    unsure = tuple(_unsure(composite)) if composite else ()
    outcome: Outcome = "incomplete" if missing else "uncertain" if unsure else "certified"
    sure = outcome == "certified" and by_rating is not None
    badge = bands.both(by_score, by_rating) if sure and by_rating else "no_badge"
    return Decision(outcome, (*missing, *unsure), badge, by_score, by_rating)


def _missing(measured: Measured, depth: Depth) -> Iterator[str]:
    composite, played = measured.result.composite, measured.played
    if composite is None:
        yield measured.result.unscored or "It has no score."
    elif composite.confidence_label != LABELS[depth]:
        yield f"Only {composite.confidence_label} was reached, not {LABELS[depth]}."
    games = len(played.games)
    if measured.elo is None:
        why = f": {played.cause}" if played.cause else "."
        yield f"It has no rating, as no game was played to its end{why}"
    elif played.lost > MOST_LOST * (games + played.lost):
        yield f"{played.lost} of {games + played.lost} games were lost: {played.cause}"


def _unsure(composite: Composite) -> Iterator[str]:
    width = interval_width(composite)
    if width is None:
        yield "The score has no interval."
    elif too_wide(width):
        yield (
            f"The score is known to ±{width / 2:.1f} points only, so its interval is wider "
            f"than a badge's band ({2 * FURTHEST:g}). More judges narrow that, and so does depth "
            "thorough."
        )


def is_underpowered(width: float | None) -> bool:
    """Whether an interval, in points from end to end, is wide for a badge; None is no interval."""
    return width is None or width > HALF_BAND


def too_wide(width: float | None) -> bool:
    """Whether an interval, in points from end to end, tells too little for a badge."""
    return width is None or width / 2 > FURTHEST


def interval_width(composite: Composite) -> float | None:
    """Points from end to end of the composite's interval."""
    if composite.ci_lower is None or composite.ci_upper is None:
        return None
    return composite.ci_upper - composite.ci_lower


def surroundings(
    score: float, badge: Badge, low: float | None, high: float | None
) -> dict[str, Any]:
    """Where a score of 0 to 100 stands between the lines of badges, as a certificate tells it.

    `reach` is half of its interval, `above_line` what it has over its own badge's line (None
    without a badge), `to_next_line` what is missing for the next one (None at the top), in points.
    `crosses` are the badges whose lines lie inside the interval.
    """
    lines = dict(bands.BADGES)
    following = bands.next_badge(score)
    width = None if low is None or high is None else high - low
    return {
        "reach": None if width is None else width / 2,
        "underpowered": is_underpowered(width),
        "above_line": score - lines[badge] if badge in lines else None,
        "to_next_line": following[1] if following else None,
        "crosses": [
            name
            for name, line in bands.BADGES
            if low is not None and high is not None and low < line <= high
        ],
    }
