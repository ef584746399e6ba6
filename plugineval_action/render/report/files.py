"""The report on a marketplace: README.md for people, report.json for machines.

GitHub shows the first 512,000 bytes of a README, so this one stays below. What does not fit is left
out whole, the least needed first:

1. the skills of single plugins, from the last in the ranking upwards;
2. external entries;
3. errors, then unlisted plugins, then missing ones, then plugins that were not scored;
4. rows of the ranking, from the last one upwards.

The report says what was left out, in this order; report.json leaves out nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from plugineval_action.render.fit import Section, fit, left_out
from plugineval_action.render.links import METHODOLOGY, NO_LINKS, Links
from plugineval_action.render.report.to_json import render as render_json
from plugineval_action.render.report.view import ReportView, report_view
from plugineval_action.render.templates import environment
from plugineval_action.results import MarketplaceReport

REPORT_MARKER: Final = "<!-- plugin-eval report -->"
"""First line of every README.md of a report, by which a foreign one is told apart."""

BUDGET: Final = 480_000
OPEN_ROWS: Final = 25
OPEN_LINES: Final = 8


def report_files(report: MarketplaceReport, links: Links = NO_LINKS) -> dict[str, str]:
    """The files of a report, by name."""
    return {"README.md": render_report(report, links=links), "report.json": render_json(report)}


def render_report(report: MarketplaceReport, budget: int = BUDGET, links: Links = NO_LINKS) -> str:
    """The report as Markdown, at most `budget` UTF-8 bytes if that is 10,000 or more."""
    view = report_view(report, links)
    sections = _sections(view)
    template = environment().get_template("report.md.j2")

    def render(counts: Mapping[str, int]) -> str:
        return template.render(
            marker=REPORT_MARKER,
            view=view,
            counts=counts,
            open_rows=OPEN_ROWS,
            open_lines=OPEN_LINES,
            left_out=", ".join(left_out(sections, counts)),
            methodology=METHODOLOGY,
        )

    return fit(render, sections, budget)


def _sections(view: ReportView) -> tuple[Section, ...]:
    """In the order in which they are given up."""
    lists = (
        ("groups", "plugins in detail", view.groups),
        ("external", "external entries", view.external),
        ("failures", "errors", view.failures),
        ("unlisted", "unlisted plugins", view.unlisted),
        ("missing", "missing plugins", view.missing),
        ("not_scored", "plugins not scored", view.not_scored),
        ("ranking", "rows of the ranking", view.ranking),
    )
    return tuple(Section(key, name, len(found), len(found)) for key, name, found in lists)
