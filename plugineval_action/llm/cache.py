"""Verdicts kept for the same question: a directory of small JSON files, one an answer.

Whoever can write there decides what later runs read, so a run that scores foreign content only
reads. Whatever is wrong with a file makes it a miss.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from plugineval_action.llm.client import (
    Client,
    JsonValue,
    Reply,
    Request,
    Said,
    ToolUse,
    Unmeasured,
    Usage,
)
from plugineval_action.llm.schema import MisfitError, fitted
from plugineval_action.llm.wire import stop_reason

FORMAT: Final = 1
_LARGEST: Final = 1_000_000


def key_of(request: Request) -> str:
    """What tells a question from all others, as 64 hexadecimal digits; the text is not in it."""
    return hashlib.sha256(json.dumps(_identity(request), sort_keys=True).encode()).hexdigest()


def _identity(request: Request) -> dict[str, JsonValue]:
    return {
        "format": FORMAT,
        "purpose": request.purpose,
        "version": request.version,
        "identity": request.identity,
        "model": request.model,
        "max_tokens": request.max_tokens,
        "effort": request.effort,
        "schema": request.schema,
        "tools": [tool._asdict() for tool in request.tools],
    }


class Store:
    """The files, below a directory; `writable` is decided by whose content is scored."""

    def __init__(self, directory: str, *, writable: bool) -> None:
        self._directory, self._writable = directory, writable

    def read(self, request: Request) -> Reply | None:
        """The answer that was kept, None if there is none that is whole and fits the schema."""
        try:
            with open(self._path(request), "rb") as file:
                entry = json.loads(file.read(_LARGEST))
            return _reply(request, entry)
        except (
            OSError,
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            ArithmeticError,
            RecursionError,
        ):
            return None

    def write(self, request: Request, reply: Reply) -> None:
        """Keep an answer; a full or closed disk loses the entry, never the run."""
        if not self._writable:
            return
        content = json.dumps(_entry(request, reply), ensure_ascii=True).encode()
        if len(content) >= _LARGEST:
            return
        with suppress(OSError):
            _replace(self._path(request), content)

    def _path(self, request: Request) -> str:
        key = key_of(request)
        return os.path.join(self._directory, key[:2], f"{key}.json")


class Remembering:
    """A Client that asks another one only what it has not been told before."""

    def __init__(self, client: Client, store: Store) -> None:
        self._client, self._store = client, store

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Ask one question; see Client."""
        kept = self._store.read(request)
        if kept is not None:
            return kept
        answer = await self._client.ask(request)
        if isinstance(answer, Reply):
            self._store.write(request, answer)
        return answer


def _entry(request: Request, reply: Reply) -> dict[str, JsonValue]:
    return {
        "question": _identity(request),
        "answer": {
            "text": reply.text,
            "data": reply.data,
            "tool_uses": [use._asdict() for use in reply.tool_uses],
            "stop_reason": reply.stop_reason,
            "model": reply.model,
            "request_id": reply.request_id,
            "tokens": reply.tokens,
            "said": [said.block for said in reply.said],
        },
    }


def _reply(request: Request, entry: Mapping[str, Any]) -> Reply | None:
    """Read an entry. What breaks it raises whatever it raises; the caller takes it for a miss."""
    if entry["question"] != json.loads(json.dumps(_identity(request))):
        return None
    answer = entry["answer"]
    data = fitted(request.schema, answer["data"]) if request.schema is not None else None
    return Reply(
        text=_text(answer["text"]),
        data=data,
        tool_uses=tuple(
            ToolUse(_text(use["id"]), _text(use["name"]), dict(use["input"]))
            for use in answer["tool_uses"]
        ),
        usage=Usage(request.model),
        stop_reason=stop_reason(answer["stop_reason"]),
        model=_text(answer["model"]),
        request_id=_text(answer["request_id"]),
        said=tuple(Said(dict(block)) for block in answer["said"]),
        remembered=True,
        took=int(answer["tokens"]),
    )


def _text(value: JsonValue) -> str:
    if not isinstance(value, str):
        raise MisfitError("text is expected")
    return value


def _replace(path: str, content: bytes) -> None:
    """Write a whole file or none: readers never see half of one."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=".new-")
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise
