"""Two results side by side: what is compared, and what cannot be."""

from __future__ import annotations

import pytest

from plugineval_action.render.score.comparison import APART, DIFFERENT, PAIRED, Compared, render
from plugineval_action.results import Label, ModelUsage, Result
from plugineval_action.review_values import Difference
from plugineval_action.scoring.delta import COMPOSITE
from sample_results import changelog, release_notes, writing_tools


def test_two_skills_are_compared_by_dimension_and_equal_ones_are_the_same() -> None:
    text = render(Compared(changelog(), changelog()))

    assert "| **Score** | 100.0 | 100.0 | same |" in text
    assert "| Triggering accuracy | 100.0 | 100.0 | same |" in text
    assert "+0" not in text


def test_differences_have_a_sign() -> None:
    text = render(Compared(changelog(), release_notes()))

    assert "| | A: changelog | B: release-notes | B − A |" in text
    assert "**release-notes scores 52.2 points lower than changelog.**" in text
    assert "| **Score** | 100.0 | 47.8 | −52.2 |" in text
    assert "| Anti-patterns | 0 | 3 | +3 |" in text


def test_the_verdict_and_the_differences_speak_of_the_second_one() -> None:
    text = render(Compared(release_notes(), changelog()))

    assert "**changelog scores 52.2 points higher than release-notes.**" in text
    assert "| **Score** | 47.8 | 100.0 | +52.2 |" in text


def test_two_plugins_show_no_dimensions_as_all_are_one_mean() -> None:
    text = render(Compared(writing_tools(), writing_tools()))

    assert "| Members | 3 | 3 | |" in text
    assert "Triggering accuracy" not in text
    assert DIFFERENT not in text


def test_a_skill_and_a_plugin_are_said_to_be_computed_differently() -> None:
    text = render(Compared(changelog(), writing_tools()))

    assert DIFFERENT in text
    assert "| Members | — | 3 | |" in text


def sampled(score: float, output: float = 0.8, label: Label = "Assessed") -> Result:
    """A skill that a model was asked about."""
    result = changelog()
    composite = result.composite
    assert composite is not None
    dimensions = tuple(
        one._replace(score=output) if one.name == "output_quality" else one
        for one in composite.dimensions
    )
    return result._replace(
        composite=composite._replace(score=score, dimensions=dimensions, confidence_label=label)
    )


def compared(moved: float, half: float | None, *, paired: bool = True) -> Compared:
    """A skill of 70 points and another one, with a known difference of the output's quality."""
    ends = (None, None) if half is None else (moved - half, moved + half)
    found = (
        Difference(COMPOSITE, moved, *ends),
        Difference("triggering_accuracy", 0.0, 0.0, 0.0),
        Difference("output_quality", 0.2, 0.06, 0.34),
    )
    return Compared(sampled(70.0, 0.5), sampled(70 + moved, 0.7), found, paired)


@pytest.mark.parametrize(
    ("moved", "verdict", "interval"),
    [
        (10.0, "changelog is better than changelog, by 10.0 points", "+5.0 to +15.0"),
        (-9.0, "changelog is worse than changelog, by 9.0 points", "−14.0 to −4.0"),
        (4.9, "Within noise: they are 4.9 points apart", "−0.1 to +9.9"),
        (0.0, "Within noise: they are 0.0 points apart", "−5.0 to +5.0"),
    ],
)
def test_what_was_sampled_is_better_or_worse_only_outside_of_the_noise(
    moved: float, verdict: str, interval: str
) -> None:
    assert (
        f"**{verdict} (95 % interval of B − A: {interval}).**"
        == render(compared(moved, 5.0)).splitlines()[2]
    )


def test_each_dimension_has_the_interval_of_its_difference() -> None:
    text = render(compared(10.0, 5.0))

    assert "| Output quality | 50.0 | 70.0 | +20.0 | +6.0 to +34.0 | better |" in text
    assert "| Triggering accuracy | 100.0 | 100.0 | same | exact | the same |" in text


@pytest.mark.parametrize(("paired", "told"), [(True, PAIRED), (False, APART)])
def test_it_is_said_whether_both_met_the_same_requests(paired: bool, told: str) -> None:
    assert told in render(compared(10.0, 5.0, paired=paired))


def test_without_an_interval_nobody_is_called_better() -> None:
    text = render(compared(30.0, None))

    assert text.splitlines()[2].startswith("**Nobody can tell: ")
    assert "| **Score** | 70.0 | 100.0 | +30.0 | not known | — |" in text


def test_without_differences_of_what_was_sampled_nobody_is_called_better() -> None:
    text = render(Compared(sampled(60.0), sampled(90.0, label="Certified")))

    assert text.splitlines()[2].startswith("**Nobody can tell: ")


def test_what_was_asked_of_models_and_how_far_each_side_got_is_said() -> None:
    used = ModelUsage("m", 3, 10, 10, 0, 0, 0.01)
    one = sampled(70.0)._replace(model_usage=(used,), notes=("Cut at line 9.",))
    text = render(Compared(one, sampled(76.0, label="Certified")))

    assert "Assessed and Certified: with models." in text
    assert "not measured equally far" in text
    assert "changelog: Cut at line 9." in text
    assert "no model was asked" not in text
