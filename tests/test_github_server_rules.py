"""The loopback GitHub refuses what GitHub refuses, and remembers what no client should send."""

from __future__ import annotations

from typing import Any

import pytest
import requests
from github import GithubException

from github_client import NAME, connected, graphql, raw
from github_server import GitHubServer, PullRequest


def status_of(failed: pytest.ExceptionInfo[GithubException]) -> tuple[int, str]:
    return failed.value.status, failed.value.data["message"]


@pytest.fixture
def pull(server: GitHubServer) -> PullRequest:
    home = server.repository(NAME)
    home.commit({}, branch="main")
    home.commit({"added.md": "text"}, branch="topic")
    return home.pull_request("topic")


def test_a_token_shown_to_the_storage_is_a_violation() -> None:
    with GitHubServer(check=False) as server:
        home = server.repository(NAME)
        run = home.workflow_run(head_sha=home.commit({}), head_branch="main")
        artifact = run.artifact("result", b"")
        url = f"{server.world.storage_url}/{artifact.id}.zip"

        assert 401 == _get(url, server.write_token)
        assert [f"/storage/{artifact.id}.zip: a token was sent to the storage"] == server.violations


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("read_token", "Resource not accessible by integration"),
        ("pat", "You must authenticate via a GitHub App."),
    ],
)
def test_who_may_not_make_check_runs(
    server: GitHubServer, pull: PullRequest, token: str, message: str
) -> None:
    with connected(server, getattr(server, token)) as client:
        with pytest.raises(GithubException) as failed:
            client.create_check_run("score", pull.head_sha)

        assert (403, message) == status_of(failed)
        headers = failed.value.headers or {}
        assert "checks=write" == headers["x-accepted-github-permissions"]
        assert "/rest/" in failed.value.data["documentation_url"]


def test_a_token_with_some_permissions(server: GitHubServer, pull: PullRequest) -> None:
    token = server.add_token("some", pull_requests="write")
    with connected(server, token) as client:
        seen = client.get_pull(pull.number)
        seen.create_issue_comment("may")
        with pytest.raises(GithubException) as failed:
            client.create_check_run("score", pull.head_sha)

    assert (403, "Resource not accessible by integration") == status_of(failed)
    with pytest.raises(ValueError, match="no such permissions"):
        server.add_token("other", pull_request="write")


def test_a_private_repository_is_read_only_with_permission(server: GitHubServer) -> None:
    server.repository(NAME, private=True).commit({"a": ""}, branch="main")
    query = 'query Read { repository(owner: "octo-org", name: "skills") { object { oid } } }'
    with connected(server, server.add_token("none")) as client:
        with pytest.raises(GithubException) as failed:
            client.get_commit("main").complete()

        assert "FORBIDDEN" == graphql(client, query)["errors"][0]["type"]
    assert 403 == failed.value.status


def test_an_unknown_token_is_refused(server: GitHubServer) -> None:
    with pytest.raises(GithubException) as failed, connected(server, "wrong"):
        pass

    assert (401, "Bad credentials") == status_of(failed)


BROKEN: dict[str, tuple[str, str, dict[str, Any] | list[Any] | None]] = {
    "an unknown operation": ("GET", "/user", None),
    "an unknown parameter": ("GET", f"/repos/{NAME}/pulls?stat=open", None),
    "a wrong value": ("GET", f"/repos/{NAME}/pulls?state=opened", None),
    "a number that is none": ("GET", f"/repos/{NAME}/pulls?per_page=all", None),
    "an unknown name": ("POST", f"/repos/{NAME}/issues/1/comments", {"body": "a", "text": "a"}),
    "a missing name": ("POST", f"/repos/{NAME}/check-runs", {"name": "score"}),
    "a wrong type": ("POST", f"/repos/{NAME}/issues/1/comments", {"body": 1}),
    "a body where none belongs": ("GET", f"/repos/{NAME}", {"a": 1}),
    "a list where an object belongs": ("POST", f"/repos/{NAME}/issues/1/comments", []),
    "an empty comment": ("POST", f"/repos/{NAME}/issues/1/comments", {"body": " "}),
    "a long comment": ("POST", f"/repos/{NAME}/issues/1/comments", {"body": "x" * 65_537}),
    "an unknown field of a query": ("POST", "/graphql", {"query": "query Q { viewer { nam } }"}),
    "a query that is none": ("POST", "/graphql", {"query": "query {"}),
    "a missing variable": (
        "POST",
        "/graphql",
        {"query": 'query Q($n: String!) { repository(owner: "o", name: $n) { id } }'},
    ),
    "a page without a size": (
        "POST",
        "/graphql",
        {
            "query": f'query Q {{ repository(owner: "{NAME[:8]}", name: "{NAME[9:]}") '
            "{ pullRequest(number: 1) { comments { totalCount } } } }"
        },
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_breaks_the_description_is_a_violation(what: str) -> None:
    method, path, body = BROKEN[what]
    with GitHubServer(check=False) as server:
        home = server.repository(NAME)
        home.commit({}, branch="main")
        home.pull_request("main")
        raw(server, method, path, body)

        assert 1 == len(server.violations), server.violations


OUTPUTS: dict[str, dict[str, int | str]] = {
    "too many annotations": {"annotations": 51},
    "a long summary": {"summary": "x" * 65_536},
    "a summary of many bytes": {"summary": "é" * 40_000},
    "a line 0": {"start_line": 0},
    "an end before the start": {"end_line": 1, "start_line": 2},
    "columns over two lines": {"end_line": 2, "start_column": 1},
    "an unknown name": {"line": 1},
}


@pytest.mark.parametrize("what", OUTPUTS)
def test_what_checks_do_not_take_is_a_violation(what: str) -> None:
    given = dict(OUTPUTS[what])
    count, summary = given.pop("annotations", 1), given.pop("summary", "s")
    note = {"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "notice"}
    notes = [{**note, "message": "m", **given}] * int(str(count))
    with GitHubServer(check=False) as server:
        sha = server.repository(NAME).commit({}, branch="main")
        output = {"title": "t", "summary": summary, "annotations": notes}
        body = {"name": "score", "head_sha": sha, "output": output}
        answer = raw(server, "POST", f"/repos/{NAME}/check-runs", body)

        assert 422 == answer.status_code
        assert 1 == len(server.violations), server.violations


def test_violations_fail_at_the_end_unless_the_test_has_failed_before() -> None:
    with pytest.raises(AssertionError, match="no such operation"), GitHubServer() as server:
        _get(f"{server.url}/nowhere", server.read_token)
    with pytest.raises(KeyError), GitHubServer() as server:
        raise KeyError(_get(f"{server.url}/nowhere", server.read_token))


def _get(url: str, token: str) -> int:
    return requests.get(url, headers={"Authorization": f"Bearer {token}"}, timeout=5).status_code


def test_a_path_outside_the_base_path_is_a_violation() -> None:
    with GitHubServer(enterprise=True, check=False) as server:
        server.repository(NAME)

        assert 404 == _get(f"{server.html_url}/repos/{NAME}", server.read_token)
        assert ["is not below"] == [" ".join(each.split()[2:5]) for each in server.violations]
