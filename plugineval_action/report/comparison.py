"""What moved between two runs, and why. Pure over a timeline."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Final, NamedTuple

from plugineval_action.layers.static.layer import WEIGHTS
from plugineval_action.report.history import Record, plugin_key
from plugineval_action.report.runs import Run
from plugineval_action.report.timeline import Timeline
from plugineval_action.report.weeks import Move

WEEK: Final = 7
FOUR_WEEKS: Final = 28

_SUB_SCORE_MOVED: Final = 0.005
"""Change of a sub-score, in [0, 1], under which it is no reason for anything."""


class Shift(NamedTuple):
    """A plugin at two runs, and why its score is another.

    `flags` are the anti-patterns that came (+) and went (−), `sub_scores` the means that moved, in
    [0, 1], those that move the score most first; `members` how many skills and agents came.
    """

    now: Record
    before: Record
    points: float
    flags: tuple[tuple[str, int], ...]
    sub_scores: tuple[tuple[str, float], ...]
    members: int


class Comparison(NamedTuple):
    """What became of the plugins since an earlier run; moves by size, the largest first."""

    since: Run
    shifts: tuple[Shift, ...]
    renamed: tuple[Shift, ...]
    new: tuple[Record, ...]
    removed: tuple[Record, ...]

    @property
    def risers(self) -> tuple[Shift, ...]:
        """Who gained."""
        return tuple(shift for shift in self.shifts if shift.points > 0)

    @property
    def fallers(self) -> tuple[Shift, ...]:
        """Who lost."""
        return tuple(shift for shift in self.shifts if shift.points < 0)

    @property
    def moves(self) -> list[Move]:
        """For a chart."""
        return [
            Move(shift.now.plugin, shift.before.score or 0, shift.now.score or 0)
            for shift in self.shifts
        ]


def compared(history: Timeline, days: int) -> Comparison | None:
    """The reported run against the one nearest to so many days before; None without any.

    An earlier run serves only if it lies about so far back: at least half of the days for more than
    a week, any time for a week.
    """
    place = _nearest(history, days)
    if place is None:
        return None
    since, before = history.runs[place], history.past[place]
    records = history.now.records
    pairs = [(record, before[record.slug]) for record in records if record.slug in before]
    shifts = [_shift(now, then) for now, then in pairs]
    known = {plugin_key(then) for _, then in pairs}
    return Comparison(
        since,
        tuple(sorted((shift for shift in shifts if _moved(shift)), key=_by_size)),
        tuple(shift for shift in shifts if shift.now.plugin != shift.before.plugin),
        tuple(record for record in records if record.slug not in before),
        tuple(record for record in since.records if plugin_key(record) not in known),
    )


def _nearest(history: Timeline, days: int) -> int | None:
    today = date.fromisoformat(history.now.date)
    found = []
    for place in range(len(history.runs) - 2, -1, -1):
        run = history.runs[place]
        if run.ruleset != history.now.ruleset:
            break
        age = (today - date.fromisoformat(run.date)).days
        if days <= WEEK or age >= days / 2:
            found.append((abs(age - days), -place))
    return -min(found)[1] if found else None


def _shift(now: Record, before: Record) -> Shift:
    flags = Counter(now.flags)
    flags.subtract(before.flags)
    return Shift(
        now,
        before,
        (now.score or 0) - (before.score or 0),
        tuple((flag, count) for flag, count in sorted(flags.items()) if count),
        tuple(_sub_scores_moved(now, before)),
        now.skills + now.agents - before.skills - before.agents,
    )


def _sub_scores_moved(now: Record, before: Record) -> list[tuple[str, float]]:
    """By what they add to or take from the layer's score, the most first."""
    if now.sub_scores is None or before.sub_scores is None:
        return []
    pairs = zip(WEIGHTS, now.sub_scores, before.sub_scores, strict=True)
    moved = [(name, new - old) for name, new, old in pairs if abs(new - old) >= _SUB_SCORE_MOVED]
    return sorted(moved, key=lambda each: (-abs(WEIGHTS[each[0]] * each[1]), each[0]))


def _moved(shift: Shift) -> bool:
    scored = shift.now.score is not None and shift.before.score is not None
    return scored and abs(round(shift.points, 1)) > 0


def _by_size(shift: Shift) -> tuple[float, str, str]:
    return -abs(shift.points), shift.now.plugin, shift.now.path
