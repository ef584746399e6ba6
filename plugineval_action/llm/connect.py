"""Put together what answers questions: the service, the budget, the cache, or batches."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from pydantic import SecretStr

from plugineval_action.llm.asking import Asker, Limits, Timing
from plugineval_action.llm.budget import Budget
from plugineval_action.llm.client import Client


class Connection(NamedTuple):
    """How to reach the service and what it may cost; `max_usd` None means no cap."""

    api_key: SecretStr
    base_url: str | None = None
    max_usd: float | None = None
    limits: Limits = Limits()


@asynccontextmanager
async def connected(connection: Connection) -> AsyncIterator[Client]:
    """A Client, for as long as the block runs."""
    from plugineval_action.llm.anthropic_client import AnthropicTransport, sdk

    timing = Timing(time.monotonic, asyncio.sleep, random.random)
    async with sdk(connection.api_key.get_secret_value(), connection.base_url) as service:
        transport = AnthropicTransport(service)
        yield Asker(transport, Budget(connection.max_usd), timing, connection.limits)
