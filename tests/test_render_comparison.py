"""Two results side by side: what is compared, and what cannot be."""

from __future__ import annotations

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


def sampled(score: float, width: float, label: Label = "Assessed") -> Result:
    """A skill with an interval around its score."""
    one = changelog()
    assert one.composite
    low, high = score - width / 2, score + width / 2
    composite = one.composite._replace(
        score=score, ci_lower=low, ci_upper=high, confidence_label=label
    )
    used = ModelUsage("m", 3, 10, 10, 0, 0, 0.01)
    return one._replace(composite=composite, model_usage=(used,))


def test_a_difference_within_the_noise_is_not_called_higher() -> None:
    text = render(sampled(70, 6), sampled(74, 8))

    assert "cannot be told apart" in text
    assert "scores 4.0 points higher, and chance alone makes up to 5.0." in text
    assert "| 95 % interval | 67.0–73.0 | 70.0–78.0 | |" in text
    assert "no model was asked" not in text


def test_a_difference_beyond_the_noise_is_and_unequal_depths_are_said() -> None:
    text = render(sampled(70, 6), sampled(76, 8, "Estimated"))

    assert "scores 6.0 points higher.**" in text
    assert "not measured equally far" in text


def test_two_plugins_show_no_dimensions_as_all_are_one_mean() -> None:
    text = render(writing_tools(), writing_tools())

    assert "| Members | 3 | 3 | |" in text
    assert "Triggering accuracy" not in text
    assert DIFFERENT not in text


def test_a_skill_and_a_plugin_are_said_to_be_computed_differently() -> None:
    text = render(changelog(), writing_tools())

    assert DIFFERENT in text
    assert "| Members | — | 3 | |" in text
