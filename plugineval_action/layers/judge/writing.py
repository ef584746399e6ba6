"""Having prompts written: for one skill, or the same ones for two that are to be compared."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from plugineval_action.layers.judge import prompts
from plugineval_action.layers.judge.prompts import EACH, Prompts
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.shown import Shown
from plugineval_action.layers.judge.verdict import Void
from plugineval_action.llm.client import Reply, Request, Unmeasured

Ask = Callable[[Request], Awaitable[Reply | Unmeasured]]


def shared_key(shown: Shown, beside: Shown | None) -> str:
    """What seeds everything that both sides are to have alike; without another side, its own."""
    return "\0".join(sorted({shown.digest, beside.digest if beside else shown.digest}))


async def written(  # noqa: PLR0913, PLR0917 - who answers, and what `prompts.writing` is given
    ask: Ask,
    shown: Shown,
    beside: Shown | None,
    panel: Panel,
    number: int,
    each: int = EACH,
) -> Prompts | Void | Unmeasured:
    """Prompts number `number`: `beside` gets the same ones, half of them written for it."""
    sides = {one.listing: one for one in (shown, *([beside] if beside else []))}
    found = []
    for listing in sorted(sides):
        reply = await ask(prompts.writing(sides[listing], panel, number, each))
        if isinstance(reply, Unmeasured):
            return reply
        read = prompts.read_writing(reply.data, each)
        if isinstance(read, Void):
            return read
        found.append(read)
    return prompts.merged(*found) if len(found) == 2 else found[0]
