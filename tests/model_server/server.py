"""The server: who may ask, what was asked, and what goes wrong on the way."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from threading import Event, RLock, Thread
from types import TracebackType
from typing import Final, Self

from github_server.exchange import Reply
from github_server.handler import Answer, Listener
from model_server import faults
from model_server.answers import Answers, Call
from model_server.batches import Batches
from model_server.drafts import JsonValue, Model
from model_server.faults import KINDS, Kind, Rule, refused
from model_server.limits import problems
from model_server.prices import PRICES
from model_server.tokens import prompt_tokens

VERSION: Final = "2026-10-21"
_LARGEST: Final = 32_000_000
_USUAL: Final = {"Server": "loopback", "Content-Type": "application/json"}


class ModelServer:
    """See the package for how to use it; each answer takes `latency` seconds."""

    def __init__(
        self, *models: Model, seed: int = 0, check: bool = True, latency: float = 0.0
    ) -> None:
        self.key = "test-key-of-the-loopback-server"
        self.violations: list[str] = []
        self.refusals: list[int] = []
        self._check, self._latency = check, latency
        self._rules: list[Rule] = []
        self._lock, self._closing = RLock(), Event()
        self._answers = Answers(models, seed)
        self._listener = Listener(self, _USUAL)
        self.url = self._listener.address
        self.batches = Batches(self._answers, self.url, seed)
        self._under_way = 0
        self.most_at_once = 0
        self.no_format: set[str] = set()
        """Models that take no schema."""

    @property
    def calls(self) -> list[Call]:
        """Every answer that was billed, oldest first."""
        return self._answers.calls

    @property
    def billed(self) -> float:
        """Dollars in all."""
        return math.fsum(call.dollars for call in self.calls)

    def fault(self, kind: Kind, *, times: int = 1, after: int = 0, seconds: float = 0.0) -> None:
        """Spoil calls; see the package. `times` -1 means all."""
        assert kind in KINDS
        self._rules.append(Rule(kind, times, after, seconds))

    def __enter__(self) -> Self:
        Thread(target=self._listener.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._listener.close()
        if self._check and self.violations and error is None:
            raise AssertionError("\n".join(["Requests break the rules:", *self.violations]))

    def handle(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Answer a request; see Application."""
        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            answer = self._handle(method, target.partition("?")[0], headers, body)
        except Exception as error:
            # The caller only sees a connection that breaks, as it does where one is spoilt.
            self.violations.append(f"no answer was made up: {error!r}")
            raise
        finally:
            with self._lock:
                self._under_way -= 1
        if answer.reply.status != 200:
            self.refusals.append(answer.reply.status)
        return answer

    def _handle(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Answer:
        if (refusal := self._door(headers, raw)) is not None:
            return Answer(refusal)
        try:
            body = json.loads(raw or b"null")
        except ValueError:
            return Answer(self._wrong(["the body is not JSON"]))
        if (method, path) == ("POST", "/v1/messages"):
            return self._messages(body)
        with self._lock:
            return Answer(self._other(method, path, body))

    def _door(self, headers: Mapping[str, str], raw: bytes) -> Reply | None:
        given = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        if given != self.key:
            return refused(401, "authentication_error", "invalid x-api-key")
        if headers.get("anthropic-version") != VERSION:
            return self._wrong([f"anthropic-version: {VERSION} is what this server speaks"])
        if len(raw) > _LARGEST:
            return refused(413, "request_too_large", "Request exceeds the maximum size")
        return None

    def _messages(self, body: JsonValue) -> Answer:
        with self._lock:
            rule = next((rule for rule in self._rules if rule.meets()), None)
            if rule is not None and rule.kind == "hang":
                return Answer(Reply(200), "hang")
            if rule is not None and (instead := faults.reply(rule, self.key)) is not None:
                return Answer(instead)
            wrong = list(problems(body))
            if wrong:
                return Answer(self._wrong(wrong))
            if body["model"] in self.no_format and "format" in body.get("output_config", {}):
                words = "output_config.format: Structured outputs are not supported by this model"
                return Answer(refused(400, "invalid_request_error", words))
            call, prefixes = self._answers.answer(body)
        if self._latency:
            self._closing.wait(self._latency)
        with self._lock:
            self._answers.cache.keep(prefixes)
        reply = Reply(200, call.message, {"request-id": f"req_{call.message['id']}"})
        return _spoilt(reply, rule)

    def _other(self, method: str, path: str, body: JsonValue) -> Reply:
        name = path.removeprefix("/v1/messages/batches/").removesuffix("/results")
        if (method, path) == ("POST", "/v1/messages/count_tokens"):
            wrong = list(problems(body, counting=True))
            return (
                self._wrong(wrong) if wrong else Reply(200, {"input_tokens": prompt_tokens(body)})
            )
        if (method, path) == ("POST", "/v1/messages/batches"):
            rule = next((rule for rule in self._rules if rule.meets()), None)
            if rule is not None and (instead := faults.reply(rule, self.key)) is not None:
                return instead
            reply, violations = self.batches.create(body)
            self.violations += violations
            return reply
        if method == "GET" and path.startswith("/v1/messages/batches/"):
            of_results = path.endswith("/results")
            return self.batches.results(name) if of_results else self.batches.retrieve(name)
        if method == "GET" and path.removeprefix("/v1/models/") in PRICES:
            return Reply(200, {"id": path.removeprefix("/v1/models/"), "type": "model"})
        return refused(404, "not_found_error", "Not found")

    def _wrong(self, wrong: list[str]) -> Reply:
        self.violations += wrong
        return refused(400, "invalid_request_error", "; ".join(wrong)[:500])


def _spoilt(reply: Reply, rule: Rule | None) -> Answer:
    match rule.kind if rule else None:
        case "stall":
            return Answer(reply, "hang")
        case "cut":
            return Answer(reply, "cut")
        case "garbage":
            return Answer(reply, "invalid-json")
        case _:
            return Answer(reply)
