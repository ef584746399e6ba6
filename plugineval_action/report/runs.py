"""Runs over a marketplace, in order. Pure over history."""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

from plugineval_action.report.history import History, Key, Record, run_key


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


def runs_of(history: History) -> list[Run]:
    """Runs by date; those of one day in the order of their lines."""
    found: dict[Key, list[Record]] = {}
    for record in history.records:
        found.setdefault(run_key(record), []).append(record)
    runs = [Run(*key, records[0].ruleset, tuple(records)) for key, records in found.items()]
    return sorted(runs, key=lambda run: run.date)
