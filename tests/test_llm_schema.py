"""What of a schema is sent, and what an answer has to keep to."""

from __future__ import annotations

from typing import Any

import pytest

from model_server.limits import structure
from plugineval_action.llm.schema import MisfitError, accepted, fitted

SCORES = {
    "type": "object",
    "properties": {
        "minimum": {"type": "integer", "minimum": 1, "maximum": 5, "description": "A level."},
        "verdict": {"enum": ["Better", "Worse"]},
        "quotes": {"type": "array", "maxItems": 2, "items": {"type": "string", "minLength": 3}},
        "either": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/case"}]},
    },
    "$defs": {
        "case": {"type": "object", "properties": {"name": {"enum": ["One", "Two"]}}},
    },
}
GOOD = {"minimum": 3, "verdict": "Better", "quotes": ["abc"], "either": {"name": "One"}}


def test_the_service_takes_what_is_sent_and_would_not_take_what_was_written() -> None:
    assert [] == list(structure(accepted(SCORES)))
    assert [] != list(structure(SCORES))


def test_ranges_are_told_in_words_and_a_property_may_have_the_name_of_a_keyword() -> None:
    sent = accepted(SCORES)["properties"]

    assert {"type": "integer", "description": "A level. (minimum 1, maximum 5)"} == sent["minimum"]
    assert "(minLength 3)" == sent["quotes"]["items"]["description"]


def test_a_good_answer_comes_back_as_it_is() -> None:
    assert GOOD == fitted(SCORES, GOOD)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"minimum": 0}, "minimum breaks 'minimum'"),
        ({"minimum": 6}, "minimum breaks 'maximum'"),
        ({"minimum": 2.5}, "minimum breaks 'type'"),
        ({"minimum": True}, "minimum breaks 'type'"),
        ({"verdict": "Same"}, "verdict breaks 'enum'"),
        ({"quotes": ["ab"]}, "quotes/0 breaks 'minLength'"),
        ({"quotes": ["abc"] * 3}, "quotes breaks 'maxItems'"),
        ({"either": {}}, "either breaks 'anyOf'"),
        ({"more": 1}, "the answer breaks 'additionalProperties'"),
    ],
)
def test_out_of_range_is_an_error_and_never_clamped(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(MisfitError) as error:
        fitted(SCORES, {**GOOD, **change})

    assert complaint == str(error.value)


def test_everything_that_is_described_is_required() -> None:
    for name in GOOD:
        with pytest.raises(MisfitError):
            fitted(SCORES, {key: value for key, value in GOOD.items() if key != name})


def test_enums_are_read_in_any_case() -> None:
    assert {**GOOD, "verdict": "Worse"} == fitted(SCORES, {**GOOD, "verdict": "WORSE"})


@pytest.mark.parametrize("answer", [None, [], "text", 7])
def test_an_answer_that_is_no_object_does_not_fit(answer: object) -> None:
    with pytest.raises(MisfitError):
        fitted(SCORES, answer)
