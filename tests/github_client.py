"""The real PyGithub, connected to the loopback GitHub."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import requests
from github import Auth, Github
from github.Repository import Repository

from github_server import GitHubServer

NAME = "octo-org/skills"


@contextmanager
def connected(
    server: GitHubServer, token: str | None = None, timeout: int = 5
) -> Iterator[Repository]:
    """The repository as PyGithub sees it, without retries and pauses; this is one request."""
    client = Github(
        base_url=server.url,
        auth=Auth.Token(token or server.write_token),
        retry=None,
        timeout=timeout,
        per_page=100,
        seconds_between_requests=0,
        seconds_between_writes=0,
    )
    with client:
        yield client.get_repo(NAME)


def graphql(client: Repository, query: str, **variables: object) -> dict[str, Any]:
    """The whole answer, errors included."""
    body = {"query": query, "variables": variables}
    requester = client.requester
    _, answer = requester.requestJsonAndCheck("POST", requester.graphql_url, input=body)
    assert isinstance(answer, dict)
    return answer


def raw(
    server: GitHubServer, method: str, path: str, body: Mapping[str, Any] | list[Any] | None = None
) -> requests.Response:
    """A request that PyGithub would not send."""
    headers = {"Authorization": f"token {server.write_token}"}
    return requests.request(method, server.url + path, json=body, headers=headers, timeout=5)
