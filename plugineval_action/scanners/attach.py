"""Give each result the findings of scanners in its own files; what lies elsewhere is left out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final

from plugineval_action.content.tree import Tree, join
from plugineval_action.results import Finding, Level, Result
from plugineval_action.review.changed_lines import changed_lines
from plugineval_action.review_values import Change, Review
from plugineval_action.scanners.findings import Report

MOST: Final = 50
"""Findings of one tool that a skill is given; of what is left the number is told."""

_LEVELS: Final[tuple[Level, ...]] = ("error", "warning", "note")


def sorted_reports(reports: Iterable[Report]) -> list[Report]:
    """In the order that `attach` looks them up in."""
    return sorted(reports, key=_path)


def attach(result: Result, reports: Sequence[Report]) -> Result:
    """The result with what was found in its files, in those of its members with them.

    `reports` are sorted by path, so that many skills and many reports take no quadratic time.
    """
    rest = owned(result, reports)
    members = tuple(attach(member, rest) for member in result.members)
    for member in result.members:
        theirs = set(owned(member, rest))
        rest = [report for report in rest if report not in theirs]
    own = _capped(report.finding for report in rest)
    return result._replace(members=members, findings=(*result.findings, *own))


def attach_to_review(review: Review, reports: Iterable[Report], base: Tree, head: Tree) -> Review:
    """A review with what was found at its head.

    New is what stands on lines that the change wrote; the rest was there before.
    """
    found = sorted_reports(reports)
    return review._replace(
        changes=tuple(_attached(change, found, base, head) for change in review.changes)
    )


def in_review(review: Review) -> Callable[[str], bool]:
    """Whether a path is that of a file of what changed."""
    after = [change.after.path for change in review.changes if change.after]
    names = frozenset(after)

    def wanted(path: str) -> bool:
        ends = (at for at, sign in enumerate(path) if sign == "/")
        return "" in names or path in names or any(path[:at] in names for at in ends)

    return wanted


def owned(result: Result, reports: Sequence[Report]) -> list[Report]:
    """Those in the files of a result, of `reports` that are sorted by path."""
    if not result.path:
        return list(reports)
    ranges = ((result.path, f"{result.path}\0"), (f"{result.path}/", f"{result.path}0"))
    return [
        report
        for first, end in ranges
        for report in reports[
            bisect_left(reports, first, key=_path) : bisect_left(reports, end, key=_path)
        ]
    ]


def _attached(change: Change, reports: Sequence[Report], base: Tree, head: Tree) -> Change:
    if change.after is None:
        return change
    after = attach(change.after, reports)
    if change.before is None:
        return change._replace(after=after)
    old: list[Report] = []
    for path, same in groupby(owned(change.after, reports), key=_path):
        was = _before(path, change)
        written = changed_lines(base, head, path, was)
        for report in same:
            note = report.finding
            if report.known or not _is_on(note, written):
                old.append(report._replace(finding=note._replace(path=was)))
    return change._replace(before=attach(change.before, sorted_reports(old)), after=after)


def _before(path: str, change: Change) -> str:
    """Where a file of a skill was, which may have been moved."""
    before, after = change.before, change.after
    if before is None or after is None:
        return path
    inside = path[len(after.path) :].lstrip("/") if after.path else path
    return join(before.path, inside)


def _is_on(note: Finding, lines: Iterable[range]) -> bool:
    return any(one.start <= note.end_line and note.line < one.stop for one in lines)


def _path(report: Report) -> str:
    return report.finding.path


def _capped(findings: Iterable[Finding]) -> list[Finding]:
    """The first of each tool, worst first, and one that tells how many more there are."""
    kept: list[Finding] = []
    for tool, of_tool in groupby(sorted(findings, key=_order), key=_tool):
        same = list(of_tool)
        kept += same[:MOST]
        if more := same[MOST:]:
            first = more[0]
            message = f"{len(more):,} more of {tool} in these files are not listed."
            kept.append(
                first._replace(
                    rule=f"{tool}/more", message=message, remedy=f"See the results of {tool}."
                )
            )
    return kept


def _tool(note: Finding) -> str:
    return note.rule.partition("/")[0]


def _order(note: Finding) -> tuple[str, int, str, int, str]:
    return _tool(note), _LEVELS.index(note.level), note.path, note.line, note.rule
