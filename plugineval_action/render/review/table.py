"""The table of a review: one row for each change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.render.links import Links, Markdown, plain_name
from plugineval_action.render.words import NOTHING, moved
from plugineval_action.results import Badge, Change, Result
from plugineval_action.review.urgency import side
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
            change=movement(change),
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

    A move that chance explains is `same`, with how much that is: `same, ±4.2`.
    """
    word, points = delta.verdict(change), delta.points(change)
    if word == "unscored" or (word == "new" and score_of(change.after) == NOTHING):
        return "not scored"
    if word == "same" and (noise := delta.noise(change)):
        return f"same, ±{noise:.1f}"
    return moved(points) if word in ("better", "worse") and points is not None else word


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
