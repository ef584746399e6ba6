"""A hard cap on dollars: nothing is sent unless the worst case still fits under it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from math import fsum
from typing import Any, Final

from plugineval_action.llm.models import Tokens, cost

_UNSEEN: Final = 2_000
"""Tokens that the service adds to a prompt by itself, for tools and schemas, at most."""


def worst_case(model: str, body: Mapping[str, Any], *, batch: bool = False) -> float | None:
    """The most that a request can cost in dollars, None if the price is unknown.

    A token is at least one byte, so the body's length bounds its tokens from above. The dearest
    that can happen to them is to be written to the cache; `max_tokens` bounds the answer.
    """
    tokens = len(json.dumps(body, ensure_ascii=False).encode()) + _UNSEEN
    output = int(body["max_tokens"])
    written = Tokens(cache_write_1h=tokens) if batch else Tokens(cache_write_5m=tokens)
    cases = (Tokens(input=tokens), written)
    dollars = [cost(model, case._replace(output=output), batch=batch) for case in cases]
    return max((one for one in dollars if one is not None), default=None)


class Hold:
    """Dollars set aside for one request; `cost` is what it took in the end."""

    def __init__(self, dollars: float) -> None:
        self.dollars = dollars
        self.cost = dollars


class Budget:
    """Dollars of one run. `spent` includes what answers that were lost may have cost."""

    def __init__(self, cap: float | None = None) -> None:
        self.cap = cap
        self.spent = 0.0
        self._holds: list[Hold] = []
        self._settled = asyncio.Event()

    @asynccontextmanager
    async def hold(self, dollars: float | None) -> AsyncIterator[Hold | None]:
        """Set the worst case aside while a request runs; gives None if the cap forbids it.

        Waits for requests under way if what they leave over may be enough. Unless the holder sets
        `cost`, the worst case counts as spent.
        """
        hold = await self._take(dollars)
        try:
            yield hold
        finally:
            if hold is not None:
                self.settle(hold)

    def take(self, dollars: float | None) -> Hold | None:
        """Set dollars aside if they are free right now; whoever takes them settles them."""
        free = dollars is not None and self._fits((self.held, dollars))
        if self.cap is not None and not free:
            return None
        hold = Hold(dollars or 0.0)
        self._holds.append(hold)
        return hold

    def settle(self, hold: Hold) -> None:
        """Book what a request took, and let those go on that wait for the rest."""
        self._holds.remove(hold)
        self.spent += hold.cost
        self._settled.set()
        self._settled = asyncio.Event()

    @property
    def held(self) -> float:
        """The worst case of what is under way, in dollars."""
        return fsum(hold.dollars for hold in self._holds)

    def refusal(self, dollars: float | None) -> str:
        """Why a request of this worst case is not sent."""
        if dollars is None:
            return f"The model's price is unknown, so a cap of ${self.cap} cannot be kept."
        left = max(0.0, (self.cap or 0.0) - self.spent)
        return f"It may cost ${dollars:.4f}, and of ${self.cap} only ${left:.4f} is left."

    async def _take(self, dollars: float | None) -> Hold | None:
        while (hold := self.take(dollars)) is None:
            if dollars is None or not self._holds or not self._fits((dollars,)):
                return None
            await self._settled.wait()
        return hold

    def _fits(self, dollars: tuple[float, ...]) -> bool:
        return self.cap is None or fsum((self.spent, *dollars)) <= self.cap
