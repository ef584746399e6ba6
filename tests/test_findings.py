"""Every rule raises what its bad example shows and nothing on its good one; no score ever moves."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plugineval_action.findings
from memory_tree import MemoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.content.document import read_document
from plugineval_action.content.skill import read_skill
from plugineval_action.evaluate import score_skill
from plugineval_action.findings.catalogue import CHECKS, RULES, rule_named
from plugineval_action.findings.check import Check
from plugineval_action.findings.manifest.fields import PLUGIN_FILE, market
from plugineval_action.findings.profiles import EVERY_PROFILE, ProfileName
from plugineval_action.findings.run import asides, check_skill
from plugineval_action.rules import RAISED_IN_PLACE
from raised import findings_of, raised
from skills import HOME, PLUGIN, composite, repository, score, skill_text

EACH = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
OF_ONE_TARGET = {"AGENT_WITHOUT_FORK", "MISSPELT_FIELD", "MISTYPED_FIELD", "NOBODY_STARTS_IT"}
"""Rules about fields of one target: even where they are right, there is a hint to others."""

FOLDER = Path(plugineval_action.findings.__file__).parent


def modules_with_a_check() -> list[str]:
    names = [
        f"plugineval_action.findings.{path.parent.name}.{path.stem}"
        for path in FOLDER.glob("*/*.py")
    ]
    return [name for name in names if hasattr(import_module(name), "CHECK")]


def test_every_rule_file_is_in_the_catalogue() -> None:
    in_files = {import_module(name).CHECK.id for name in modules_with_a_check()}

    assert in_files == {check.id for check in CHECKS}


def test_names_and_codes_are_unique_and_a_rule_goes_by_either() -> None:
    codes = [rule.code for rule in RULES.values()]

    assert len(codes) == len(set(codes))
    assert len(RULES) == len(RAISED_IN_PLACE) + len(CHECKS)
    for rule in RULES.values():
        assert rule == rule_named(rule.code.lower()) == rule_named(rule.id)


@EACH
def test_the_bad_example_raises_the_rule(check: Check) -> None:
    assert check.id in raised(check.bad, check.profiles[0])


@EACH
def test_the_good_example_raises_nothing_at_all(check: Check) -> None:
    expected = {"REFUSED_ELSEWHERE"} if check.id in OF_ONE_TARGET else set[str]()

    assert expected == raised(check.good, check.profiles[0])


@EACH
def test_a_rule_is_silent_in_profiles_that_it_is_not_for(check: Check) -> None:
    others = [name for name in EVERY_PROFILE if name not in check.profiles]

    assert [] == [name for name in others if check.id in raised(check.bad, name)]


@EACH
def test_a_finding_names_a_line_of_the_file_and_a_short_message(check: Check) -> None:
    for note in findings_of(check.bad, check.profiles[0]):
        if note.rule == check.id:
            assert 1 <= note.line <= note.end_line <= check.bad[note.path].count("\n") + 1
            assert note.message.endswith((".", "…")) or ": " in note.message
            assert note.message.isprintable()
            assert len(note.message) < 400
            assert (check.level, check.remedy) == (note.level, note.remedy)


@EACH
def test_a_rule_says_why_with_a_source_and_what_to_do(check: Check) -> None:
    assert check.source.startswith("https://")
    assert all(text.endswith(".") for text in (check.why, check.remedy))
    assert len(check.title) <= 60


@pytest.mark.parametrize("profile", EVERY_PROFILE)
def test_no_profile_moves_a_score(profile: ProfileName) -> None:
    text = skill_text("Read [this](gone.md).\n", "name: Other Name\ndescription: x\nfoo: bar\n")
    told = score_skill(repository(text), HOME, plugin=PLUGIN, profile=profile)

    assert told.findings
    assert composite(score(text)) == composite(told)


@given(st.text(max_size=400), st.text(max_size=200))
def test_arbitrary_text_raises_no_exception_and_names_lines_that_are_there(
    body: str, front: str
) -> None:
    tree = MemoryTree({"s/SKILL.md": skill_text(body, f"{front}\n"), "s/scripts/a.py": body})
    document = read_document(read_skill(tree, "s"))

    for profile in EVERY_PROFILE:
        for note in check_skill(document, profile):
            assert note.rule in RULES
            assert 1 <= note.line <= note.end_line


@pytest.mark.parametrize(
    ("listed", "own", "told"),
    [
        ('"license": "MIT"', '"license": "Apache-2.0"', ["license"]),
        ('"homepage": "https://a.example"', '"homepage": "https://b.example"', ["homepage"]),
        ('"author": {"name": "A"}', '"author": "B"', ["author"]),
        ('"author": "A"', '"author": {"name": "A", "email": "a@a.example"}', []),
        ('"repository": {"url": "https://a.example"}', '"repository": "https://a.example"', []),
        ('"description": "Short."', '"description": "Rather long."', []),
        ('"keywords": ["a"]', '"keywords": ["b"]', []),
        ('"license": "MIT"', '"homepage": "https://b.example"', []),
    ],
)
def test_a_marketplace_differs_from_a_plugin_in_what_has_one_right_value(
    listed: str, own: str, told: list[str]
) -> None:
    files = market(f'{{"name": "p", "source": "./plugins/p", {listed}}}')
    tree = MemoryTree({**files, PLUGIN_FILE: f'{{"name": "p", {own}}}'})
    found = [note for note in asides(tree, discover(tree)) if note.rule == "MANIFEST_DRIFT"]

    assert told == [note.message.split()[1] for note in found]
