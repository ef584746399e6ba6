"""Asking one question at a time of a service that may fail: slots, money, time, and tries."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple, Protocol

from plugineval_action.llm.answering import Sent, answered
from plugineval_action.llm.budget import Budget, worst_case
from plugineval_action.llm.client import Reply, Request, Unmeasured, Usage
from plugineval_action.llm.models import cost
from plugineval_action.llm.prefixes import Prefixes, prefix_of
from plugineval_action.llm.retry import FINAL, Fault, pause
from plugineval_action.llm.usage import answered as usage_of
from plugineval_action.llm.usage import total
from plugineval_action.llm.wire import Heard, body

DAY: Final = 24 * 3600.0

_TOO_LATE: Final = "The time for this run is over."


class Transport(Protocol):
    """One request, one answer or fault; no second try."""

    async def send(self, request: Request, seconds: float) -> Heard | Fault:
        """Send a request that may take so long."""


class Limits(NamedTuple):
    """Requests at a time, and seconds: for all questions of a run together, and for one request."""

    concurrency: int = 8
    seconds: float = 3600.0
    call_seconds: float = 300.0


class Timing(NamedTuple):
    """Where time and chance come from; `now` and `sleep` are in seconds, `jitter` in [0, 1]."""

    now: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    jitter: Callable[[], float]


class Asker:
    """A Client over a transport. Everything it is asked shares one deadline and one budget."""

    def __init__(
        self,
        transport: Transport,
        budget: Budget,
        timing: Timing,
        limits: Limits,
    ) -> None:
        self._transport, self._budget, self._timing = transport, budget, timing
        self._slots = asyncio.Semaphore(limits.concurrency)
        self._end = timing.now() + limits.seconds
        self._call_seconds = limits.call_seconds
        self._prefixes = Prefixes()
        self._stopped: Fault | None = None

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Ask one question; see Client."""
        return await answered(request, self._send)

    async def _send(self, request: Request) -> Sent:
        """Try until there is an answer, or a reason to give up."""
        usages: list[Usage] = []
        async with self._prefixes.turn(prefix_of(body(request))), self._slots:
            while True:
                outcome, usage = await self._try(request)
                usages.append(usage)
                spent = total(request.model, usages)
                if not isinstance(outcome, Fault):
                    return Sent(outcome, spent)
                wait = pause(outcome, len(usages), self._timing.jitter())
                if wait is None:
                    return Sent(Unmeasured(outcome.reason, outcome.detail, spent), spent)
                if self._timing.now() + wait >= self._end:
                    why = f"{_TOO_LATE} The last fault: {outcome.detail}"
                    return Sent(Unmeasured("deadline", why, spent), spent)
                await self._timing.sleep(wait)

    async def _try(self, request: Request) -> tuple[Heard | Fault, Usage]:
        """One request, if the budget, the clock and what was said before allow it."""
        nothing = Usage(request.model)
        if self._stopped is not None:
            return self._stopped, nothing
        seconds = min(self._call_seconds, self._end - self._timing.now())
        if seconds <= 0:
            return Fault("deadline", _TOO_LATE), nothing
        worst = worst_case(request.model, body(request))
        async with self._budget.hold(worst) as hold:
            if hold is None:
                return Fault("budget", self._budget.refusal(worst)), nothing
            outcome = await self._transport.send(request, seconds)
            if isinstance(outcome, Heard):
                hold.cost = cost(request.model, outcome.tokens) or 0.0
                return outcome, usage_of(request.model, outcome.tokens)
            if outcome.billed:
                lost = nothing._replace(usd=None) if worst is None else nothing
                return outcome, lost._replace(lost_usd=worst or 0.0)
            hold.cost = 0.0
        if outcome.reason in FINAL:
            self._stopped = outcome
        return outcome, nothing
