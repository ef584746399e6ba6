"""Message batches: half the price, any order, taken up again by their id."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from model_client import Asked, Clock, question, reasons
from model_server import Draft, ModelServer, Seen, ToolCall
from plugineval_action.llm.anthropic_batches import AnthropicBatches
from plugineval_action.llm.anthropic_client import sdk
from plugineval_action.llm.batch import Batched
from plugineval_action.llm.budget import Budget
from plugineval_action.llm.cache import key_of
from plugineval_action.llm.client import Message, Reply, Request, Text, Tool, ToolResult, Unmeasured

VERDICT = {"type": "object", "properties": {"good": {"type": "boolean"}}}
QUESTIONS = [question(f"Number {number}?") for number in range(20)]


class Run:
    """One program that asks through batches; `told` are its lines for people."""

    def __init__(
        self, server: ModelServer, max_usd: float | None = None, resume: Sequence[str] = ()
    ) -> None:
        self.server, self.max_usd, self.resume = server, max_usd, resume
        self.told: list[str] = []

    def ask(self, *requests: Request) -> Asked:
        clock = Clock()

        async def run() -> Asked:
            budget = Budget(self.max_usd)
            async with sdk(self.server.key, self.server.url) as service:
                batches = AnthropicBatches(service)
                client = Batched(
                    batches, budget, clock.timing(), self.told.append, self.resume, seconds=900
                )
                answers = await asyncio.gather(*map(client.ask, requests))
                await client.close()
            return Asked(list(answers), clock, budget)

        return asyncio.run(run())


def repeats(seen: Seen) -> Draft:
    """Say what was asked, so that answers can be told apart."""
    return Draft(f"You asked: {seen.prompt}")


def texts(answers: Sequence[Reply | Unmeasured]) -> list[str]:
    return [answer.text for answer in answers if isinstance(answer, Reply)]


def test_all_questions_go_in_one_batch_and_each_gets_its_own_answer() -> None:
    with ModelServer(repeats) as server:
        run = Run(server)
        asked = run.ask(*QUESTIONS)

        assert 1 == server.batches.created
    assert [f"You asked: Number {number}?" for number in range(20)] == texts(asked.answers)
    assert ["Batch msgbatch_0001 was sent: 20 questions."] == run.told


def test_a_batch_costs_half() -> None:
    with ModelServer(repeats) as server:
        asked = Run(server).ask(*QUESTIONS)
        billed = server.billed
    full = (
        sum(call.counted.input * 0.10 + call.counted.output * 0.50 for call in server.calls) / 1e6
    )

    booked = sum(answer.usage.usd or 0 for answer in asked.answers)
    assert full / 2 == pytest.approx(billed)
    assert billed == pytest.approx(booked)
    assert billed == pytest.approx(asked.budget.spent)


def test_a_batch_is_polled_until_it_has_ended() -> None:
    with ModelServer(repeats) as server:
        server.batches.polls = 4
        asked = Run(server).ask(*QUESTIONS)

    assert [""] * 20 == reasons(asked.answers)
    assert [1.0, 1.5, 2.25, 3.375] == [wait for wait in asked.clock.waits if wait >= 1]


def test_a_batch_is_taken_up_again_by_its_id_and_not_paid_twice() -> None:
    with ModelServer(repeats) as server:
        Run(server).ask(*QUESTIONS)
        billed = server.billed
        again = Run(server, resume=["msgbatch_0001"])
        asked = again.ask(*QUESTIONS)

        assert (1, billed) == (server.batches.created, server.billed)
    assert 20 == len(texts(asked.answers))
    assert ([], 0.0) == (again.told, asked.budget.spent)


def test_what_an_earlier_batch_lacks_is_sent_in_a_new_one() -> None:
    with ModelServer(repeats) as server:
        server.batches.spoil = {3: "expired", 4: "canceled"}
        first = Run(server).ask(*QUESTIONS)
        second = Run(server, resume=["msgbatch_0001"])
        asked = second.ask(*QUESTIONS)

    assert ["cancelled"] * 2 == [reason for reason in reasons(first.answers) if reason]
    assert [""] * 20 == reasons(asked.answers)
    assert ["Batch msgbatch_0002 was sent: 2 questions."] == second.told


def test_a_batch_that_is_not_there_is_said_and_everything_is_sent() -> None:
    with ModelServer(repeats) as server:
        run = Run(server, resume=["msgbatch_9999"])
        asked = run.ask(*QUESTIONS)

    assert [""] * 20 == reasons(asked.answers)
    assert run.told[0].startswith("Batch msgbatch_9999 cannot be taken up: ")


def test_what_the_service_failed_on_is_sent_again_and_what_it_refuses_is_not() -> None:
    with ModelServer(repeats) as server:
        server.batches.spoil = {2: "errored", 5: "invalid"}
        asked = Run(server).ask(*QUESTIONS)

        assert 2 == server.batches.created
    assert {5: "rejected"} == {at: one for at, one in enumerate(reasons(asked.answers)) if one}


def test_answers_that_break_their_schema_are_asked_again_in_the_next_batch() -> None:
    met: set[str] = set()

    def model(seen: Seen) -> Draft:
        first = seen.turns[0][1] not in met
        met.add(seen.turns[0][1])
        return Draft("no JSON" if first else '{"good": true}')

    with ModelServer(model) as server:
        asked = Run(server).ask(*(one._replace(schema=VERDICT) for one in QUESTIONS))

        assert (2, 40) == (server.batches.created, len(server.calls))
        assert server.billed == pytest.approx(asked.budget.spent)
    assert [""] * 20 == reasons(asked.answers)


def test_second_turns_go_in_a_batch_of_their_own() -> None:
    def model(seen: Seen) -> Draft:
        if seen.after_tool:
            return Draft("Done.", thinking=5)
        return Draft(tool_calls=(ToolCall("load", {}),), thinking=5)

    async def conversation(client: Batched, number: int) -> str:
        tool = Tool("load", "Load it.", {"type": "object", "properties": {}})
        first = question(f"Number {number}?", tools=(tool,))
        reply = await client.ask(first)
        assert isinstance(reply, Reply)
        result = Message("user", (ToolResult(reply.tool_uses[0].id, "the body"),))
        turns = (*first.messages, Message("assistant", reply.said), result)
        last = await client.ask(first._replace(messages=turns, identity=f"{number}, loaded"))
        assert isinstance(last, Reply)
        return last.text

    async def run(server: ModelServer) -> list[str]:
        async with sdk(server.key, server.url) as service:
            told: list[str] = []
            client = Batched(AnthropicBatches(service), Budget(), Clock().timing(), told.append)
            return await asyncio.gather(*(conversation(client, n) for n in range(5)))

    with ModelServer(model) as server:
        assert ["Done."] * 5 == asyncio.run(run(server))
        assert 2 == server.batches.created


@pytest.mark.parametrize("cap", [0.0004, 0.002, 0.01])
def test_the_cap_holds_for_batches_and_what_does_not_fit_at_first_comes_later(cap: float) -> None:
    with ModelServer(repeats) as server:
        asked = Run(server, max_usd=cap).ask(*QUESTIONS)

        assert server.billed <= asked.budget.spent + 1e-9 <= cap + 2e-9
    assert {"", "budget"} >= set(reasons(asked.answers))


def test_a_batch_that_does_not_end_in_time_can_be_taken_up_later() -> None:
    with ModelServer(repeats) as server:
        server.batches.polls = 100
        asked = Run(server).ask(QUESTIONS[0])

    assert "deadline" == asked.unmeasured.reason
    assert "msgbatch_0001" in asked.unmeasured.detail
    assert asked.unmeasured.usage.lost_usd == pytest.approx(asked.budget.spent)
    assert asked.clock.time <= 900


def test_a_busy_service_is_asked_again_and_a_doubtful_answer_is_not_risked_twice() -> None:
    with ModelServer(repeats) as server:
        server.fault("529", times=2)
        assert [""] == reasons(Run(server).ask(QUESTIONS[0]).answers)
        server.fault("502")
        doubtful = Run(server).ask(QUESTIONS[1])

        assert 1 == server.batches.created
    assert "service" == doubtful.unmeasured.reason
    assert doubtful.unmeasured.usage.lost_usd > 0


def test_batches_keep_their_prefix_for_an_hour() -> None:
    shared = (Text("The rubric. " * 400, cached=True),)
    with ModelServer(repeats) as server:
        Run(server).ask(*(one._replace(system=shared) for one in QUESTIONS))

        assert [1, 19] == [
            sum(call.counted.write_1h > 0 for call in server.calls),
            sum(call.counted.read > 0 for call in server.calls),
        ]


def test_the_id_of_a_question_is_one_that_the_service_takes() -> None:
    assert 64 == len(key_of(QUESTIONS[0]))
    assert key_of(QUESTIONS[0]) != key_of(QUESTIONS[1])
