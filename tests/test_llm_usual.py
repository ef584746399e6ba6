"""How long answers were is noted, kept and used, and a broken file costs nothing but precision."""

from __future__ import annotations

import asyncio

import pytest

from model_client import MODEL, question
from plugineval_action.llm.client import Reply, Request, Unmeasured, Usage
from plugineval_action.llm.estimate import Planned, Rehearsal
from plugineval_action.llm.usual import NOTHING_KNOWN, Noting, Seen, Usual, data, parse, together
from plugineval_action.render.result_data import dump
from simulated_client import answered

KEY = ("test", MODEL)


class Fixed:
    """A Client that always says the same."""

    def __init__(self, answer: Reply | Unmeasured) -> None:
        self.answer = answer

    async def ask(self, request: Request) -> Reply | Unmeasured:  # noqa: ARG002 - Client has it
        return self.answer


def noted(answer: Reply | Unmeasured, times: int = 1) -> Usual:
    client = Noting(Fixed(answer))
    for _ in range(times):
        asyncio.run(client.ask(question()))
    return client.seen


def test_answers_and_prompts_are_added_up() -> None:
    seen = noted(answered(question(), None, text="So."), times=3)[KEY]

    assert (3, 150, 300) == (seen.calls, seen.output_tokens, seen.prompt_tokens)
    assert seen.prompt_bytes > 300


@pytest.mark.parametrize(
    "answer",
    [
        Unmeasured("refused", "No.", Usage(MODEL)),
        answered(question(), None, text="So.")._replace(remembered=True),
    ],
)
def test_what_was_not_answered_now_is_not_noted(answer: Reply | Unmeasured) -> None:
    assert NOTHING_KNOWN == noted(answer)


def test_a_file_is_read_as_it_was_written() -> None:
    usual = {KEY: Seen(2, 300, 9_000, 3_000), ("other", "m"): Seen(1, 1, 1, 1)}

    assert usual == parse(dump(data(usual)).encode())


@pytest.mark.parametrize("content", [b"", b"{", b'{"answers": [{}]}', b"[]"])
def test_a_broken_file_says_nothing(content: bytes) -> None:
    assert {} == parse(content)


def test_runs_add_up() -> None:
    assert {KEY: Seen(3, 30, 300, 100)} == together(
        {KEY: Seen(1, 10, 100, 50)}, {KEY: Seen(2, 20, 200, 50)}
    )


def test_an_estimate_takes_what_was_seen_for_what_comes() -> None:
    plans: list[Planned] = []
    for usual in (NOTHING_KNOWN, {KEY: Seen(2, 300, 6_000, 1_000)}):
        rehearsal = Rehearsal(usual=usual)
        asyncio.run(rehearsal.ask(question()))
        plans += rehearsal.plan
    table, seen = plans

    assert 150 == seen.output_tokens
    assert table.input_tokens == pytest.approx(2 * seen.input_tokens, abs=2)
