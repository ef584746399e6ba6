"""The Message Batches API of the Anthropic SDK as a BatchService."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

import anthropic
import httpx2
from anthropic import AsyncAnthropic

from plugineval_action.llm.anthropic_client import fault
from plugineval_action.llm.client import JsonValue
from plugineval_action.llm.retry import Fault
from plugineval_action.llm.wire import Heard, MalformedError, heard

_SECONDS: Final = 300.0
"""For one request; the results of a large batch take a while."""


class AnthropicBatches:
    """Each method sends one request, or two, and never tries again."""

    def __init__(self, client: AsyncAnthropic) -> None:
        self._batches = client.messages.batches

    async def create(self, requests: Mapping[str, dict[str, Any]]) -> str | Fault:
        """Send bodies by their ids; gives the batch's id."""
        items: Any = [{"custom_id": key, "params": body} for key, body in requests.items()]
        try:
            async with asyncio.timeout(_SECONDS):
                return (await self._batches.create(requests=items)).id
        except (anthropic.AnthropicError, TimeoutError) as error:
            return fault(error)

    async def ended(self, batch: str) -> bool | Fault:
        """Whether nothing of a batch is left to do."""
        try:
            async with asyncio.timeout(_SECONDS):
                return (await self._batches.retrieve(batch)).processing_status == "ended"
        except (anthropic.AnthropicError, TimeoutError) as error:
            return fault(error)

    async def results(self, batch: str) -> dict[str, Heard | Fault] | Fault:
        """What came of each question, by id, in whatever order they arrive."""
        try:
            async with asyncio.timeout(_SECONDS):
                raw = await self._batches.with_raw_response.results(batch)
                text = await raw.http_response.aread()
            return dict(_outcome(json.loads(line)) for line in text.splitlines() if line)
        except (anthropic.AnthropicError, TimeoutError) as error:
            return fault(error)
        except httpx2.HTTPError:
            return Fault("unreachable", "The connection broke while results were read.")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return Fault("service", "The results of the batch cannot be read.")


def _outcome(line: JsonValue) -> tuple[str, Heard | Fault]:
    return str(line["custom_id"]), _read(line["result"])


def _read(result: Mapping[str, Any]) -> Heard | Fault:
    match result.get("type"):
        case "succeeded":
            try:
                return heard(result["message"], str(result["message"].get("id", "")))
            except MalformedError as error:
                return Fault("service", f"The answer cannot be read: {error}.", billed=True)
        case "errored":
            return _errored(result["error"]["error"])
        case "expired":
            return Fault("cancelled", "The batch expired before this question's turn.")
        case _:
            return Fault("cancelled", "The batch was cancelled before this question's turn.")


def _errored(error: Mapping[str, Any]) -> Fault:
    said = str(error.get("message", ""))[:200]
    if error.get("type") == "invalid_request_error":
        return Fault("rejected", f"The service does not accept the request: {said}")
    return Fault("service", f"The service failed: {said}")
