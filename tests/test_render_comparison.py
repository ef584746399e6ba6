"""Two results side by side: what is compared, and what cannot be."""

from __future__ import annotations

from plugineval_action.render.score.comparison import DIFFERENT, render
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
