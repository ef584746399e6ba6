"""Questions sent together through Message Batches: half the price, within a day.

Whoever asks just asks: questions are gathered until no new one comes, sent as one batch, and each
gets its own answer in the end. The id of a question in its batch is its key in the verdict cache,
so a batch can be taken up again by its id alone, by another run with the same questions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from plugineval_action.llm.answering import Sent, answered
from plugineval_action.llm.asking import DAY, Timing
from plugineval_action.llm.budget import Budget, Hold, worst_case
from plugineval_action.llm.cache import key_of
from plugineval_action.llm.client import Reply, Request, Unmeasured, Usage
from plugineval_action.llm.models import cost
from plugineval_action.llm.retry import Fault, pause
from plugineval_action.llm.usage import answered as usage_of
from plugineval_action.llm.wire import Heard, body

MOST: Final = 10_000
"""Questions a batch; the service takes ten times as many, of 256 MB in all."""

_QUIET: Final = 0.2
"""Seconds without a new question after which those that are there are sent."""

_FIRST_POLL: Final = 1.0
_SLOWEST_POLL: Final = 60.0
_SENT_AGAIN: Final = 2
"""How often a question is sent when the service fails on it."""

T = TypeVar("T")


class BatchService(Protocol):
    """The Message Batches API, one request each."""

    async def create(self, requests: Mapping[str, dict[str, Any]]) -> str | Fault:
        """Send bodies by their ids; gives the batch's id."""

    async def ended(self, batch: str) -> bool | Fault:
        """Whether nothing of a batch is left to do."""

    async def results(self, batch: str) -> dict[str, Heard | Fault] | Fault:
        """What came of each question of a batch that has ended, by id."""


class _Question(NamedTuple):
    key: str
    request: Request
    answer: asyncio.Future[Sent]
    sent: int = 0


