"""Letting the first question with a new prefix go ahead, so that the others find it in the cache.

Asked all at once, they would each write the same prefix into the service's prompt cache, which
costs more than sending it plainly; read from there, it costs a tenth or less.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

_WORTH_IT: Final = 2_000
"""Bytes below which nothing waits for what may not be cached: under 512 tokens nothing is."""


def prefix_of(body: Mapping[str, Any], least: int = _WORTH_IT) -> str | None:
    """A digest of a request up to its last cache breakpoint, None if there is none.

    None, too, if what would be cached has fewer than `least` bytes.
    """
    blocks = [*body.get("tools", ()), *body.get("system", ())]
    blocks += [block for message in body["messages"] for block in message["content"]]
    points = [number for number, block in enumerate(blocks) if "cache_control" in block]
    if not points:
        return None
    # Another format or another effort makes another prefix.
    shared = [body["model"], body.get("output_config"), blocks[: points[-1] + 1]]
    content = json.dumps(shared, sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest() if len(content) >= least else None


class Prefixes:
    """The prefixes that were met so far."""

    def __init__(self) -> None:
        self._met: dict[str, asyncio.Event] = {}

    @asynccontextmanager
    async def turn(self, prefix: str | None) -> AsyncIterator[None]:
        """Go first with a new prefix, else wait until whoever went first is done."""
        if prefix is None:
            yield
            return
        if prefix in self._met:
            await self._met[prefix].wait()
            yield
            return
        done = self._met[prefix] = asyncio.Event()
        try:
            yield
        finally:
            done.set()
