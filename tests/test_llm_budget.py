"""The cap on dollars holds whatever happens, and what was measured before it is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model_client import Asked, ask, question, reasons
from model_server import Draft, ModelServer, Seen
from model_server.faults import KINDS, Kind
from plugineval_action.llm.asking import Limits
from plugineval_action.llm.budget import Budget, worst_case
from plugineval_action.llm.client import Text, Unmeasured
from plugineval_action.llm.wire import body

QUESTIONS = [
    question(
        f"Question {number}? " * number,
        system=(Text("The rubric. " * 2000, cached=True),),
        model="claude-sonnet-5-5" if number % 3 else "claude-haiku-5-5",
        schema={"type": "object", "properties": {"good": {"type": "boolean"}}},
        max_tokens=200 * number,
    )
    for number in range(1, 13)
]


def rambling(seen: Seen) -> Draft | None:
    """Now and then refused, wrong, or as long as it may be."""
    match seen.rng.randrange(5):
        case 0:
            return Draft("word " * 5000, thinking=100)
        case 1:
            return Draft(refusal=True)
        case 2:
            return Draft("no JSON")
        case _:
            return None


def dear(content: dict[str, Any]) -> float:
    """The worst case of a request that was sent."""
    return worst_case(content["model"], content) or 0.0


def booked(asked: Asked) -> float:
    """What the answers say they cost, with the most that lost ones may have cost."""
    usages = [answer.usage for answer in asked.answers]
    return sum((usage.usd or 0.0) + usage.lost_usd for usage in usages)


@settings(max_examples=25, deadline=None)
@given(
    cap=st.floats(0.005, 0.5),
    concurrency=st.integers(1, 12),
    faults=st.lists(
        st.tuples(
            st.sampled_from([kind for kind in KINDS if kind != "hang"]),
            st.integers(1, 4),
            st.integers(0, 20),
        ),
        max_size=4,
    ),
    seed=st.integers(0, 100),
)
def test_the_server_never_bills_more_than_the_cap(
    cap: float, concurrency: int, faults: list[tuple[Kind, int, int]], seed: int
) -> None:
    limits = Limits(concurrency=concurrency, call_seconds=0.2)
    with ModelServer(rambling, seed=seed) as server:
        for kind, times, after in faults:
            server.fault(kind, times=times, after=after)
        asked = ask(server, *QUESTIONS, max_usd=cap, limits=limits)

        assert all(dear(call.body) >= call.dollars for call in server.calls)
        assert server.billed <= asked.budget.spent + 1e-9
        assert asked.budget.spent <= cap + 1e-9
        assert booked(asked) == pytest.approx(asked.budget.spent)


def test_a_cap_ends_a_run_with_what_was_measured_before() -> None:
    questions = [question(str(number)) for number in range(30)]
    with ModelServer() as server:
        asked = ask(server, *questions, max_usd=0.001, limits=Limits(concurrency=4))

        labels = reasons(asked.answers)
        assert {"", "budget"} == set(labels)
        assert len(server.calls) == labels.count("")
        details = {one.detail for one in asked.answers if isinstance(one, Unmeasured)}
    assert all("and of $0.001 only $0.000" in detail for detail in details)


def test_a_question_waits_for_what_others_may_leave_over() -> None:
    """The worst case of all at once is over the cap, what they really cost is not."""
    questions = [question(str(number)) for number in range(10)]
    worst = worst_case(questions[0].model, body(questions[0])) or 0.0
    with ModelServer(latency=0.01) as server:
        asked = ask(server, *questions, max_usd=1.5 * worst)

        assert [""] * 10 == reasons(asked.answers)
        assert 1 == server.most_at_once


def test_a_model_without_a_price_costs_an_unknown_sum_and_does_not_go_under_a_cap() -> None:
    unlisted = question(model="claude-unlisted-9")
    with ModelServer() as server:
        free = ask(server, unlisted)
        capped = ask(server, unlisted, max_usd=100)

        assert (None, 1) == (free.reply.usage.usd, len(server.calls))
    assert ("budget", True) == (
        capped.unmeasured.reason,
        "price is unknown" in capped.unmeasured.detail,
    )


def test_a_request_that_is_given_up_half_way_counts_as_spent() -> None:
    async def run() -> float:
        budget = Budget(1.0)

        async def asking() -> None:
            async with budget.hold(0.25):
                await asyncio.sleep(60)

        task = asyncio.create_task(asking())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert 0.0 == budget.held
        return budget.spent

    assert 0.25 == asyncio.run(run())
