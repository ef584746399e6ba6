"""A review as a reader sees it.

Strings are raw text of bounded length, for the template to escape, unless their type is
Markdown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from plugineval_action.escape import code, fenced, shorten
from plugineval_action.findings.problems import Problem, from_findings
from plugineval_action.findings.withheld import reasons
from plugineval_action.render.fixes import SENTENCE_LIMIT, Fix
from plugineval_action.render.helpful import helpful
from plugineval_action.render.links import Links, Markdown
from plugineval_action.render.review.detail import Detail, details
from plugineval_action.render.review.fixes import Lead, first_fixes, lead
from plugineval_action.render.review.table import PATH_LIMIT, Row, name_of, rows, score_of
from plugineval_action.render.words import NOTHING, counted, is_commit, short_id
from plugineval_action.results import Result
from plugineval_action.review.new_problems import new_problems
from plugineval_action.review.urgency import side, urgent_first
from plugineval_action.review_values import Change, Review
from plugineval_action.scoring import delta

DIFF_LIMIT: Final = 300
_PLAIN_REVISION: Final = re.compile(r"\w[\w./-]{0,59}", re.ASCII)


class Flag(NamedTuple):
    """A problem that came (with its place) or an anti-pattern that went (without)."""

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

    lead: Lead | None
    heading: str
    rows: tuple[Row, ...]
    helps: tuple[Flag, ...]
    withheld: tuple[Flag, ...]
    not_scored: tuple[Unscored, ...]
    fixes: tuple[Fix, ...]
    also: tuple[Fix, ...]
    introduced: tuple[Flag, ...]
    fixed: tuple[Flag, ...]
    mechanical: tuple[Markdown, ...]
    details: tuple[Detail, ...]
    unmeasured: str
    sampled: bool
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
    fixes, also = first_fixes(changes, links)
    withheld = tuple(_withheld(changes, links))
    labels = dict.fromkeys(each.composite.confidence_label for each in after if each.composite)
    return ReviewView(
        lead=lead(review, links),
        heading="Skill" if all(side(change).kind == "skill" for change in changes) else "Name",
        rows=tuple(rows(changes, links)),
        helps=tuple(_helps(changes, links, (*fixes, *withheld))),
        withheld=withheld,
        not_scored=tuple(_not_scored(review, after)),
        fixes=fixes,
        also=also,
        introduced=(
            *_beside(review, links),
            *(flag for flag in _introduced(changes, links) if not _is_in(flag, withheld)),
        ),
        fixed=tuple(_fixed(changes, links)),
        mechanical=tuple(_mechanical(review, links)),
        details=in_detail,
        unmeasured=unmeasured.pop() if len(unmeasured) == 1 else "",
        sampled=any(change.differences for change in changes),
        unchanged=review.unchanged,
        ruleset=shorten(review.ruleset, 20),
        labels=tuple(labels),
        base=short_id(review.base),
        head=short_id(review.head),
        command=_command(review),
        linked=links.prefix is not None,
    )


def verdict(review: Review) -> str:
    """What became of all that changed, in a few words."""
    summary = delta.summary(review)
    counts = (
        (summary.better, "better"),
        (summary.worse, "worse"),
        (summary.new, "new"),
        (summary.removed, "removed"),
        (summary.unscored + summary.failed, "not scored"),
    )
    said = [f"{count:,} {word}" for count, word in counts if count]
    if said:
        said[0] = _of_what(review, said[0])
    if review.findings:
        said.append(f"{counted(len(review.findings), 'new problem')} beside them")
    if said:
        return ", ".join(said)
    return "no score moved" if review.changes else "nothing that is scored has changed"


def _of_what(review: Review, said: str) -> str:
    """`2 better` as `2 skills better` beside plugins, which have rows and are not counted."""
    kinds = Counter(side(change).kind for change in review.changes)
    if not kinds["plugin"] or kinds.total() == kinds["plugin"]:
        return said
    count, _, word = said.partition(" ")
    ending = "" if count == "1" else "s"
    nouns = [f"{kind}{ending}" for kind in ("skill", "agent") if kinds[kind]]
    return f"{count} {(' or ' if not ending else ' and ').join(nouns)} {word}"


def _helps(changes: Sequence[Change], links: Links, told: Sequence[Fix | Flag]) -> Iterator[Flag]:
    """What would help a reader of what changed most, but for what is told further up."""
    known = {(each.rule, each.place) for each in told}
    # Members stand beside their plugin if they changed; what did not change is not asked about.
    after = [(change.after._replace(members=()), change) for change in changes if change.after]
    owners = {id(result): change for result, change in after}
    for result, problem in helpful(result for result, _ in after):
        rule, place = links.rule(problem.rule), links.place(problem.path, problem.line)
        if (rule, place) not in known:
            said = shorten(f"{problem.message} {problem.remedy}", 2 * SENTENCE_LIMIT)
            yield Flag(rule, name_of(owners[id(result)], links), said, place)


def _is_in(flag: Flag, others: Sequence[Flag]) -> bool:
    return any((flag.rule, flag.place) == (other.rule, other.place) for other in others)


def _withheld(changes: Sequence[Change], links: Links) -> Iterator[Flag]:
    """Why badges are withheld; those of a plugin are its skills' again."""
    for change in changes:
        after = change.after
        if after and after.composite and after.composite.badge == "withheld" and not after.members:
            for note in reasons(after):
                yield Flag(
                    rule=links.rule(note.rule),
                    name=name_of(change, links),
                    description=shorten(f"{note.message} {note.remedy}", 2 * SENTENCE_LIMIT),
                    place=links.place(note.path, note.line),
                )


