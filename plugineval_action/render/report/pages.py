"""The pages of a report as Markdown, each below what GitHub shows.

GitHub shows the first 512,000 bytes of a page. The front page has a place for each of 200 plugins;
more are on pages of their own. What still does not fit is left out whole, the least needed first:
external entries, errors, unlisted and missing plugins, then what collides, then evals, then rows of
the ranking. The page says what was left out, and report.json leaves out nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from plugineval_action.escape import shorten
from plugineval_action.render.fit import Section, fit, left_out
from plugineval_action.render.links import METHODOLOGY, NAME_LIMIT
from plugineval_action.render.report.certified import certificate_rows
from plugineval_action.render.report.model import Model
from plugineval_action.render.report.plugin_view import plugin_view, problem_rows
from plugineval_action.render.report.ranking import PluginRow, member_rows
from plugineval_action.render.report.view import FrontView, front_view
from plugineval_action.render.templates import environment

REPORT_MARKER: Final = "<!-- plugin-eval report -->"
"""First line of every page of a report, by which a foreign one is told apart."""

BUDGET: Final = 480_000
RANKED_ON_FRONT: Final = 200
RANKED_ON_A_PAGE: Final = 500
OPEN_LINES: Final = 8
LOOSE_PAGE: Final = "outside-of-plugins.md"


def pages(model: Model) -> Iterator[tuple[str, str]]:
    """Every page by its path."""
    view = front_view(model)
    yield "README.md", front_page(view)
    yield from _ranking_pages(view)
    if model.report.plugins and model.report.loose:
        yield LOOSE_PAGE, _loose_page(model)
    template = environment().get_template("report_plugin.md.j2")
    for subject in model.subjects:
        text = template.render(
            marker=REPORT_MARKER,
            marketplace=view.name,
            view=plugin_view(model, subject),
            methodology=METHODOLOGY,
        )
        yield subject.page, text


def front_page(view: FrontView, budget: int = BUDGET) -> str:
    """README.md, at most `budget` UTF-8 bytes if that is 14,000 or more."""
    sections = _sections(view)
    template = environment().get_template("report.md.j2")
    links = [f"[{first:,}–{last:,}]({name})" for name, first, last in _ranges(view.ranking)]

    def render(counts: Mapping[str, int]) -> str:
        return template.render(
            marker=REPORT_MARKER,
            view=view,
            counts=counts,
            open_lines=OPEN_LINES,
            ranking_pages=links,
            left_out=", ".join(left_out(_counted(sections, links), counts)),
            methodology=METHODOLOGY,
        )

    return fit(render, sections, budget)


def _sections(view: FrontView) -> tuple[Section, ...]:
    """In the order in which they are given up."""
    health, moves = view.health, view.moves
    lists: tuple[tuple[str, str, Sequence[object]], ...] = (
        ("external", "external entries", view.external),
        ("failures", "errors", view.failures),
        ("unlisted", "unlisted plugins", view.unlisted),
        ("missing", "missing plugins", view.missing),
        ("duplicates", "names that occur twice", health.duplicates),
        ("collisions", "names that collide", health.collisions),
        ("pairs", "similar descriptions", health.pairs),
        ("cut", "descriptions that are cut", health.cut),
        ("evals", "rows of evals", view.evals),
        ("withheld", "reasons for withheld badges", view.withheld),
        ("renamed", "renamed plugins", moves.renamed if moves else ()),
        ("removed", "removed plugins", moves.removed if moves else ()),
        ("new", "new plugins", moves.new if moves else ()),
    )
    ranked = len(view.ranking)
    on_front = min(ranked, RANKED_ON_FRONT)
    ranking = Section("ranking", "rows of the ranking", ranked, on_front)
    return (*(Section(key, name, len(found), len(found)) for key, name, found in lists), ranking)


def _counted(sections: Sequence[Section], ranking_pages: Sequence[str]) -> list[Section]:
    """What counts as left out: not the rows of the ranking that have pages of their own."""
    return [each for each in sections if each.key != "ranking" or not ranking_pages]


def _ranges(ranking: Sequence[PluginRow]) -> list[tuple[str, int, int]]:
    """File, first and last place of each page of a ranking that is too long for the front page."""
    if len(ranking) <= RANKED_ON_FRONT:
        return []
    starts = range(0, len(ranking), RANKED_ON_A_PAGE)
    return [
        (f"ranking-{number}.md", start + 1, min(start + RANKED_ON_A_PAGE, len(ranking)))
        for number, start in enumerate(starts, 1)
    ]


def _ranking_pages(view: FrontView) -> Iterator[tuple[str, str]]:
    ranges = _ranges(view.ranking)
    template = environment().get_template("report_ranking.md.j2")
    for name, first, last in ranges:
        others = [
            f"[{other:,}–{end:,}]({file})" if file != name else f"{other:,}–{end:,}"
            for file, other, end in ranges
        ]
        text = template.render(
            marker=REPORT_MARKER,
            marketplace=view.name,
            first=first,
            last=last,
            of=len(view.ranking),
            rows=view.ranking[first - 1 : last],
            pages=others,
        )
        yield name, text


def _loose_page(model: Model) -> str:
    found = [scored.result for scored in model.report.loose]
    links = model.links
    skills = member_rows((each for each in found if each.kind == "skill"), links)
    agents = member_rows((each for each in found if each.kind == "agent"), links)
    certificates = tuple(
        certificate_rows(model, (each for each in found if each.kind == "skill"), "certificates")
    )
    told = tuple(row for result in found for row in problem_rows(result, lambda _path: links))
    lists: tuple[tuple[str, str, Sequence[object]], ...] = (
        ("problems", "findings", told),
        ("certificates", "certificates", certificates),
        ("agents", "agents", agents),
        ("skills", "skills", skills),
    )
    sections = [Section(key, name, len(each), len(each)) for key, name, each in lists]
    template = environment().get_template("report_loose.md.j2")

    def render(counts: Mapping[str, int]) -> str:
        return template.render(
            marker=REPORT_MARKER,
            marketplace=shorten(model.report.name, NAME_LIMIT),
            skills=skills,
            agents=agents,
            certificates=certificates,
            problems=told,
            counts=counts,
            left_out=", ".join(left_out(sections, counts)),
        )

    return fit(render, sections, BUDGET)
