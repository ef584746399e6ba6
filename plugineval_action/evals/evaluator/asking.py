"""One question to a model, within the time and the tries that a configuration allows."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from plugineval_action.evals.evaluator.parameters import Asking
from plugineval_action.llm.client import Client, Reply, Request, Unmeasured, Usage

_ASK_AGAIN: Final = frozenset({"invalid", "cut", "refused"})
"""Reasons that another try may mend; faults of the service were tried again by the client."""


class Submission(NamedTuple):
    """What is evaluated: the task that was set, and the answer to it. `nonce` is new each run."""

    task: str
    answer: str
    nonce: str


async def patiently(request: Request, asking: Asking, client: Client) -> Reply | Unmeasured:
    """Ask within the time and the tries that a configuration allows."""
    answer = await _in_time(request, asking, client)
    for number in range(asking.max_retries):
        if isinstance(answer, Reply) or answer.reason not in _ASK_AGAIN:
            break
        again = request._replace(identity=f"{request.identity}#again{number + 1}")
        answer = await _in_time(again, asking, client)
    return answer


async def _in_time(request: Request, asking: Asking, client: Client) -> Reply | Unmeasured:
    try:
        return await asyncio.wait_for(client.ask(request), asking.timeout_seconds)
    except TimeoutError:
        why = f"No answer within {asking.timeout_seconds:g} s."
        return Unmeasured("deadline", why, Usage(request.model, usd=None))
