"""A review as a reader sees it.

Strings are raw text of bounded length, for the template to escape, unless their type is
Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.render.escape import shorten
from plugineval_action.render.fixes import SENTENCE_LIMIT, Fix, best_fixes, fix
from plugineval_action.render.links import Links, Markdown
from plugineval_action.render.review_detail import Detail, details
from plugineval_action.render.review_table import (
    PATH_LIMIT,
    Row,
    name_of,
    rows,
    score_of,
    side,
    urgent_first,
)
from plugineval_action.render.words import NOTHING, is_commit, moved, short_id
from plugineval_action.results import Change, Improvement, Result, Review
from plugineval_action.scoring import delta
from plugineval_action.scoring.advice import improvements

MOST_FIXES: Final = 5
LEAD_NAME_LIMIT: Final = 32

_PLAIN_REVISION: Final = re.compile(r"\w[\w./-]{0,59}", re.ASCII)


class Lead(NamedTuple):
    """Which one got worse most, by how much, and what to do about it first, if anything."""

    name: str
    moved: str
    before: str
    after: str
    remedy: str
    place: Markdown | None


class Flag(NamedTuple):
    """An anti-pattern that came (with its place) or went (without)."""

    rule: Markdown
    name: Markdown
    description: str
    place: Markdown | None


class Unscored(NamedTuple):
    """What has no score, and why."""

    path: str
    reason: str


class ReviewView(NamedTuple):
    """Everything a comment or a job summary says about a review."""

    verdict: str
    lead: Lead | None
    heading: str
    rows: tuple[Row, ...]
    not_scored: tuple[Unscored, ...]
    fixes: tuple[Fix, ...]
    introduced: tuple[Flag, ...]
    fixed: tuple[Flag, ...]
    details: tuple[Detail, ...]
    unmeasured: str
    unchanged: int
    ruleset: str
    labels: tuple[str, ...]
    base: str
    head: str
    command: str
    linked: bool


def review_view(review: Review, links: Links) -> ReviewView:
    """Everything to say about a review; long lists are for the template to fold."""
    changes = urgent_first(review)
    after = [change.after for change in changes if change.after]
    in_detail = tuple(details(changes, links))
    unmeasured = {detail.unmeasured for detail in in_detail if detail.unmeasured}
    skills = [each for each in after if each.kind == "skill"]
    labels = dict.fromkeys(each.composite.confidence_label for each in after if each.composite)
    return ReviewView(
        verdict=_verdict(review),
        lead=_lead(review, links),
        heading="Skill" if all(side(change).kind == "skill" for change in changes) else "Name",
        rows=tuple(rows(changes, links)),
        not_scored=tuple(_not_scored(review, after)),
        fixes=tuple(fix(found, links) for found in best_fixes(skills, MOST_FIXES)),
        introduced=tuple(_flags(changes, links, new=True)),
        fixed=tuple(_flags(changes, links, new=False)),
        details=in_detail,
        unmeasured=unmeasured.pop() if len(unmeasured) == 1 else "",
        unchanged=review.unchanged,
        ruleset=shorten(review.ruleset, 20),
        labels=tuple(labels),
        base=short_id(review.base),
        head=short_id(review.head),
        command=_command(review),
        linked=links.prefix is not None,
    )


def _verdict(review: Review) -> str:
    summary = delta.summary(review)
    counts = (
        (summary.better, "better"),
        (summary.worse, "worse"),
        (summary.new, "new"),
        (summary.removed, "removed"),
        (summary.unscored + summary.failed, "not scored"),
    )
    said = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    if said:
        return said
    return "no score moved" if review.changes else "nothing that is scored has changed"


def _lead(review: Review, links: Links) -> Lead | None:
    worst = delta.summary(review).worst
    if worst is None or worst.after is None:
        return None
    first = _first_remedy(worst.before, worst.after)
    return Lead(
        name=shorten(worst.after.name, LEAD_NAME_LIMIT),
        moved=moved(delta.points(worst) or 0.0),
        before=score_of(worst.before),
        after=score_of(worst.after),
        remedy=shorten(first.remedy, SENTENCE_LIMIT) if first else "",
        place=links.place(first.path, first.line) if first else None,
    )


def _first_remedy(before: Result | None, after: Result) -> Improvement | None:
    """What would gain most of what this change lost, else what would gain most at all."""
    known = {each.remedy for each in improvements(before)} if before else set()
    advice = improvements(after)
    lost = (each for each in advice if each.remedy not in known)
    return next(lost, advice[0] if advice else None)


def _not_scored(review: Review, after: Sequence[Result]) -> Iterator[Unscored]:
    for failure in review.failures:
        reason = shorten(f"{failure.message} {failure.remedy}", 2 * SENTENCE_LIMIT)
        yield Unscored(shorten(failure.path, PATH_LIMIT), reason)
    for result in after:
        if score_of(result) == NOTHING:
            reason = shorten(result.unscored or "No reason was given.", SENTENCE_LIMIT)
            yield Unscored(shorten(result.path, PATH_LIMIT), reason)


def _flags(changes: Sequence[Change], links: Links, *, new: bool) -> Iterator[Flag]:
    """Anti-patterns of skills and agents; those of a plugin are theirs again."""
    of_change = delta.new_flags if new else delta.fixed_flags
    for change in changes:
        if side(change).kind != "plugin":
            for flag in of_change(change):
                yield Flag(
                    rule=links.rule(flag.flag),
                    name=name_of(change, links),
                    description=shorten(flag.description, SENTENCE_LIMIT),
                    place=links.place(flag.path, flag.line) if new else None,
                )


def _command(review: Review) -> str:
    """How to see the same locally; only a plain revision goes into a command to be pasted."""
    revision = short_id(review.base) if is_commit(review.base) else review.base
    base = revision if _PLAIN_REVISION.fullmatch(revision) else "BASE"
    worktree = " --worktree" if review.head == "working tree" else ""
    return f"plugin-eval review --base {base}{worktree}"
