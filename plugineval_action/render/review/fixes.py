"""What to do about a change: first what it brought in, apart from what could always be better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.findings.catalogue import RULES
from plugineval_action.findings.problems import Problem
from plugineval_action.render.fixes import SENTENCE_LIMIT, Fix, fix, shared_fixes
from plugineval_action.render.links import Links, Markdown
from plugineval_action.render.review.table import name_of, score_of
from plugineval_action.render.words import moved
from plugineval_action.results import Improvement, Result
from plugineval_action.review.new_problems import new_problems
from plugineval_action.review_values import Change, Review
from plugineval_action.scoring import delta
from plugineval_action.scoring.advice import improvements

MOST_FIXES: Final = 5
LEAD_NAME_LIMIT: Final = 32


class Lead(NamedTuple):
    """Which one got worse most, by how much, and what to do about it first, if anything."""

    name: str
    moved: str
    before: str
    after: str
    remedy: str
    place: Markdown | None


def lead(review: Review, links: Links) -> Lead | None:
    """About what got worse most; None if nothing did."""
    worst = delta.summary(review).worst
    if worst is None or worst.after is None:
        return None
    remedy, place = _first(worst, links)
    return Lead(
        name=shorten(worst.after.name, LEAD_NAME_LIMIT),
        moved=moved(delta.points(worst) or 0.0),
        before=score_of(worst.before),
        after=score_of(worst.after),
        remedy=remedy,
        place=place,
    )


def first_fixes(changes: Sequence[Change], links: Links) -> tuple[tuple[Fix, ...], tuple[Fix, ...]]:
    """What the change brought in, new errors first, and what could be better besides."""
    brought: list[tuple[Result, Improvement]] = []
    besides: list[tuple[Result, Improvement]] = []
    for change in changes:
        if change.after is not None and change.after.kind == "skill":
            new, old = _sorted_out(change)
            brought += [(change.after, each) for each in new]
            besides += [(change.after, each) for each in old]
    covered = {(each.rule, each.path) for _, each in brought}
    errors = [
        _error_fix(change, error, links)
        for change, error in _new_errors(changes)
        if (error.rule, error.path) not in covered
    ]
    first = [fix(found, links) for found in shared_fixes(brought, MOST_FIXES)]
    also = tuple(fix(found, links) for found in shared_fixes(besides, MOST_FIXES))
    return (*errors, *first)[:MOST_FIXES], also


def _first(change: Change, links: Links) -> tuple[str, Markdown | None]:
    """A new error, which the rest may follow from; else what gains most of what was lost."""
    error = next((found for _, found in _new_errors([change])), None)
    if error:
        return _error_remedy(error), links.place(error.path, error.line)
    new, old = _sorted_out(change)
    for each in (*new, *old):
        return shorten(each.remedy, SENTENCE_LIMIT), links.place(each.path, each.line)
    return "", None


def _new_errors(changes: Sequence[Change]) -> Iterator[tuple[Change, Problem]]:
    known = set[Problem]()
    for change in changes:
        for each in new_problems(change):
            if each.level == "error" and not each.costs and each not in known:
                known.add(each)
                yield change, each


def _error_fix(change: Change, error: Problem, links: Links) -> Fix:
    return Fix(
        points="error",
        name=name_of(change, links),
        remedy=_error_remedy(error),
        place=links.place(error.path, error.line),
        rule=links.rule(error.rule),
        others="",
    )


def _error_remedy(error: Problem) -> str:
    """Of a scanner's rule nothing is known but the message."""
    what = f"{RULES[error.rule].title}." if error.rule in RULES else error.message
    return shorten(f"{what} {error.remedy}", SENTENCE_LIMIT)


def _sorted_out(change: Change) -> tuple[list[Improvement], list[Improvement]]:
    """Improvements that undo the change, and those that were there to be had before it."""
    new: list[Improvement] = []
    old: list[Improvement] = []
    rules = {problem.rule for problem in new_problems(change)}
    worse = delta.verdict(change) == "worse"
    known = _known_gains(change.before) if worse else {}
    for each in improvements(change.after) if change.after else ():
        lost = worse and each.points - known.get(each.remedy, 0.0) >= delta.SHOWN
        (new if each.rule in rules or (lost and each.rule is None) else old).append(each)
    return new, old


def _known_gains(before: Result | None) -> dict[str, float]:
    return {each.remedy: each.points for each in improvements(before)} if before else {}
