"""Whether a change passes: what it was held to, and why it does not.

Skills count, for only they have a composite that a threshold can be meant for; a plugin moves with
its skills. What was there before and is not part of the change never fails it: a skill whose own
files stayed is held to what it lost, not to what it scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from plugineval_action.escape import shorten
from plugineval_action.findings.problems import Problem, from_findings, place, refused
from plugineval_action.render.gate_note import REASONS
from plugineval_action.render.words import counted
from plugineval_action.results import FailOn, Result
from plugineval_action.review.new_problems import new_problems
from plugineval_action.review.urgency import urgent_first
from plugineval_action.review_values import Change, Review
from plugineval_action.scoring import delta
from plugineval_action.scoring.bands import shown

NAME_LIMIT: Final = 60
SENTENCE_LIMIT: Final = 200

_HIDING: Final = frozenset(
    {
        *("SYMLINK_REFUSED", "MISNAMED_SKILL_FILE", "EXPECTED_FILE", "EXPECTED_DIRECTORY"),
        *("INVALID_JSON", "UNREADABLE_FILE", "TOO_INTRICATE", "BROKEN_MANIFEST_PATH"),
    }
)
"""Beside what is scored, these tell of something that would be scored if it could be read."""


class Thresholds(Protocol):
    """What the settings hold; None and "never" ask for nothing."""

    @property
    def fail_under(self) -> float | None:
        """The composite that every changed skill must have at head, 0 to 100."""

    @property
    def max_regression(self) -> float | None:
        """The points of the composite that a skill may lose."""

    @property
    def fail_on(self) -> FailOn:
        """The level from which on a new anti-pattern or finding is refused."""


class Gate(NamedTuple):
    """The verdict. `reasons` are sentences of plain, unescaped text; none if it passed."""

    passed: bool
    reasons: tuple[str, ...] = ()


def evaluate(review: Review, thresholds: Thresholds) -> Gate:
    """Hold a review to the thresholds; with any of them set, what cannot be scored fails too."""
    reasons = tuple(_reasons(review, thresholds)) if _any_set(thresholds) else ()
    return Gate(not reasons, reasons)


def in_one(gate: Gate) -> str:
    """Why it failed as one text: the first reasons, and how many there are besides."""
    more = len(gate.reasons) - REASONS
    others = [f"... and {more:,} more"] if more > 0 else []
    return "\n".join([*gate.reasons[:REASONS], *others])


def _any_set(thresholds: Thresholds) -> bool:
    limits = (thresholds.fail_under, thresholds.max_regression)
    return any(limit is not None for limit in limits) or thresholds.fail_on != "never"


def _reasons(review: Review, thresholds: Thresholds) -> Iterator[str]:
    for failure in review.failures:
        said = shorten(f"{failure.message} {failure.remedy}", SENTENCE_LIMIT)
        yield f"{shorten(failure.path, NAME_LIMIT)} could not be scored: {said}"
    for found in review.findings:
        if found.rule in _HIDING:
            where, said = shorten(found.path, NAME_LIMIT), shorten(found.message, SENTENCE_LIMIT)
            yield f"{where} hides what is to be scored: {said}"
    changes = [change for change in urgent_first(review) if change.after]
    skills = [change for change in changes if change.after and change.after.kind == "skill"]
    names = Counter(change.after.name for change in skills if change.after)
    for change in skills:
        if change.after:
            name = _called(change.after, names)
            if change.status != "affected":
                yield from _unscored(change.after, name)
                yield from _too_low(change.after, name, thresholds.fail_under)
            yield from _fallen(change, name, thresholds.max_regression)
    beside = from_findings(review.findings)
    new = [*beside, *(problem for change in changes for problem in new_problems(change))]
    yield from _new(new, thresholds.fail_on, "New " if review.base else "")


def _unscored(after: Result, name: str) -> Iterator[str]:
    if after.composite is None:
        why = shorten(after.unscored or "No reason was given.", SENTENCE_LIMIT)
        yield f"{name} has no score: {why}"


def _too_low(after: Result, name: str, least: float | None) -> Iterator[str]:
    if least is None or after.composite is None:
        return
    score = after.composite.score
    if round(score, 9) < least:
        yield f"{name} scores {told(score, least)}; fail-under asks for {asked(least)}."


def _fallen(change: Change, name: str, most: float | None) -> Iterator[str]:
    moved = delta.points(change)
    if most is None or moved is None or round(-moved, 9) <= most:
        return
    before, after = (
        shown(side.composite.score)
        for side in (change.before, change.after)
        if side and side.composite
    )
    lost = f"lost {told(-moved, most)} points ({before} to {after})"
    yield f"{name} {lost}; max-regression allows {asked(most)}."


def _new(problems: list[Problem], least: FailOn, new: str) -> Iterator[str]:
    """One sentence a rule and file, so that a file with a hundred of them is one reason.

    It begins with `new`, which is "" where nothing was before.
    """
    levels = refused(least)
    files: dict[tuple[str, str], list[Problem]] = {}
    for problem in dict.fromkeys(each for each in problems if each.level in levels):
        files.setdefault((problem.path, problem.rule), []).append(problem)
    for same in files.values():
        first, more = same[0], len(same) - 1
        others = f" and {counted(more, 'other')}" if more else ""
        where = f"{place(first.path, first.line)}{others}"
        what = f"{new}{first.level} {first.rule} at {where}"
        yield f"{what[0].upper()}{what[1:]}; fail-on refuses {least} and worse."


def _called(result: Result, names: Counter[str]) -> str:
    """Its name, or its path where the name is not the only one."""
    name = result.name if result.name and names[result.name] == 1 else result.path
    return shorten(name or ".", NAME_LIMIT)


def told(value: float, limit: float) -> str:
    """With one decimal, or with as many as show on which side of the limit it lies."""
    above = value > limit
    shows = (
        d for d in range(1, 9) if limit != round(value, d) and (round(value, d) > limit) is above
    )
    return f"{value:.{next(shows, 9)}f}"


def asked(limit: float) -> str:
    """A limit as it was given, which has nine decimals at most."""
    return f"{limit:.9f}".rstrip("0").rstrip(".")
