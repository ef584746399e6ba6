"""Blend the layers into dimensions and the dimensions into one number.

Weighted sums are `math.fsum`, so that the same input gives the same bits on every Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum

from plugineval_action.results import Composite, Dimension
from plugineval_action.rulesets import Ruleset
from plugineval_action.scoring import bands
from plugineval_action.scoring.dimensions import DIMENSIONS, DimensionSpec


def skill_composite(sub_scores: Mapping[str, float], penalty: float, ruleset: Ruleset) -> Composite:
    """The composite of a skill from its static sub-scores, each in [0, 1]."""
    scores = {
        spec.name: _blend(spec, sub_scores[spec.static_source]) if spec.static_source else None
        for spec in DIMENSIONS
    }
    return _composite(scores, penalty, ruleset)


def plugin_composite(mean: float, penalty: float, ruleset: Ruleset) -> Composite:
    """The composite of a plugin: each static dimension shows the mean over its members."""
    scores = {spec.name: mean if spec.static_source else None for spec in DIMENSIONS}
    return _composite(scores, penalty, ruleset)


def _composite(scores: Mapping[str, float | None], penalty: float, ruleset: Ruleset) -> Composite:
    """A dimension that nobody measured is None and left out of every sum."""
    total = fsum(spec.weight for spec in DIMENSIONS if scores[spec.name] is not None)
    weighted = fsum(
        spec.weight / total * score
        for spec in DIMENSIONS
        if (score := scores[spec.name]) is not None
    )
    value = min(100.0, max(0.0, weighted * 100 * penalty))
    return Composite(
        score=value,
        anti_pattern_penalty=penalty,
        dimensions=tuple(_dimension(spec, scores[spec.name], ruleset) for spec in DIMENSIONS),
        badge=bands.badge(_comparable(value, ruleset)),
        confidence_label="Estimated",
    )


def _blend(spec: DimensionSpec, static: float) -> float:
    """Multiply first, divide last: the order decides the last bit, and so some grades."""
    return spec.static * static / spec.static


def _dimension(spec: DimensionSpec, score: float | None, ruleset: Ruleset) -> Dimension:
    grade = bands.UNMEASURED if score is None else bands.grade(_comparable(100 * score, ruleset))
    return Dimension(spec.name, spec.weight, score, grade)


def _comparable(score: float, ruleset: Ruleset) -> float:
    return score if ruleset == "reference" else round(score, 9)
