"""A marketplace as a reader sees it.

Strings are raw text of bounded length, for the template to escape, unless their type is Markdown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.findings.catalogue import RULES
from plugineval_action.render.escape import shorten
from plugineval_action.render.fixes import SENTENCE_LIMIT, Fix, best_fixes, fix
from plugineval_action.render.links import NAME_LIMIT, Links, Markdown, html_name
from plugineval_action.render.report.facts import (
    MOST_FIXES,
    Tally,
    flag_counts,
    flags_of,
    has_agents_only,
    members,
    ranked,
    tally,
)
from plugineval_action.render.review.table import PATH_LIMIT
from plugineval_action.render.review.view import Unscored
from plugineval_action.render.view import points_of
from plugineval_action.render.words import NOTHING, UNBROKEN, counted, short_id
from plugineval_action.results import Entry, MarketplaceReport, Result
from plugineval_action.scoring.bands import BADGES, ORDER, badge_name, shown

BAR_WIDTH: Final = 10


class TallyRow(NamedTuple):
    """How many there are of a kind, and how they score."""

    kind: str
    number: str
    scored: str
    mean: str
    median: str


class BadgeRow(NamedTuple):
    """How many plugins and skills have a badge, as bars of text with the number behind."""

    badge: str
    plugins: str
    skills: str


class PluginRow(NamedTuple):
    """A plugin's place in the ranking."""

    place: int
    name: Markdown
    score: str
    badge: str
    agents_only: bool
    skills: int
    agents: int
    flags: int


class MemberRow(NamedTuple):
    """A skill or agent; `flags` are its anti-patterns, `reason` says why it has no score."""

    name: Markdown
    kind: str
    score: str
    badge: str
    flags: tuple[tuple[Markdown, int], ...]
    reason: str


class Group(NamedTuple):
    """A plugin's skills and agents, folded away; `name` is HTML, for no Markdown is read there."""

    name: Markdown
    note: str
    rows: tuple[MemberRow, ...]


class FlagRow(NamedTuple):
    """An anti-pattern over the whole marketplace."""

    rule: Markdown
    times: int
    skills: int
    remedy: str


class ReportView(NamedTuple):
    """Everything a report says."""

    name: str
    summary: str
    tallies: tuple[TallyRow, ...]
    badges: tuple[BadgeRow, ...]
    ranking: tuple[PluginRow, ...]
    fixes: tuple[Fix, ...]
    flags: tuple[FlagRow, ...]
    groups: tuple[Group, ...]
    not_scored: tuple[Unscored, ...]
    failures: tuple[Unscored, ...]
    external: tuple[Entry, ...]
    missing: tuple[Entry, ...]
    unlisted: tuple[str, ...]
    identity: str
    date: str
    ruleset: str
    labels: tuple[str, ...]
    badge_lines: str
    agents_only: bool
    linked: bool


def report_view(report: MarketplaceReport, links: Links) -> ReportView:
    """Everything to say about a marketplace; long lists are for the template to fold."""
    skills, agents = members(report, "skill"), members(report, "agent")
    plugins = ranked(report.plugins)
    kinds = {"plugin": report.plugins, "skill": skills, "agent": agents}
    composites = [each.composite for each in (*plugins, *skills) if each.composite]
    return ReportView(
        name=shorten(report.name, NAME_LIMIT),
        summary=", ".join(counted(len(found), kind) for kind, found in kinds.items()),
        tallies=tuple(_tally_row(kind, tally(found)) for kind, found in kinds.items()),
        badges=tuple(_badge_rows(tally(report.plugins), tally(skills))),
        ranking=tuple(_plugin_rows(plugins, links)),
        fixes=tuple(fix(found, links) for found in best_fixes(skills, MOST_FIXES)),
        flags=tuple(_flag_rows([*skills, *agents], links)),
        groups=tuple(_groups(plugins, report.loose, links)),
        not_scored=tuple(_not_scored(report)),
        failures=tuple(_failures(report)),
        external=tuple(map(_entry, report.external)),
        missing=tuple(map(_entry, report.missing)),
        unlisted=tuple(shorten(path, PATH_LIMIT) for path in report.unlisted),
        identity=short_id(report.identity),
        date=shorten(report.date, 20),
        ruleset=shorten(report.ruleset, 20),
        labels=tuple(dict.fromkeys(each.confidence_label for each in composites)),
        badge_lines=", ".join(f"{name} from {line:g}" for name, line in BADGES),
        agents_only=any(map(has_agents_only, plugins)),
        linked=links.prefix is not None,
    )


