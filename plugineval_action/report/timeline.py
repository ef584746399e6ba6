"""Runs in order, which plugin is which in them, and what moved between two. Pure over history.

Scores are compared within one version of a ruleset only: where it changes, the past ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from itertools import takewhile
from math import fsum
from typing import Final, NamedTuple, TypeVar

from plugineval_action.layers.static.layer import WEIGHTS
from plugineval_action.report.history import History, Key, Record, run_key
from plugineval_action.report.weeks import Move, Week
from plugineval_action.scoring.bands import BADGES

K = TypeVar("K")

WEEK: Final = 7
FOUR_WEEKS: Final = 28

_SUB_SCORE_MOVED: Final = 0.005
"""Change of a sub-score, in [0, 1], under which it is no reason for anything."""


class Run(NamedTuple):
    """One run over the marketplace; its records come in the order of their lines."""

    commit: str
    date: str
    ruleset: str
    records: tuple[Record, ...]

    @property
    def scores(self) -> tuple[float, ...]:
        """The scores of what is scored, ascending."""
        return tuple(sorted(each.score for each in self.records if each.score is not None))

    @property
    def mean(self) -> float | None:
        """The mean of the scores, None if there are none."""
        return fsum(self.scores) / len(self.scores) if self.scores else None


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


class Timeline(NamedTuple):
    """The runs up to the reported one, which is the last, oldest first.

    `past` has for each run the records in it of today's plugins, by today's slug.
    """

    runs: tuple[Run, ...]
    past: tuple[Mapping[str, Record], ...]

    @property
    def now(self) -> Run:
        """The reported run."""
        return self.runs[-1]

    def scores(self, slug: str) -> list[float | None]:
        """A plugin's scores since the ruleset last changed, None where it was not scored."""
        latest = zip(reversed(self.runs), reversed(self.past), strict=True)
        comparable = takewhile(lambda each: each[0].ruleset == self.now.ruleset, latest)
        found = [records[slug].score if slug in records else None for _, records in comparable]
        return found[::-1]


def timeline(history: History, now: Run) -> Timeline:
    """The runs up to one of them, which may have found nothing and then is not in the history."""
    every = runs_of(history)
    keys = [(run.commit, run.date) for run in every]
    key = (now.commit, now.date)
    earlier = every[: keys.index(key)] if key in keys else [r for r in every if r.date <= now.date]
    runs = (*earlier, now)
    return Timeline(runs, tuple(_lineage(runs)))


def runs_of(history: History) -> list[Run]:
    """Runs by date; those of one day in the order of their lines."""
    found: dict[Key, list[Record]] = {}
    for record in history.records:
        found.setdefault(run_key(record), []).append(record)
    runs = [Run(*key, records[0].ruleset, tuple(records)) for key, records in found.items()]
    return sorted(runs, key=lambda run: run.date)


def weeks(runs: Sequence[Run]) -> list[Week]:
    """Runs as charts show them."""
    return [
        Week(
            run.date,
            run.commit,
            run.ruleset,
            run.scores,
            {
                badge: Counter(each.badge for each in run.records)[badge]
                for badge in (*(name for name, _ in BADGES), "no_badge")
            },
            breaks=at > 0 and runs[at - 1].ruleset != run.ruleset,
        )
        for at, run in enumerate(runs)
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
    known = {_place(then) for _, then in pairs}
    return Comparison(
        since,
        tuple(sorted((shift for shift in shifts if _moved(shift)), key=_by_size)),
        tuple(shift for shift in shifts if shift.now.plugin != shift.before.plugin),
        tuple(record for record in records if record.slug not in before),
        tuple(record for record in since.records if _place(record) not in known),
    )


def unchanged_since(history: Timeline, slug: str) -> Run:
    """The first of the latest runs that found the plugin's content as it is now, where it is."""
    found, now = history.now, history.past[-1][slug]
    for run, records in zip(reversed(history.runs), reversed(history.past), strict=True):
        then = records.get(slug)
        if not then or not then.digest or (then.digest, then.path) != (now.digest, now.path):
            break
        found = run
    return found


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


def _lineage(runs: Sequence[Run]) -> list[dict[str, Record]]:
    """Today's plugins in each run; found from the newest run backwards."""
    latest = {record.slug: record for record in runs[-1].records}
    found = [dict(latest)]
    for run in reversed(runs[:-1]):
        matched = _matched(latest, run.records)
        latest.update(matched)
        found.append(matched)
    return found[::-1]


def _matched(latest: Mapping[str, Record], records: Iterable[Record]) -> dict[str, Record]:
    """Who is who in an earlier run: by name and path, then by name, then by content.

    A name or content that occurs twice among those left tells nothing.
    """
    left, matched = dict(latest), dict[str, Record]()
    unknown = list(records)
    for trait in (_place, _name, _digest):
        here, there = _unique(left.items(), trait), _unique(enumerate(unknown), trait)
        for value, slug in here.items():
            if value != "" and value in there:
                matched[slug] = unknown[there[value]]
                del left[slug]
        taken = set(map(id, matched.values()))
        unknown = [record for record in unknown if id(record) not in taken]
    return matched


def _unique(
    records: Iterable[tuple[K, Record]], trait: Callable[[Record], Hashable]
) -> dict[Hashable, K]:
    """Keys of records by a trait that no other of them has."""
    found: dict[Hashable, list[K]] = {}
    for key, record in records:
        found.setdefault(trait(record), []).append(key)
    return {value: keys[0] for value, keys in found.items() if len(keys) == 1}


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


def _place(record: Record) -> tuple[str, str]:
    return record.plugin, record.path


def _name(record: Record) -> str:
    return record.plugin


def _digest(record: Record) -> str:
    return record.digest
