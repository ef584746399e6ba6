"""`--output html`: one page that needs nothing else, for reading, printing and keeping."""

from __future__ import annotations

from typing import Final

from plugineval_action.render.score.card import Card, cards
from plugineval_action.render.score.to_do import FORM_ONLY
from plugineval_action.render.templates import environment
from plugineval_action.render.view import ScoreRun, method, summary

PROBLEMS_SHOWN: Final = 200


def render(run: ScoreRun) -> str:
    """The run as one HTML page without scripts or anything to load."""
    in_full = cards(run)
    view = summary(run)
    return (
        environment()
        .get_template("score.html.j2")
        .render(
            title=view.rows[0].name if len(view.rows) == 1 else view.what,
            cards=in_full,
            summary=None if len(run.results) == 1 else view,
            anchors=_anchors(in_full),
            failures=run.failures,
            notes=run.notes,
            method=method(run),
            timestamp=run.timestamp,
            threshold=None if run.threshold is None else f"{run.threshold:g}",
            problems_shown=PROBLEMS_SHOWN,
            form_only=FORM_ONLY,
        )
    )


def _anchors(cards: tuple[Card, ...]) -> dict[str, str]:
    """Where each result stands on the page; a plugin and its only skill may share a path."""
    numbered = reversed(list(enumerate(cards, start=1)))
    return {f"{card.row.kind}{card.row.path}": f"result-{number}" for number, card in numbered}
