"""File names of plugins: stable, no two alike, and fit for every file system."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.report.history import History
from plugineval_action.report.records import records_of
from plugineval_action.report.slugs import LONGEST, Plugin, slugs
from sample_history import record
from sample_reviews import ATTACKS, marketplace, plugin, skill

names = st.text(max_size=30) | st.sampled_from([*ATTACKS, "a", "A", "con", "marketplace", "ä"])
plugins = st.lists(st.tuples(names, st.text(max_size=10)), max_size=8, unique=True)


@given(plugins)
def test_names_are_safe_and_no_two_are_alike(found: list[Plugin]) -> None:
    given_names = slugs(found, {})

    assert len(found) == len(set(given_names.values()))
    for name in given_names.values():
        assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name)
        assert name not in {"con", "nul", "marketplace"}
        assert len(name) <= LONGEST + 65


@given(plugins, plugins)
def test_who_had_a_name_keeps_it(found: list[Plugin], more: list[Plugin]) -> None:
    """So that a badge somebody has put into a README stays that plugin's."""
    before = slugs(found, {})
    after = slugs([*(one for one in more if one not in before), *found], before)

    assert before == {one: after[one] for one in found}


@given(plugins)
def test_the_same_plugins_get_the_same_names(found: list[Plugin]) -> None:
    assert slugs(found, {}) == slugs(list(found), {})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("git-craft", "git-craft"),
        ("Git Craft", "git-craft"),
        ("Café_Tools v2", "cafe-tools-v2"),
        ("../../etc/passwd", "etc-passwd"),
        ("x" * 300, "x" * LONGEST),
    ],
)
def test_a_plain_name_stays_readable(name: str, expected: str) -> None:
    assert {(name, "p"): expected} == slugs([(name, "p")], {})


@pytest.mark.parametrize("name", ["翻译", "", "...", "CON", "LPT1", "marketplace"])
def test_a_name_that_no_file_may_have_gets_digits(name: str) -> None:
    (found,) = slugs([(name, "p")], {}).values()

    assert re.fullmatch("[a-z0-9]+-[0-9a-f]{6}", found)


def test_a_plugin_keeps_the_file_name_that_it_had_last() -> None:
    days = {"2026-01-05": "old", "2026-01-12": "new"}
    past = History(tuple(record(day, day, "p", slug=slug) for day, slug in days.items()))
    p = plugin("p", skill("s"))._replace(path="plugins/p")

    assert ["new"] == [each.slug for each in records_of(marketplace(p), past)]


def test_the_second_of_a_name_gets_digits() -> None:
    first, second = slugs([("Tools", "a"), ("tools", "b")], {}).values()

    assert "tools" == first
    assert re.fullmatch("tools-[0-9a-f]{6}", second)


def test_names_of_a_history_that_somebody_wrote_are_not_trusted() -> None:
    found = [("a", "x"), ("b", "y")]

    assert {found[0]: "a", found[1]: "b"} == slugs(found, {found[0]: "../a", found[1]: "b"})
    assert {found[0]: "same", found[1]: "b"} == slugs(found, dict.fromkeys(found, "same"))


def test_a_clash_of_two_plugins_moves_no_third_one() -> None:
    """As when a plugin comes back whose name another one has taken meanwhile."""
    known = {("a", "x"): "a", ("A", "y"): "a", ("b", "x"): "b-111111", ("B", "y"): "b"}
    found = slugs(list(known), known)

    assert ("b-111111", "b") == (found["b", "x"], found["B", "y"])
