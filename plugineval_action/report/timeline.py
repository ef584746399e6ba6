"""Which plugin is which in the runs up to the reported one. Pure over history.

Scores are compared within one version of a ruleset only: where it changes, the past ends.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple, TypeVar

from plugineval_action.report.history import History, Record, plugin_key
from plugineval_action.report.runs import Run, runs_of

K = TypeVar("K")


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


def unchanged_since(history: Timeline, slug: str) -> Run:
    """The first of the latest runs that found the plugin's content as it is now, where it is."""
    found, now = history.now, history.past[-1][slug]
    for run, records in zip(reversed(history.runs), reversed(history.past), strict=True):
        then = records.get(slug)
        if not then or not then.digest or (then.digest, then.path) != (now.digest, now.path):
            break
        found = run
    return found


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
    for trait in (plugin_key, _name, _digest):
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


def _name(record: Record) -> str:
    return record.plugin


def _digest(record: Record) -> str:
    return record.digest
