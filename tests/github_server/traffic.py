"""What comes in: every request is counted, met by the faults that wait for it, and written down."""

from __future__ import annotations

import re
import time
import traceback
from collections.abc import Callable
from threading import RLock

from github_server import faults
from github_server.exchange import Reply, Request, refused
from github_server.faults import Rules
from github_server.handler import Answer

LIMIT = 5_000


class Traffic:
    """All requests of a server, one after the other."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.violations: list[str] = []
        self.rules = Rules()
        self._lock = RLock()

    def serve(self, request: Request, respond: Callable[[], Reply]) -> Answer:
        """Answer a request by `respond`, unless a fault is waiting for it."""
        with self._lock:
            answer = self._guarded(request, lambda: self._serve(request, respond))
            status = 0 if answer.spoil in {"cut", "hang"} else answer.reply.status
            self.requests.append(request._replace(status=status))
            return answer._replace(reply=self._with_limits(request, answer.reply))

    def _serve(self, request: Request, respond: Callable[[], Reply]) -> Answer:
        rule = self.rules.take(request.method, request.path)
        if rule is None or rule.kind is None:
            return Answer(self.rules.altered(request.method, request.path, respond()))
        reply = respond() if rule.kind in faults.LATE else Reply(200)
        if rule.kind in faults.ANSWERED:
            reply = faults.reply(rule)
        return Answer(reply, rule.kind, rule.seconds)

    def _guarded(self, request: Request, serve: Callable[[], Answer]) -> Answer:
        """A mistake of this server is a violation too: the test must not go on unaware."""
        try:
            return serve()
        except Exception:  # noqa: BLE001 - whatever it is
            self.violations.append(f"{request.method} {request.path}: {traceback.format_exc()}")
            return Answer(refused(500, "Server Error"))

    def _with_limits(self, request: Request, reply: Reply) -> Reply:
        used = len(self.requests)
        limits = {
            "x-ratelimit-limit": str(LIMIT),
            "x-ratelimit-remaining": str(max(LIMIT - used, 0)),
            "x-ratelimit-used": str(used),
            "x-ratelimit-reset": str(int(time.time()) + 3600),
            "x-ratelimit-resource": "graphql" if "/graphql/" in request.path else "core",
        }
        return reply._replace(headers={**limits, **reply.headers})

    def calls(self, method: str, path: str) -> list[Request]:
        """The requests of a method ("*": any) whose path matches."""
        return [
            request
            for request in self.requests
            if method in {"*", request.method} and re.search(path, request.path)
        ]
