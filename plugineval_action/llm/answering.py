"""From what a model said to a Reply, or to the reason why there is none, with one try to repair."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from plugineval_action.llm.client import Message, Reason, Reply, Request, Text, Unmeasured, Usage
from plugineval_action.llm.schema import MisfitError, accepted, fitted
from plugineval_action.llm.usage import total
from plugineval_action.llm.wire import Heard, parsed

MOST_TOKENS: Final = 20_000
"""Longer answers would have to be streamed."""

_CUTS: Final = frozenset({"max_tokens", "model_context_window_exceeded"})


class Sent(NamedTuple):
    """What became of one request: a message or a reason, and what all tries for it took."""

    answer: Heard | Unmeasured
    usage: Usage


Send = Callable[[Request], Awaitable[Sent]]


class _Problem(NamedTuple):
    reason: Reason
    detail: str


async def answered(request: Request, send: Send) -> Reply | Unmeasured:
    """Ask, look at the answer, and ask once more if it is cut, refused or breaks the schema."""
    asked = request
    first = await send(asked)
    if _no_format(asked, first.answer):
        asked = _in_words(request)
        first = await send(asked)
    if isinstance(first.answer, Unmeasured):
        return first.answer._replace(usage=first.usage)
    reply = _reply(request, first.answer, first.usage)
    if isinstance(reply, Reply):
        return reply
    second = await send(_repairing(asked, first.answer, reply))
    usage = total(request.model, (first.usage, second.usage))
    if isinstance(second.answer, Unmeasured):
        return second.answer._replace(usage=usage)
    reply = _reply(request, second.answer, usage)
    return reply if isinstance(reply, Reply) else Unmeasured(reply.reason, reply.detail, usage)


def _no_format(request: Request, answer: Heard | Unmeasured) -> bool:
    """Whether the model is one that takes no schema; nothing is billed for saying so."""
    if isinstance(answer, Heard) or request.schema is None:
        return False
    return answer.reason == "rejected" and "output_config" in answer.detail


def _in_words(request: Request) -> Request:
    """The question with its schema told to the model; the answer is checked all the same."""
    schema = json.dumps(accepted(request.schema or {}))
    words = f"Answer with JSON alone, nothing before or after it, by this JSON Schema:\n{schema}"
    # In front, as it is the same for all questions that share a cached prefix.
    return request._replace(
        system=(Text(words), *request.system),
        schema=None,
        identity=f"{request.identity}#words",
    )


def _reply(request: Request, heard: Heard, usage: Usage) -> Reply | _Problem:
    """Without a schema everything that was said is an answer."""
    data = None
    if request.schema is not None:
        if heard.stop_reason == "refusal":
            return _Problem("refused", "The model declined to answer.")
        if heard.stop_reason in _CUTS:
            return _Problem("cut", f"The answer was cut ({heard.stop_reason}).")
        try:
            data = fitted(request.schema, parsed(heard.text))
        except MisfitError as error:
            return _Problem("invalid", f"The answer does not fit its schema: {error}.")
        except (ValueError, RecursionError):
            return _Problem("invalid", "The answer is not JSON.")
    return Reply(
        text=heard.text,
        data=data,
        tool_uses=heard.tool_uses,
        usage=usage,
        stop_reason=heard.stop_reason,
        model=heard.model,
        request_id=heard.request_id,
        said=heard.said,
    )


def _repairing(request: Request, heard: Heard, problem: _Problem) -> Request:
    """The second request: room for a cut answer, what was wrong for a wrong one."""
    again = request._replace(identity=f"{request.identity}#repair")
    if problem.reason == "cut":
        return again._replace(max_tokens=min(2 * request.max_tokens, MOST_TOKENS))
    if problem.reason == "refused" or not heard.said:
        return again
    told = Text(f"{problem.detail} Give the whole answer again, as JSON that fits the schema.")
    turns = (Message("assistant", heard.said), Message("user", (told,)))
    return again._replace(messages=(*request.messages, *turns))
