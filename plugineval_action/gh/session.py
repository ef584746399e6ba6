"""Requests through PyGithub: each tried as `retry` says, each error turned into one of ours.

PyGithub sends, authenticates and reads; its own retries, waits and hidden requests are off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import requests
from github import Auth, BadAttributeException, Github, GithubException
from github.GithubObject import GithubObject
from github.PaginatedList import PaginatedList

from plugineval_action.errors import UsageError
from plugineval_action.gh import graphql
from plugineval_action.gh.errors import GitHubError
from plugineval_action.gh.failure import Asked, Failure, one_line
from plugineval_action.gh.retry import Deadline, persist

TIMEOUT: Final = 15
"""Seconds without a byte after which a request is given up; GitHub itself stops after ten."""

_PER_PAGE: Final = 100
_CHUNK: Final = 1 << 16
_TOKEN: Final = re.compile(r"[!-~]+")

# The first that fits says why there is no answer. PyGithub raises the last ones when an answer is
# not what GitHub's documentation says.
_NO_ANSWER: Final[Mapping[type[Exception], str]] = {
    requests.Timeout: "no answer in time",
    requests.exceptions.SSLError: "the connection is not secure",
    requests.ConnectionError: "the connection was refused or cut",
    requests.RequestException: "the answer was cut",
    AssertionError: "the answer was not understood",
    AttributeError: "the answer was not understood",
    BadAttributeException: "the answer was not understood",
    LookupError: "the answer was not understood",
    RuntimeError: "the answer was not understood",
    TypeError: "the answer was not understood",
    ValueError: "the answer was not understood",
}

T = TypeVar("T")
Item = TypeVar("Item", bound=GithubObject)


class Session:
    """One token, one repository; `repository` is PyGithub's view of it, which asks for nothing."""

    def __init__(  # noqa: PLR0913 # what a connection is made of
        self,
        *,
        token: str,
        repository: str,
        api_url: str,
        graphql_url: str,
        deadline: Deadline,
        timeout: int = TIMEOUT,
    ) -> None:
        _check(token, repository, api_url, graphql_url)
        github = Github(
            base_url=api_url.rstrip("/"),
            auth=Auth.Token(token),
            user_agent="plugineval-action",
            per_page=_PER_PAGE,
            timeout=timeout,
            lazy=True,
            retry=None,
            # A run makes a handful of writes; GitHub wants pauses from those that make many.
            seconds_between_requests=0,
            seconds_between_writes=0,
        )
        self.repository = github.get_repo(repository)
        self.requester = github.requester
        self._owner, _, self._name = repository.partition("/")
        self._graphql_url = graphql_url
        self._deadline = deadline
        self._timeout = timeout

    def spare(self, seconds: float) -> None:
        """Allow one more thing to be done, even if the time is used up."""
        self._deadline.spare(seconds)

    def run(
        self, asked: Asked, request: Callable[[], T], recover: Callable[[], T | None] | None = None
    ) -> T:
        """The result of a request that may fail in PyGithub's ways; see `persist` for `recover`."""
        return persist(lambda: _attempt(request), asked, self._deadline, recover)

    def get(
        self,
        asked: Asked,
        path: str,
        read: Callable[[dict[str, Any]], T],
        parameters: Mapping[str, str | int] | None = None,
    ) -> T:
        """What `read` makes of the JSON object at a path below the repository's."""
        url = f"{self.repository.url}{path}"

        def request() -> T:
            _, answer = self.requester.requestJsonAndCheck("GET", url, dict(parameters or {}))
            return read(answer)

        return self.run(asked, request)

    def pages(
        self, asked: Asked, listing: PaginatedList[Item], read: Callable[[Item], T]
    ) -> Iterator[T]:
        """What `read` makes of every item of every page, each page a request of its own."""
        for number in count():
            page = self.run(asked, partial(_page, listing, number, read))
            yield from page
            if len(page) < _PER_PAGE:
                return

    def query(
        self, asked: Asked, query: str, variables: dict[str, Any], read: Callable[[Any], T]
    ) -> T:
        """What `read` makes of the data that answers a GraphQL query about the repository."""
        place = {"owner": self._owner, "name": self._name}
        return self.mutate(asked, query, {**place, **variables}, read)

    def mutate(
        self,
        asked: Asked,
        query: str,
        variables: dict[str, Any],
        read: Callable[[Any], T],
        recover: Callable[[], T | None] | None = None,
    ) -> T:
        """The same for a mutation, which is told all that it needs; see `persist` for `recover`."""
        body = {"query": query, "variables": variables}

        def attempt() -> T | Failure:
            headers, answer = self.requester.requestJsonAndCheck(
                "POST", self._graphql_url, input=body
            )
            if answer.get("errors"):
                return graphql.failure(answer["errors"], headers)
            return read(answer["data"])

        return persist(lambda: _attempt(attempt), asked, self._deadline, recover)

    def download(self, asked: Asked, path: str, limit: int) -> bytes:
        """The bytes that a path below the repository's redirects to, read without the token.

        Raises GitHubError if there are more than `limit`.
        """
        url = f"{self.repository.url}{path}"

        def attempt() -> bytes:
            headers, _ = self.requester.requestJsonAndCheck("GET", url)
            # PyGithub would refuse the host that GitHub keeps artifacts on, and read without limit.
            with requests.get(headers["location"], stream=True, timeout=self._timeout) as answer:
                if answer.status_code != 200:
                    raise GithubException(answer.status_code, None, {}, "said by its storage")
                return self._read(answer, limit)

        data = self.run(asked, attempt)
        if len(data) > limit:
            raise too_large(asked, limit)
        return data

    def _read(self, answer: requests.Response, limit: int) -> bytes:
        """The body as far as it is wanted: a byte over the limit tells that there is more."""
        data = bytearray()
        for chunk in answer.iter_content(_CHUNK):
            data += chunk
            if len(data) > limit:
                break
        return bytes(data)


def too_large(asked: Asked, limit: int) -> GitHubError:
    """The error for a download over its limit."""
    return GitHubError(
        f"GitHub could {asked.what}, but it is larger than {limit // 1024} KiB and is not read.",
        "Check that the artifact was made by this action.",
        200,
    )


def _check(token: str, repository: str, api_url: str, graphql_url: str) -> None:
    if not _TOKEN.fullmatch(token):
        raise UsageError(
            "The token for GitHub is empty or holds characters that no token has.",
            "Leave the input github-token out, or give it a token and nothing else.",
        )
    if repository.count("/") != 1:
        raise UsageError(f"{repository!r} is no repository.", "Give it as owner/name.")
    if not _is_one_place(api_url, graphql_url):
        raise UsageError(
            f"{api_url!r} and {graphql_url!r} are not addresses of one GitHub.",
            "Leave GITHUB_API_URL and GITHUB_GRAPHQL_URL as the runner sets them.",
        )


def _is_one_place(api_url: str, graphql_url: str) -> bool:
    try:
        api, graphql_api = urlsplit(api_url), urlsplit(graphql_url)
        # Only asking for the port tells whether it is one.
        ports = api.port, graphql_api.port
    except ValueError:
        return False
    same = api[:2] == graphql_api[:2] and ports[0] == ports[1]
    return same and api.scheme in ("http", "https") and bool(api.hostname)


def _page(listing: PaginatedList[Item], number: int, read: Callable[[Item], T]) -> list[T]:
    return [read(item) for item in listing.get_page(number)]


def _attempt(request: Callable[[], T]) -> T | Failure:
    """The result of one request or, as a value, why there is none."""
    # Their exceptions do not get out: they hold the request, with the token in a header of it.
    try:
        return request()
    except GithubException as error:
        return _refused(error)
    except tuple(_NO_ANSWER) as error:
        reason = next(words for kind, words in _NO_ANSWER.items() if isinstance(error, kind))
        return Failure(0, f"{reason}; {type(error).__name__}")


def _refused(error: GithubException) -> Failure:
    data = error.data if isinstance(error.data, dict) else {}
    details = [
        str(one.get("message") or one.get("code")) if isinstance(one, dict) else str(one)
        for one in data.get("errors") or ()
    ]
    message = str(data.get("message") or error.message or "")
    headers = {name.lower(): str(value) for name, value in (error.headers or {}).items()}
    return Failure(error.status, one_line("; ".join(filter(None, [message, *details]))), headers)
