"""What a change did to a score: points, dimensions, flags, badge, verdict. Pure over results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Final, Literal, NamedTuple

from plugineval_action.results import AntiPattern, Badge, Dimension, Result
from plugineval_action.review_values import Change, Difference, Review
from plugineval_action.scoring.points import points_of

Verdict = Literal["better", "worse", "same", "new", "removed", "unscored"]
Judged = Literal["better", "worse", "within noise", "the same", "unknown"]

SHOWN: Final = 0.05
"""The smallest difference, in points, that shows at one decimal."""

COMPOSITE: Final = "composite"
"""The name of the difference between composites."""

_ONCE: Final = frozenset(
    {"OVER_CONSTRAINED", "EMPTY_DESCRIPTION", "MISSING_TRIGGER", "BLOATED_SKILL"}
)
"""A skill has these once or not at all, and their descriptions hold a count: "17 MUST" that became
"18 MUST" is neither fixed nor new."""


class DimensionDelta(NamedTuple):
    """One dimension before and after, in [0, 1]; None where it was not measured."""

    name: str
    weight: float
    before: float | None
    after: float | None


class ReviewSummary(NamedTuple):
    """How many changes came out how, and the two that moved furthest down and up.

    `unscored` counts changes without a score on either side, `failed` paths that could not be read.
    """

    better: int
    worse: int
    same: int
    new: int
    removed: int
    unscored: int
    failed: int
    worst: Change | None
    best: Change | None


def points(change: Change) -> float | None:
    """The score after minus the score before, on 0 to 100; None if either is missing.

    An agent has no composite: its own score counts. Raises ValueError for different rulesets.
    """
    before, after = (points_of(side) if side else None for side in (change.before, change.after))
    _require_one_ruleset(change)
    return None if before is None or after is None else after - before


def dimension_deltas(change: Change) -> tuple[DimensionDelta, ...]:
    """Every dimension of either side, in the order of the side after, then what only was before.

    Raises ValueError for different rulesets.
    """
    _require_one_ruleset(change)
    before, after = _dimensions(change.before), _dimensions(change.after)
    return tuple(
        DimensionDelta(
            name,
            (after.get(name) or before[name]).weight,
            before[name].score if name in before else None,
            after[name].score if name in after else None,
        )
        for name in after | before
    )


def fixed_flags(change: Change) -> tuple[AntiPattern, ...]:
    """Anti-patterns that are gone, as they stood before; none for what was removed altogether."""
    _require_one_ruleset(change)
    return () if change.after is None else _difference(_flags(change.before), _flags(change.after))


def new_flags(change: Change) -> tuple[AntiPattern, ...]:
    """Anti-patterns that were not there before; all of them for something new.

    Nothing if it was there before and could not be read: nobody knows which ones it had.
    """
    _require_one_ruleset(change)
    if change.before is None and change.status != "new":
        return ()
    return _difference(_flags(change.after), _flags(change.before))


def verdict(change: Change) -> Verdict:
    """The change in a word; `same` is too small to show at one decimal, or within the noise.

    A side that is missing although the change is neither new nor removed could not be read.
    """
    if change.status == "new":
        return "new"
    if change.status == "removed":
        return "removed"
    moved = points(change)
    if moved is None:
        return "unscored"
    if change.differences:
        word = judged(change.differences[0])
        return word if word in ("better", "worse") else "same"
    if round(abs(moved), 9) < SHOWN:
        return "same"
    return "better" if moved > 0 else "worse"


def judged(difference: Difference) -> Judged:
    """A difference in a word; only outside of its interval is it more than noise.

    `unknown` is one whose noise is not known, and which may be anything.
    """
    low, high = difference.ci_lower, difference.ci_upper
    if low is None or high is None:
        return "unknown"
    if low <= 0 <= high and not difference.exact:
        return "within noise"
    scale = 1 if difference.name == COMPOSITE else 100
    if round(scale * abs(difference.value), 9) < SHOWN:
        return "the same" if difference.exact else "within noise"
    return "better" if difference.value > 0 else "worse"


def badge_move(change: Change) -> tuple[Badge | None, Badge | None]:
    """The badge before and after, None where there is no composite."""
    _require_one_ruleset(change)
    return _badge(change.before), _badge(change.after)


def summary(review: Review) -> ReviewSummary:
    """Count the verdicts of a review; of equally large moves the first one is named.

    A plugin moves with its skills and agents: it counts only if it has no score, or if nothing
    else changed.
    """
    changes = [change for change in review.changes if _counts(change)] or review.changes
    verdicts = [verdict(change) for change in changes]
    counts = Counter(verdicts)
    compared = [
        (points(change) or 0.0, change)
        for change, word in zip(changes, verdicts, strict=True)
        if word in ("better", "worse")
    ]
    worst = min(compared, key=_moved, default=None)
    best = max(compared, key=_moved, default=None)
    return ReviewSummary(
        better=counts["better"],
        worse=counts["worse"],
        same=counts["same"],
        new=counts["new"],
        removed=counts["removed"],
        unscored=counts["unscored"],
        failed=len(review.failures),
        worst=worst[1] if worst and worst[0] < 0 else None,
        best=best[1] if best and best[0] > 0 else None,
    )


def _counts(change: Change) -> bool:
    kinds = {result.kind for result in (change.before, change.after) if result}
    return "plugin" not in kinds or verdict(change) == "unscored"


def _moved(compared: tuple[float, Change]) -> float:
    return compared[0]


def _require_one_ruleset(change: Change) -> None:
    before, after = change.before, change.after
    if before is not None and after is not None and before.ruleset != after.ruleset:
        raise ValueError(
            f"{after.path}: scores of {before.ruleset} and {after.ruleset} are never compared"
        )


def _badge(result: Result | None) -> Badge | None:
    return result.composite.badge if result is not None and result.composite is not None else None


def _dimensions(result: Result | None) -> dict[str, Dimension]:
    if result is None or result.composite is None:
        return {}
    return {dimension.name: dimension for dimension in result.composite.dimensions}


def _flags(result: Result | None) -> list[AntiPattern]:
    layers = () if result is None else result.layers
    return [flag for layer in layers for flag in layer.anti_patterns]


def _difference(flags: list[AntiPattern], others: list[AntiPattern]) -> tuple[AntiPattern, ...]:
    """What only the first side has: by flag and description, or flag alone for those in `_ONCE`."""
    left = _without(flags, others, _text)
    rest = [other for other in _without(others, flags, _text) if other.flag in _ONCE]
    return tuple(_without(left, rest, _flag))


def _without(
    flags: list[AntiPattern], others: list[AntiPattern], key: Callable[[AntiPattern], Hashable]
) -> list[AntiPattern]:
    """Multiset difference; of equal flags the first ones are those that both sides have."""
    known = Counter(key(other) for other in others)
    left = []
    for flag in flags:
        known[key(flag)] -= 1
        if known[key(flag)] < 0:
            left.append(flag)
    return left


def _text(flag: AntiPattern) -> tuple[str, str]:
    return flag.flag, flag.description


def _flag(flag: AntiPattern) -> str:
    return flag.flag
