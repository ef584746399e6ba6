"""What is sent is what the SDK's own types describe, and nothing that comes back breaks us."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import (
    OutputConfigParam,
    TextBlockParam,
    ToolParam,
    ToolResultBlockParam,
    ToolUseBlockParam,
)
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from model_client import MODEL, question
from model_server.limits import problems
from plugineval_action.llm.client import Message, Said, Text, Tool, ToolResult
from plugineval_action.llm.wire import Heard, MalformedError, body, heard, parsed

TOOL = Tool("load", "Load it.", {"type": "object", "properties": {"name": {"type": "string"}}})
USE = {"type": "tool_use", "id": "t1", "name": "load", "input": {"name": "a"}}
WHOLE = question(
    system=(Text("Rules."), Text("The rubric.", cached=True)),
    messages=(
        Message("user", (Text("The skill.", cached=True), Text("Is it good?"))),
        Message("assistant", (Said(USE),)),
        Message("user", (ToolResult("t1", "The body."),)),
    ),
    tools=(TOOL,),
    effort="low",
    schema={"type": "object", "properties": {"good": {"type": "boolean"}}},
)


@pytest.mark.parametrize("batch", [False, True])
def test_a_request_is_what_the_documentation_describes(batch: bool) -> None:
    assert [] == list(problems(body(WHOLE, batch=batch)))


@pytest.mark.parametrize("batch", [False, True])
def test_every_part_of_a_request_is_of_the_types_of_the_sdk(batch: bool) -> None:
    content = body(WHOLE, batch=batch)
    typed = {"text": TextBlockParam, "tool_use": ToolUseBlockParam}
    kinds: dict[str, Any] = {**typed, "tool_result": ToolResultBlockParam}
    blocks = [*content["system"], *(one for turn in content["messages"] for one in turn["content"])]

    assert content.keys() <= MessageCreateParamsNonStreaming.__annotations__.keys()
    for block in blocks:
        TypeAdapter(kinds[block["type"]]).validate_python(block)
    TypeAdapter(ToolParam).validate_python(content["tools"][0])
    TypeAdapter(OutputConfigParam).validate_python(content["output_config"])


def test_nothing_is_sent_that_models_no_longer_take() -> None:
    assert {
        "model",
        "max_tokens",
        "messages",
        "system",
        "tools",
        "output_config",
    } == body(WHOLE).keys()


def test_effort_is_told_only_to_models_that_know_it() -> None:
    old = WHOLE._replace(model="claude-haiku-4-5-20251001")

    assert "low" == body(WHOLE)["output_config"]["effort"]
    assert "effort" not in body(old)["output_config"]


def test_a_batch_keeps_its_prefix_for_an_hour() -> None:
    kept = [block.get("cache_control") for block in body(WHOLE, batch=True)["system"]]

    assert [None, {"type": "ephemeral", "ttl": "1h"}] == kept


def message(**changes: object) -> dict[str, object]:
    usual = {
        "content": [{"type": "text", "text": "Yes."}],
        "stop_reason": "end_turn",
        "model": MODEL,
        "usage": {"input_tokens": 3, "output_tokens": 2},
    }
    return usual | changes


@pytest.mark.parametrize(
    "broken",
    [
        None,
        [],
        {},
        message(content="Yes."),
        message(content=["Yes."]),
        message(stop_reason=None),
        message(stop_reason="bored"),
        message(usage=None),
        message(usage={"input_tokens": -1, "output_tokens": 2}),
        message(usage={"input_tokens": "3"}),
        message(content=[{"type": "tool_use", "input": "text"}]),
    ],
)
def test_what_is_no_message_is_said_to_be_none(broken: object) -> None:
    with pytest.raises(MalformedError):
        heard(broken, "req_1")


def test_blocks_of_kinds_that_nobody_knows_yet_are_passed_over() -> None:
    blocks = [
        {"type": "hologram", "text": "!"},
        {"type": "text", "text": "Yes.", "citations": None},
    ]
    read = heard(message(content=blocks), "req_1")

    assert ("Yes.", ()) == (read.text, read.tool_uses)
    assert Said({"type": "text", "text": "Yes."}) == read.said[1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "input", "input_tokens"]), inner)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(["content", "stop_reason", "usage", "model"]), JSON, min_size=2
    ).map(lambda odd: message() | odd)
)
def test_any_json_is_a_message_or_is_said_to_be_none(odd: dict[str, object]) -> None:
    try:
        assert isinstance(heard(odd, ""), Heard)
    except MalformedError:
        return


@pytest.mark.parametrize("text", ["NaN", '{"a": Infinity}', "", "[", "{'a': 1}"])
def test_what_is_no_strict_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parsed(text)
