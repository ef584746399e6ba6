"""Two results side by side: what is compared, and what cannot be."""

from __future__ import annotations

import pytest

from plugineval_action.render.score.comparison import DIFFERENT, render
from plugineval_action.results import Label, ModelUsage, Result
from sample_results import changelog, release_notes, writing_tools


def test_two_skills_are_compared_by_dimension_and_equal_ones_are_the_same() -> None:
    text = render(changelog(), changelog())

    assert "| **Score** | 100.0 | 100.0 | same |" in text
    assert "| Triggering accuracy | 100.0 | 100.0 | same |" in text
    assert "+0" not in text


def test_differences_have_a_sign() -> None:
    text = render(changelog(), release_notes())

    assert "| **Score** | 100.0 | 47.8 | −52.2 |" in text
    assert "| Anti-patterns | 0 | 3 | +3 |" in text


def test_two_plugins_show_no_dimensions_as_all_are_one_mean() -> None:
    text = render(writing_tools(), writing_tools())

    assert "| Members | 3 | 3 | |" in text
    assert "Triggering accuracy" not in text
    assert DIFFERENT not in text


def test_a_skill_and_a_plugin_are_said_to_be_computed_differently() -> None:
    text = render(changelog(), writing_tools())

    assert DIFFERENT in text
    assert "| Members | — | 3 | |" in text


def sampled(
    score: float, half: float | None, output: float = 0.8, label: Label = "Assessed"
) -> Result:
    """A skill that a model was asked about, with an interval of this half width."""
    result = changelog()
    composite = result.composite
    assert composite is not None
    dimensions = tuple(
        one._replace(score=output, ci_lower=output - 0.1, ci_upper=output + 0.1)
        if one.name == "output_quality"
        else one
        for one in composite.dimensions
    )
    return result._replace(
        composite=composite._replace(
            score=score,
            dimensions=dimensions,
            confidence_label=label,
            ci_lower=None if half is None else score - half,
            ci_upper=None if half is None else score + half,
        )
    )


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        (70.0, 80.0, "**changelog is better than changelog, by 10.0 ± 5.0 points.**"),
        (80.0, 70.0, "**changelog is worse than changelog, by 10.0 ± 5.0 points.**"),
        (70.0, 74.9, "**Within noise: they are 4.9 ± 5.0 points apart.**"),
        (74.9, 70.0, "**Within noise: they are 4.9 ± 5.0 points apart.**"),
        (70.0, 70.0, "**Within noise: they are 0.0 ± 5.0 points apart.**"),
    ],
)
def test_what_was_sampled_is_better_or_worse_only_outside_of_the_noise(
    a: float, b: float, verdict: str
) -> None:
    """Halves of 3 and 4 points add up to 5, as squares do."""
    assert verdict == render(sampled(a, 3.0), sampled(b, 4.0)).splitlines()[2]


def test_each_sampled_dimension_has_the_interval_of_its_difference() -> None:
    text = render(sampled(70.0, 3.0, output=0.5), sampled(70.0, 4.0, output=0.7))

    assert "| Output quality | 50.0 | 70.0 | +20.0 | +5.9 to +34.1 | better |" in text
    assert "| Triggering accuracy | 100.0 | 100.0 | same | exact | the same |" in text


def test_without_an_interval_nobody_is_called_better() -> None:
    text = render(sampled(60.0, 3.0), sampled(90.0, None))

    assert "**Nobody can tell: one of them has no interval.**" == text.splitlines()[2]
    assert "better" not in text


def test_what_was_asked_of_models_and_how_far_each_side_got_is_said() -> None:
    used = ModelUsage("m", 3, 10, 10, 0, 0, 0.01)
    one = sampled(70.0, 3.0)._replace(model_usage=(used,), notes=("Cut at line 9.",))
    other = sampled(76.0, 4.0, label="Certified")

    text = render(one, other)

    assert "Assessed and Certified: with models." in text
    assert "not measured equally far" in text
    assert "changelog: Cut at line 9." in text
    assert "no model was asked" not in text
