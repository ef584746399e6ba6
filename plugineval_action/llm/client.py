"""What the layers ask of a language model: a Protocol and the values that cross it.

A question is answered by a Reply or is Unmeasured; neither the network, the service nor the budget
ever raises through `ask`, so that what was measured before is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

JsonValue = Any
"""Whatever JSON can hold."""
Json = Mapping[str, JsonValue]
Role = Literal["user", "assistant"]
Effort = Literal["low", "medium", "high", "xhigh", "max"]
StopReason = Literal[
    "end_turn",
    "max_tokens",
    "model_context_window_exceeded",
    "pause_turn",
    "refusal",
    "stop_sequence",
    "tool_use",
]

Reason = Literal[
    "invalid",  # no JSON, or JSON that breaks the schema, twice
    "cut",  # longer than max_tokens, twice
    "refused",  # the model declined, twice
    "budget",  # the cap on dollars does not allow the call
    "deadline",  # no time is left
    "rate_limit",  # too many requests, and waiting did not help
    "spend_limit",  # the account's own limit is reached: final
    "overloaded",  # the service has no capacity
    "service",  # the service failed (5xx)
    "unreachable",  # no connection, or one that broke
    "key",  # the key is wrong, or may not use this model
    "rejected",  # the service does not accept the request
    "cancelled",  # the run was stopped, or the batch was cancelled or expired
]
"""Why a question has no answer."""


class Text(NamedTuple):
    """Text in a prompt; `cached` sets a cache breakpoint behind it (at most four a request)."""

    text: str
    cached: bool = False


class ToolResult(NamedTuple):
    """What a tool gave, for the call with this id."""

    tool_use_id: str
    text: str


class Said(NamedTuple):
    """A block of the model's own, which goes back word for word (thinking is signed)."""

    block: Json


class Message(NamedTuple):
    """One turn."""

    role: Role
    blocks: tuple[Text | ToolResult | Said, ...]


class Tool(NamedTuple):
    """Something the model may ask for; `schema` is the JSON Schema of its input."""

    name: str
    description: str
    schema: Json


class Request(NamedTuple):
    """One question.

    `model` is an id, not a tier. `purpose` names the question in reports and costs, such as
    `judge.scope_calibration`; `version` is that of the prompt's wording. `identity` tells this
    question from all others of the same purpose: the digest of the content it is about, the
    number of the repeat, the case. Answers are cached and found again in batches by purpose,
    version, identity and parameters, *not* by the text, so identity must cover the text.

    With `schema` the answer is JSON that fits it, or Unmeasured. Ranges and lengths may stand in
    it: what the service does not accept is told to the model in words and checked here. Without
    `schema`, whatever the model said is a Reply, refused or cut too: see its stop reason.
    """

    model: str
    system: tuple[Text, ...]
    messages: tuple[Message, ...]
    purpose: str
    version: str
    identity: str
    max_tokens: int = 4096
    schema: Json | None = None
    tools: tuple[Tool, ...] = ()
    effort: Effort | None = None


class ToolUse(NamedTuple):
    """A tool the model asks for."""

    id: str
    name: str
    input: Json


class Usage(NamedTuple):
    """Tokens and dollars of one question, with every try that was made for it.

    `input_tokens` counts neither what was read from the prompt cache nor what was written to it.
    `usd` is None if the model's price is unknown. `lost_usd` is the most that tries whose answers
    never arrived may have cost; it is not in `usd`.
    """

    model: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    usd: float | None = 0.0
    lost_usd: float = 0.0


class Reply(NamedTuple):
    """An answer: `data` is what fits the schema, None without one.

    `said` are the model's own blocks, to send back as `Message("assistant", reply.said)`. An
    answer from the verdict cache is `remembered` and cost nothing now; `took` are the tokens, in
    and out, that it took when it was given.
    """

    text: str
    data: JsonValue
    tool_uses: tuple[ToolUse, ...]
    usage: Usage
    stop_reason: StopReason
    model: str
    request_id: str
    said: tuple[Said, ...] = ()
    remembered: bool = False
    took: int = 0

    @property
    def tokens(self) -> int:
        """Tokens of question and answer, cached ones included, now or when it was given."""
        now = self.usage
        read, written = now.cache_read_tokens, now.cache_write_tokens
        return self.took or now.input_tokens + read + written + now.output_tokens


class Unmeasured(NamedTuple):
    """A question without an answer: why, in one sentence for people too, and what it cost."""

    reason: Reason
    detail: str
    usage: Usage


class Client(Protocol):
    """Somebody who answers, or says why not. Many questions may be asked at once."""

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Ask one question. Raises only asyncio.CancelledError."""
