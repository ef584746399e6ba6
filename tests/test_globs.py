"""Globs of the `paths` input: what they select."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.content.globs import selector


def selected(glob: str, path: str) -> bool:
    return selector([glob])(path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("plugins", "plugins/a/skills/b"),
        ("plugins/**", "plugins/a/skills/b"),
        ("plugins/*", "plugins/a"),
        ("plugins/*/skills", "plugins/a/skills/b"),
        ("plugins/*/skills/pdf-*", "plugins/a/skills/pdf-forms"),
        ("**/pdf-*", "plugins/a/skills/pdf-forms"),
        ("**/pdf-*", "pdf-forms"),
        ("a/**/z", "a/z"),
        ("a/**/z", "a/b/c/z"),
        ("**", "a/b"),
        ("**", ""),
        ("s?", "s1"),
        ("a[1]", "a[1]"),
        ("agents/*.md", "agents/reviewer.md"),
    ],
)
def test_a_glob_selects_what_it_matches_and_what_lies_below(glob: str, path: str) -> None:
    assert selected(glob, path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("plugins", "plugins-old/a"),
        ("plugins/*/skills", "plugins/a/b/skills"),
        ("plugins/a", "plugins"),
        ("*/b", "a/c/b"),
        ("a/**/z", "b/z"),
        ("s?", "s"),
        ("a[1]", "a1"),
        ("Plugins", "plugins"),
    ],
)
def test_a_glob_selects_nothing_else(glob: str, path: str) -> None:
    assert not selected(glob, path)


@pytest.mark.parametrize("glob", ["**/SKILL.md", "plugins/**/*.md", "plugins/*/skills/*/SKILL.md"])
def test_a_skill_may_be_named_by_its_file(glob: str) -> None:
    assert selected(glob, "plugins/a/skills/b")


def test_a_skill_that_is_the_whole_repository_may_be_named_by_its_file() -> None:
    assert selected("SKILL.md", "")


def test_one_of_several_globs_is_enough_and_none_selects_everything() -> None:
    assert selector(["x", "a"])("a/b")
    assert selector([])("anything")


@given(st.lists(st.sampled_from(["a", "b", "ab", ""]), max_size=5).map("/".join))
def test_two_stars_select_every_path(path: str) -> None:
    assert selected("**", path)


@given(st.lists(st.sampled_from(["a", "b*", "?", "[!a]"]), min_size=1, max_size=5).map("/".join))
def test_a_path_without_signs_of_a_glob_selects_itself(path: str) -> None:
    plain = path.replace("*", "").replace("?", "c")

    assert selected(plain, plain)
    assert selected(plain, f"{plain}/below")


def test_no_glob_takes_long_on_a_hostile_path() -> None:
    globs = ["**/" * 50 + "z", "*a" * 50 + "z", "**/*a*a*a*a*a*a/**/*b"]
    selects = selector(globs)
    start = time.process_time()
    selects("/".join(["a" * 200] * 100))

    assert time.process_time() - start < 2
