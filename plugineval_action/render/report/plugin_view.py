"""The page of one plugin as a reader sees it.

Nothing on it is new as long as neither the plugin nor its score is: links lead to the commit that
first had this content, and the trend lists the runs that moved the score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.findings.problems import problems
from plugineval_action.render.fixes import SENTENCE_LIMIT
from plugineval_action.render.links import NAME_LIMIT, Links, Markdown
from plugineval_action.render.report.certified import CertificateRow, certificate_rows
from plugineval_action.render.report.evals_view import (
    EvalStep,
    SkillRow,
    eval_steps,
    skill_rows,
)
from plugineval_action.render.report.facts import flags_of, has_agents_only
from plugineval_action.render.report.model import Model, Subject
from plugineval_action.render.report.pictures import sparkline_picture
from plugineval_action.render.report.priorities import largest, own_priorities
from plugineval_action.render.report.ranking import (
    MemberRow,
    badge_text,
    member_rows,
    score_text,
    unscored_reason,
)
from plugineval_action.render.report.told import Told, helps, withheld
from plugineval_action.render.report.view import IDENTITY_LIMIT, FixRow, badge_snippet, fix_rows
from plugineval_action.render.review.table import PATH_LIMIT
from plugineval_action.render.words import NOTHING, counted, moved, short_id
from plugineval_action.results import Result
from plugineval_action.scoring.bands import badge_name, shown
from plugineval_action.scoring.points import points_of

MOST_FIXES: Final = 8
MOST_STEPS: Final = 52
MOST_MEMBERS: Final = 500
MOST_PROBLEMS: Final = 500
MOST_WITHHELD: Final = 20
"""Rows that a page shows, so that it stays below what GitHub renders."""


class Step(NamedTuple):
    """A run at which the score was another than at the one before."""

    date: str
    commit: str
    score: str
    change: str
    badge: str


class ProblemRow(NamedTuple):
    """An anti-pattern or finding at a place."""

    rule: Markdown
    level: str
    message: str
    place: Markdown


class PluginView(NamedTuple):
    """Everything that a plugin's page says."""

    name: str
    slug: str
    path: str
    score: str
    badge: str
    reason: str
    summary: str
    since: str
    commit: str
    trend: Markdown | None
    steps: tuple[Step, ...]
    fixes: tuple[FixRow, ...]
    withheld: tuple[Told, ...]
    helps: tuple[Told, ...]
    skills: tuple[MemberRow, ...]
    agents: tuple[MemberRow, ...]
    problems: tuple[ProblemRow, ...]
    agents_only: bool
    ruleset: str
    more: str
    snippet: Markdown | None
    certificates: tuple[CertificateRow, ...] = ()
    evals: tuple[SkillRow, ...] = ()
    eval_steps: tuple[EvalStep, ...] = ()


def plugin_view(model: Model, subject: Subject) -> PluginView:
    """Everything to say about one plugin."""
    result, slug = subject.result, subject.record.slug
    links = model.site.links(subject.since.commit)
    now = model.links  # a manifest is no part of what `since` is about
    members = tuple(each.path for each in result.members)
    owners = result.members or (result,)
    skills = [each for each in owners if each.kind == "skill"]
    agents = [each for each in owners if each.kind == "agent"]
    found = tuple(problem_rows(result, lambda path: links if path.startswith(members) else now))
    reasons = tuple(withheld(skills, links))
    scored = points_of(result) is not None
    return PluginView(
        name=shorten(result.name, NAME_LIMIT),
        slug=slug,
        path=shorten(result.path or ".", PATH_LIMIT),
        score=score_text(result),
        badge=badge_text(result),
        reason="" if scored else unscored_reason(result),
        summary=_summary(result, len(skills), len(agents)),
        since=subject.since.date,
        commit=short_id(subject.since.commit, IDENTITY_LIMIT),
        trend=sparkline_picture(subject, "../") if scored else None,
        steps=tuple(_steps(model, slug))[-MOST_STEPS:][::-1],
        fixes=tuple(
            fix_rows(largest(own_priorities(subject.scored))[:MOST_FIXES], [result, *owners], links)
        ),
        withheld=reasons[:MOST_WITHHELD],
        helps=tuple(helps([*result.members, result], links, reasons)),
        skills=member_rows(skills, links)[:MOST_MEMBERS],
        agents=member_rows(agents, links)[:MOST_MEMBERS],
        problems=found[:MOST_PROBLEMS],
        agents_only=scored and has_agents_only(result),
        ruleset=shorten(result.ruleset, 20),
        more=_more(len(skills), len(agents), len(found)),
        snippet=badge_snippet(model, result.name, slug, subject.page),
        certificates=tuple(certificate_rows(model, skills, "../certificates"))[:MOST_MEMBERS],
        evals=tuple(skill_rows(subject, now))[:MOST_MEMBERS],
        eval_steps=tuple(eval_steps(model, slug))[-MOST_STEPS:][::-1],
    )


def problem_rows(result: Result, links_to: Callable[[str], Links]) -> Iterator[ProblemRow]:
    """What is wrong, what costs points first; each file may be linked at another commit."""
    root = result.path if result.kind == "plugin" else result.path.rpartition("/")[0]
    for each in problems(result):
        links = links_to(each.path)
        yield ProblemRow(
            links.rule(each.rule),
            "costs points" if each.costs else each.level,
            shorten(each.message, SENTENCE_LIMIT),
            links.place(each.path, each.line, root),
        )


def _summary(result: Result, skills: int, agents: int) -> str:
    flags = counted(len(flags_of(result)), "anti-pattern")
    members = [counted(skills, "skill"), counted(agents, "agent")] if result.members else []
    return ", ".join([*members, flags])


def _steps(model: Model, slug: str) -> Iterator[Step]:
    """The runs that moved the score, oldest first; another ruleset starts anew."""
    last: tuple[str, float | None] | None = None
    for run, records in zip(model.timeline.runs, model.timeline.past, strict=True):
        record = records.get(slug)
        if record is None or (run.ruleset, record.score) == last:
            continue
        score, before = record.score, last[1] if last and last[0] == run.ruleset else None
        yield Step(
            run.date,
            short_id(run.commit, IDENTITY_LIMIT),
            NOTHING if score is None else shown(score),
            moved(score - before) if score is not None and before is not None else "",
            badge_name(record.badge) if record.badge else NOTHING,
        )
        last = run.ruleset, score


def _more(skills: int, agents: int, found: int) -> str:
    """What the page leaves out, in words."""
    counts = (
        (skills - MOST_MEMBERS, "skill"),
        (agents - MOST_MEMBERS, "agent"),
        (found - MOST_PROBLEMS, "finding"),
    )
    return ", ".join(counted(count, noun) for count, noun in counts if count > 0)
