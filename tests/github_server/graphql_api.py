"""GraphQL: checks a query against the schema and carries it out.

Objects are dicts by the schema's names; a value that takes arguments or is dear is a function.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import graphql

from github_server.access import Token
from github_server.description import Json
from github_server.exchange import Reply
from github_server.graphql_commit import create_commit
from github_server.graphql_errors import refusal
from github_server.graphql_reviews import add_review, delete_comment
from github_server.graphql_views import Asker, repository_view
from github_server.world import World

_BODY_KEYS = frozenset({"query", "variables", "operationName"})


class Checked(NamedTuple):
    """A reply, and what was wrong with the query."""

    reply: Reply
    violations: list[str]


@cache
def schema() -> graphql.GraphQLSchema:
    """The schema, read once."""
    text = (Path(__file__).parent / "schema.graphql").read_text(encoding="utf-8")
    return graphql.build_schema(text)


def operation_name(body: object) -> str:
    """What the query is called, "anonymous" if it has no name."""
    query = body.get("query") if isinstance(body, dict) else None
    found = re.search(r"\b(?:query|mutation)\s+(\w+)", query if isinstance(query, str) else "")
    return found[1] if found else "anonymous"


def answer(world: World, token: Token, body: object) -> Checked:
    """Errors are HTTP 200, as GitHub has it."""
    if not isinstance(body, dict) or "query" not in body or body.keys() - _BODY_KEYS:
        message = "A query attribute must be specified and must be a string."
        return Checked(Reply(200, {"errors": [{"message": message}]}), [f"graphql: {message}"])
    document = _read(body["query"])
    if isinstance(document, list):
        return _refused(document)
    asker = Asker(world, token)
    result = graphql.execute_sync(
        schema(),
        document,
        root_value=_root(asker),
        variable_values=body.get("variables"),
        operation_name=body.get("operationName"),
    )
    data: Json = {"data": result.data}
    if result.errors:
        data["errors"] = [_shown(error) for error in result.errors]
    return Checked(Reply(200, data), [*asker.violations, *_unexpected(result.errors or [])])


@lru_cache(256)
def _read(query: str) -> graphql.DocumentNode | list[graphql.GraphQLError]:
    """The query, or what is wrong with it; checking one takes longer than carrying it out."""
    try:
        document = graphql.parse(query)
    except graphql.GraphQLError as error:
        return [error]
    return graphql.validate(schema(), document) or document


def _root(asker: Asker) -> Json:
    world, token = asker.world, asker.token

    def find(_: Any, owner: str, name: str, **__: Any) -> Json:  # noqa: ANN401 - graphql-core's
        repository = world.find(f"{owner}/{name}")
        if repository is None:
            message = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise refusal("NOT_FOUND", message)
        return repository_view(asker, repository)

    return {
        "repository": find,
        "viewer": {"login": token.login, "url": f"{world.html_url}/{token.login}"},
        "rateLimit": {"cost": 1, "limit": 5000, "remaining": 4999, "resetAt": world.now()},
        "addPullRequestReview": lambda _, **arguments: add_review(asker, arguments["input"]),
        "deletePullRequestReviewComment": lambda _, **arguments: delete_comment(
            asker, arguments["input"]
        ),
        "createCommitOnBranch": lambda _, **arguments: create_commit(asker, arguments["input"]),
    }


def _refused(errors: list[graphql.GraphQLError]) -> Checked:
    shown = [{"message": error.message, **_places(error)} for error in errors]
    violations = [f"graphql: {error.message}" for error in errors]
    return Checked(Reply(200, {"errors": shown}), violations)


def _shown(error: graphql.GraphQLError) -> Json:
    kind = (error.extensions or {}).get("type")
    return {
        **({"type": kind} if kind else {}),
        "path": error.path,
        **_places(error),
        "message": error.message,
    }


def _places(error: graphql.GraphQLError) -> Json:
    places = error.locations or []
    return {"locations": [{"line": place.line, "column": place.column} for place in places]}


def _unexpected(errors: list[graphql.GraphQLError]) -> list[str]:
    """Errors of no type: wrong variables, and mistakes of this server."""
    return [
        f"graphql: {error.message}" for error in errors if not (error.extensions or {}).get("type")
    ]
