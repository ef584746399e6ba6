"""From sub-scores to the composite: weights, blend, penalty, and what nobody measured."""

from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.results import Composite
from plugineval_action.rulesets import Ruleset
from plugineval_action.scoring.composite import plugin_composite, skill_composite
from plugineval_action.scoring.dimensions import DIMENSIONS

both = pytest.mark.parametrize("ruleset", ["plugineval", "reference"])

WEIGHTS = {
    "triggering_accuracy": 0.25,
    "orchestration_fitness": 0.20,
    "output_quality": 0.15,
    "scope_calibration": 0.12,
    "progressive_disclosure": 0.10,
    "token_efficiency": 0.06,
    "robustness": 0.05,
    "structural_completeness": 0.03,
    "code_template_quality": 0.02,
    "ecosystem_coherence": 0.02,
}
SOURCES = {
    "triggering_accuracy": "frontmatter_quality",
    "orchestration_fitness": "orchestration_wiring",
    "progressive_disclosure": "progressive_disclosure",
    "token_efficiency": "token_efficiency",
    "structural_completeness": "structural_completeness",
    "ecosystem_coherence": "ecosystem_coherence",
}
LAYERS = {
    "triggering_accuracy": (0.15, 0.25, 0.60),
    "orchestration_fitness": (0.10, 0.70, 0.20),
    "output_quality": (0.0, 0.40, 0.60),
    "scope_calibration": (0.30, 0.55, 0.15),
    "progressive_disclosure": (0.80, 0.20, 0.0),
    "token_efficiency": (0.40, 0.10, 0.50),
    "robustness": (0.0, 0.20, 0.80),
    "structural_completeness": (0.90, 0.10, 0.0),
    "code_template_quality": (0.30, 0.70, 0.0),
    "ecosystem_coherence": (0.85, 0.15, 0.0),
}
STATIC = {name: LAYERS[name][0] for name in SOURCES}
MEASURED = fsum(WEIGHTS[name] for name in SOURCES)


def _scores(**changed: float) -> dict[str, float]:
    return dict.fromkeys((*SOURCES.values(), "harness_portability"), 0.5) | changed


def _dimension(composite: Composite, name: str) -> tuple[float | None, str]:
    return next((one.score, one.grade) for one in composite.dimensions if one.name == name)


def test_the_dimensions_are_the_published_ones() -> None:
    assert list(WEIGHTS.items()) == [(spec.name, spec.weight) for spec in DIMENSIONS]
    assert fsum(WEIGHTS.values()) == pytest.approx(1.0)
    assert {spec.name: spec.static_source for spec in DIMENSIONS if spec.static_source} == SOURCES
    assert {spec.name: (spec.static, spec.judge, spec.monte_carlo) for spec in DIMENSIONS} == LAYERS


@both
@pytest.mark.parametrize("name", SOURCES)
def test_a_dimension_weighs_its_share_of_what_was_measured(name: str, ruleset: Ruleset) -> None:
    low = skill_composite(_scores(**{SOURCES[name]: 0.0}), 1.0, ruleset)
    high = skill_composite(_scores(**{SOURCES[name]: 1.0}), 1.0, ruleset)

    assert high.score - low.score == pytest.approx(100 * WEIGHTS[name] / MEASURED)
    assert _dimension(low, name) == (0.0, "F")
    assert _dimension(high, name) == (1.0, "A+")


@both
def test_portability_feeds_no_dimension(ruleset: Ruleset) -> None:
    low = skill_composite(_scores(harness_portability=0.0), 1.0, ruleset)
    high = skill_composite(_scores(harness_portability=1.0), 1.0, ruleset)

    assert low == high


@both
def test_a_blend_multiplies_first_and_divides_last(ruleset: Ruleset) -> None:
    composite = skill_composite(_scores(orchestration_wiring=0.7), 1.0, ruleset)

    assert _dimension(composite, "orchestration_fitness")[0] == 0.1 * 0.7 / 0.1
    assert 0.1 * 0.7 / 0.1 < 0.7


def test_the_reference_grades_that_blend_below_the_line_and_the_default_on_it() -> None:
    scores = _scores(orchestration_wiring=0.7)
    plain = skill_composite(scores, 1.0, "plugineval")
    reference = skill_composite(scores, 1.0, "reference")

    assert _dimension(plain, "orchestration_fitness")[1] == "C-"
    assert _dimension(reference, "orchestration_fitness")[1] == "D+"


@both
def test_what_nobody_measured_is_none_and_in_no_mean(ruleset: Ruleset) -> None:
    composite = skill_composite(_scores(), 1.0, ruleset)
    unmeasured = [one for one in composite.dimensions if one.name not in SOURCES]

    assert composite.score == pytest.approx(50.0)
    assert [(one.score, one.grade) for one in unmeasured] == [(None, "—")] * 4
    assert [one.weight for one in unmeasured] == [0.15, 0.12, 0.05, 0.02]


@both
@given(
    st.lists(st.floats(0, 1), min_size=7, max_size=7),
    st.integers(0, 30),
)
def test_the_composite_is_the_published_sum(
    ruleset: Ruleset, values: list[float], flags: int
) -> None:
    scores = dict(zip([*SOURCES.values(), "harness_portability"], values, strict=True))
    penalty = max(0.5, 1.0 - 0.05 * flags)
    composite = skill_composite(scores, penalty, ruleset)
    blended = {name: STATIC[name] * scores[SOURCES[name]] / STATIC[name] for name in SOURCES}
    total = fsum(WEIGHTS[name] for name in SOURCES)
    expected = fsum(WEIGHTS[name] / total * blended[name] for name in SOURCES) * 100 * penalty

    assert min(100.0, max(0.0, expected)) == composite.score
    assert penalty == composite.anti_pattern_penalty
    assert composite.confidence_label == "Estimated"


@both
@pytest.mark.parametrize(("value", "wanted"), [(0.0, 0.0), (1.0, 100.0)])
def test_the_composite_stays_between_0_and_100(
    value: float, wanted: float, ruleset: Ruleset
) -> None:
    scores = dict.fromkeys((*SOURCES.values(), "harness_portability"), value)

    assert wanted == pytest.approx(skill_composite(scores, 1.0, ruleset).score)
    assert 0.0 <= skill_composite(scores, 1.0, ruleset).score <= 100.0


@both
def test_every_static_dimension_of_a_plugin_shows_its_mean(ruleset: Ruleset) -> None:
    composite = plugin_composite(0.75, 0.9, ruleset)
    shown = {one.name: (one.score, one.grade) for one in composite.dimensions}

    assert shown == {name: (0.75, "C") if name in SOURCES else (None, "—") for name in WEIGHTS}
    assert composite.score == pytest.approx(67.5)
    assert composite.badge == "bronze"
    assert composite.confidence_label == "Estimated"
