"""The review for machines: its schema, and that it holds what the comment folds or leaves out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from plugineval_action.render.review.to_json import render
from plugineval_action.results import Failure
from plugineval_action.review_values import Change, Review
from sample_reviews import (
    empty_review,
    hostile_review,
    huge_review,
    many_review,
    one_review,
    review,
    skill,
)

SCHEMA = Path(__file__).parent.parent / "docs" / "schema" / "review.schema.json"


def load(shown: Review) -> dict[str, Any]:
    """The document, held to the schema."""
    document: dict[str, Any] = json.loads(render(shown))
    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text())).validate(document)
    return document


@pytest.mark.parametrize("shown", [empty_review(), one_review(), many_review(), hostile_review()])
def test_review_holds_to_its_schema(shown: Review) -> None:
    assert len(shown.changes) == len(load(shown)["changes"])


def test_schema_refuses_what_it_does_not_know() -> None:
    document = load(one_review())
    document["changes"][0]["surprise"] = 1

    assert not jsonschema_rs.validator_for(json.loads(SCHEMA.read_text())).is_valid(document)


def test_change_says_what_moved_and_why() -> None:
    (change,) = load(one_review())["changes"]

    assert "worse" == change["verdict"]
    assert change["points"] == change["after"]["score"] - change["before"]["score"]
    assert ["MISSING_TRIGGER"] == [found["flag"] for found in change["new_anti_patterns"]]
    assert [("frontmatter_quality", "trigger phrase", 0.15, 0.0)] == [
        (moved["sub_score"], moved["part"], moved["before"], moved["after"])
        for moved in change["moved_parts"]
    ]
    assert "MISSING_TRIGGER" == change["improvements"][0]["rule"]


def test_what_was_not_measured_is_null() -> None:
    (change,) = load(one_review())["changes"]

    assert change["after"]["dimensions"]["output_quality"] is None
    assert 0.8 == pytest.approx(change["after"]["dimensions"]["orchestration_fitness"])


def test_new_skill_has_no_points() -> None:
    (change,) = load(review(Change("new", None, skill("fresh"))))["changes"]

    assert change["before"] is None
    assert change["points"] is None


def test_counts_add_up_to_the_changes_but_for_plugins_that_moved_with_their_members() -> None:
    document = load(many_review())
    counts = document["summary"]

    assert 1 == counts.pop("failed")
    assert 1234 == counts.pop("unchanged")
    counted = [
        change
        for change in document["changes"]
        if (change["after"] or change["before"])["kind"] != "plugin"
        or change["verdict"] == "unscored"
    ]

    assert len(counted) == sum(counts.values())


def test_nothing_is_left_out_of_many_changes() -> None:
    assert 1000 == len(load(huge_review(1000))["changes"])


def test_document_is_safe_to_print_and_undecodable_bytes_stay_legible() -> None:
    text = render(review(failures=(Failure("bad\udc80\x1b\u202e", "m", "r"),)))

    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "bad\\udc80\x1b\u202e" == json.loads(text)["failures"][0]["path"]
