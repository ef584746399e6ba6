"""What charts are drawn from: a marketplace over time, and what moved since the last run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plugineval_action.report.runs import Run
from plugineval_action.results import Badge
from plugineval_action.scoring.bands import ORDER


class Week(NamedTuple):
    """One run over the marketplace; scores lie on 0 to 100, and there may be none."""

    date: str
    """As 2026-01-31."""
    commit: str
    ruleset: str
    scores: tuple[float, ...]
    """The composites of the scored plugins, ascending."""
    badges: Mapping[Badge, int]
    breaks: bool
    """The ruleset is another than the week before: no line joins the two."""


class Move(NamedTuple):
    """A plugin whose score is another than at the run before."""

    name: str
    before: float
    after: float


def weeks(runs: Sequence[Run]) -> list[Week]:
    """Runs as charts show them."""
    return [
        Week(
            run.date,
            run.commit,
            run.ruleset,
            run.scores,
            {badge: Counter(each.badge for each in run.records)[badge] for badge in ORDER},
            breaks=at > 0 and runs[at - 1].ruleset != run.ruleset,
        )
        for at, run in enumerate(runs)
    ]
