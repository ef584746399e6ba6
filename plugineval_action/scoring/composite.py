"""Blend the layers into dimensions and the dimensions into one number, and its interval.

Weighted sums are `math.fsum`, so that the same input gives the same bits on every Python. Numbers
from samples come with draws: the same sums over each draw give the spread of the result. The static
layer is no sample and stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from operator import mul
from typing import Final, NamedTuple

from plugineval_action.results import Composite, Dimension, Label
from plugineval_action.review_values import Difference
from plugineval_action.rulesets import Ruleset
from plugineval_action.scoring import bands
from plugineval_action.scoring.delta import COMPOSITE
from plugineval_action.scoring.dimensions import DIMENSIONS, DimensionSpec
from plugineval_action.stats.proportions import LEVEL
from plugineval_action.stats.resampling import DRAWS, Sampled, middle


class Deeper(NamedTuple):
    """What the layers that ask a model say of the dimensions, and what may be said of it.

    `covers` names what was sampled; "" if not all that varies was, and the composite then has no
    interval. `level` is that of the intervals.
    """

    judge: Mapping[str, Sampled]
    monte_carlo: Mapping[str, Sampled]
    label: Label = "Estimated"
    covers: str = ""
    level: float = LEVEL


_Formula = Callable[[Iterable[float]], float]
"""From the score of each term to a number."""

STATIC_ONLY: Final = Deeper({}, {})


def skill_composite(
    sub_scores: Mapping[str, float],
    penalty: float,
    ruleset: Ruleset,
    deeper: Deeper = STATIC_ONLY,
) -> Composite:
    """The composite of a skill from its static sub-scores, each in [0, 1], and deeper layers."""
    scores = {spec.name: _blended(spec, sub_scores, deeper) for spec in DIMENSIONS}
    return _composite(scores, penalty, ruleset, deeper)


def plugin_composite(mean: float, penalty: float, ruleset: Ruleset) -> Composite:
    """The composite of a plugin: each static dimension shows the mean over its members."""
    scores = {spec.name: Sampled(mean) if spec.static_source else None for spec in DIMENSIONS}
    return _composite(scores, penalty, ruleset, STATIC_ONLY)


def _composite(
    scores: Mapping[str, Sampled | None], penalty: float, ruleset: Ruleset, deeper: Deeper
) -> Composite:
    composite = _total(scores, penalty)
    interval = composite.interval(deeper.level) if deeper.covers else None
    return Composite(
        score=composite.value,
        anti_pattern_penalty=penalty,
        dimensions=tuple(
            _dimension(spec, scores[spec.name], ruleset, deeper) for spec in DIMENSIONS
        ),
        badge=bands.badge(_comparable(composite.value, ruleset)),
        confidence_label=deeper.label,
        ci_lower=interval.low if interval else None,
        ci_upper=interval.high if interval else None,
        ci_covers=deeper.covers if interval else "",
    )


def _total(scores: Mapping[str, Sampled | None], penalty: float) -> Sampled:
    """A dimension that nobody measured is None and left out of every sum."""
    measured = [(spec.weight, score) for spec in DIMENSIONS if (score := scores[spec.name])]
    total = fsum(weight for weight, _ in measured)
    shares = [weight / total for weight, _ in measured]

    def value(scores: Iterable[float]) -> float:
        weighted = fsum(map(mul, shares, scores))
        return min(100.0, max(0.0, weighted * 100 * penalty))

    return _sampled([score for _, score in measured], value)


class Side(NamedTuple):
    """What a composite is made from: see `skill_composite`."""

    sub_scores: Mapping[str, float]
    penalty: float
    deeper: Deeper


def differences(one: Side, other: Side) -> tuple[Difference, ...]:
    """What `other` has more than `one`: the composite first, then each dimension of both.

    The draws of both sides are taken to belong together, place by place.
    """
    level = max(one.deeper.level, other.deeper.level)
    scores = [
        {spec.name: _blended(spec, side.sub_scores, side.deeper) for spec in DIMENSIONS}
        for side in (one, other)
    ]
    totals = [_total(own, side.penalty) for own, side in zip(scores, (one, other), strict=True)]
    found = [_difference(COMPOSITE, totals[0], totals[1], level)]
    if not (one.deeper.covers and other.deeper.covers):
        found = [found[0]._replace(ci_lower=None, ci_upper=None)]
    for spec in DIMENSIONS:
        before, after = (own[spec.name] for own in scores)
        if before is not None and after is not None:
            found.append(_difference(spec.name, before, after, level))
    return tuple(found)


def _difference(name: str, one: Sampled, other: Sampled, level: float) -> Difference:
    value = other.value - one.value
    if not (one.draws or other.draws):
        return Difference(name, value, value, value)
    sides = (side.draws or (side.value,) * DRAWS for side in (one, other))
    apart = tuple(after - before for before, after in zip(*sides, strict=True))
    low, high = middle(apart, level)
    return Difference(name, value, min(low, value), max(high, value))


def _blended(
    spec: DimensionSpec, sub_scores: Mapping[str, float], deeper: Deeper
) -> Sampled | None:
    """Multiply first, divide last: the order decides the last bit, and so some grades."""
    static = Sampled(sub_scores[spec.static_source]) if spec.static_source else None
    layers = (
        (spec.static, static),
        (spec.judge, deeper.judge.get(spec.name)),
        (spec.monte_carlo, deeper.monte_carlo.get(spec.name)),
    )
    present = [(weight, score) for weight, score in layers if score is not None]
    if not present:
        return None
    weights = [weight for weight, _ in present]
    total = fsum(weights)

    def value(scores: Iterable[float]) -> float:
        if not total:
            return fsum(scores) / len(present)
        return fsum(map(mul, weights, scores)) / total

    return _sampled([score for _, score in present], value)


def _sampled(terms: Sequence[Sampled], value: _Formula) -> Sampled:
    """The formula over the terms, and over each draw of them if any has a spread."""
    centre = value(term.value for term in terms)
    if not any(term.draws for term in terms):
        return Sampled(centre)
    rows = zip(*(term.draws or (term.value,) * DRAWS for term in terms), strict=True)
    return Sampled(centre, tuple(map(value, rows)))


def _dimension(
    spec: DimensionSpec, score: Sampled | None, ruleset: Ruleset, deeper: Deeper
) -> Dimension:
    if score is None:
        return Dimension(spec.name, spec.weight, None, bands.UNMEASURED)
    grade = bands.grade(_comparable(100 * score.value, ruleset))
    interval = score.interval(deeper.level)
    return Dimension(
        spec.name,
        spec.weight,
        score.value,
        grade,
        interval.low if interval else None,
        interval.high if interval else None,
        _static_share(spec, deeper),
    )


def _static_share(spec: DimensionSpec, deeper: Deeper) -> float:
    static = spec.static if spec.static_source else 0.0
    judge = spec.judge if spec.name in deeper.judge else 0.0
    monte_carlo = spec.monte_carlo if spec.name in deeper.monte_carlo else 0.0
    return static / fsum((static, judge, monte_carlo)) if static else 0.0


def _comparable(score: float, ruleset: Ruleset) -> float:
    return score if ruleset == "reference" else round(score, 9)
