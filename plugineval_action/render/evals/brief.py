"""Evals beside the score of a change: what broke first, then what else changed; the rest folded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.evals.compared import Evals, SkillEvals
from plugineval_action.evals.outcomes import Cost, Summary
from plugineval_action.render.evals.evaluated import evaluated_sentence
from plugineval_action.render.evals.view import EvalRun, Row, View, row_of, verdict, view_of
from plugineval_action.render.links import NAME_LIMIT, Links, Markdown
from plugineval_action.render.words import counted

OPEN_ROWS: Final = 6
MOST_ROWS: Final = 40
MOST_NAMED: Final = 10
TEXT_LIMIT: Final = 400
_ORDER: Final = ("broken", "fixed", "flaky", "failed", "ungraded")
_NOTED: Final = 5
"""Percent by which tokens or dollars a run have to differ: no two runs of an agent are alike."""


class BriefRow(NamedTuple):
    """A case: its name, linked to the line that it stands on, and what became of it."""

    name: Markdown
    mark: str
    why: str
    runs: str
    kind: str


class Brief(NamedTuple):
    """One skill. `rows` changed or need looking at, `others` are as they were and did not pass.

    `lines` are sentences on what else changed; `source` is the file that all of it was read from.
    """

    skill: str
    harness: str
    verdict: str
    rows: tuple[BriefRow, ...]
    lines: tuple[str, ...]
    others: tuple[BriefRow, ...]
    view: View
    source: str


class EvalsView(NamedTuple):
    """All evals of a change; `problems` and `notes` are foreign text."""

    skills: tuple[Brief, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]


def evals_view(evals: Evals, links: Links) -> EvalsView:
    """Everything to say, in order; long lists are for the template to cut."""
    return EvalsView(
        skills=tuple(_brief(one, links) for one in evals.skills),
        problems=tuple(shorten(said, TEXT_LIMIT) for said in evals.problems),
        notes=tuple(shorten(said, TEXT_LIMIT) for said in evals.notes),
    )


def broken_cases(evals: Evals) -> int:
    """How many cases broke, over all skills."""
    return sum(len(one.changes.broken) for one in evals.skills if one.changes)


def changed_cases(evals: Evals) -> bool:
    """Whether a reader would learn something that the baseline does not say already."""
    return any(
        one.changes.broken or one.changes.fixed or one.changes.flaky
        for one in evals.skills
        if one.changes
    )


def _brief(one: SkillEvals, links: Links) -> Brief:
    rows = [row_of(case, one.changes) for case in one.summary.cases]
    told = sorted(
        (row for row in rows if row.state != "passed"), key=lambda row: _ORDER.index(row.state)
    )
    fresh = [row for row in told if _is_news(row, one)]
    shown = [_row(row, one, links) for row in [*fresh, *(row for row in told if row not in fresh)]]
    split = min(len(fresh), OPEN_ROWS)
    return Brief(
        skill=shorten(one.summary.skill, NAME_LIMIT),
        harness=one.harness,
        verdict=verdict(one.summary, one.changes),
        rows=tuple(shown[:split]),
        lines=tuple(_lines(one)),
        others=tuple(shown[split:MOST_ROWS]),
        view=view_of(EvalRun(one.summary, one.changes, "")),
        source=one.source,
    )


def _is_news(row: Row, one: SkillEvals) -> bool:
    """Whether it is not as it was; without a baseline everything is news."""
    changed = one.changes
    if changed is None or row.state in ("broken", "fixed", "ungraded"):
        return True
    return row.id in changed.new or row.id in changed.flaky


def _row(row: Row, one: SkillEvals, links: Links) -> BriefRow:
    line = one.lines.get(row.id)
    name = links.line(row.id, one.file if line else "", line or 1)
    return BriefRow(name, row.mark, row.why, row.runs, row.kind)


def _lines(one: SkillEvals) -> Iterator[str]:
    if said := evaluated_sentence(one.evaluations):
        yield said
    if one.changes and one.changes.gone:
        yield f"Gone since the baseline: {_named(one.changes.gone)}."
    if one.summary.not_run:
        yield f"Not run: {_named(one.summary.not_run)}."
    now = _cost(one.summary)
    if now and one.before and one.before.runs:
        before = Cost("with", one.before.runs, one.before.tokens, one.before.usd)
        yield from _moved(now, before)


def _named(names: tuple[str, ...]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join([*names[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])


def _cost(summary: Summary) -> Cost | None:
    return next((one for one in summary.costs if one.arm == "with" and one.runs), None)


def _moved(now: Cost, before: Cost) -> Iterator[str]:
    """What a run takes, where that is another amount than at the baseline."""
    amounts = (
        (now.tokens, before.tokens, "{:,.0f} tokens a run"),
        (now.usd, before.usd, "${:.3f} a run by the harness's own estimate"),
    )
    for new, old, form in amounts:
        if new is None or not old:
            continue
        each, was = new / now.runs, old / before.runs
        percent = 100 * (each / was - 1)
        if abs(percent) >= _NOTED:
            change = f"{percent:+.0f}".replace("-", "\N{MINUS SIGN}")
            since = f"{change} % since the baseline ({counted(now.runs, 'run')})"
            yield f"{form.format(each)}, {since}."
