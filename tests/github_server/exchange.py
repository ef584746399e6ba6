"""What goes in and out: requests, replies, refusals, pages of listings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from github_server.access import Token
from github_server.description import Json
from github_server.repository import Repository
from github_server.world import World

Item = TypeVar("Item")
LARGEST_PAGE = 100
USUAL_PAGE = 30


class Request(NamedTuple):
    """What was asked for; status 0 means that no whole reply was sent."""

    method: str
    path: str
    query: Mapping[str, str]
    body: Any
    status: int
    token: str


class Reply(NamedTuple):
    """A status, a body (JSON, or bytes as they are) and further headers."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = {}


class Problem(Exception):  # noqa: N818 - a refusal, not a mistake of this server
    """What a route raises to refuse; `unexpected` ones break a rule that a client should keep."""

    def __init__(
        self,
        status: int,
        message: str,
        errors: Sequence[Json | str] = (),
        *,
        unexpected: bool = False,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors
        self.unexpected = unexpected


class Call(NamedTuple):
    """A checked request."""

    world: World
    token: Token
    repository: Repository
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Json
    accept: str
    url: str

    def number(self, name: str) -> int:
        value = self.path[name]
        if not value.isdecimal():
            raise missing()
        return int(value)


def missing() -> Problem:
    return Problem(404, "Not Found")


def found(value: Item | None) -> Item:
    """The value; a 404 if there is none."""
    if value is None:
        raise missing()
    return value


def paged(
    call: Call,
    items: Sequence[Item],
    render: Callable[[Item], Json],
    wrap: Callable[[list[Json]], Any] = list,
) -> Reply:
    """One page of a listing, with the links to the others."""
    size = min(int(call.query.get("per_page", USUAL_PAGE)), LARGEST_PAGE) or USUAL_PAGE
    page = max(int(call.query.get("page", 1)), 1)
    last = max(math.ceil(len(items) / size), 1)
    body = wrap([render(item) for item in items[(page - 1) * size : page * size]])
    targets = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
    if page >= last:
        targets = {"prev": page - 1, "first": 1}
    if page <= 1:
        targets = {name: at for name, at in targets.items() if name in {"next", "last"}}
    links = (
        f'<{call.url}?{urlencode({**call.query, "page": at})}>; rel="{name}"'
        for name, at in targets.items()
    )
    return Reply(200, body, {"Link": ", ".join(links)} if targets else {})


def refused(
    status: int,
    message: str,
    documentation: str = "https://docs.github.com/rest",
    *,
    headers: Mapping[str, str] = {},
    errors: Sequence[Json | str] = (),
) -> Reply:
    """An error as GitHub words it."""
    body: Json = {"message": message}
    if errors:
        body["errors"] = list(errors)
    body |= {"documentation_url": documentation, "status": str(status)}
    return Reply(status, body, headers)
