"""REST: from a request to its reply, by way of the description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

from github_server import access
from github_server.access import Token
from github_server.description import Match, description
from github_server.exchange import Call, Problem, Reply, Request, found, refused
from github_server.routes import ROUTES
from github_server.world import World


class Checked(NamedTuple):
    """A reply, and what was wrong with the request or with it."""

    reply: Reply
    violations: list[str]


def by_name(world: World, path: str) -> str:
    """`/repositories/1001/…`, as links to further pages have it, as `/repos/owner/name/…`."""
    by_id = re.match(r"/repositories/([0-9]+)(?=/|$)", path)
    repository = world.by_id(int(by_id[1])) if by_id else None
    return f"/repos/{repository.name}{path[by_id.end() :]}" if by_id and repository else path


def answer(world: World, token: Token, request: Request, accept: str) -> Checked:
    """Check a request, carry it out, check its reply."""
    asked = f"{request.method} {request.path}"
    match = description().match(request.method, request.path)
    if match is None:
        return Checked(refused(404, "Not Found"), [f"{asked}: no such operation"])
    operation = match.operation
    problems = operation.query_problems(request.query) + operation.body_problems(request.body)
    try:
        call = _call(world, token, match, request, accept)
        _refuse(problems)
        reply = ROUTES[operation.id](call)
        problems += operation.reply_problems(reply.status, reply.body)
    except Problem as problem:
        reply = refused(
            problem.status, problem.message, operation.documentation, errors=problem.errors
        )
        if problem.unexpected:
            problems.append(f"{problem.message} {list(problem.errors)}")
    needs = {"x-accepted-github-permissions": str(access.needs(operation.id, request.method))}
    reply = reply._replace(headers={**reply.headers, **needs})
    return Checked(reply, [f"{asked} ({operation.id}): {problem}" for problem in problems])


def _call(world: World, token: Token, match: Match, request: Request, accept: str) -> Call:
    """The request of one who may make it."""
    operation, path = match
    repository = found(world.find(f"{path['owner']}/{path['repo']}"))
    refusal = access.refusal(token, operation.id, operation.method, private=repository.private)
    if refusal:
        raise Problem(403, refusal)
    below = operation.path.removeprefix("/repos/{owner}/{repo}")
    url = f"{world.url}/repositories/{repository.id}{_filled(below, path)}"
    body = request.body if isinstance(request.body, dict) else {}
    return Call(world, token, repository, path, request.query, body, accept, url)


def _refuse(problems: list[str]) -> None:
    if problems:
        raise Problem(422, "Invalid request.\n\n" + "\n".join(problems))


def _filled(template: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda name: quote(values[name[1]]), template)
