"""The loopback GitHub answers the real PyGithub, route by route, as GitHub would."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from github import GithubException, InputGitTreeElement
from github.Repository import Repository as ClientRepository

from github_client import NAME, connected, raw
from github_server import GitHubServer, PullRequest, Repository, zipped
from github_server.description import description
from github_server.repository import Protection
from github_server.routes import ROUTES


@pytest.fixture(params=[False, True], ids=["github.com", "enterprise"])
def server(request: pytest.FixtureRequest) -> Iterator[GitHubServer]:
    with GitHubServer(enterprise=request.param) as running:
        yield running


@pytest.fixture
def home(server: GitHubServer) -> Repository:
    """A repository whose only file on `main` is read.md."""
    repository = server.repository(NAME)
    repository.commit({"read.md": "one\n"}, branch="main", message="first")
    return repository


@pytest.fixture
def pull(home: Repository) -> PullRequest:
    """A pull request of the same repository that adds a file."""
    home.commit({"read.md": "one\n", "added.md": "two\n"}, branch="topic")
    return home.pull_request("topic", labels=["skills"])


@pytest.fixture
def client(server: GitHubServer, home: Repository) -> Iterator[ClientRepository]:
    assert home.name == NAME
    with connected(server) as repository:
        yield repository


def test_every_described_operation_has_a_route_and_the_other_way_round() -> None:
    assert {operation.id for operation in description().operations} == set(ROUTES)


def test_base_paths_differ_between_github_and_enterprise() -> None:
    with GitHubServer() as plain, GitHubServer(enterprise=True) as enterprise:
        assert (f"{plain.html_url}", f"{plain.html_url}/graphql") == (plain.url, plain.graphql_url)
        assert f"{enterprise.html_url}/api/v3" == enterprise.url
        assert f"{enterprise.html_url}/api/graphql" == enterprise.graphql_url


def test_a_repository_tells_what_it_is(server: GitHubServer, home: Repository) -> None:
    fork = server.repository("fork-owner/skills", fork_of=home)
    with connected(server) as client:
        assert (NAME, False, "main") == (client.full_name, client.fork, client.default_branch)
    assert NAME == fork.payload()["parent"]["full_name"]
    assert home is server.repository("Octo-Org/Skills")


def test_a_pull_request_from_a_fork(server: GitHubServer, home: Repository) -> None:
    fork = server.repository("fork-owner/skills", fork_of=home)
    head = fork.commit({"read.md": "two\n"}, branch="patch-1")
    home.pull_request("patch-1", head_repository=fork, author="fork-owner", labels=["a", "b"])
    with connected(server) as client:
        seen = client.get_pull(1)

        assert ("fork-owner/skills", "patch-1") == (seen.head.repo.full_name, seen.head.ref)
        assert (head, home.branches["main"]) == (seen.head.sha, seen.base.sha)
        assert ("fork-owner", "open") == (seen.user.login, seen.state)
        assert ["a", "b"] == [label.name for label in seen.labels]
        assert [1] == [each.number for each in client.get_pulls(head="fork-owner:patch-1")]
        assert [] == list(client.get_pulls(head="octo-org:patch-1"))
        assert [] == list(client.get_commit(head).get_pulls())


def test_the_head_follows_its_branch_until_the_pull_request_is_closed(pull: PullRequest) -> None:
    home = pull.repository
    moved = home.commit({"read.md": "three\n"}, branch="topic")

    assert moved == pull.head_sha
    pull.close()
    home.commit({"read.md": "four\n"}, branch="topic")
    assert moved == pull.head_sha


def test_a_deleted_fork_is_null(server: GitHubServer, pull: PullRequest) -> None:
    pull.head_repository = None
    with connected(server) as client:
        assert client.get_pull(1).raw_data["head"]["repo"] is None


def test_pull_requests_by_state_and_of_a_commit(
    pull: PullRequest, client: ClientRepository
) -> None:
    pull.repository.commit({"read.md": "x"}, branch="other")
    pull.repository.pull_request("other", state="closed")

    assert [1] == [each.number for each in client.get_pulls()]
    assert [2, 1] == [each.number for each in client.get_pulls(state="all")]
    assert [1] == [each.number for each in client.get_commit(pull.head_sha).get_pulls()]
    assert "Please" == client.create_pull("main", "other", title="t", body="Please").body


def test_files_of_a_pull_request(pull: PullRequest, client: ClientRepository) -> None:
    home = pull.repository
    home.commit({"moved.md": "one\n", "added.md": "two\n"}, branch="topic")
    files = {each.filename: each for each in client.get_pull(1).get_files()}

    assert {"moved.md": "renamed", "added.md": "added"} == {
        name: each.status for name, each in files.items()
    }
    assert "read.md" == files["moved.md"].previous_filename
    assert ("@@ -0,0 +1 @@\n+two", 1) == (files["added.md"].patch, files["added.md"].additions)


def test_no_more_than_3000_files_are_listed(home: Repository, client: ClientRepository) -> None:
    home.commit({f"{number:04}.md": "" for number in range(3_005)}, branch="many")
    home.pull_request("many")
    seen = client.get_pull(1)

    assert 3_006 == seen.changed_files
    assert 3_000 == len(list(seen.get_files()))


def test_comments_are_made_read_and_edited(pull: PullRequest, client: ClientRepository) -> None:
    pull.comment("from someone", author="someone")
    made = client.get_pull(1).create_issue_comment("first")
    made.edit("second")

    assert ["from someone", "second"] == [each.body for each in pull.comments]
    assert (["first"], "github-actions[bot]") == (pull.comments[1].edits, pull.comments[1].author)
    assert "second" == client.get_issue(1).get_comment(made.id).body
    assert pull.comments[1].html_url == made.html_url


def test_issues_are_opened_changed_and_closed(home: Repository, client: ClientRepository) -> None:
    home.issue("Question", body="Why?")
    opened = client.create_issue("Alert", body="It fell.")
    opened.edit(body="It rose.", state="closed", state_reason="completed")
    kept = home.issues[opened.number]

    assert ("Alert", "It rose.", ["It fell."]) == (kept.title, kept.body, kept.edits)
    assert ("closed", "completed", "github-actions[bot]") == (
        kept.state,
        kept.state_reason,
        kept.author,
    )


def test_issues_and_pull_requests_are_counted_together(pull: PullRequest, home: Repository) -> None:
    assert pull.number + 1 == home.issue("Next").number


def test_whether_the_workflow_may_propose_is_a_setting(
    server: GitHubServer, home: Repository, client: ClientRepository
) -> None:
    home.commit({"a.md": "new"}, branch="topic")
    home.may_propose = False
    with pytest.raises(GithubException) as failed:
        client.create_pull(base="main", head="topic", title="Change")

    assert 403 == failed.value.status
    assert "not permitted to create or approve pull requests" in failed.value.data["message"]
    with connected(server, server.pat) as person:
        assert "open" == person.create_pull(base="main", head="topic", title="Change").state


def test_comments_come_in_pages_with_links(pull: PullRequest, server: GitHubServer) -> None:
    bodies = [f"comment {number}" for number in range(7)]
    for body in bodies:
        pull.comment(body)
    with connected(server) as client:
        client.requester.per_page = 3
        comments = client.get_issue(1).get_comments()

        assert bodies == [each.body for each in comments]
        assert bodies[3:6] == [each.body for each in comments.get_page(1)]
        assert bodies[::-1] == [each.body for each in comments.reversed]
    pages = server.calls("GET", r"/issues/1/comments$")
    assert ["", "2", "3"] == [each.query.get("page", "") for each in pages[:3]]


def test_a_page_holds_no_more_than_100(pull: PullRequest, server: GitHubServer) -> None:
    for number in range(101):
        pull.comment(str(number))
    answer = raw(server, "GET", f"/repos/{NAME}/issues/1/comments?per_page=500")

    assert 100 == len(answer.json())
    assert answer.links["next"]["url"] == answer.links["last"]["url"]
    assert answer.links["next"]["url"].startswith(f"{server.url}/repositories/")


def test_a_check_run_from_start_to_end(pull: PullRequest, client: ClientRepository) -> None:
    run = client.create_check_run("score", pull.head_sha, status="in_progress")
    notes: list[dict[str, str | int]] = [
        {
            "path": "added.md",
            "start_line": 1,
            "end_line": 1,
            "annotation_level": "warning",
            "message": f"note {number}",
        }
        for number in range(70)
    ]
    for batch in (notes[:50], notes[50:]):
        run.edit(output={"title": "t", "summary": "s", "annotations": batch})
    run.edit(conclusion="failure", output={"title": "done", "summary": "sum"})
    (kept,) = pull.repository.check_runs

    assert ("completed", "failure", "done") == (kept.status, kept.conclusion, kept.title)
    assert notes == kept.annotations
    assert 70 == client.get_check_run(run.id).output.annotations_count
    assert [f"note {number}" for number in range(70)] == [
        each.message for each in run.get_annotations()
    ]
    assert [run.id] == [each.id for each in client.get_commit(pull.head_sha).get_check_runs()]


def test_comparing_finds_the_merge_base(home: Repository, client: ClientRepository) -> None:
    start = home.branches["main"]
    home.commit({"read.md": "main\n"}, branch="main")
    one = home.commit({"read.md": "a\n"}, parents=[start], branch="feature/a")
    two = home.commit({"read.md": "a\n", "b.md": "b\n"}, branch="feature/a")
    seen = client.compare("main", "feature/a")

    assert (start, "diverged") == (seen.merge_base_commit.sha, seen.status)
    assert (2, 1) == (seen.ahead_by, seen.behind_by)
    assert [one, two] == [each.sha for each in seen.commits]
    assert ["b.md", "read.md"] == [each.filename for each in seen.files]
    assert start == client.compare("octo-org:main", two).merge_base_commit.sha


def test_histories_without_a_common_commit_cannot_be_compared(
    home: Repository, client: ClientRepository
) -> None:
    home.commit({}, parents=(), branch="orphan")
    with pytest.raises(GithubException) as failed:
        client.compare("main", "orphan").complete()

    assert 404 == failed.value.status


def test_commits_are_listed_and_read(home: Repository, client: ClientRepository) -> None:
    first = home.branches["main"]
    second = home.commit({"read.md": "one\n", "b/c.md": "x\n"}, branch="main", message="second")

    assert [second, first] == [each.sha for each in client.get_commits()]
    assert [first] == [each.sha for each in client.get_commits(path="read.md")]
    seen = client.get_commit("main")
    assert (second, ["b/c.md"]) == (seen.sha, [each.filename for each in seen.files])
    assert ("second", [first]) == (seen.commit.message, [each.sha for each in seen.parents])


def test_contents_of_files_and_directories(home: Repository, client: ClientRepository) -> None:
    home.commit({"a/b.md": "text\n"}, branch="other")
    file = client.get_contents("a/b.md", ref="other")
    listing = client.get_contents("a", ref="other")

    assert isinstance(listing, list)
    assert not isinstance(file, list)
    assert b"text\n" == file.decoded_content
    assert [("b.md", file.sha)] == [(each.name, each.sha) for each in listing]


def test_a_commit_made_of_git_data(home: Repository, client: ClientRepository) -> None:
    blob = client.create_git_blob("aGk=", "base64")
    elements = [
        InputGitTreeElement("hi.txt", "100644", "blob", sha=blob.sha),
        InputGitTreeElement("new/x.txt", "100644", "blob", content="x"),
        InputGitTreeElement("read.md", "100644", "blob", sha=None),
    ]
    parent = client.get_git_commit(home.branches["main"])
    tree = client.create_git_tree(elements, parent.tree)
    commit = client.create_git_commit("made", tree, [parent])
    client.create_git_ref("refs/heads/data", commit.sha)
    client.get_git_ref("heads/main").edit(commit.sha)

    assert {"hi.txt": b"hi", "new/x.txt": b"x"} == home.files("data")
    assert commit.sha == home.branches["main"]
    assert commit.verification.verified
    assert "aGk=\n" == client.get_git_blob(blob.sha).content


@pytest.mark.parametrize("protection", ["classic", "ruleset"])
def test_a_protected_branch_takes_no_push(
    home: Repository, client: ClientRepository, protection: Protection
) -> None:
    home.protected["main"] = protection
    other = home.commit({}, branch="other")
    with pytest.raises(GithubException) as failed:
        client.get_git_ref("heads/main").edit(other)

    assert 422 == failed.value.status


def test_a_truncated_tree_can_be_read_directory_by_directory(
    home: Repository, client: ClientRepository
) -> None:
    sha = home.commit({"a/1": "", "a/2": "", "b/3": ""}, branch="other")
    home.truncate_after = 2
    whole = client.get_git_tree(sha, recursive=True)
    top = client.get_git_tree(sha)
    below = client.get_git_tree(top.tree[1].sha)

    assert (True, ["a", "a/1"]) == (whole.raw_data["truncated"], [each.path for each in whole.tree])
    assert (False, ["a", "b"]) == (top.raw_data["truncated"], [each.path for each in top.tree])
    assert ["3"] == [each.path for each in below.tree]


def test_an_artifact_is_downloaded_without_showing_the_token(
    server: GitHubServer, pull: PullRequest, client: ClientRepository
) -> None:
    run = pull.repository.workflow_run(head_sha=pull.head_sha, head_branch="topic")
    data = zipped({"result.json": "{}"})
    run.artifact("other", b"")
    run.artifact("result", data, size_in_bytes=1)
    run.artifact("old", b"", expired=True)
    old, result, other = client.get_workflow_run(run.id).get_artifacts()
    below = f"/repos/{NAME}/actions/artifacts"

    assert ("old", "result", "other") == (old.name, result.name, other.name)
    assert (True, 1) == (old.expired, result.size_in_bytes)
    assert "result" == client.get_artifact(result.id).name
    assert data == raw(server, "GET", f"{below}/{result.id}/zip").content
    assert 410 == raw(server, "GET", f"{below}/{old.id}/zip").status_code
    assert [""] == [each.token for each in server.calls("GET", "^/storage/")]