class Batched:
    """A Client that answers late and cheaply. Close it with `close`.

    `resume` are ids of earlier batches, whose answers are used and not paid again; `tell` gets a
    line for people when a batch was sent, so that it is not lost if this program ends.
    """

    def __init__(  # noqa: PLR0913 - what it talks to, and what it may take up
        self,
        service: BatchService,
        budget: Budget,
        timing: Timing,
        tell: Callable[[str], None],
        resume: Sequence[str] = (),
        *,
        seconds: float = DAY,
    ) -> None:
        self._service, self._budget, self._timing, self._tell = service, budget, timing, tell
        self._resume = list(resume)
        self._known: dict[str, Heard | Fault] = {}
        self._waiting: list[_Question] = []
        self._end = timing.now() + seconds
        self._worker: asyncio.Task[None] | None = None

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Ask one question; see Client."""
        return await answered(request, self._send)

    async def close(self) -> None:
        """Stop waiting for batches; they go on without us."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def _send(self, request: Request) -> Sent:
        question = _Question(key_of(request), request, asyncio.get_running_loop().create_future())
        self._waiting.append(question)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await question.answer

    async def _work(self) -> None:
        """Send what waits, round by round, until nothing does."""
        taken: list[_Question] = []
        try:
            while await self._gathered():
                taken, self._waiting = self._waiting, []
                await self._round(taken)
        except Exception as error:
            for question in (*taken, *self._waiting):
                if not question.answer.done():
                    question.answer.set_exception(error)
            raise

    async def _gathered(self) -> bool:
        """Wait until no new questions come; gives whether there are any."""
        count = -1
        while count != len(self._waiting):
            count = len(self._waiting)
            await self._timing.sleep(_QUIET)
        return count > 0

    async def _round(self, questions: list[_Question]) -> None:
        await self._take_up()
        fresh: dict[str, _Question] = {}
        holds: dict[str, Hold] = {}
        for question in questions:
            if (known := self._known.pop(question.key, None)) is not None:
                self._finish(question, known, paid_now=False)
            elif question.key in fresh or len(fresh) == MOST:
                self._waiting.append(question)
            elif (hold := self._budget.take(self._worst(question.request))) is not None:
                fresh[question.key], holds[question.key] = question, hold
            else:
                self._put_off(question, wait=bool(holds))
        if fresh:
            await self._batch(fresh, holds)

    def _put_off(self, question: _Question, *, wait: bool) -> None:
        """What does not fit beside the others may fit when they have cost less than feared."""
        if wait:
            self._waiting.append(question)
            return
        why = self._budget.refusal(self._worst(question.request))
        self._give(question, Fault("budget", why), Usage(question.request.model))

    async def _batch(self, questions: dict[str, _Question], holds: dict[str, Hold]) -> None:
        """Send one batch, wait for it, and hand out what came of it."""
        outcome = await self._outcome(questions)
        for key, question in questions.items():
            one = outcome if isinstance(outcome, Fault) else outcome.get(key, _MISSING)
            hold = holds[key]
            hold.cost = self._cost(question.request, one, hold.dollars)
            self._budget.settle(hold)
            self._finish(question, one)

    async def _outcome(
        self, questions: Mapping[str, _Question]
    ) -> dict[str, Heard | Fault] | Fault:
        bodies = {key: body(one.request, batch=True) for key, one in questions.items()}
        batch = await self._persist(lambda: self._service.create(bodies), twice=False)
        if isinstance(batch, Fault):
            return batch
        self._tell(f"Batch {batch} was sent: {len(bodies)} questions.")
        return await self._wait_for(batch)

    async def _wait_for(self, batch: str) -> dict[str, Heard | Fault] | Fault:
        delay = _FIRST_POLL
        while (ended := await self._persist(lambda: self._service.ended(batch))) is not True:
            if isinstance(ended, Fault):
                return ended._replace(billed=True, detail=f"{ended.detail} Batch: {batch}.")
            if self._timing.now() + delay >= self._end:
                why = f"Batch {batch} has not ended in time; take it up again by its id."
                return Fault("deadline", why, billed=True)
            await self._timing.sleep(delay)
            delay = min(delay * 1.5, _SLOWEST_POLL)
        found = await self._persist(lambda: self._service.results(batch))
        return found._replace(billed=True) if isinstance(found, Fault) else found

    async def _take_up(self) -> None:
        """Read the batches of earlier runs, once."""
        while self._resume:
            batch = self._resume.pop(0)
            found = await self._wait_for(batch)
            if isinstance(found, Fault):
                self._tell(f"Batch {batch} cannot be taken up: {found.detail}")
            else:
                self._known |= {key: one for key, one in found.items() if isinstance(one, Heard)}

    async def _persist(
        self, attempt: Callable[[], Awaitable[T | Fault]], *, twice: bool = True
    ) -> T | Fault:
        """Try until it works; what must not happen twice ends at the first doubtful failure."""
        tries = 0
        while True:
            tries += 1
            outcome = await attempt()
            if not isinstance(outcome, Fault) or (outcome.billed and not twice):
                return outcome
            wait = pause(outcome, tries, self._timing.jitter())
            if wait is None:
                return outcome
            await self._timing.sleep(wait)

    def _finish(
        self, question: _Question, outcome: Heard | Fault, *, paid_now: bool = True
    ) -> None:
        """Hand an answer out, or send the question again if the service failed on it."""
        model = question.request.model
        if isinstance(outcome, Heard):
            usage = usage_of(model, outcome.tokens, batch=True)
            self._give(question, outcome, usage if paid_now else Usage(model))
        elif outcome.reason == "service" and not outcome.billed and question.sent < _SENT_AGAIN:
            self._waiting.append(question._replace(sent=question.sent + 1))
        else:
            lost = (self._worst(question.request) or 0.0) if outcome.billed else 0.0
            self._give(question, outcome, Usage(model, lost_usd=lost))

    @staticmethod
    def _give(question: _Question, outcome: Heard | Fault, usage: Usage) -> None:
        if question.answer.done():
            return
        if isinstance(outcome, Fault):
            unmeasured = Unmeasured(outcome.reason, outcome.detail, usage)
            question.answer.set_result(Sent(unmeasured, usage))
        else:
            question.answer.set_result(Sent(outcome, usage))

    @staticmethod
    def _worst(request: Request) -> float | None:
        return worst_case(request.model, body(request, batch=True), batch=True)

    @staticmethod
    def _cost(request: Request, outcome: Heard | Fault, worst: float) -> float:
        if isinstance(outcome, Heard):
            return cost(request.model, outcome.tokens, batch=True) or 0.0
        return worst if outcome.billed else 0.0


_MISSING: Final = Fault("service", "The batch has no result for this question.", billed=True)
