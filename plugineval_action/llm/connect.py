"""Put together what answers questions: the service or its batches, the budget, the cache."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from pydantic import SecretStr

from plugineval_action.llm.asking import Asker, Limits, Timing
from plugineval_action.llm.budget import Budget
from plugineval_action.llm.cache import Remembering, Store
from plugineval_action.llm.client import Client

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_TIMING = Timing(time.monotonic, asyncio.sleep, random.random)


class Connection(NamedTuple):
    """How to reach the service, what it may cost, and what is kept.

    `max_usd` None means no cap. `store` is a directory of verdicts, only read unless
    `store_writable`. With `batch` everything goes through Message Batches; `resume` are ids of
    earlier ones whose answers are used.
    """

    api_key: SecretStr
    base_url: str | None = None
    max_usd: float | None = None
    store: str | None = None
    store_writable: bool = False
    batch: bool = False
    resume: tuple[str, ...] = ()
    limits: Limits = Limits()


@asynccontextmanager
async def connected(connection: Connection, tell: Callable[[str], None]) -> AsyncIterator[Client]:
    """A Client, for as long as the block runs; `tell` gets lines about batches for people."""
    from plugineval_action.llm.anthropic_client import sdk

    key = connection.api_key.get_secret_value()
    async with sdk(key, connection.base_url) as service, _service(connection, service, tell) as one:
        if connection.store is None:
            yield one
        else:
            yield Remembering(one, Store(connection.store, writable=connection.store_writable))


@asynccontextmanager
async def _service(
    connection: Connection, service: AsyncAnthropic, tell: Callable[[str], None]
) -> AsyncIterator[Client]:
    budget = Budget(connection.max_usd)
    if not connection.batch:
        from plugineval_action.llm.anthropic_client import AnthropicTransport

        yield Asker(AnthropicTransport(service), budget, _TIMING, connection.limits)
        return
    from plugineval_action.llm.anthropic_batches import AnthropicBatches
    from plugineval_action.llm.batch import Batched

    client = Batched(AnthropicBatches(service), budget, _TIMING, tell, connection.resume)
    try:
        yield client
    finally:
        await client.close()
