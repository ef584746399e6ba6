"""Rows of the tables of a report: plugins in their order, skills and agents of one plugin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.render.fixes import SENTENCE_LIMIT
from plugineval_action.render.links import Links, Markdown
from plugineval_action.render.report.certified import certified_cell
from plugineval_action.render.report.facts import flags_of, has_agents_only, rank_key
from plugineval_action.render.report.model import Model, Subject
from plugineval_action.render.report.moves import page_link
from plugineval_action.render.report.pictures import sparkline_picture
from plugineval_action.render.words import NOTHING, moved
from plugineval_action.results import Result
from plugineval_action.scoring.bands import badge_name, shown
from plugineval_action.scoring.dimensions import DIMENSIONS
from plugineval_action.scoring.points import points_of

STATIC_DIMENSIONS: Final = tuple(spec.name for spec in DIMENSIONS if spec.static_source)


class PluginRow(NamedTuple):
    """A plugin's place; `change` is since last week, `reason` says why it has no score.

    `certified` is "" unless a skill of the repository has a certificate.
    """

    place: str
    name: Markdown
    score: str
    change: str
    trend: Markdown
    badge: str
    certified: str
    agents_only: bool
    skills: int
    agents: int
    flags: int
    reason: str


class MemberRow(NamedTuple):
    """A skill or agent; `dimensions` in percent, `flags` its anti-patterns with their number."""

    name: Markdown
    kind: str
    score: str
    badge: str
    dimensions: tuple[str, ...]
    flags: tuple[tuple[Markdown, int], ...]
    reason: str


def plugin_rows(model: Model) -> Iterator[PluginRow]:
    """Scores that read the same share a place, but agents only take none beside skills."""
    places: dict[tuple[str, bool], int] = {}
    for at, subject in enumerate(model.subjects, 1):
        result = subject.result
        score, agents_only = score_text(result), has_agents_only(result)
        scored = score != NOTHING
        place = places.setdefault((score, agents_only), at)
        yield PluginRow(
            str(place) if scored else "",
            page_link(subject.record),
            score,
            _change(subject),
            sparkline_picture(subject) if scored else Markdown(""),
            badge_text(result),
            certified_cell(model, _skills(result)),
            agents_only and scored,
            subject.record.skills,
            subject.record.agents,
            len(flags_of(result)),
            "" if scored else unscored_reason(result),
        )


def _skills(result: Result) -> list[Result]:
    """Those of a plugin, or the skill itself."""
    return [one for one in result.members or (result,) if one.kind == "skill"]


def member_rows(found: Iterable[Result], links: Links) -> tuple[MemberRow, ...]:
    """Skills and agents, the best first; those without a score last, by path."""
    scored = sorted((each for each in found if points_of(each) is not None), key=rank_key)
    unscored = sorted((each for each in found if points_of(each) is None), key=lambda one: one.path)
    return tuple(_member_row(each, links) for each in (*scored, *unscored))


def score_text(result: Result) -> str:
    """A score, or a dash."""
    points = points_of(result)
    return NOTHING if points is None else shown(points)


def badge_text(result: Result) -> str:
    """A badge's name, or a dash."""
    return badge_name(result.composite.badge) if result.composite else NOTHING


def unscored_reason(result: Result) -> str:
    """Why a result has no score."""
    return shorten(result.unscored or "No reason was given.", 2 * SENTENCE_LIMIT)


def _change(subject: Subject) -> str:
    if subject.new:
        return "new"
    return moved(subject.shift.points) if subject.shift else ""


def _member_row(member: Result, links: Links) -> MemberRow:
    return MemberRow(
        name=links.name(member),
        kind="" if member.kind == "skill" else member.kind,
        score=score_text(member),
        badge=badge_text(member),
        dimensions=_dimensions(member),
        flags=tuple((links.rule(flag), times) for flag, times in Counter(flags_of(member)).items()),
        reason="" if points_of(member) is not None else unscored_reason(member),
    )


def _dimensions(member: Result) -> tuple[str, ...]:
    found: Sequence[tuple[str, float | None]] = (
        [(each.name, each.score) for each in member.composite.dimensions]
        if member.composite
        else []
    )
    scores = dict(found)
    shares = (scores.get(name) for name in STATIC_DIMENSIONS)
    return tuple(NOTHING if share is None else f"{100 * share:.0f}" for share in shares)
