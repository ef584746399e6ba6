"""The front page of a report as a reader sees it.

Strings are raw text of bounded length, for the template to escape, unless their type is Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.findings.catalogue import RULES
from plugineval_action.render.fixes import SENTENCE_LIMIT, is_form
from plugineval_action.render.links import NAME_LIMIT, Links, Markdown
from plugineval_action.render.report.badge import snippet
from plugineval_action.render.report.evals_view import EvalRow, eval_rows
from plugineval_action.render.report.facts import flag_counts, has_agents_only, members
from plugineval_action.render.report.health_view import HealthView, health_view
from plugineval_action.render.report.model import Model
from plugineval_action.render.report.moves import Moves, moves
from plugineval_action.render.report.numbers import (
    BadgeRow,
    Number,
    badge_rows,
    comparisons,
    numbers,
    since,
)
from plugineval_action.render.report.pictures import MARKETPLACE, chart, chart_list
from plugineval_action.render.report.priorities import Priority, largest, priorities
from plugineval_action.render.report.ranking import PluginRow, plugin_rows
from plugineval_action.render.report.told import Told, helps, withheld
from plugineval_action.render.review.table import PATH_LIMIT
from plugineval_action.render.review.view import Unscored
from plugineval_action.render.words import counted, short_id, signed
from plugineval_action.report_values import Entry, MarketplaceReport
from plugineval_action.results import Result
from plugineval_action.scoring.bands import BADGES

IDENTITY_LIMIT: Final = 40
"""Room for a commit and "+ uncommitted changes"."""

MOST_FIXES: Final = 10
MOST_SINGLE_FIXES: Final = 5


class FixRow(NamedTuple):
    """A remedy: the points it brings in all skills together, and where to start."""

    points: str
    skills: int
    remedy: str
    rule: Markdown | None
    name: Markdown
    place: Markdown
    most: str
    form: bool


class FlagRow(NamedTuple):
    """An anti-pattern over the whole marketplace."""

    rule: Markdown
    times: int
    skills: int
    remedy: str


class FrontView(NamedTuple):
    """Everything that the front page says."""

    name: str
    summary: str
    identity: str
    date: str
    since: tuple[str, ...]
    runs: int
    numbers: tuple[Number, ...]
    badges: tuple[BadgeRow, ...]
    charts: dict[str, Markdown]
    moves: Moves | None
    evals: tuple[EvalRow, ...]
    single_fixes: tuple[FixRow, ...]
    fixes: tuple[FixRow, ...]
    withheld: tuple[Told, ...]
    helps: tuple[Told, ...]
    ranking: tuple[PluginRow, ...]
    health: HealthView
    flags: tuple[FlagRow, ...]
    failures: tuple[Unscored, ...]
    external: tuple[Entry, ...]
    missing: tuple[Entry, ...]
    unlisted: tuple[str, ...]
    loose: str
    ruleset: str
    labels: tuple[str, ...]
    badge_lines: str
    agents_only: bool
    linked: bool
    snippet: Markdown | None


def front_view(model: Model) -> FrontView:
    """Everything to say about a marketplace; long lists are for the template to fold."""
    report, links = model.report, model.links
    skills, agents = members(report, "skill"), members(report, "agent")
    every = [subject.result for subject in model.subjects]
    remedies, owners = priorities(report), [*every, *skills, *agents]
    reasons = tuple(withheld(skills, links))
    return FrontView(
        name=shorten(report.name, NAME_LIMIT),
        summary=_summary(len(report.plugins), len(skills), len(agents)),
        identity=short_id(report.identity, IDENTITY_LIMIT),
        date=shorten(report.date, 20),
        since=since(comparisons(model)),
        runs=len(model.timeline.runs),
        numbers=tuple(numbers(model)),
        badges=tuple(badge_rows(model)),
        charts={found.name: chart(found) for found in chart_list(model)},
        moves=moves(model),
        evals=tuple(eval_rows(model)),
        single_fixes=tuple(fix_rows(largest(remedies)[:MOST_SINGLE_FIXES], owners, links)),
        fixes=tuple(fix_rows(remedies[:MOST_FIXES], owners, links)),
        withheld=reasons,
        helps=tuple(helps([*skills, *agents, *every], links, reasons)),
        ranking=tuple(plugin_rows(model)),
        health=health_view(model),
        flags=tuple(_flag_rows([*skills, *agents], links)),
        failures=tuple(_failures(report)),
        external=tuple(map(_entry, report.external)),
        missing=tuple(map(_entry, report.missing)),
        unlisted=tuple(shorten(path, PATH_LIMIT) for path in report.unlisted),
        loose=_loose(report),
        ruleset=shorten(report.ruleset, 20),
        labels=_labels([*every, *skills]),
        badge_lines=", ".join(f"{name} from {line:g}" for name, line in BADGES),
        agents_only=any(each.composite and has_agents_only(each) for each in every),
        linked=links.prefix is not None,
        snippet=badge_snippet(model, report.name, MARKETPLACE, "README.md"),
    )


def fix_rows(found: Sequence[Priority], owners: Sequence[Result], links: Links) -> Iterator[FixRow]:
    """Remedies with their links; `owners` are what they are for."""
    by_path = {owner.path: owner for owner in owners}
    for each in found:
        most = each.most
        yield FixRow(
            points=signed(each.points),
            skills=each.skills,
            remedy=shorten(most.remedy, SENTENCE_LIMIT),
            rule=links.rule(most.rule) if most.rule else None,
            name=links.name(by_path[each.path]),
            place=links.place(most.path, most.line),
            most=signed(most.points),
            form=is_form(most),
        )


def badge_snippet(model: Model, name: str, slug: str, page: str) -> Markdown | None:
    """What to copy to show a badge; None where the report has no address."""
    site = model.site
    if not site.images or not site.pages:
        return None
    image = f"{site.images}/badges/{slug}.svg"
    return Markdown(snippet(shorten(name, NAME_LIMIT), image, f"{site.pages}/{page}"))


def _summary(plugins: int, skills: int, agents: int) -> str:
    counts = ((plugins, "plugin"), (skills, "skill"), (agents, "agent"))
    return ", ".join(counted(count, kind) for count, kind in counts)


def _loose(report: MarketplaceReport) -> str:
    """What lies outside of plugins and has a page; "" if it is ranked itself."""
    if not report.plugins or not report.loose:
        return ""
    kinds = [scored.result.kind for scored in report.loose]
    found = [counted(kinds.count(kind), kind) for kind in ("skill", "agent") if kind in kinds]
    return " and ".join(found)


def _labels(results: Sequence[Result]) -> tuple[str, ...]:
    found = (each.composite.confidence_label for each in results if each.composite)
    return tuple(dict.fromkeys(found))


def _flag_rows(results: Sequence[Result], links: Links) -> Iterator[FlagRow]:
    for found in flag_counts(results):
        remedy = RULES[found.flag].remedy if found.flag in RULES else ""
        yield FlagRow(links.rule(found.flag), found.times, found.skills, remedy)


def _failures(report: MarketplaceReport) -> Iterator[Unscored]:
    for failure in report.failures:
        reason = shorten(f"{failure.message} {failure.remedy}", 2 * SENTENCE_LIMIT)
        yield Unscored(shorten(failure.path, PATH_LIMIT), reason)


def _entry(entry: Entry) -> Entry:
    return Entry(shorten(entry.name, NAME_LIMIT), shorten(entry.source, PATH_LIMIT))
