"""What may go wrong with one request, which of it is worth another one, and when."""

from __future__ import annotations

from typing import Final, NamedTuple

from plugineval_action.llm.client import Reason

TRIES: Final = 6
"""Most requests for one answer."""

MAX_WAIT: Final = 60.0
"""Longest wait in seconds that the service may ask for; if it asks for more, we give up."""

_FIRST_WAIT: Final = 0.5
_LONGEST_BACKOFF: Final = 30.0

_TRANSIENT: Final[frozenset[Reason]] = frozenset(
    {"rate_limit", "overloaded", "service", "unreachable"}
)
FINAL: Final[frozenset[Reason]] = frozenset({"spend_limit", "key"})
"""What no later request will get around: nothing more is sent."""


class Fault(NamedTuple):
    """A request without an answer.

    `retry_after` is in seconds, None if the service did not say. `billed` says whether it may cost
    something all the same: the answer was lost on its way, or nobody knows.
    """

    reason: Reason
    detail: str
    retry_after: float | None = None
    billed: bool = False


def pause(fault: Fault, tries: int, jitter: float) -> float | None:
    """Seconds to wait after a number of tries before the next, None to give up.

    `jitter` lies in [0, 1]. What the service asks for is waited in full, and a little longer, so
    that not everybody comes back at once.
    """
    if fault.reason not in _TRANSIENT or tries >= TRIES:
        return None
    backoff = min(_FIRST_WAIT * 2.0 ** (tries - 1), _LONGEST_BACKOFF) * (1 + jitter) / 2
    if fault.retry_after is None:
        return backoff
    return fault.retry_after + backoff if fault.retry_after <= MAX_WAIT else None
