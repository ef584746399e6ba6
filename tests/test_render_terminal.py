"""The view for a terminal: fits, keeps to the theme's colours, is not steered by what it shows."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from plugineval_action.escape import TEXT_LIMIT, printable
from plugineval_action.render.score.to_terminal import render
from plugineval_action.render.view import ScoreRun
from plugineval_action.results import Failure
from sample_results import HOSTILE, RUNS, changelog, hostile_run, release_notes, scored

ESCAPE = re.compile(r"\x1b\[([\d;]*)m")
HYPERLINK = re.compile(r"\x1b\]8;[^\x1b]*\x1b\\")


def coloured(run: ScoreRun, width: int = 80) -> str:
    """What a terminal of this width gets."""
    output = io.StringIO()
    render(run, Console(file=output, force_terminal=True, color_system="truecolor", width=width))
    return output.getvalue()


def plain(run: ScoreRun, width: int = 80) -> str:
    return ESCAPE.sub("", HYPERLINK.sub("", coloured(run, width)))


def words(text: str) -> str:
    """Without the line breaks and padding of the layout."""
    return "".join(text.split())


@pytest.mark.parametrize("width", [50, 80, 200])
@pytest.mark.parametrize("name", RUNS)
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    assert max(map(cell_len, plain(RUNS[name], width).splitlines())) <= width


@pytest.mark.parametrize("name", RUNS)
def test_only_the_eight_colours_of_the_theme_are_used(name: str) -> None:
    codes = {code for found in ESCAPE.findall(coloured(RUNS[name])) for code in found.split(";")}
    styles, colours = {"", "0", "1", "2", "4"}, {str(code) for code in range(30, 38)}

    assert codes <= styles | colours


@pytest.mark.parametrize("width", [50, 80])
def test_the_essentials_are_there(width: int) -> None:
    text = words(plain(RUNS["one"], width))

    assert "release-notes47.8Nobadge" in text
    assert "12.2pointstoBronze.Belowthethresholdof80.3anti-patternstook15%off." in text
    assert "skills/release-notes/SKILL.md:3MISSING_TRIGGER" in text
    assert "Estimatedatdepthquick,rulesetplugineval/1." in text


def test_a_bar_is_as_long_as_its_dimension_and_an_unmeasured_one_has_none() -> None:
    text = plain(RUNS["one"])
    bars = dict(re.findall(r"^ ([A-Z][a-z ]+?) +[\d.]+  \S+ +(━*)─* ", text, re.MULTILINE))

    assert len(bars["Triggering accuracy"]) < len(bars["Orchestration fitness"])
    assert re.search(r"^ Robustness +—  — *$", text, re.MULTILINE)


def test_several_results_come_worst_first_with_marks_below_the_threshold() -> None:
    text = plain(RUNS["many"])
    places = [text.index(path) for path in ("skills/release-notes", "agents/editor.md")]

    assert sorted(places) == places
    assert text.index("✗ 47.8") < text.index("skills/release-notes")
    assert "✗" not in plain(scored(release_notes(), changelog()))


def test_parts_are_shown_with_verbose_only() -> None:
    assert "trigger phrase: not found" not in plain(scored(release_notes()))
    assert "trigger phrase: not found" in plain(scored(release_notes(), verbose=True))


@given(st.one_of(st.text(max_size=20), st.just(HOSTILE), st.sampled_from(HOSTILE.split(" "))))
def test_foreign_text_is_shown_and_never_obeyed(text: str) -> None:
    """No markup, no escape sequence, no line of its own: only what the console itself writes."""
    text = f"x{text}x"
    shown = plain(hostile_run(text), 100)

    assert words(f"Note: {printable(text)}") in words(shown)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)


def test_rendering_twice_shows_the_same() -> None:
    """But for the numbers that the console gives to links."""
    assert plain(RUNS["many"]) == plain(RUNS["many"])


def test_a_message_of_a_page_is_cut() -> None:
    failure = Failure("s/SKILL.md", "long " * 1_000, "Do something.")
    text = words(plain(scored(release_notes())._replace(failures=(failure,))))

    assert "longlong" in text
    assert text.count("long") <= TEXT_LIMIT // 5
