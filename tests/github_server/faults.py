"""Faults on demand: which request goes wrong, and how."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from github_server.exchange import Reply, refused

Kind = Literal[
    "401",
    "404",
    "409",
    "413",
    "422",
    "429",
    "500",
    "502",
    "502-after",
    "403-integration",
    "403-rate-limit",
    "403-secondary",
    "403-abuse",
    "slow",
    "hang",
    "cut",
    "invalid-json",
    "graphql-rate-limit",
    "graphql-error",
]
LATE: frozenset[Kind] = frozenset({"502-after", "slow", "cut", "invalid-json"})
"""Those that let the request have its effect."""

_LIMITS = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api"
_SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. "
    "If you reach out to GitHub Support for help, please include the request ID."
)


@dataclass
class Rule:
    """Watches for requests; `action` runs before them, `kind` spoils them."""

    method: str
    path: re.Pattern[str]
    kind: Kind | None
    action: Callable[[], object] | None
    times: int
    after: int
    seconds: float

    def meets(self, method: str, path: str) -> bool:
        """Whether this request is one of those; counts it if so."""
        if self.method not in {"*", method} or not self.path.search(path) or not self.times:
            return False
        if self.after:
            self.after -= 1
            return False
        self.times -= 1
        return True


class Alteration(NamedTuple):
    """Puts another reply in place of those to a kind of request."""

    method: str
    path: re.Pattern[str]
    change: Callable[[Reply], Reply]


@dataclass
class Rules:
    """All rules of a server, the oldest first."""

    rules: list[Rule] = field(default_factory=list)
    alterations: list[Alteration] = field(default_factory=list)

    def altered(self, method: str, path: str, reply: Reply) -> Reply:
        """A reply as the alterations for its request leave it."""
        for one in self.alterations:
            if one.method in {"*", method} and one.path.search(path):
                reply = one.change(reply)
        return reply

    def take(self, method: str, path: str) -> Rule | None:
        """Run the actions for a request; the first fault that it meets, if any."""
        fault = None
        for rule in self.rules:
            if rule.kind and fault is not None:
                continue
            if rule.meets(method, path):
                if rule.action:
                    rule.action()
                else:
                    fault = rule
        return fault


_PAGE = b"<html>\n<head><title>%b</title></head>\n<body>\n<h1>%b</h1>\n</body>\n</html>\n"


def _page(words: str) -> Reply:
    """What GitHub's front answers when what is behind it does not."""
    text = words.encode()
    return Reply(int(words[:3]), _PAGE % (text, text), {"Content-Type": "text/html"})


def _used_up(seconds: float) -> dict[str, str]:
    return {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time() + seconds))}


def _rate_limit(seconds: float) -> Reply:
    message = "API rate limit exceeded for installation ID 1."
    return refused(403, message, _LIMITS, headers=_used_up(seconds))


def _secondary(status: int, seconds: float) -> Reply:
    headers = {"Retry-After": f"{seconds:g}"}
    return refused(status, _SECONDARY, f"{_LIMITS}#about-secondary-rate-limits", headers=headers)


def _graphql(message: str, **more: str) -> Reply:
    return Reply(200, {"data": None, "errors": [{**more, "message": message}]})


_REPLIES: dict[Kind, Callable[[float], Reply]] = {
    "401": lambda _: refused(401, "Bad credentials"),
    "404": lambda _: refused(404, "Not Found"),
    "409": lambda _: refused(409, "Conflict"),
    "413": lambda _: refused(413, "Payload Too Large"),
    "422": lambda _: refused(422, "Validation Failed"),
    "429": lambda seconds: _secondary(429, seconds),
    "500": lambda _: refused(500, "Server Error"),
    "502": lambda _: _page("502 Bad Gateway"),
    "502-after": lambda _: _page("502 Bad Gateway"),
    "403-integration": lambda _: refused(403, "Resource not accessible by integration"),
    "403-rate-limit": _rate_limit,
    "403-secondary": lambda seconds: _secondary(403, seconds),
    "403-abuse": lambda _: refused(403, _SECONDARY, f"{_LIMITS}#about-secondary-rate-limits"),
    "graphql-rate-limit": lambda seconds: _graphql(
        "API rate limit already exceeded for installation ID 1.", type="RATE_LIMITED"
    )._replace(headers=_used_up(seconds)),
    "graphql-error": lambda _: _graphql("Something went wrong while executing your query."),
}
ANSWERED = frozenset(_REPLIES)
"""Those that have a reply of their own."""


def reply(rule: Rule) -> Reply:
    """The reply of a fault that has one."""
    assert rule.kind
    return _REPLIES[rule.kind](rule.seconds)
