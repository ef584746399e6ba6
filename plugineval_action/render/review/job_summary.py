"""The job summary: all that the comment says and more, and what could not be published.

It fits a byte budget. The comment is kept whole; of the lists below it, what does not fit is left
out from the last item upwards, problems without an annotation first, then rows of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from plugineval_action import PROJECT_URL
from plugineval_action.escape import shorten
from plugineval_action.evals.compared import NO_EVALS, Evals
from plugineval_action.render.fit import Section, fit
from plugineval_action.render.links import Links, Markdown
from plugineval_action.render.review.annotations import Remark
from plugineval_action.render.review.comment import MOST_ROWS, render_comment
from plugineval_action.render.review.table import rows
from plugineval_action.render.templates import environment
from plugineval_action.review.urgency import urgent_first
from plugineval_action.review_values import Review

BUDGET: Final = 900 * 1024
"""UTF-8 bytes; GitHub refuses a summary of more than 1 MiB."""

FORKS: Final = f"{PROJECT_URL}#forks-and-dependabot"
MOST_PROBLEMS: Final = 1_000
MOST_NOTES: Final = 20
NOTE_LIMIT: Final = 500
_MESSAGE_LIMIT: Final = 300


class Missing(NamedTuple):
    """Something that could not be published ("comment"), and the permission that it takes."""

    what: str
    permission: str


class Report(NamedTuple):
    """Everything that a summary tells.

    `reasons` say why the gate failed, `unannotated` are the problems that no annotation shows,
    `notes` are sentences about what else was not done or went wrong, `advice` says what to do about
    what is missing.
    """

    review: Review
    reasons: tuple[str, ...] = ()
    unannotated: tuple[Remark, ...] = ()
    missing: tuple[Missing, ...] = ()
    notes: tuple[str, ...] = ()
    advice: str = ""
    evals: Evals = NO_EVALS


class ProblemRow(NamedTuple):
    """A problem in one line; `place` and `message` are foreign text."""

    level: str
    place: Markdown
    message: str


def render_summary(report: Report, links: Links, budget: int = BUDGET) -> str:
    """The summary as Markdown, at most `budget` UTF-8 bytes if that is 300,000 or more."""
    comment = render_comment(
        *(report.review, budget // 2, links),
        evals=report.evals,
        reasons=report.reasons,
        marker="",
    )
    changes = urgent_first(report.review)
    table = list(rows(changes, links)) if len(changes) > MOST_ROWS else []
    problems = [_problem(remark, links) for remark in report.unannotated[:MOST_PROBLEMS]]
    total = len(report.unannotated)
    sections = (
        Section("problems", "problems", total, len(problems)),
        Section("rows", "rows of the table", len(table), len(table)),
    )
    template = environment().get_template("summary.md.j2")
    constant = {
        "comment": comment,
        "table": table,
        "problems": problems,
        "total": total,
        "missing": report.missing,
        "permissions": sorted({"contents: read", *(each.permission for each in report.missing)}),
        "notes": [shorten(note, NOTE_LIMIT) for note in report.notes[:MOST_NOTES]],
        "advice": report.advice,
        "forks": FORKS,
    }

    def render(counts: Mapping[str, int]) -> str:
        return template.render(counts=counts, **constant)

    return fit(render, sections, budget)


def _problem(remark: Remark, links: Links) -> ProblemRow:
    message = shorten(f"{remark.title}: {remark.message}", _MESSAGE_LIMIT)
    return ProblemRow(remark.level, links.place(remark.path, remark.line), message)
