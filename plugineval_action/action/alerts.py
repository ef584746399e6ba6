"""Whether a marketplace lost too much, and the one issue that says so until it is fine again.

Scores are held against last week's. An issue remembers the run that it was opened against, in its
first line, so that a plugin that fell and stayed low is not forgotten a week later. Of a run it has
the day, and digits that tell it from others of that day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final, Literal, NamedTuple

from plugineval_action.action.gate import NAME_LIMIT, Gate, Thresholds, asked, told
from plugineval_action.action.report_commit import Place
from plugineval_action.escape import markdown, shorten
from plugineval_action.gh.client import GitHub, Issue
from plugineval_action.render.report.model import Model
from plugineval_action.render.words import counted
from plugineval_action.report.history import Record
from plugineval_action.report.runs import Run
from plugineval_action.scoring.bands import shown

_MOST: Final = 50
"""Reasons in an issue; the report has all plugins."""

_MARKER: Final = re.compile(
    r"<!-- plugin-eval alert ([0-9a-f]{8}) since ([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9a-f]{8}) -->"
)


class AlertPlan(NamedTuple):
    """What to do about the issue; `number` is that of the one to edit or close."""

    action: Literal["open", "edit", "keep", "close", "none"]
    title: str = ""
    body: str = ""
    number: int = 0
    url: str = ""


def gate_of(model: Model, limits: Thresholds) -> Gate:
    """Hold every plugin, and the mean, to the limits; what fell is told first."""
    reasons = tuple(reasons_since(model, limits, model.week.since if model.week else None))
    return Gate(not reasons, reasons)


def reasons_since(model: Model, limits: Thresholds, since: Run | None) -> Iterator[str]:
    """Why it does not pass, as sentences of plain text; without `since` nothing can have fallen."""
    most, least = limits.max_regression, limits.fail_under
    if most is not None and since is not None:
        yield from _falls(model, since, most)
    if least is not None:
        for record in model.timeline.now.records:
            if record.score is not None and record.score < least:
                name, score = shorten(record.plugin, NAME_LIMIT), told(record.score, least)
                yield f"{name} scores {score}; fail-under asks for {asked(least)}."


def _falls(model: Model, since: Run, most: float) -> Iterator[str]:
    runs = model.timeline
    before = runs.past[runs.runs.index(since)]
    allowed = f"max-regression allows {asked(most)}."
    if since.mean is not None and runs.now.mean is not None:
        yield from _fall("The mean", since.mean, runs.now.mean, most, f"since {since.date}")
    pairs = [(before[now.slug], now) for now in runs.now.records if now.slug in before]
    for then, now in sorted(pairs, key=_loss):
        name = shorten(now.plugin, NAME_LIMIT)
        if then.score is not None and now.score is None:
            yield f"{name} has no score any more (it was {shown(then.score)}); {allowed}"
        elif then.score is not None and now.score is not None:
            yield from _fall(name, then.score, now.score, most, f"since {since.date}")


def _fall(name: str, before: float, now: float, most: float, when: str) -> Iterator[str]:
    if round(before - now, 9) > most:
        yield (
            f"{name} lost {told(before - now, most)} points {when}"
            f" ({shown(before)} to {shown(now)}); max-regression allows {asked(most)}."
        )


def _loss(pair: tuple[Record, Record]) -> tuple[float, str]:
    """The largest loss first; no score any more is the largest."""
    then, now = pair
    return (now.score if now.score is not None else -100.0) - (then.score or 0.0), now.plugin


def plan_alert(
    issues: Sequence[Issue], model: Model, limits: Thresholds, place: Place
) -> AlertPlan:
    """Decide from all open issues, oldest first."""
    ours, day, run = _ours(issues, place)
    against = _run_of(model, day, run)
    reasons = list(reasons_since(model, limits, against))
    if ours is None and not reasons:
        return AlertPlan("none")
    since = against or model.timeline.now
    marker = f"<!-- plugin-eval alert {_id(place)} since {since.date} {_digits(since.commit)} -->"
    if not reasons:
        assert ours
        title, body = "Plugin scores are fine again", _fine(model, marker)
        return AlertPlan("close", title, body, ours.number, ours.url)
    title = f"{counted(len(reasons), 'plugin score')} below the line"
    body = _alarm(model, marker, reasons)
    if ours is None:
        return AlertPlan("open", title, body)
    same = ours.body.replace("\r\n", "\n").strip() == body.strip()
    return AlertPlan("keep" if same else "edit", title, body, ours.number, ours.url)


def carry_out(plan: AlertPlan, github: GitHub) -> str:
    """Open, edit or close; the issue's address, "" without one. Raises GitHubError."""
    if plan.action == "open":
        return github.issues.create(plan.title, plan.body).url
    if plan.action in ("edit", "close"):
        close = plan.action == "close"
        return github.issues.edit(plan.number, plan.title, plan.body, close=close)
    return plan.url


def _id(place: Place) -> str:
    """Several reports of one repository have an issue each."""
    return _digits(f"{place.branch}:{place.folder}")


def _digits(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]


def _ours(issues: Sequence[Issue], place: Place) -> tuple[Issue | None, str, str]:
    """Ours by author and first line, and the run that it looks back to: day and digits."""
    for issue in issues:
        found = _MARKER.match(issue.body) if issue.mine else None
        if found and found[1] == _id(place):
            return issue, found[2], found[3]
    return None, "", ""


def _run_of(model: Model, day: str, digits: str) -> Run | None:
    """That run, else the last one up to its day, else last week's.

    None if it was under another ruleset.
    """
    runs = model.timeline
    earlier = [run for run in runs.runs[:-1] if run.date <= day]
    same = [run for run in earlier if run.date == day and _digits(run.commit) == digits]
    earlier = same or earlier
    since = earlier[-1] if earlier else model.week.since if model.week else None
    return since if since and since.ruleset == runs.now.ruleset else None


def _alarm(model: Model, marker: str, reasons: Sequence[str]) -> str:
    lines = [f"- {markdown(reason)}" for reason in reasons[:_MOST]]
    if len(reasons) > _MOST:
        lines.append(f"- and {len(reasons) - _MOST:,} more")
    return "\n".join((marker, _when(model), "", *lines, "", _REST))


def _fine(model: Model, marker: str) -> str:
    return "\n".join((marker, _when(model), "", "Nothing is below the line any more.", ""))


def _when(model: Model) -> str:
    report = model.report
    where = f"[the report]({model.site.pages}/README.md)" if model.site.pages else "the report"
    return f"As of {markdown(report.date)}, in {where} on {markdown(report.name, NAME_LIMIT)}:"


_REST: Final = (
    "This issue is kept up to date, and closes itself when all of this is mended."
    " If it is meant to stay so, close it: from a week on, reports start from today's scores.\n"
)
