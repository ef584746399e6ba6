"""How long we try: which failures are worth another request, when, and how much time in all.

GitHub's rules are followed: `Retry-After` first, then the reset of the hourly limit, else a minute.
A request that may have had its effect is not sent again before looking whether it had.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from plugineval_action.gh.errors import Exhausted
from plugineval_action.gh.failure import Asked, Failure, explain

BUDGET: Final = 120.0
"""Seconds that a run may spend on GitHub."""

TRIES: Final = 5
"""Most requests for one thing."""

MAX_WAIT: Final = 60.0
"""Longest wait in seconds that GitHub may ask for; if it asks for more, we give up."""

_FIRST_WAIT: Final = 1.0

T = TypeVar("T")


class Deadline:
    """Seconds that may be spent on GitHub in all: only requests and waits for them count."""

    def __init__(
        self,
        seconds: float = BUDGET,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.seconds = seconds
        self.left = seconds
        self._clock, self._sleep = clock, sleep

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time inside. Raises Exhausted if none is left."""
        if self.left <= 0:
            raise self._exhausted()
        started = self._clock()
        try:
            yield
        finally:
            self.left -= self._clock() - started

    def wait(self, seconds: float) -> None:
        """Sleep. Raises Exhausted, at once, if there is less time than that."""
        if seconds >= self.left:
            self.end()
            raise self._exhausted()
        with self.running():
            self._sleep(seconds)

    def end(self) -> None:
        """Let nothing more be asked."""
        self.left = 0.0

    def spare(self, seconds: float) -> None:
        """Leave at least so much, for what must not stay half done."""
        self.left = max(self.left, seconds)

    def _exhausted(self) -> Exhausted:
        return Exhausted(
            f"GitHub took too long, or asked to wait: {self.seconds:.0f} s may be spent on it.",
            "Run the job again later.",
        )


def pause(failure: Failure, tries: int, now: float, jitter: float) -> float | None:
    """Seconds to wait after a number of tries before the next, None to give up.

    `now` is in seconds since 1970 as GitHub's reset times are, `jitter` lies in [0, 1].
    """
    if tries >= TRIES:
        return None
    backoff = _FIRST_WAIT * 2 ** (tries - 1) * (1 + jitter) / 2
    if failure.limit:
        wait = _limit_wait(failure, now) + backoff
    elif failure.uncertain:
        wait = max(backoff, _seconds(failure, "retry-after") or 0.0)
    else:
        return None
    return wait if wait <= MAX_WAIT + backoff else None


def _limit_wait(failure: Failure, now: float) -> float:
    after = _seconds(failure, "retry-after")
    if after is not None:
        return after
    reset = _seconds(failure, "x-ratelimit-reset")
    if failure.limit == "primary" and reset is not None:
        return max(reset - now, 0.0)
    return MAX_WAIT


def _seconds(failure: Failure, header: str) -> float | None:
    value = failure.headers.get(header, "")
    return float(value) if value.isascii() and value.isdigit() else None


def persist(
    attempt: Callable[[], T | Failure],
    asked: Asked,
    deadline: Deadline,
    recover: Callable[[], T | None] | None = None,
) -> T:
    """Try until it works; raises the error of the failure that is given up.

    What must not happen twice comes with `recover`: after an uncertain failure it looks whether it
    happened, and gives what `attempt` would have given, or None.
    """
    tries = 0
    while True:
        tries += 1
        with deadline.running():
            result = attempt()
        if not isinstance(result, Failure):
            return result
        wait = pause(result, tries, time.time(), random.random())  # spreads load
        if wait is not None:
            deadline.wait(wait)
        if result.uncertain and recover and (found := recover()) is not None:
            return found
        if wait is None:
            error = explain(result, asked)
            if isinstance(error, Exhausted):
                deadline.end()
            raise error
