"""Each fault of the loopback GitHub reaches PyGithub as it should, with or without an effect."""

from __future__ import annotations

import time

import pytest
import requests
from github import (
    BadCredentialsException,
    GithubException,
    RateLimitExceededException,
    UnknownObjectException,
)

from github_client import NAME, connected, graphql
from github_server import GitHubServer, Kind, PullRequest
from github_server.faults import ANSWERED, LATE

COMMENTS = r"/issues/1/comments$"
FAILURES: dict[Kind, tuple[type[Exception], int]] = {
    "401": (BadCredentialsException, 401),
    "404": (UnknownObjectException, 404),
    "409": (GithubException, 409),
    "413": (GithubException, 413),
    "422": (GithubException, 422),
    "429": (GithubException, 429),
    "500": (GithubException, 500),
    "502": (GithubException, 502),
    "502-after": (GithubException, 502),
    "403-integration": (GithubException, 403),
    "403-rate-limit": (RateLimitExceededException, 403),
    "403-secondary": (RateLimitExceededException, 403),
    "403-abuse": (RateLimitExceededException, 403),
    "cut": (requests.exceptions.ChunkedEncodingError, 0),
    "hang": (requests.exceptions.ReadTimeout, 0),
}


@pytest.fixture
def pull(server: GitHubServer) -> PullRequest:
    home = server.repository(NAME)
    home.commit({}, branch="main")
    return home.pull_request("main")


@pytest.mark.parametrize("kind", FAILURES)
def test_a_fault_fails_once(server: GitHubServer, pull: PullRequest, kind: Kind) -> None:
    error, status = FAILURES[kind]
    server.fault("POST", COMMENTS, kind)
    with connected(server, timeout=1) as client:
        issue = client.get_issue(1)
        with pytest.raises(error) as failed:
            issue.create_comment("lost")
        issue.create_comment("kept")

    assert status == getattr(failed.value, "status", 0)
    assert (["lost"] if kind in LATE else []) + ["kept"] == [each.body for each in pull.comments]
    assert [status, 201] == [each.status for each in server.calls("POST", COMMENTS)]


def test_every_fault_is_tested() -> None:
    others = {"slow", "invalid-json", "graphql-rate-limit", "graphql-error"}

    assert LATE | ANSWERED | {"hang"} == FAILURES.keys() | others


def test_a_slow_reply_comes_late(server: GitHubServer, pull: PullRequest) -> None:
    server.fault("POST", COMMENTS, "slow", seconds=0.2)
    with connected(server) as client:
        started = time.perf_counter()
        client.get_issue(1).create_comment("late")

    assert 0.2 <= time.perf_counter() - started
    assert ["late"] == [each.body for each in pull.comments]


def test_a_slow_reply_does_not_delay_others(server: GitHubServer, pull: PullRequest) -> None:
    server.fault("POST", COMMENTS, "slow", seconds=30)
    with connected(server, timeout=1) as client:
        issue = client.get_issue(1)
        with pytest.raises(requests.exceptions.ReadTimeout):
            issue.create_comment("late")

        assert ["late"] == [each.body for each in issue.get_comments()]
    assert ["late"] == [each.body for each in pull.comments]


def test_half_an_object_is_no_json(server: GitHubServer, pull: PullRequest) -> None:
    server.fault("GET", COMMENTS, "invalid-json")
    pull.comment("text")
    url = f"{server.url}/repos/{NAME}/issues/1/comments"
    headers = {"Authorization": f"token {server.read_token}"}
    answer = requests.get(url, headers=headers, timeout=5)

    assert 200 == answer.status_code
    with pytest.raises(requests.exceptions.JSONDecodeError):
        answer.json()


def test_rate_limits_say_when_to_come_back(server: GitHubServer, pull: PullRequest) -> None:
    assert pull.number
    server.fault("*", "/pulls/1$", "403-rate-limit", seconds=90)
    server.fault("*", "/pulls/1$", "403-secondary", seconds=7)
    server.fault("*", "/pulls/1$", "403-abuse")
    seen, begun = [], time.time()
    with connected(server) as client:
        for _ in range(3):
            with pytest.raises(RateLimitExceededException) as failed:
                client.get_pull(1)
            seen.append(failed.value.headers or {})
    primary, secondary, abuse = seen

    assert "0" == primary["x-ratelimit-remaining"]
    assert begun + 89 < int(primary["x-ratelimit-reset"]) <= time.time() + 90
    assert "7" == secondary["retry-after"]
    assert "retry-after" not in abuse
    assert "0" != abuse["x-ratelimit-remaining"]


def test_a_fault_waits_and_repeats_as_told(server: GitHubServer, pull: PullRequest) -> None:
    assert pull.number
    server.fault("GET", "/pulls/1$", "404", times=2, after=1)
    server.fault("PATCH", "/pulls/1$", "500")
    with connected(server) as client:
        for _ in range(4):
            try:
                client.get_pull(1)
            except UnknownObjectException:
                continue
    statuses = [each.status for each in server.calls("GET", "/pulls/1$")]

    assert [200, 404, 404, 200] == statuses


def test_paths_of_faults_are_without_the_base_path() -> None:
    with GitHubServer(enterprise=True) as server:
        server.repository(NAME).commit({}, branch="main")
        server.fault("GET", f"^/repos/{NAME}$", "409")
        with pytest.raises(GithubException) as failed, connected(server):
            pass

    assert 409 == failed.value.status


@pytest.mark.parametrize(
    ("kind", "expected"), [("graphql-rate-limit", "RATE_LIMITED"), ("graphql-error", None)]
)
def test_faults_of_graphql_are_http_200(
    server: GitHubServer, pull: PullRequest, kind: Kind, expected: str | None
) -> None:
    assert pull.number
    server.fault("POST", "^/graphql/WhoAmI$", kind)
    with connected(server) as client:
        failed = graphql(client, "query WhoAmI { viewer { login } }")
        works = graphql(client, "query WhoAmI { viewer { login } }")

    assert expected == failed["errors"][0].get("type")
    assert {"data": {"viewer": {"login": "github-actions[bot]"}}} == works
    assert ["/graphql/WhoAmI"] * 2 == [each.path for each in server.calls("POST")]


def test_others_may_act_just_before_a_request(server: GitHubServer, pull: PullRequest) -> None:
    seen = []
    server.when("POST", COMMENTS, lambda: seen.append(len(pull.comments)))
    with connected(server) as client:
        client.get_issue(1).create_comment("x")
        client.get_issue(1).create_comment("y")

    assert [0] == seen
    assert 2 == len(pull.comments)


def test_an_action_that_fails_is_a_violation() -> None:
    with GitHubServer(check=False) as server:
        server.repository(NAME).commit({}, branch="main")
        server.when("GET", "", {}.popitem)
        with pytest.raises(GithubException), connected(server):
            pass

        assert "KeyError" in server.violations[0]


def test_a_hanging_request_does_not_hold_up_the_end() -> None:
    with GitHubServer() as server, requests.Session() as session:
        server.fault("GET", "", "hang")
        with pytest.raises(requests.exceptions.ReadTimeout):
            session.get(server.url, timeout=0.1)

    assert [0] == [each.status for each in server.requests]
