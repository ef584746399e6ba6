"""The Anthropic SDK behind our own values: one request a time, no retries, no secret in sight.

The SDK retries even when the account's limit is reached and waits as long as it is told, so its own
retries are off. It also looks for credentials on the disk unless it is given a key, so it gets one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any, Final

import anthropic
from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

from plugineval_action.llm.client import Reason, Request
from plugineval_action.llm.retry import Fault
from plugineval_action.llm.wire import Heard, MalformedError, body, heard

_BY_STATUS: Final[Mapping[int, Reason]] = {
    401: "key",
    402: "spend_limit",
    403: "key",
    408: "unreachable",
    409: "service",
    429: "rate_limit",
    503: "overloaded",
    529: "overloaded",
}
_OWN_LIMIT: Final = "reached your specified api usage limits"
_MEANS: Final[Mapping[Reason, str]] = {
    "key": "The service refuses the key; check anthropic-api-key and what it may use",
    "spend_limit": "The account has reached its spending limit",
    "rate_limit": "The account sends more than the service allows it",
    "overloaded": "The service is overloaded",
    "rejected": "The service does not accept the request",
    "service": "The service failed",
    "unreachable": "The service did not answer in time",
}


def sdk(api_key: str, base_url: str | None) -> AsyncAnthropic:
    """The SDK's client; close it when done."""
    address = base_url or "https://api.anthropic.com"
    return AsyncAnthropic(
        api_key=api_key,
        base_url=address,
        max_retries=0,
        open_telemetry=False,
        http_client=DefaultAsyncHttpxClient(follow_redirects=False, verify=_trust(address)),
    )


def _trust(address: str) -> SSLContext | bool:
    """Whose certificates count: the system's, or nobody's where there is no TLS.

    Reading the system's takes 40 ms, longer than a model on this machine may need.
    """
    if address.lower().startswith("http://"):
        return SSLContext(PROTOCOL_TLS_CLIENT)
    return True


class AnthropicTransport:
    """The Messages API as a Transport."""

    def __init__(self, client: AsyncAnthropic) -> None:
        self._client = client

    async def send(self, request: Request, seconds: float) -> Heard | Fault:
        """Create one message."""
        try:
            async with asyncio.timeout(seconds):
                return await self._create(body(request), seconds)
        except (anthropic.AnthropicError, TimeoutError) as error:
            return fault(error)

    async def _create(self, content: dict[str, Any], seconds: float) -> Heard | Fault:
        raw = await self._client.messages.with_raw_response.create(**content, timeout=seconds)
        try:
            message = raw.http_response.json()
            return heard(message, raw.http_response.headers.get("request-id", ""))
        except (MalformedError, ValueError, RecursionError) as error:
            why = error if isinstance(error, MalformedError) else "it is not JSON"
            return Fault("service", f"The answer cannot be read: {why}.", billed=True)


def fault(error: BaseException) -> Fault:
    """What an error of the SDK means. The sentence holds nothing that was sent."""
    if isinstance(error, anthropic.APIStatusError):
        return _refused(error)
    if isinstance(error, (anthropic.APITimeoutError, TimeoutError)):
        return Fault("unreachable", "The service did not answer in time.", billed=True)
    if isinstance(error, anthropic.APIConnectionError):
        billed = not _never_sent(error)
        return Fault("unreachable", "The connection to the service failed.", billed=billed)
    return Fault("service", f"The answer cannot be read ({type(error).__name__}).", billed=True)


def _never_sent(error: anthropic.APIConnectionError) -> bool:
    """Whether there was no connection at all, so that nothing can have been billed."""
    return type(error.__cause__).__name__ in {"ConnectError", "ConnectTimeout", "PoolTimeout"}


def _refused(error: anthropic.APIStatusError) -> Fault:
    said = _without_key(error)
    reason = _reason(error, said)
    detail = f"{_MEANS[reason]} ({error.status_code}{f': {said[:200]}' if said else ''})."
    # An error in the service's own words was counted by it; a proxy's page says nothing.
    billed = error.status_code >= 500 and (error.type is None or error.status_code == 504)
    return Fault(reason, detail, _retry_after(error.response.headers), billed)


def _without_key(error: anthropic.APIStatusError) -> str:
    """What the service says of it; whoever answers has seen the key and could repeat it."""
    key = error.request.headers.get("authorization", "").removeprefix("Bearer ")
    said = (error.api_message or "").strip()
    return said.replace(key, "…") if key else said


def _reason(error: anthropic.APIStatusError, said: str) -> Reason:
    if isinstance(error, anthropic.EnforcedSpendLimitReachedError) or _OWN_LIMIT in said.lower():
        return "spend_limit"
    usual: Reason = "service" if error.status_code >= 500 else "rejected"
    return _BY_STATUS.get(error.status_code, usual)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds; the service also knows milliseconds, and dates it does not send."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        if value.isascii() and value.replace(".", "", 1).isdigit():
            return float(value) * unit
    return None
