"""`score --output markdown`: right when rendered on GitHub, pleasant as plain text.

Golden files: see golden_files.py for how to write them anew.
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from github_page import Page, assert_whole
from github_page import render as to_html
from golden_files import assert_golden
from plugineval_action.render.score.card import card
from plugineval_action.render.score.to_markdown import render
from plugineval_action.scoring.bands import BADGES
from sample_results import (
    HOSTILE,
    RUNS,
    changelog,
    hostile_run,
    release_notes,
    scored,
    skill,
    sub_scores,
)


def shape(markdown: str) -> list[str]:
    """Every element of the page in order, but code spans."""
    return [tag for tag in re.findall(r"</?(\w+)", to_html(markdown)) if tag != "code"]


@pytest.mark.parametrize("name", RUNS)
def test_golden(name: str) -> None:
    assert_golden(f"score_{name}.md", render(RUNS[name]))


@pytest.mark.parametrize("name", RUNS)
def test_the_page_is_whole_and_links_to_rule_pages_only(name: str) -> None:
    page = Page(render(RUNS[name]))

    assert_whole(page)
    assert [] == page.references
    assert all("/plugineval-action/blob/main/docs/rules/" in link for link in page.links)


@pytest.mark.parametrize("name", RUNS)
def test_the_plain_text_is_tidy(name: str) -> None:
    text = render(RUNS[name])

    assert text.endswith(("\n", ".md\n"))
    assert "\n\n\n" not in text
    assert not re.search(r"[ \t]$", text, re.MULTILINE)
    assert "None" not in text


@pytest.mark.parametrize("name", RUNS)
def test_depth_ruleset_and_label_are_stated(name: str) -> None:
    run = RUNS[name]
    composites = [result.composite for result in run.results if result.composite]
    depth = f"depth {run.depth_run}"
    method = f"Estimated at {depth}" if composites else depth.capitalize()

    assert f"\n{method}, ruleset {run.ruleset}.\n" in render(run)


def test_an_unmeasured_dimension_is_a_dash_and_never_a_number() -> None:
    rows = dict(re.findall(r"^\| ([A-Z][a-z ]+?) +\| +(\S+) \|", render(RUNS["one"]), re.MULTILINE))

    assert "—" == rows["Output quality"] == rows["Robustness"]
    assert "47.0" == rows["Triggering accuracy"]


def test_the_shares_are_of_what_was_measured_and_add_up() -> None:
    rows = re.findall(r"\| +(\d+) % \|$", render(RUNS["one"]), re.MULTILINE)

    assert ["38", "30", "15", "9", "5", "3"] == rows


def test_a_plugin_shows_the_mean_of_its_members_and_no_dimensions() -> None:
    text = render(RUNS["plugin"])

    assert "\nMean of its members: 63.2; penalty 15 %.\n" in text
    assert "Dimensions" not in text


def test_the_verdict_stands_before_the_fixes_and_the_fixes_before_the_reasons() -> None:
    text = render(RUNS["one"])
    landmarks = ("# release-notes: ", "points to", "## Fix first", "## Dimensions", "<summary>Why")
    places = [text.index(landmark) for landmark in landmarks]

    assert sorted(places) == places


def test_several_results_come_worst_first_and_what_is_not_scored_last() -> None:
    names = re.findall(r"\| ([a-z-]+) +\| `", render(RUNS["many"]))

    assert ["release-notes", "editor", "changelog", "commands-only"] == names


def test_only_results_below_the_threshold_are_marked() -> None:
    marked = re.findall(r"^\| +(\S+) ✗ ", render(RUNS["many"]), re.MULTILINE)

    assert 1 == len(marked)
    assert "1 below the threshold of 80" in render(RUNS["many"])
    assert "✗" not in render(scored(release_notes(), changelog()))


def test_details_of_several_results_are_shown_with_verbose_only() -> None:
    results = (release_notes(), changelog())

    assert "<details>" not in render(scored(*results))
    assert 2 == render(scored(*results, verbose=True)).count("<details>")


@given(st.floats(min_value=0.0, max_value=1.0))
def test_the_shown_score_and_the_points_to_the_next_badge_add_up(share: float) -> None:
    """Whatever is rounded, the reader's sum is the line of a badge that the score does not have."""
    names = ("frontmatter_quality", "orchestration_wiring", "progressive_disclosure")
    perfect = skill("x", "x", sub_scores(**dict.fromkeys(names, share)))
    view = card(perfect)
    lines = dict(BADGES)
    found = re.match(r"([\d.]+) points to (\w+)\.", " ".join(view.verdict))

    assert (found is None) == (view.row.badge == "Platinum")
    if found:
        total = float(view.row.score) + float(found[1])
        assert lines[found[2].lower()] == pytest.approx(total)  # type: ignore[index]


def test_long_lists_are_capped_and_say_so() -> None:
    flags = release_notes().layers[0].anti_patterns * 30
    text = render(scored(skill("many", "many", sub_scores(), flags)))

    assert "… and 50 more" in text
    assert text.count("\n- [ORPHAN_REFERENCE]") + text.count("\n- [MISSING_TRIGGER]") == 40


def test_rendering_twice_gives_the_same_bytes() -> None:
    assert render(RUNS["many"]).encode() == render(RUNS["many"]).encode()


@given(
    st.one_of(
        st.text(max_size=20),
        st.lists(st.sampled_from(HOSTILE.split(" ")), max_size=4).map(" ".join),
        st.just(HOSTILE),
    )
)
def test_foreign_text_changes_words_and_never_the_shape_of_the_page(text: str) -> None:
    """Names, paths, messages, remedies and notes, all at once."""
    page = render(hostile_run(f"x{text}x"))
    found = Page(page)

    assert shape(render(hostile_run("x"))) == shape(page)
    assert_whole(found)
    assert [] == found.references


def test_titles_of_rules_are_addressed_at_the_end() -> None:
    addresses = re.findall(r"^\[([A-Z_]+)\]: \S+/([A-Z_]+)\.md$", render(RUNS["one"]), re.MULTILINE)

    assert addresses
    assert all(one == other for one, other in addresses)
    assert all(one < other for (one, _), (other, _) in pairwise(addresses))