def _tally_row(kind: str, found: Tally) -> TallyRow:
    return TallyRow(
        f"{kind.capitalize()}s",
        f"{found.number:,}",
        f"{found.scored:,}",
        _score(found.mean),
        _score(found.median),
    )


def _badge_rows(plugins: Tally, skills: Tally) -> Iterator[BadgeRow]:
    for badge in ORDER:
        yield BadgeRow(
            badge_name(badge),
            _bar(plugins.badges[badge], plugins),
            _bar(skills.badges[badge], skills),
        )


def _bar(count: int, of: Tally) -> str:
    """A share as blocks; one thing among many still shows."""
    if not count:
        return "0"
    return "█" * max(1, round(BAR_WIDTH * count / sum(of.badges.values()))) + f"{UNBROKEN}{count:,}"


def _plugin_rows(plugins: Sequence[Result], links: Links) -> Iterator[PluginRow]:
    """Scores that read the same share a place, but agents only take none beside skills."""
    places: dict[tuple[str, bool], int] = {}
    for at, plugin in enumerate(plugins, 1):
        kinds = Counter(member.kind for member in plugin.members)
        score, agents_only = _score(points_of(plugin)), has_agents_only(plugin)
        yield PluginRow(
            places.setdefault((score, agents_only), at),
            links.name(plugin),
            score,
            _badge(plugin),
            agents_only,
            kinds["skill"],
            kinds["agent"],
            len(flags_of(plugin)),
        )


def _flag_rows(results: Sequence[Result], links: Links) -> Iterator[FlagRow]:
    for found in flag_counts(results):
        remedy = RULES[found.flag].remedy if found.flag in RULES else ""
        yield FlagRow(links.rule(found.flag), found.times, found.skills, remedy)


def _groups(plugins: Sequence[Result], loose: Sequence[Result], links: Links) -> Iterator[Group]:
    for plugin in plugins:
        note = f"{_score(points_of(plugin))} {_badge(plugin)}"
        yield _group(html_name(plugin.name), note, plugin.members, links)
    if loose:
        yield _group(Markdown("Outside of plugins:"), f"{len(loose):,}", loose, links)


def _group(name: Markdown, note: str, found: Sequence[Result], links: Links) -> Group:
    unscored = [each for each in found if points_of(each) is None]
    order = [*ranked(found), *sorted(unscored, key=lambda one: one.path)]
    return Group(name, note, tuple(_member_row(each, links) for each in order))


def _member_row(member: Result, links: Links) -> MemberRow:
    score = points_of(member)
    return MemberRow(
        name=links.name(member),
        kind="" if member.kind == "skill" else member.kind,
        score=_score(score),
        badge=_badge(member),
        flags=tuple((links.rule(flag), times) for flag, times in Counter(flags_of(member)).items()),
        reason=shorten(member.unscored or "", SENTENCE_LIMIT) if score is None else "",
    )


def _not_scored(report: MarketplaceReport) -> Iterator[Unscored]:
    for plugin in report.plugins:
        if points_of(plugin) is None:
            reason = plugin.unscored or "No reason was given."
            yield Unscored(shorten(plugin.name, NAME_LIMIT), shorten(reason, SENTENCE_LIMIT))


def _failures(report: MarketplaceReport) -> Iterator[Unscored]:
    for failure in report.failures:
        reason = shorten(f"{failure.message} {failure.remedy}", 2 * SENTENCE_LIMIT)
        yield Unscored(shorten(failure.path, PATH_LIMIT), reason)


def _entry(entry: Entry) -> Entry:
    return Entry(shorten(entry.name, NAME_LIMIT), shorten(entry.source, PATH_LIMIT))


def _score(score: float | None) -> str:
    return NOTHING if score is None else shown(score)


def _badge(result: Result) -> str:
    return badge_name(result.composite.badge) if result.composite else NOTHING
