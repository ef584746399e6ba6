"""The server: two listeners, one world."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from threading import Thread
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, unquote

from github_server import access, graphql_api, rest
from github_server.access import Level, Token
from github_server.exchange import Reply, Request, refused
from github_server.faults import Alteration, Kind, Rule
from github_server.handler import Answer, Listener
from github_server.repository import Repository
from github_server.storage import Storage
from github_server.traffic import Traffic
from github_server.world import BOT, World


class GitHubServer:
    """See the package for how to use it."""

    write_token = "test-token-that-may-write"  # noqa: S105 - no secret
    read_token = "test-token-that-may-read"  # noqa: S105 - no secret
    pat = "test-token-of-a-person"

    def __init__(self, *, enterprise: bool = False, check: bool = True) -> None:
        self._check = check
        self._base, self._graphql = ("/api/v3", "/api/graphql") if enterprise else ("", "/graphql")
        self._traffic = Traffic()
        self._listeners: list[Listener] = [Listener(self)]
        address = self._listeners[0].address
        self.url = address + self._base
        self.graphql_url = address + self._graphql
        self.html_url = address
        self.world = World(self.url, address)
        self._listeners.append(Listener(Storage(self.world, self._traffic)))
        self.world.storage_url = self._listeners[1].address
        self.requests = self._traffic.requests
        self.violations = self._traffic.violations
        self.tokens = {
            self.write_token: Token(BOT, access.everything("write")),
            self.read_token: Token(BOT, access.everything("read")),
            self.pat: Token(access.PERSON, access.everything("write")),
        }

    def __enter__(self) -> Self:
        for listener in self._listeners:
            Thread(target=listener.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for listener in self._listeners:
            listener.close()
        # What the test itself has found comes first.
        if self._check and self.violations and error is None:
            raise AssertionError(
                "\n".join(["Requests or replies break the rules:", *self.violations])
            )

    def repository(
        self, name: str, *, private: bool = False, fork_of: Repository | None = None
    ) -> Repository:
        """The repository of this name, made if it is not there."""
        known = self.world.find(name)
        if known is None:
            known = Repository(self.world, name, private=private, fork_of=fork_of)
            self.world.repositories[name.lower()] = known
        return known

    def add_token(self, text: str, **permissions: Level) -> str:
        """A further token of the workflow, with these permissions and no others."""
        unknown = permissions.keys() - set(access.PERMISSIONS)
        if unknown:
            raise ValueError(f"no such permissions: {sorted(unknown)}")
        self.tokens[text] = Token(BOT, permissions)
        return text

    def calls(self, method: str = "*", path: str = "") -> list[Request]:
        """The requests of a method whose path matches a regular expression."""
        return self._traffic.calls(method, path)

    def fault(
        self,
        method: str,
        path: str,
        kind: Kind,
        *,
        times: int = 1,
        after: int = 0,
        seconds: float = 1,
    ) -> None:
        """See the package."""
        rule = Rule(method, re.compile(path), kind, None, times, after, seconds)
        self._traffic.rules.rules.append(rule)

    def when(self, method: str, path: str, action: Callable[[], object], *, after: int = 0) -> None:
        """Call `action` once, before such a request is answered; the first `after` do not count."""
        self._traffic.rules.rules.append(Rule(method, re.compile(path), None, action, 1, after, 0))

    def alter(self, method: str, path: str, change: Callable[[Reply], Reply]) -> None:
        """Answer such requests with what `change` makes of the right reply, which is not checked.

        `Reply` has `status`, `body` and `headers`.
        """
        self._traffic.rules.alterations.append(Alteration(method, re.compile(path), change))

    def handle(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Answer a request; see Application."""
        raw, _, query_text = target.partition("?")
        path = "/graphql" if raw == self._graphql else raw.removeprefix(self._base)
        query = dict(parse_qsl(query_text, keep_blank_values=True))
        token = headers.get("authorization", "").partition(" ")[2]
        content = _parsed(body)
        if raw == self._graphql:
            path += f"/{graphql_api.operation_name(content)}"
        path = rest.by_name(self.world, path)
        request = Request(method, path, query, content, 0, token)

        def respond() -> Reply:
            if raw != self._graphql and not raw.startswith(self._base):
                self.violations.append(f"{method} {raw} is not below {self._base}")
                return refused(404, "Not Found")
            return self._respond(request, headers)

        return self._traffic.serve(request._replace(path=unquote(path)), respond)

    def _respond(self, request: Request, headers: Mapping[str, str]) -> Reply:
        token = self.tokens.get(request.token)
        scheme = headers.get("authorization", "").partition(" ")[0].lower()
        if token is None or scheme not in {"token", "bearer"}:
            return refused(401, "Bad credentials" if request.token else "Requires authentication")
        if not headers.get("user-agent"):
            self.violations.append(f"{request.method} {request.path}: no User-Agent")
        if request.path.startswith("/graphql/"):
            checked = graphql_api.answer(self.world, token, request.body)
            self.violations += checked.violations
            return checked.reply
        accept = headers.get("accept", "")
        answered = rest.answer(self.world, token, request, accept)
        self.violations += answered.violations
        return answered.reply


def _parsed(body: bytes) -> object:
    """A JSON body; what is none stays bytes, which no schema allows."""
    if not body:
        return None
    try:
        parsed: object = json.loads(body)
    except ValueError:
        return body
    return parsed
