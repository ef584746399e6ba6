"""`score --output html`: one page that needs nothing else, readable by everyone."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden_files import assert_golden
from plugineval_action import PROJECT_URL
from plugineval_action.render.score.to_html import render
from plugineval_action.render.templates import folder
from sample_results import HOSTILE, RUNS, changelog, hostile_run, release_notes, scored

VOID = {"meta", "br", "hr", "img", "input", "link"}
STYLE = (folder() / "score.css").read_text(encoding="utf-8")


class Page(HTMLParser):
    """The elements of a page in order, their attributes, and the text outside of the style."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data

    def values(self, name: str) -> list[str]:
        return [value for attribute, value in self.attributes if attribute == name]


def colours(theme: str) -> dict[str, str]:
    """The custom properties of a theme, by name."""
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[:2]
    block = dark if theme == "dark" else light
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def contrast(one: str, other: str) -> float:
    """WCAG 2: from 1 to 21."""

    def luminance(colour: str) -> float:
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("name", ["one", "plugin", "many", "hostile", "deep"])
def test_golden(name: str) -> None:
    assert_golden(f"score_{name}.html", render(RUNS[name]))


@pytest.mark.parametrize("name", RUNS)
def test_the_page_is_well_formed_and_its_anchors_exist_once(name: str) -> None:
    page = Page(render(RUNS[name]))
    anchors = [link[1:] for link in page.values("href") if link.startswith("#")]
    ids = page.values("id")

    assert [] == page.open
    assert sorted(set(ids)) == sorted(ids)
    assert set(anchors) <= set(ids)


@pytest.mark.parametrize("name", RUNS)
def test_the_page_loads_nothing_and_runs_nothing(name: str) -> None:
    html = render(RUNS[name])
    page = Page(html)
    links = [link for link in page.values("href") if not link.startswith("#")]

    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(page.elements)
    assert not {attribute for attribute, _ in page.attributes if attribute.startswith("on")}
    assert [] == page.values("src")
    assert all(link.startswith(f"{PROJECT_URL}/blob/main/docs/rules/") for link in links)
    assert not re.search(r"url\(|@import|expression\(", STYLE)


@pytest.mark.parametrize("name", RUNS)
def test_readers_without_eyes_get_language_headings_and_table_heads(name: str) -> None:
    html = render(RUNS[name])
    page = Page(html)
    levels = [int(tag[1]) for tag in page.elements if re.fullmatch(r"h[1-6]", tag)]

    assert '<html lang="en">' in html
    assert page.elements.count("main") == page.elements.count("title") == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.elements.count("th") == len(re.findall(r'<th scope="(?:col|row)"', html))


@cache
def plain_page() -> Page:
    return Page(render(hostile_run("x")))


@given(st.one_of(st.text(max_size=20), st.sampled_from(HOSTILE.split(" ")), st.just(HOSTILE)))
def test_foreign_text_changes_words_and_never_the_page(text: str) -> None:
    found, plain = Page(render(hostile_run(f"x{text}"))), plain_page()

    assert plain.elements == found.elements
    assert plain.attributes == found.attributes
    assert not set("\x1b\x07\u202e\u200b") & set(found.text)


def test_an_unmeasured_dimension_is_a_dash_without_a_bar() -> None:
    html = render(RUNS["one"])
    row = re.findall(r"<tr[^>]*><th scope=\"row\">Robustness.*?</tr>", html)[0]

    assert "—" in row
    assert "bar" not in row


def test_a_lone_result_is_shown_in_full_and_several_only_with_verbose() -> None:
    results = (release_notes(), changelog())

    assert 1 == Page(render(scored(release_notes()))).elements.count("article")
    assert 0 == Page(render(scored(*results))).elements.count("article")
    assert 2 == Page(render(scored(*results, verbose=True))).elements.count("article")


def test_depth_ruleset_label_and_time_are_stated() -> None:
    expected = "Estimated at depth quick, ruleset plugineval/1. 2026-01-02T03:04:05+00:00"

    assert expected in Page(render(RUNS["one"])).text


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(theme: str) -> None:
    """WCAG 2 AA: 4.5 for text, 3 for bars and marks."""
    found = colours(theme)
    behind = [found["card"], found["paper"]]
    words = ("ink", "soft", "link", "good", "fair", "poor")
    badges = ("platinum", "gold", "silver", "bronze", "no-badge")

    assert [] == [
        name for name in (*words, *badges) for paper in behind if contrast(found[name], paper) < 4.5
    ]


def test_both_themes_set_the_same_colours() -> None:
    assert colours("light").keys() == colours("dark").keys()


def test_rendering_twice_gives_the_same_bytes() -> None:
    assert render(RUNS["many"]).encode() == render(RUNS["many"]).encode()
