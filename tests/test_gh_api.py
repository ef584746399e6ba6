"""The client against a GitHub on the loopback interface, with real HTTP and the real PyGithub."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from github_server import GitHubServer, zipped
from github_server.faults import Kind
from github_server.repository import Repository
from github_server.state import PullRequest
from plugineval_action.errors import UsageError
from plugineval_action.gh import client
from plugineval_action.gh.api import connect
from plugineval_action.gh.client import Annotation, GitHub
from plugineval_action.gh.errors import Denied, Exhausted, GitHubError, NotFound
from plugineval_action.gh.retry import TRIES, Deadline

NAME = "octo-org/skills"
BODY = "<!-- plugin-eval -->\nBetter than before."
RUN = "https://github.example.com/octo-org/skills/actions/runs/1"
NOTE = Annotation("a/SKILL.md", 3, 5, "warning", "Bloated", "Too long: 900 lines.")
UNCERTAIN: tuple[Kind, ...] = ("500", "502", "502-after", "cut", "invalid-json")


class Hub(NamedTuple):
    """A GitHub with one pull request from a fork, and a client of it whose waits are noted."""

    server: GitHubServer
    repository: Repository
    pull: PullRequest
    waits: list[float]

    def connect(self, token: str | None = None, seconds: float = 120, timeout: int = 10) -> GitHub:
        """A client; `timeout` is short only where the server is to hang."""
        return connect(
            token=token or self.server.write_token,
            repository=NAME,
            api_url=self.server.url,
            graphql_url=self.server.graphql_url,
            deadline=Deadline(seconds, sleep=self.waits.append),
            timeout=timeout,
        )

    def comment_bodies(self) -> list[str]:
        return [comment.body for comment in self.pull.comments]


@pytest.fixture(params=[False], ids=["github.com"])
def hub(request: pytest.FixtureRequest) -> Iterator[Hub]:
    with GitHubServer(enterprise=request.param) as server:
        repository = server.repository(NAME)
        base = repository.commit({"a/SKILL.md": "text"}, branch="main")
        fork = server.repository("fork-owner/skills", fork_of=repository)
        fork.commit({"a/SKILL.md": "new"}, parents=[base], branch="patch-1")
        pull = repository.pull_request("patch-1", head_repository=fork, author="contributor")
        yield Hub(server, repository, pull, [])


BOTH = pytest.mark.parametrize(
    "hub", [False, True], ids=["github.com", "enterprise"], indirect=True
)


@BOTH
def test_pull_request_from_a_fork(hub: Hub) -> None:
    expected = client.PullRequest(
        number=1,
        head_sha=hub.pull.head_sha,
        head_repository="fork-owner/skills",
        head_ref="patch-1",
        base_sha=hub.repository.branches["main"],
        state="open",
    )
    github = hub.connect()

    assert expected == github.pull_request(1)
    assert [expected] == github.open_pull_requests("Fork-Owner", "patch-1")
    assert 2 == len(hub.server.requests)


def test_pull_request_whose_fork_is_gone(hub: Hub) -> None:
    hub.pull.head_repository = None
    pull = hub.connect().pull_request(1)

    assert ("", "patch-1") == (pull.head_repository, pull.head_ref)


@BOTH
def test_only_open_pull_requests_of_that_very_branch_are_found(hub: Hub) -> None:
    other = hub.server.repository("other-owner/skills", fork_of=hub.repository)
    other.commit({"b": ""}, branch="patch-1")
    hub.repository.pull_request("patch-1", head_repository=other)
    hub.repository.commit({"c": ""}, branch="patch-1")
    hub.repository.pull_request("patch-1")
    github = hub.connect()

    assert [2] == [pull.number for pull in github.open_pull_requests("other-owner", "patch-1")]
    assert [3] == [pull.number for pull in github.open_pull_requests("octo-org", "patch-1")]
    assert [] == github.open_pull_requests("octo-org", "patch-2")
    hub.pull.close()
    assert [] == github.open_pull_requests("fork-owner", "patch-1")


@BOTH
def test_merge_base_is_where_the_histories_part(hub: Hub) -> None:
    start = hub.repository.branches["main"]
    hub.repository.commit({"b": ""}, branch="main")
    github = hub.connect()

    assert start == github.merge_base("main", hub.pull.head_sha)
    assert ["2"] == [request.query["page"] for request in hub.server.requests]


def test_unrelated_histories_have_no_merge_base(hub: Hub) -> None:
    hub.repository.commit({"b": ""}, parents=(), branch="feature/ü & other")

    assert hub.connect().merge_base("main", "feature/ü & other") is None


def test_unknown_revision_has_no_merge_base_to_ask_for(hub: Hub) -> None:
    with pytest.raises(NotFound, match="compare main with nothing"):
        hub.connect().merge_base("main", "nothing")


@BOTH
def test_comments_come_from_every_page_with_author_and_state(hub: Hub) -> None:
    for number in range(249):
        hub.pull.comment(f"comment {number}")
    hub.pull.comment(BODY, author="github-actions[bot]", minimised=True)
    comments = hub.connect().comments(1)

    assert 250 == len(comments)
    assert hub.comment_bodies() == [comment.body for comment in comments]
    assert (False, False) == (comments[0].mine, comments[0].minimised)
    assert (BODY, True, True) == comments[-1][1:2] + comments[-1][3:]
    assert hub.pull.comments[-1].id == comments[-1].id
    assert hub.pull.comments[-1].html_url == comments[-1].url
    assert 3 == len(hub.server.requests)


@BOTH
def test_comment_is_written_and_edited(hub: Hub) -> None:
    github = hub.connect()
    created = github.create_comment(1, BODY)
    edited = github.edit_comment(created.id, "other")

    assert (created.id, created.url) == (edited.id, edited.url)
    assert (BODY, "other", True) == (created.body, edited.body, edited.mine)
    assert [edited] == github.comments(1)
    assert ["POST", "PATCH", "POST"] == [request.method for request in hub.server.requests]


@BOTH
def test_check_run_from_start_to_end(hub: Hub) -> None:
    github = hub.connect()
    number = github.create_check("Skills", hub.pull.head_sha, RUN, RUN)
    github.annotate_check(number, "Working", "so far", [NOTE] * 50)
    url = github.conclude_check(number, "failure", "Worse", "-3 points", "said")
    check = hub.repository.check_runs[0]

    assert ("Skills", hub.pull.head_sha, RUN) == (check.name, check.head_sha, check.details_url)
    assert ("completed", "failure") == (check.status, check.conclusion)
    assert ("Worse", "-3 points", url) == (check.title, check.summary, check.html_url)
    assert [annotation(NOTE)] * 50 == check.annotations
    assert 3 == len(hub.server.requests)


@BOTH
def test_check_runs_of_a_commit_are_listed_newest_first_and_read_with_annotations(hub: Hub) -> None:
    github = hub.connect()
    sha = hub.pull.head_sha
    first, second = (github.create_check("Skills", sha, RUN, name) for name in ("a", "b"))
    github.create_check("Other", sha, RUN, "c")
    github.annotate_check(first, "Working", "so far", [NOTE] * 50)
    github.annotate_check(first, "Working", "so far", [NOTE] * 50)
    url = github.conclude_check(first, "success", "Done", "", "said")

    assert [(second, "b", False), (first, "said", True)] == [
        each[:3] for each in github.checks("Skills", sha)
    ]
    assert url == github.checks("Skills", sha)[1].url
    assert [NOTE] * 100 == github.annotations(first)


@pytest.mark.parametrize("kind", UNCERTAIN)
def test_annotations_of_an_earlier_run_are_no_proof_that_ours_were_added(
    hub: Hub, kind: Kind
) -> None:
    first = hub.connect()
    number = first.create_check("Skills", hub.pull.head_sha, RUN, RUN)
    first.annotate_check(number, "Working", "so far", [NOTE, NOTE])
    hub.server.fault("PATCH", "/check-runs/", kind)
    second = hub.connect()
    second.annotations(number)
    second.annotate_check(number, "Working", "so far", [NOTE])

    assert 3 == len(hub.repository.check_runs[0].annotations)


def annotation(note: Annotation) -> dict[str, object]:
    return {
        "path": note.path,
        "start_line": note.start_line,
        "end_line": note.end_line,
        "annotation_level": note.level,
        "title": note.title,
        "message": note.message,
    }


# What must not happen twice


@pytest.mark.parametrize("kind", [*UNCERTAIN, "hang"])
def test_comment_is_written_once_whatever_becomes_of_the_answer(hub: Hub, kind: Kind) -> None:
    hub.server.fault("POST", "/comments$", kind)
    created = hub.connect(timeout=1).create_comment(1, BODY)

    assert [BODY] == hub.comment_bodies()
    assert hub.pull.comments[0].id == created.id


@pytest.mark.parametrize("kind", [*UNCERTAIN, "hang"])
def test_check_run_is_created_once_whatever_becomes_of_the_answer(hub: Hub, kind: Kind) -> None:
    hub.server.fault("POST", "/check-runs$", kind)
    number = hub.connect(timeout=1).create_check("Skills", hub.pull.head_sha, RUN, RUN)

    assert [number] == [check.id for check in hub.repository.check_runs]


@pytest.mark.parametrize("kind", UNCERTAIN)
def test_annotations_are_added_once_whatever_becomes_of_the_answer(hub: Hub, kind: Kind) -> None:
    github = hub.connect()
    number = github.create_check("Skills", hub.pull.head_sha, RUN, RUN)
    github.annotate_check(number, "Working", "so far", [NOTE, NOTE])
    hub.server.fault("PATCH", "/check-runs/", kind)
    github.annotate_check(number, "Working", "so far", [NOTE, NOTE])

    assert 4 == len(hub.repository.check_runs[0].annotations)


def test_an_older_comment_of_ours_is_no_proof_that_a_new_one_was_written(hub: Hub) -> None:
    hub.pull.comment(BODY, author="github-actions[bot]", minimised=True)
    hub.pull.comment(BODY, author="someone")
    hub.pull.comment("<!-- other -->\n", author="github-actions[bot]")
    hub.server.fault("POST", "/comments$", "502")
    hub.connect().create_comment(1, BODY)

    assert 4 == len(hub.pull.comments)


def test_check_run_of_another_run_is_no_proof_that_ours_was_created(hub: Hub) -> None:
    github = hub.connect()
    others = [
        github.create_check("Skills", hub.pull.head_sha, RUN, f"{RUN}{n}") for n in range(120)
    ]
    hub.server.fault("POST", "/check-runs$", "502")

    assert github.create_check("Skills", hub.pull.head_sha, RUN, RUN) not in others
    assert 121 == len(hub.repository.check_runs)


def test_what_fails_every_time_is_given_up(hub: Hub) -> None:
    hub.server.fault("POST", "/comments$", "502", times=99)

    with pytest.raises(GitHubError, match=r"could not comment on pull request 1 \(502"):
        hub.connect().create_comment(1, BODY)
    assert TRIES == len(hub.server.calls("POST", "/comments$"))
    assert TRIES - 1 == len(hub.waits)


# What may be tried again


@pytest.mark.parametrize("kind", [*UNCERTAIN, "slow", "429", "403-secondary", "403-rate-limit"])
def test_edits_and_reads_are_tried_again(hub: Hub, kind: Kind) -> None:
    github = hub.connect()
    number = hub.pull.comment("old", author="github-actions[bot]").id
    hub.server.fault("PATCH", "/comments/", kind, seconds=0.1)
    hub.server.fault("POST", "/graphql/", kind, seconds=0.1)

    assert "new" == github.edit_comment(number, "new").body
    assert ["new"] == [comment.body for comment in github.comments(1)]


@pytest.mark.parametrize("kind", ["graphql-error", "graphql-rate-limit"])
def test_errors_inside_of_a_good_answer_are_errors(hub: Hub, kind: Kind) -> None:
    hub.server.fault("POST", "/graphql/", kind)

    assert [] == hub.connect().comments(1)
    assert 1 == len(hub.waits)


@pytest.mark.parametrize("kind", ["403-secondary", "429"])
def test_retry_after_is_obeyed(hub: Hub, kind: Kind) -> None:
    hub.server.fault("POST", "/comments$", kind, seconds=30)
    hub.connect().create_comment(1, BODY)

    assert [30 <= wait <= 31 for wait in hub.waits] == [True]
    assert [BODY] == hub.comment_bodies()


def test_secondary_limit_without_a_time_takes_a_minute(hub: Hub) -> None:
    hub.server.fault("POST", "/comments$", "403-abuse")
    hub.connect().create_comment(1, BODY)

    assert [60 <= wait <= 61 for wait in hub.waits] == [True]


@pytest.mark.parametrize("kind", ["403-secondary", "403-rate-limit", "429"])
def test_no_wait_is_longer_than_a_minute(hub: Hub, kind: Kind) -> None:
    hub.server.fault("*", "/comments$", kind, seconds=600)
    github = hub.connect()

    with pytest.raises(Exhausted):
        github.create_comment(1, BODY)
    with pytest.raises(Exhausted):
        github.pull_request(1)
    assert [] == hub.waits
    assert 1 == len(hub.server.requests)


def test_nothing_is_asked_once_the_time_is_used_up(hub: Hub) -> None:
    hub.server.fault("GET", "/pulls/1$", "hang", times=99)
    github = hub.connect(seconds=0.5, timeout=1)

    with pytest.raises(Exhausted, match="GitHub took too long"):
        github.pull_request(1)
    with pytest.raises(Exhausted):
        github.comments(1)
    assert 1 == len(hub.server.requests)


# What GitHub refuses

WRITES: dict[str, Callable[[GitHub], object]] = {
    "pull-requests: write": lambda github: github.create_comment(1, BODY),
    "checks: write": lambda github: github.create_check("Skills", "0" * 40, RUN, RUN),
}


@pytest.mark.parametrize("permission", WRITES)
def test_a_token_that_may_only_read_is_denied_with_the_permission(
    hub: Hub, permission: str
) -> None:
    with pytest.raises(Denied) as caught:
        WRITES[permission](hub.connect(hub.server.read_token))
    assert permission == caught.value.permission
    assert [] == hub.waits
    assert 1 == len(hub.server.requests)


def test_each_missing_permission_is_told_apart(hub: Hub) -> None:
    token = hub.server.add_token("only-checks", checks="write", pull_requests="read")
    github = hub.connect(token)
    github.create_check("Skills", hub.pull.head_sha, RUN, RUN)

    with pytest.raises(Denied, match="comment on pull request 1"):
        github.create_comment(1, BODY)


def test_a_token_that_may_not_even_list_check_runs_is_asked_to_write_them(hub: Hub) -> None:
    hub.server.fault("GET", "/check-runs$", "403-integration")
    with pytest.raises(Denied) as caught:
        hub.connect().checks("Skills", hub.pull.head_sha)

    assert "checks: write" == caught.value.permission


def test_a_personal_token_cannot_create_check_runs(hub: Hub) -> None:
    with pytest.raises(Denied) as caught:
        hub.connect(hub.server.pat).create_check("Skills", hub.pull.head_sha, RUN, RUN)
    assert "github.token" in caught.value.remedy


@pytest.mark.parametrize(
    ("kind", "status"), [("401", 401), ("404", 404), ("409", 409), ("422", 422)]
)
def test_a_refusal_is_not_tried_again(hub: Hub, kind: Kind, status: int) -> None:
    hub.server.fault("*", "/comments", kind, times=99)
    github = hub.connect()

    with pytest.raises(GitHubError) as created:
        github.create_comment(1, BODY)
    with pytest.raises(GitHubError) as edited:
        github.edit_comment(7, BODY)
    assert [status, status] == [created.value.status, edited.value.status]
    assert 2 == len(hub.server.requests)


@pytest.mark.parametrize(
    "ask",
    [
        lambda github: github.pull_request(99),
        lambda github: github.comments(99),
        lambda github: github.create_comment(99, BODY),
        lambda github: github.edit_comment(99, BODY),
        lambda github: github.conclude_check(99, "success", "", "", ""),
        lambda github: github.tree("0" * 40),
        lambda github: github.tree("no-such-branch"),
    ],
)
def test_what_is_not_there_is_not_found(hub: Hub, ask: Callable[[GitHub], object]) -> None:
    with pytest.raises(NotFound):
        ask(hub.connect())
    assert 1 == len(hub.server.requests)


def test_a_token_that_is_not_valid_says_so(hub: Hub) -> None:
    with pytest.raises(GitHubError, match="does not accept the token"):
        hub.connect("expired").comments(1)


# Artifacts


@BOTH
def test_artifact_is_downloaded_without_showing_the_token_to_the_storage(hub: Hub) -> None:
    data = zipped({"result.json": b"{}"})
    run = hub.repository.workflow_run(head_sha=hub.pull.head_sha, head_branch="patch-1")
    run.artifact("result", b"an older one")
    run.artifact("result", data)
    run.artifact("result-2", b"another")
    run.artifact("result", b"gone", expired=True)

    assert data == hub.connect().download_artifact(run.id, "result", 1000)
    assert [""] == [request.token for request in hub.server.calls("GET", "^/storage")]
    assert 3 == len(hub.server.requests)


def test_artifact_that_is_not_there_is_none(hub: Hub) -> None:
    run = hub.repository.workflow_run(head_sha=hub.pull.head_sha, head_branch="patch-1")
    run.artifact("result", b"gone", expired=True)

    assert hub.connect().download_artifact(run.id, "result", 1000) is None


@pytest.mark.parametrize("claimed", [1001, 10])
def test_artifact_over_the_limit_is_refused_whatever_it_claims(hub: Hub, claimed: int) -> None:
    run = hub.repository.workflow_run(head_sha=hub.pull.head_sha, head_branch="patch-1")
    run.artifact("result", b"x" * 1001, size_in_bytes=claimed)

    with pytest.raises(GitHubError, match="larger than"):
        hub.connect().download_artifact(run.id, "result", 1000)


@pytest.mark.parametrize("kind", ["502", "cut"])
def test_storage_that_fails_is_asked_again_with_a_new_address(hub: Hub, kind: Kind) -> None:
    run = hub.repository.workflow_run(head_sha=hub.pull.head_sha, head_branch="patch-1")
    run.artifact("result", b"data" * 1000)
    hub.server.fault("GET", "^/storage", kind)

    assert b"data" * 1000 == hub.connect().download_artifact(run.id, "result", 10_000)
    assert 2 == len(hub.server.calls("GET", "/zip$"))


def test_artifact_needs_a_permission(hub: Hub) -> None:
    run = hub.repository.workflow_run(head_sha=hub.pull.head_sha, head_branch="patch-1")
    run.artifact("result", b"data")
    token = hub.server.add_token("no-actions", pull_requests="read")

    with pytest.raises(Denied) as caught:
        hub.connect(token).download_artifact(run.id, "result", 1000)
    assert "actions: read" == caught.value.permission


# Secrets


@pytest.mark.parametrize("kind", ["401", "403-integration", "404", "422", "502", "cut"])
def test_the_token_is_in_no_message_and_no_log(
    hub: Hub, kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    github = hub.connect()
    hub.server.fault("*", "/check-runs", kind, times=99)
    hub.server.fault("*", "/graphql", kind, times=99)
    said = [repr(github), str(vars(github))]
    asks: list[Callable[[], object]] = [
        lambda: github.comments(1),
        lambda: github.create_check("Skills", hub.pull.head_sha, RUN, RUN),
        lambda: github.edit_comment(1, BODY),
    ]
    for ask in asks:
        with pytest.raises(GitHubError) as caught:
            ask()
        said += [str(caught.value), repr(caught.value), *traceback.format_exception(caught.value)]

    assert "/graphql" in caplog.text
    assert hub.server.write_token not in "".join([*said, caplog.text])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("token", ""),
        ("token", "line\nbreak"),
        ("repository", "skills"),
        ("api_url", "api.github.com"),
        ("api_url", "https://api.example.com"),
        ("graphql_url", ""),
        ("api_url", "http://[::1"),
        ("api_url", "https://api.github.com:99999"),
    ],
)
def test_a_connection_that_cannot_work_is_a_mistake_in_the_settings(name: str, value: str) -> None:
    settings = {
        "token": "t",
        "repository": NAME,
        "api_url": "https://api.github.com",
        "graphql_url": "https://api.github.com/graphql",
        name: value,
    }

    with pytest.raises(UsageError):
        connect(
            token=settings["token"],
            repository=settings["repository"],
            api_url=settings["api_url"],
            graphql_url=settings["graphql_url"],
            deadline=Deadline(),
        )
