"""Which lines of a change to annotate: few enough that the page stays readable.

On lines that the change wrote first, then what it brought in elsewhere. What was there before, on
lines that nobody touched, is not annotated: it is counted, and listed in the job summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.findings.catalogue import RULES
from plugineval_action.findings.problems import LEVELS, Problem, from_findings, own_problems
from plugineval_action.results import Failure, Level
from plugineval_action.review.new_problems import new_problems
from plugineval_action.review.urgency import urgent_first
from plugineval_action.review_values import Review

MOST: Final = 50
MOST_PER_SKILL: Final = 10
NEAR: Final = 3
"""Lines between two problems of one rule up to which they share an annotation."""

LONGEST: Final = 10
"""Lines that one annotation covers: GitHub shows it below the last one."""

MESSAGES: Final = 5
SENTENCE_LIMIT: Final = 500

Changed = Mapping[str, Sequence[range]]


class Remark(NamedTuple):
    """Something to say about lines of a file, counted from 1 and both included; never columns."""

    level: Level
    title: str
    message: str
    path: str
    line: int
    end_line: int


class Chosen(NamedTuple):
    """What is annotated, the most important first, and what is left for the summary."""

    remarks: tuple[Remark, ...]
    rest: tuple[Remark, ...]


class _Candidate(NamedTuple):
    """A problem, the place of its skill in the review, and whether the change brought it about."""

    problem: Problem
    skill: int
    rank: int


_ON_CHANGED, _NEW, _OLD = range(3)


def choose(review: Review, changed: Changed | None) -> Chosen:
    """Choose at most 50, 10 a skill; `changed` are the lines written, by path, None if unknown."""
    candidates = sorted(_candidates(review, changed), key=_order)
    remarks = [(-1 - at, _failed(each)) for at, each in enumerate(review.failures)]
    remarks += _merged(each for each in candidates if each.rank != _OLD)
    shown: list[Remark] = []
    rest: list[Remark] = []
    room: dict[int, int] = {}
    for skill, remark in remarks:
        left = room.setdefault(skill, MOST_PER_SKILL)
        fits = left > 0 and len(shown) < MOST and remark.path.isprintable()
        room[skill] = left - fits
        # A path with characters that have no glyph cannot be told apart from what it imitates.
        (shown if fits and remark.path else rest).append(remark)
    rest += [_remark([each.problem]) for each in candidates if each.rank == _OLD]
    return Chosen(tuple(shown), tuple(rest))


def with_remarks(chosen: Chosen, first: Sequence[Remark]) -> Chosen:
    """A choice with other remarks in front, still at most 50."""
    room = MOST_PER_SKILL
    remarks = (*first[:room], *chosen.remarks)
    return Chosen(remarks[:MOST], (*first[room:], *remarks[MOST:], *chosen.rest))


def with_fewer(chosen: Chosen, most: Mapping[Level, int]) -> Chosen:
    """The first so many of each level; the others go to the rest, before what is there."""
    room = dict(most)
    shown: list[Remark] = []
    over: list[Remark] = []
    for remark in chosen.remarks:
        room[remark.level] -= 1
        (shown if room[remark.level] >= 0 else over).append(remark)
    return Chosen(tuple(shown), (*over, *chosen.rest))


def _candidates(review: Review, changed: Changed | None) -> Iterator[_Candidate]:
    seen: set[Problem] = set()
    for skill, change in enumerate(urgent_first(review)):
        if change.after is None:
            continue
        new = set(new_problems(change))
        for problem in own_problems(change.after):
            if problem not in seen:
                seen.add(problem)
                yield _Candidate(problem, skill, _rank(problem, new, changed or {}))
    beside = from_findings(review.findings)
    for problem in beside:
        yield _Candidate(problem, len(review.changes), _rank(problem, set(beside), changed or {}))


def _rank(problem: Problem, new: set[Problem], changed: Changed) -> int:
    span = range(problem.line, _last_line(problem) + 1)
    for lines in changed.get(problem.path, ()):
        if lines.start < span.stop and span.start < lines.stop:
            return _ON_CHANGED
    return _NEW if problem in new else _OLD


def _order(candidate: _Candidate) -> tuple[int, int, int, str, str, int]:
    problem = candidate.problem
    level = LEVELS.index(problem.level)
    return candidate.rank, level, candidate.skill, problem.path, problem.rule, problem.line


def _merged(candidates: Iterable[_Candidate]) -> Iterator[tuple[int, Remark]]:
    """Neighbours of one rule in one file become one remark; the order stays."""
    for _, same in groupby(candidates, key=lambda each: _order(each)[:-1]):
        near: list[_Candidate] = []
        last = 0
        for each in same:
            if near and not _is_near(near[0].problem.line, last, each.problem):
                yield near[0].skill, _remark([one.problem for one in near])
                near, last = [], 0
            near.append(each)
            last = max(last, _last_line(each.problem))
        yield near[0].skill, _remark([one.problem for one in near])


def _is_near(first: int, last: int, problem: Problem) -> bool:
    """Whether a problem joins those that stand on the lines `first` to `last`."""
    return problem.line - last <= NEAR and _last_line(problem) - first < LONGEST


def _remark(group: Sequence[Problem]) -> Remark:
    first = group[0]
    said = list(dict.fromkeys(shorten(each.message, SENTENCE_LIMIT) for each in group))
    if len(said) > MESSAGES:
        said[MESSAGES:] = [f"And {len(said) - MESSAGES} more."]
    remedy = shorten(first.remedy, SENTENCE_LIMIT)
    return Remark(
        level=first.level,
        title=RULES[first.rule].title if first.rule in RULES else shorten(first.rule, 100),
        message="\n".join([*said, f"{remedy} ({shorten(first.rule, 100)})"]),
        path=first.path,
        line=first.line,
        end_line=max(map(_last_line, group)),
    )


def _last_line(problem: Problem) -> int:
    return max(problem.line, min(problem.end_line, problem.line + LONGEST - 1))


def _failed(failure: Failure) -> Remark:
    message = shorten(f"{failure.message} {failure.remedy}", SENTENCE_LIMIT)
    return Remark("error", "Could not be scored", message, failure.path, 1, 1)
