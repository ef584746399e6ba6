"""The real client, on the real SDK, connected to the loopback Messages API."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from model_server import ModelServer
from plugineval_action.llm.anthropic_client import AnthropicTransport, sdk
from plugineval_action.llm.asking import Asker, Limits, Timing
from plugineval_action.llm.budget import Budget
from plugineval_action.llm.client import Message, Reply, Request, Text, Unmeasured

MODEL: Final = "claude-haiku-5-5"
LIMITS: Final = Limits(call_seconds=10)


class Clock:
    """Time that passes only in waits; `waits` are what was slept, in seconds."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)

    def timing(self) -> Timing:
        return Timing(self.now, self.sleep, lambda: 1.0)


class Asked(NamedTuple):
    """What came of some questions, and what the client booked for it."""

    answers: list[Reply | Unmeasured]
    clock: Clock
    budget: Budget

    @property
    def reply(self) -> Reply:
        """The one reply."""
        (answer,) = self.answers
        assert isinstance(answer, Reply)
        return answer

    @property
    def unmeasured(self) -> Unmeasured:
        """The one answer that is none."""
        (answer,) = self.answers
        assert isinstance(answer, Unmeasured)
        return answer


def question(text: str = "Is it good?", **more: Any) -> Request:  # noqa: ANN401 - any field
    """A question of one sentence."""
    plain = Request(
        model=MODEL,
        system=(Text("Answer with care."),),
        messages=(Message("user", (Text(text),)),),
        purpose="test",
        version="1",
        identity=text,
        max_tokens=1000,
    )
    return plain._replace(**more)


def ask(
    server: ModelServer,
    *requests: Request,
    max_usd: float | None = None,
    limits: Limits = LIMITS,
) -> Asked:
    """Ask all questions at once."""
    clock = Clock()

    async def run() -> Asked:
        budget = Budget(max_usd)
        async with sdk(server.key, server.url) as service:
            asker = Asker(AnthropicTransport(service), budget, clock.timing(), limits)
            answers = await asyncio.gather(*map(asker.ask, requests))
        return Asked(list(answers), clock, budget)

    return asyncio.run(run())


def reasons(answers: Sequence[Reply | Unmeasured]) -> list[str]:
    """Why each question has no answer; "" for one that has."""
    return ["" if isinstance(answer, Reply) else answer.reason for answer in answers]
