"""The table of a review: one row for each change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.render.links import Links, Markdown, plain_name
from plugineval_action.render.words import NOTHING, moved, signed
from plugineval_action.results import Badge, Result
from plugineval_action.review.urgency import side
from plugineval_action.review_values import Change, Difference
from plugineval_action.scoring import delta
from plugineval_action.scoring.bands import badge_name, shown
from plugineval_action.scoring.points import points_of

PATH_LIMIT: Final = 120


class Row(NamedTuple):
    """One line of the table; `kind`, `path` and `was` are "" where the name says enough."""

    name: Markdown
    kind: str
    path: str
    was: str
    score: str
    change: str
    badge: str


def rows(changes: Sequence[Change], links: Links) -> Iterator[Row]:
    """The lines of the table; of the same name twice, each is told apart by its path."""
    seen = Counter(_called(change) for change in changes)
    for change in changes:
        named = side(change)
        renamed = change.before if change.status == "renamed" else None
        yield Row(
            name=name_of(change, links),
            kind="" if named.kind == "skill" else named.kind,
            path=shorten(named.path, PATH_LIMIT) if seen[_called(change)] > 1 else "",
            was=shorten(renamed.path, PATH_LIMIT) if renamed else "",
            score=score_of(change.after),
            change=movement(change) + "".join(map(interval, change.differences[:1])),
            badge=_badges(change),
        )


def name_of(change: Change, links: Links) -> Markdown:
    """The name, linked unless what it names is gone."""
    return links.name(change.after) if change.after else plain_name(side(change))


def score_of(result: Result | None) -> str:
    """The score as it is shown; a dash where there is none."""
    score = points_of(result) if result else None
    return NOTHING if score is None else shown(score)


def movement(change: Change) -> str:
    """`▲ +3.1`, `▼ −6.3`, or the verdict in a word: told apart without colour.

    Where models were asked about both sides, it is `judged_movement`.
    """
    word, points = delta.verdict(change), delta.points(change)
    if word == "unscored" or (word == "new" and score_of(change.after) == NOTHING):
        return "not scored"
    if change.differences:
        return judged_movement(change.differences[0])
    return moved(points) if word in ("better", "worse") and points is not None else word


def judged_movement(difference: Difference) -> str:
    """`better ▲ +3.1`, `worse ▼ −6.3`, `within noise`, `same`, or a move of unknown noise."""
    word, points = delta.judged(difference), _points(difference, difference.value)
    if word in ("better", "worse"):
        return f"{word} {moved(points)}"
    if word == "unknown":
        return f"{moved(points)}, noise unknown"
    return "same" if word == "the same" else word


def interval(difference: Difference) -> str:
    """` (−2.1 to +4.4)`, in points; "" where nothing was sampled or nothing is known."""
    low, high = difference.ci_lower, difference.ci_upper
    if low is None or high is None or difference.exact:
        return ""
    return f" ({signed(_points(difference, low))} to {signed(_points(difference, high))})"


def _points(difference: Difference, value: float) -> float:
    return value if difference.name == delta.COMPOSITE else 100 * value


def _called(change: Change) -> tuple[str, str]:
    return side(change).kind, side(change).name


def _badges(change: Change) -> str:
    before, after = delta.badge_move(change)
    if change.after is None:
        return f"was {_badge(before)}" if before else NOTHING
    if before is None or before == after:
        return _badge(after)
    return f"{_badge(before)} → {_badge(after)}"


def _badge(badge: Badge | None) -> str:
    return NOTHING if badge is None else badge_name(badge)
