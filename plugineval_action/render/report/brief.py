"""What a job summary says of a report: verdict, headline numbers, who moved most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plugineval_action.escape import shorten
from plugineval_action.render.links import NAME_LIMIT, Markdown
from plugineval_action.render.report.model import Model
from plugineval_action.render.report.moves import page_link, reasons
from plugineval_action.render.report.numbers import comparisons, numbers, since
from plugineval_action.render.templates import environment
from plugineval_action.render.words import moved
from plugineval_action.report.comparison import Shift
from plugineval_action.scoring.bands import shown

MOST_MOVES: Final = 5
MOST_REASONS: Final = 20


def render_brief(
    model: Model, failed: Sequence[str], notes: Sequence[str], links: Sequence[tuple[str, str]]
) -> str:
    """A summary as Markdown; `failed` are the gate's reasons, `links` names with addresses."""
    week = model.week
    shifts = (*week.risers[:MOST_MOVES], *week.fallers[:MOST_MOVES]) if week else ()
    return (
        environment()
        .get_template("report_summary.md.j2")
        .render(
            name=shorten(model.report.name, NAME_LIMIT),
            failed=failed[:MOST_REASONS],
            more=len(failed) - MOST_REASONS,
            links=links,
            numbers=tuple(numbers(model)),
            since=since(comparisons(model)),
            moves=[_row(model, shift) for shift in shifts],
            notes=notes,
        )
    )


def _row(model: Model, shift: Shift) -> tuple[Markdown, str, str, str]:
    root = f"{model.site.pages}/" if model.site.pages else ""
    return (
        page_link(shift.now, root),
        f"{shown(shift.before.score or 0)} → {shown(shift.now.score or 0)}",
        moved(shift.points),
        ", ".join(tuple(reasons(shift, model.links))[:2]),
    )