def _not_scored(review: Review, after: Sequence[Result]) -> Iterator[Unscored]:
    for failure in review.failures:
        reason = shorten(f"{failure.message} {failure.remedy}", 2 * SENTENCE_LIMIT)
        yield Unscored(shorten(failure.path, PATH_LIMIT), reason)
    for result in after:
        if score_of(result) == NOTHING:
            reason = shorten(result.unscored or "No reason was given.", SENTENCE_LIMIT)
            yield Unscored(shorten(result.path, PATH_LIMIT), reason)


def _beside(review: Review, links: Links) -> Iterator[Flag]:
    """What the change brought in where nothing is scored, first: it may hide what would be."""
    for problem in from_findings(review.findings):
        yield Flag(
            rule=links.rule(problem.rule),
            name=Markdown(code(problem.path, PATH_LIMIT)),
            description=shorten(problem.message, SENTENCE_LIMIT),
            place=links.place(problem.path, problem.line),
        )


def _introduced(changes: Sequence[Change], links: Links) -> Iterator[Flag]:
    """Errors first, as they are what others follow from; then anti-patterns, then warnings."""
    found: list[tuple[Change, Problem]] = []
    known = set[Problem]()
    for change in changes:
        told = [each for each in new_problems(change) if each.costs or each.level != "note"]
        found += [(change, problem) for problem in told if problem not in known]
        known.update(told)
    for change, problem in sorted(found, key=_rank):
        yield Flag(
            rule=links.rule(problem.rule),
            name=name_of(change, links),
            description=shorten(problem.message, SENTENCE_LIMIT),
            place=links.place(problem.path, problem.line),
        )


def _rank(found: tuple[Change, Problem]) -> tuple[bool, bool]:
    problem = found[1]
    return problem.costs or problem.level != "error", not problem.costs


def _fixed(changes: Sequence[Change], links: Links) -> Iterator[Flag]:
    """Anti-patterns of skills and agents; those of a plugin are theirs again."""
    for change in changes:
        if side(change).kind != "plugin":
            for flag in delta.fixed_flags(change):
                yield Flag(
                    rule=links.rule(flag.flag),
                    name=name_of(change, links),
                    description=shorten(flag.description, SENTENCE_LIMIT),
                    place=None,
                )


def _mechanical(review: Review, links: Links) -> Iterator[Markdown]:
    """Each as a diff of one line, which is how a reader sees soonest what it is about."""
    for each in review.mechanical:
        lines = [f"-{each.old[:DIFF_LIMIT]}", f"+{each.new[:DIFF_LIMIT]}"]
        place = links.place(each.path, each.line)
        yield Markdown(f"{place} · {links.rule(each.rule)}\n\n{fenced(lines, 'diff')}")


def _command(review: Review) -> str:
    """How to see the same locally; only a plain revision goes into a command to be pasted."""
    revision = short_id(review.base) if is_commit(review.base) else review.base
    base = revision if _PLAIN_REVISION.fullmatch(revision) else "BASE"
    worktree = " --worktree" if review.head == "working tree" else ""
    return f"plugin-eval review --base {base}{worktree}"
