"""The loopback Messages API: strict like the service, and counting like it."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic import Anthropic

from model_client import MODEL
from model_server import ModelServer
from model_server.limits import problems
from model_server.server import VERSION

USER: Any = {"role": "user", "content": "Is it good?"}
PLAIN: dict[str, Any] = {"model": MODEL, "max_tokens": 100, "messages": [USER]}
FORMAT = {"type": "json_schema", "schema": {"type": "object", "additionalProperties": False}}


def formatted(**changes: object) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"a": changes}, "additionalProperties": False}
    return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}


def test_a_plain_request_is_in_order() -> None:
    assert [] == list(problems(PLAIN))
    assert [] == list(problems({**PLAIN, "output_config": {"format": FORMAT, "effort": "low"}}))


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 1.0},
        {"top_p": 0.9},
        {"top_k": 5},
        {"seed": 1},
        {"max_tokens": 0},
        {"max_tokens": 128_001},
        {"model": "claude-unknown"},
        {"messages": []},
        {"messages": [{"role": "assistant", "content": "Hello"}]},
        {"messages": [USER, {"role": "assistant", "content": "It is"}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": " "}]}]},
        {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x"}]}]},
        {"model": "claude-sonnet-5-5", "tool_choice": {"type": "tool", "name": "load"}},
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        {"tools": [{"name": "two words", "input_schema": {"type": "object"}}]},
        {"tools": [{"name": "load", "input_schema": {"type": "array"}}]},
        {"output_config": {"effort": "utmost"}},
        {"output_config": {"format": {"type": "json"}}},
        formatted(type="integer", minimum=0),
        formatted(type="string", maxLength=5),
        formatted(type="array", items={"type": "string"}, minItems=2),
        formatted(type="object", properties={}),
        formatted(type="string", pattern=r"\bword\b"),
        {
            "system": [
                {"type": "text", "text": f"{n}", "cache_control": {"type": "ephemeral"}}
                for n in range(5)
            ]
        },
    ],
)
def test_what_the_service_refuses_is_refused(change: dict[str, Any]) -> None:
    assert [] != list(problems({**PLAIN, **change}))


def client(server: ModelServer, **options: Any) -> Anthropic:  # noqa: ANN401 - the SDK's own
    return Anthropic(base_url=server.url, api_key=server.key, max_retries=0, **options)


def test_another_key_and_another_version_are_refused() -> None:
    with ModelServer(check=False) as server:
        with pytest.raises(anthropic.AuthenticationError):
            client(server).with_options(api_key="other").messages.create(**PLAIN)
        old = {"anthropic-version": "2023-06-01"}
        with pytest.raises(anthropic.BadRequestError, match=VERSION):
            client(server).messages.create(**PLAIN, extra_headers=old)

        assert 1 == len(server.violations)


def test_a_broken_rule_is_found_when_the_server_is_left() -> None:
    with (
        pytest.raises(AssertionError, match="temperature"),
        ModelServer() as server,
        suppress(anthropic.BadRequestError),
    ):
        client(server).messages.create(**PLAIN, extra_body={"temperature": 0})


def test_counting_tokens_tells_what_is_billed_then() -> None:
    with ModelServer() as server:
        counted = client(server).messages.count_tokens(model=MODEL, messages=[USER])
        answer = client(server).messages.create(**PLAIN)

    assert counted.input_tokens == answer.usage.input_tokens


def test_the_same_question_in_another_order_gets_the_same_answers() -> None:
    def answers(order: list[int]) -> dict[int, str]:
        with ModelServer(seed=9) as server:
            found = {}
            for number in order:
                content = {**PLAIN, "messages": [{"role": "user", "content": f"{number}"}]}
                message = client(server).messages.create(**content)
                found[number] = str(message.usage.output_tokens)
            return found

    assert answers([1, 2, 3]) == answers([3, 1, 2])


def test_it_runs_as_a_process_and_presents_its_bill() -> None:
    tests = Path(__file__).parent
    command = [sys.executable, "-m", "model_server", "--fault", "529:1:0"]
    with subprocess.Popen(
        command,
        cwd=tests,
        env={"PYTHONPATH": f"{tests}:{tests.parent}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout
        at = json.loads(server.stdout.readline())
        sdk = Anthropic(base_url=at["url"], api_key=at["key"], max_retries=1)
        answer = sdk.messages.create(**PLAIN)
        bill = json.loads(server.communicate("")[0])

    assert "message" == answer.type
    assert (1, []) == (bill["calls"], bill["violations"])
    assert bill["billed"] > 0
