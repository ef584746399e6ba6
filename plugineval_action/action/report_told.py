"""What a report tells besides itself: the job's summary, its outputs, its log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from plugineval_action.action.ending import end_with
from plugineval_action.action.gate import Gate
from plugineval_action.action.outputs import NOTHING, boolean, signed
from plugineval_action.action.result_file import keep
from plugineval_action.action.run import Run, say
from plugineval_action.gh.outcome import Outcome, Published, Skipped, Unchanged
from plugineval_action.render.report.brief import render_brief
from plugineval_action.render.report.model import Model
from plugineval_action.render.report.pictures import marketplace_badge
from plugineval_action.render.report.to_json import render
from plugineval_action.scoring.bands import shown

RESULT: Final = "report.json"


class Ending(NamedTuple):
    """What became of a run; `alert` is the address of the issue, `problem` why it has none."""

    model: Model
    gate: Gate
    outcome: Outcome
    alert: str
    problem: str


def tell_all(run: Run, ending: Ending) -> None:
    """Write summary, report.json and outputs, whatever became of the report."""
    settings, outcome = run.settings, ending.outcome
    url = outcome.url if isinstance(outcome, Published | Unchanged) else ""
    told = [outcome.reason] if isinstance(outcome, Skipped) else []
    notes = [*told, *filter(None, [ending.problem]), *run.plan.reasons, *settings.notices]
    links = [link for link in (("The report", url), ("The issue", ending.alert)) if link[1]]
    text = render_brief(ending.model, ending.gate.reasons, notes, links)
    path = keep(run.temp, RESULT, render(ending.model))
    seen = settings.seen_later(path.relative_to(run.temp).as_posix())
    end_with(settings.output, settings.step_summary, _outputs(ending, url, seen), text)
    how = "unchanged" if isinstance(outcome, Unchanged) else "published"
    say(f"report: {how}, {url}" if url else "report: not published")


def _outputs(ending: Ending, url: str, result: str) -> Mapping[str, str]:
    """Of the marketplace as a whole: no single skill is what a report is about."""
    badge, mean = marketplace_badge(ending.model)
    week = ending.model.week
    before = week.since.mean if week else None
    return {
        **NOTHING,
        "score": "" if mean is None else shown(mean),
        "badge": badge or "",
        "delta": "" if mean is None or before is None else signed(mean - before),
        "passed": boolean(value=ending.gate.passed),
        "result-json": result,
        "report-url": url,
    }
