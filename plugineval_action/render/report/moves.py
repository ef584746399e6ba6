"""What happened since last week: who rose and fell and why, who came, went or changed its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from plugineval_action.escape import code, link, shorten
from plugineval_action.layers.static.layer import WEIGHTS
from plugineval_action.render.links import NAME_LIMIT, Links, Markdown
from plugineval_action.render.report.model import Model, page_path
from plugineval_action.render.words import moved, signed, spaced
from plugineval_action.report.comparison import Comparison, Shift
from plugineval_action.report.history import Record
from plugineval_action.scoring.bands import badge_name, shown
from plugineval_action.scoring.dimensions import DIMENSIONS

MOST_MOVES: Final = 10
_MOST_REASONS: Final = 3

_DIMENSION: Final = {spec.static_source: spaced(spec.name) for spec in DIMENSIONS} | {
    name: spaced(name) for name in WEIGHTS if name == "harness_portability"
}


class MoveRow(NamedTuple):
    """A plugin that rose or fell; `reasons` are the largest ones."""

    name: Markdown
    before: str
    now: str
    change: str
    badge: str
    reasons: tuple[Markdown, ...]


class Moves(NamedTuple):
    """Everything that happened since a day, and in a few words.

    `headline` has a part for each kind of thing that happened; `more` counts the risers and fallers
    that are not shown.
    """

    since: str
    headline: tuple[Markdown, ...]
    risers: tuple[MoveRow, ...]
    fallers: tuple[MoveRow, ...]
    more: int
    new: tuple[Markdown, ...]
    removed: tuple[Markdown, ...]
    renamed: tuple[tuple[Markdown, Markdown], ...]


def moves(model: Model) -> Moves | None:
    """What happened since last week; None if nothing is there to compare with."""
    week = model.week
    if week is None:
        return None
    risers, fallers = week.risers, week.fallers
    shown_ones = [*risers[:MOST_MOVES], *fallers[:MOST_MOVES]]
    return Moves(
        week.since.date,
        tuple(_headline(week)),
        tuple(_row(shift, model.links) for shift in risers[:MOST_MOVES]),
        tuple(_row(shift, model.links) for shift in fallers[:MOST_MOVES]),
        len(week.shifts) - len(shown_ones),
        tuple(map(page_link, week.new)),
        tuple(_plain(record) for record in week.removed),
        tuple(_renamed(week)),
    )


def _headline(week: Comparison) -> Iterator[Markdown]:
    for verb, found in (("rose", week.risers), ("fell", week.fallers)):
        if found:
            most = f"{page_link(found[0].now)} {moved(found[0].points)}"
            among = "most of all " if found[1:] else ""
            yield Markdown(f"{len(found):,} {verb} ({among}{most})")
    for what, records in (("new", week.new), ("removed", week.removed)):
        if records:
            yield Markdown(f"{len(records):,} {what}")


def page_link(record: Record, root: str = "") -> Markdown:
    """A plugin's name, leading to its page."""
    name = shorten(record.plugin, NAME_LIMIT)
    return Markdown(link(name, f"{root}{page_path(record.slug)}"))


def reasons(shift: Shift, links: Links) -> Iterator[Markdown]:
    """Why a score moved: anti-patterns first, for each costs points at once, then sub-scores.

    What moved against the score is no reason for it.
    """
    for flag, count in shift.flags:
        if (count > 0) == (shift.points < 0):
            yield Markdown(f"{_whole(count)} {links.rule(flag)}")
    if shift.members:
        yield Markdown(f"{_whole(shift.members)} skill or agent")
    for name, change in shift.sub_scores:
        if (change > 0) == (shift.points > 0):
            yield Markdown(f"{_DIMENSION[name]} {signed(100 * change)}")


def _whole(count: int) -> str:
    return f"{count:+d}".replace("-", "−")


def _row(shift: Shift, links: Links) -> MoveRow:
    before, now = shift.before.badge, shift.now.badge
    badge = badge_name(now) if now else ""
    if before and now and before != now:
        badge = f"{badge_name(before)} → {badge}"
    return MoveRow(
        page_link(shift.now),
        shown(shift.before.score or 0),
        shown(shift.now.score or 0),
        moved(shift.points),
        badge,
        tuple(reasons(shift, links))[:_MOST_REASONS],
    )


def _renamed(week: Comparison) -> Iterator[tuple[Markdown, Markdown]]:
    for shift in week.renamed:
        yield _plain(shift.before), page_link(shift.now)


def _plain(record: Record) -> Markdown:
    return Markdown(code(record.plugin, NAME_LIMIT))
