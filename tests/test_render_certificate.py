"""Certificates as people see them: golden pages, inert whatever a skill is called, and badges."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import jsonschema_rs
import pytest

from github_page import Page, assert_whole
from golden_files import assert_golden
from plugineval_action.certify.certificate import checksum
from plugineval_action.certify.register import Listed, Row, State, merged, state
from plugineval_action.render.certificate.register_page import render as render_register
from plugineval_action.render.certificate.to_markdown import render
from plugineval_action.render.report.badge import COLOURS, certificate_badge
from plugineval_action.render.result_data import dump
from plugineval_action.results import Badge
from sample_certificates import TERMS, certificate, hostile_certificate
from sample_results import HOSTILE
from test_certify import SCHEMA


def test_the_page_of_a_certificate() -> None:
    assert_golden("certificate_one.md", render(certificate(), "p--s1"))


def test_a_hostile_skill_writes_nothing_into_its_certificate() -> None:
    text = render(hostile_certificate(), "p--s1")

    assert_golden("certificate_hostile.md", text)
    assert_whole(Page(text))


def test_a_hostile_certificate_is_read_as_it_was_written() -> None:
    """Lone surrogates and all: its checksum holds, and it fits its schema."""
    told = hostile_certificate()
    read = json.loads(dump(told))

    assert told == read
    assert checksum(read) == read["predicate"]["checksum"]
    assert [] == list(jsonschema_rs.validator_for(SCHEMA).iter_errors(read))


@pytest.mark.parametrize("badge", ["platinum", "gold", "silver", "bronze", "no_badge"])
def test_a_badge_says_certified_and_which_badge(badge: Badge) -> None:
    svg = certificate_badge(badge, "certified")
    title = ET.fromstring(svg).findtext("{http://www.w3.org/2000/svg}title")  # noqa: S314 - ours

    assert f"plugin eval: certified {badge.replace('_', ' ')}" == title
    assert COLOURS[badge] in svg


@pytest.mark.parametrize("word", ["stale", "not certified"])
def test_what_is_not_certified_has_no_colour_of_a_badge(word: State) -> None:
    svg = certificate_badge("gold", word)

    assert f"<title>plugin eval: {word}</title>" in svg
    assert COLOURS["gold"] not in svg


def row(**more: str) -> Row:
    plain = Row(
        "p--s",
        "s",
        "p/skills/s",
        "a" * 64,
        "certified",
        "gold",
        84.2,
        82.1,
        86.3,
        1540.0,
        "2026-01-01T00:00:00+00:00",
        "2026-04-01T00:00:00+00:00",
    )
    return plain._replace(**more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "digest", "expected"),
    [
        (row(), "a" * 64, "certified"),
        (row(outcome="uncertain"), "a" * 64, "not certified"),
        (row(), "b" * 64, "stale"),
        (row(), None, "stale"),
        (row(expires="2026-01-31T12:00:00+00:00"), "a" * 64, "stale"),
        (row(outcome="uncertain"), "b" * 64, "stale"),
    ],
)
def test_a_certificate_is_stale_once_its_skill_changes_or_its_time_is_over(
    one: Row, digest: str | None, expected: str
) -> None:
    assert expected == state(one, digest, TERMS.issued)


def test_a_newer_certificate_of_a_path_replaces_the_older_one() -> None:
    newer = row(digest="b" * 64)

    assert (newer,) == merged([row()], [newer])


def test_the_list_shows_a_badge_only_of_what_holds() -> None:
    listed: Listed = (
        (row(), "certified"),
        (row(path="p/skills/t", stem="p--t", name=HOSTILE), "stale"),
        (row(path="p/skills/u", outcome="incomplete"), "not certified"),
    )
    text = render_register(listed)
    lines = [line for line in text.splitlines() if re.match(r"\| .*p/skills/", line)]

    assert_whole(Page(text))
    assert ["Gold", "—", "—"] == [line.split(" | ")[2] for line in lines]
    assert "1 of 3 skills certified." in text
