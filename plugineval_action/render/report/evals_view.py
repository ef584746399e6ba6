"""Evals on the pages of a report: how often they pass now, and how often before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.evals.outcomes import Rate
from plugineval_action.render.evals.evaluated import evaluated_sentence
from plugineval_action.render.evals.view import shown_rate
from plugineval_action.render.links import Links, Markdown
from plugineval_action.render.report.model import Model, Subject
from plugineval_action.render.report.moves import page_link
from plugineval_action.render.words import NOTHING, UNBROKEN, moved, short_id
from plugineval_action.report.evals import rate_of
from plugineval_action.report.history import Record

_COMMIT_LIMIT: Final = 40
_HARNESS_LIMIT: Final = 40

Shares = tuple[int, int]
"""Runs passed, of runs graded."""


class EvalRow(NamedTuple):
    """A plugin with a harness on the front page; `before` is how the run before stood."""

    name: Markdown
    harness: str
    cases: int
    runs: str
    share: str
    before: str


class SkillRow(NamedTuple):
    """A skill with a harness on its plugin's page; `said` tells how its answers were evaluated."""

    name: Markdown
    harness: str
    cases: int
    runs: str
    share: str
    said: str


class EvalStep(NamedTuple):
    """A run at which a harness passed another share than at the one before."""

    date: str
    commit: str
    harness: str
    runs: str
    share: str
    change: str


def eval_rows(model: Model) -> Iterator[EvalRow]:
    """Plugins with evals: what lost most first, then what passes least."""
    found = [
        (_lost(now, before), _share(now), row)
        for subject in model.subjects
        for row, now, before in _of(model, subject)
    ]
    for *_, row in sorted(found, key=lambda each: each[:2]):
        yield row


def _of(model: Model, subject: Subject) -> Iterator[tuple[EvalRow, Shares, Shares | None]]:
    evals = subject.scored.evals
    for harness, now in (subject.record.evals or {}).items():
        rate = rate_of(evals, harness)
        date, before = _before(model, subject.record, harness)
        said = (
            NOTHING if before is None else f"{_percent(before)} on {date}, {_change(now, before)}"
        )
        name = page_link(subject.record)
        cases = sum(len(one.cases) for one in evals if one.harness == harness)
        row = EvalRow(name, shorten(harness, _HARNESS_LIMIT), cases, *shown_rate(rate), said)
        yield row, now, before


def skill_rows(subject: Subject, links: Links) -> Iterator[SkillRow]:
    """Every skill of a plugin that has evals, by harness."""
    owners = {each.path: each for each in (subject.result, *subject.result.members)}
    for one in subject.scored.evals:
        rate: Rate = rate_of([one], one.harness)
        if rate.runs and one.skill in owners:
            name = links.name(owners[one.skill])
            harness = shorten(one.harness, _HARNESS_LIMIT)
            said = evaluated_sentence(one.evaluations)
            yield SkillRow(name, harness, len(one.cases), *shown_rate(rate), said)


def eval_steps(model: Model, slug: str) -> Iterator[EvalStep]:
    """The runs that moved a share, oldest first."""
    last: dict[str, Shares] = {}
    for run, records in zip(model.timeline.runs, model.timeline.past, strict=True):
        record = records.get(slug)
        for harness, now in ((record.evals or {}) if record else {}).items():
            before = last.get(harness)
            if before != now:
                yield EvalStep(
                    run.date,
                    short_id(run.commit, _COMMIT_LIMIT),
                    shorten(harness, _HARNESS_LIMIT),
                    f"{now[0]:,} of {now[1]:,}",
                    _percent(now),
                    _change(now, before) if before else "",
                )
            last[harness] = now


def _before(model: Model, record: Record, harness: str) -> tuple[str, Shares | None]:
    """The last run before this one that had evals of the plugin with the harness, and its day."""
    earlier = zip(model.timeline.runs[-2::-1], model.timeline.past[-2::-1], strict=True)
    for run, records in earlier:
        then = records.get(record.slug)
        if then and then.evals and harness in then.evals:
            return run.date, then.evals[harness]
    return "", None


def _share(runs: Shares) -> float:
    return 100 * runs[0] / runs[1] if runs[1] else 0.0


def _lost(now: Shares, before: Shares | None) -> float:
    return _share(now) - _share(before) if before else 0.0


def _percent(runs: Shares) -> str:
    return f"{_share(runs):.0f}{UNBROKEN}%"


def _change(now: Shares, before: Shares) -> str:
    points = _share(now) - _share(before)
    return moved(points) if round(abs(points), 1) else "="
