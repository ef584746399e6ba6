"""Faults on demand: which call goes wrong, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, get_args

from github_server.exchange import Reply

Kind = Literal[
    "400", "401", "401-echo", "403", "429", "429-silent", "500", "502", "529", "spend-limit",
    "own-limit", "hang", "stall", "cut", "garbage", "html",
]  # fmt: skip
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
BILLED: Final = frozenset({"stall", "cut", "garbage"})
"""Those that come after the work was done."""


@dataclass
class Rule:
    """Spoils `times` calls, after letting some pass; -1 spoils all of them."""

    kind: Kind
    times: int
    after: int
    seconds: float

    def meets(self) -> bool:
        """Whether the call that is made now is one of those; counts it."""
        if not self.times:
            return False
        if self.after:
            self.after -= 1
            return False
        self.times -= 1
        return True


class Known(NamedTuple):
    """An error as the API words it."""

    status: int
    type: str
    message: str


_ERRORS: Final[dict[str, Known]] = {
    "400": Known(400, "invalid_request_error", "Something is wrong with the request"),
    "401": Known(401, "authentication_error", "invalid x-api-key"),
    "401-echo": Known(401, "authentication_error", "I know no key"),
    "403": Known(403, "permission_error", "Your API key does not have permission"),
    "429": Known(429, "rate_limit_error", "This request would exceed your rate limit"),
    "429-silent": Known(429, "rate_limit_error", "This request would exceed your rate limit"),
    "500": Known(500, "api_error", "Internal server error"),
    "529": Known(529, "overloaded_error", "Overloaded"),
    "spend-limit": Known(429, "rate_limit_error", "You have reached your spend limit"),
    "own-limit": Known(
        400, "invalid_request_error", "You have reached your specified API usage limits."
    ),
}


def refused(status: int, kind: str, message: str, **details: str) -> Reply:
    """An error's reply."""
    error: dict[str, Any] = {"type": kind, "message": message}
    if details:
        error["details"] = details
    return Reply(status, {"type": "error", "error": error, "request_id": "req_refused"})


def reply(rule: Rule, key: str) -> Reply | None:
    """What a fault answers instead of the model, None if the model's answer is only spoilt."""
    if rule.kind == "502":
        return Reply(502, b"<html><h1>Bad Gateway</h1></html>", {"Content-Type": "text/html"})
    if rule.kind == "html":
        return Reply(200, b"<html>Welcome to the network</html>", {"Content-Type": "text/html"})
    if rule.kind not in _ERRORS:
        return None
    known = _ERRORS[rule.kind]
    if rule.kind == "spend-limit":
        return refused(*known, error_code="enforced_spend_limit_reached")
    if rule.kind == "401-echo":
        known = known._replace(message=f"I know no key {key}")
    answer = refused(*known)
    if rule.kind == "429":
        return answer._replace(headers={"retry-after": f"{rule.seconds:.10g}"})
    return answer
