"""The loopback GitHub's objects are git's, and GraphQL shows them and comments as GitHub does."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from github.Repository import Repository as ClientRepository

from git_repository import Repository as GitRepository
from github_client import NAME, connected, graphql
from github_server import Executable, GitHubServer, Link, Repository, Submodule
from github_server.objects import Content
from github_server.repository import Protection

FILES: dict[str, Content] = {
    "a.md": "text\n",
    "a/b.md": "deep\n",
    "a.b": b"\x00\xff",
    "a-b/c": "",
    "é.md": "ü\n",
    "link": Link("a.md"),
    "run.sh": Executable("#!/bin/sh\n"),
}
OBJECT = """
query Object($oid: GitObjectID, $expression: String) {
  repository(owner: "octo-org", name: "skills") {
    object(oid: $oid, expression: $expression) {
      __typename
      oid
      ... on Blob { byteSize isBinary isTruncated text }
      ... on Tree { entries { name mode type } }
    }
  }
}
"""
COMMENTS = """
query Comments($after: String) {
  repository(owner: "octo-org", name: "skills") {
    pullRequest(number: 1) {
      headRefOid
      headRepository { nameWithOwner }
      comments(first: 2, after: $after) {
        nodes { databaseId body viewerDidAuthor isMinimized author { login } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""
COMMIT = """
mutation Commit($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } ref { name } }
}
"""


@pytest.fixture
def home(server: GitHubServer) -> Repository:
    return server.repository(NAME)


@pytest.fixture
def client(server: GitHubServer) -> Iterator[ClientRepository]:
    with connected(server) as repository:
        yield repository


def test_ids_are_those_of_git(tmp_path: Path, home: Repository) -> None:
    real = GitRepository(tmp_path)
    sha = "1" * 40
    commit = home.commit({**FILES, "module": Submodule(sha)}, branch="main", message="möve\n\nx")
    modes = {"link": "120000", "run.sh": "100755", "module": "160000"}
    for path in (*FILES, "module"):
        entry = home.store.find(home.store.commit(commit).tree, path)
        assert entry
        if path != "module":
            assert entry.sha == real.blob(home.store.blob(entry.sha))
        mode = modes.get(path, "100644")
        real.git("update-index", "--add", "--cacheinfo", f"{mode},{entry.sha},{path}")
    tree = real.git("write-tree")
    raw = home.store.raw(commit)

    assert tree == home.store.commit(commit).tree
    assert commit == real.git("hash-object", "-t", "commit", "-w", "--stdin", data=raw)
    assert "möve" == real.git("log", "-1", "--format=%s", commit)


def test_content_comes_back_as_it_was_given(home: Repository) -> None:
    given: dict[str, Content] = {**FILES, "module": Submodule("1" * 40)}
    sha = home.commit(given, branch="main")
    plain = {path: c.encode() if type(c) is str else c for path, c in given.items()}
    plain["run.sh"] = Executable(b"#!/bin/sh\n")

    assert plain == home.files(sha) == home.files("main")
    assert sha == home.resolve(sha[:8])
    with pytest.raises(KeyError):
        home.files("nowhere")


def test_a_very_deep_tree_is_stored_and_listed(home: Repository) -> None:
    path = "/".join(["d"] * 3_000)
    sha = home.commit({path: "x"}, branch="main")

    assert {path: b"x"} == home.files(sha)


def test_a_real_repository_is_taken_over(
    tmp_path: Path, home: Repository, client: ClientRepository
) -> None:
    real = GitRepository(tmp_path)
    real.write("a/SKILL.md", "one\n")
    first = real.commit("first")
    real.git("checkout", "--quiet", "-b", "topic/x")
    real.write("a/SKILL.md", "two\n")
    second = real.commit("second")
    home.import_git(tmp_path)

    assert {"main": first, "topic/x": second} == home.branches
    assert {"a/SKILL.md": b"two\n"} == home.files("topic/x")
    assert first == client.compare("main", "topic/x").merge_base_commit.sha


def test_a_tree_listing_shows_modes_kinds_and_sizes(
    home: Repository, client: ClientRepository
) -> None:
    home.commit({**FILES, "module": Submodule("1" * 40)}, branch="main")
    listing = client.get_git_tree("main", recursive=True).tree

    assert [
        ("a-b", "040000", "tree", None),
        ("a-b/c", "100644", "blob", 0),
        ("a.b", "100644", "blob", 2),
    ] == [(each.path, each.mode, each.type, each.size) for each in listing[:3]]
    assert {
        ("link", "120000", "blob"),
        ("module", "160000", "commit"),
        ("run.sh", "100755", "blob"),
    } <= {(each.path, each.mode, each.type) for each in listing}


BLOBS: dict[str, tuple[bytes, dict[str, object]]] = {
    "text": ("ü\n".encode(), {"byteSize": 3, "isBinary": False, "text": "ü\n"}),
    "binary": (b"a\0b", {"byteSize": 3, "isBinary": True, "text": None}),
    "another encoding": (b"\xfc", {"byteSize": 1, "isBinary": False, "text": "ü"}),
    "of the greatest length": (b"x" * 512_000, {"isTruncated": False, "text": "x" * 512_000}),
    "too long": (b"x" * 512_001, {"isTruncated": True, "text": "x" * 512_000}),
    "cut in a character": (b"x" + "ü".encode() * 256_000, {"isTruncated": True}),
}


@pytest.mark.parametrize("what", BLOBS)
def test_blobs_by_graphql(home: Repository, client: ClientRepository, what: str) -> None:
    data, expected = BLOBS[what]
    home.commit({"a/file": data}, branch="main")
    found = graphql(client, OBJECT, expression="main:a/file")["data"]["repository"]["object"]

    assert expected == {name: found[name] for name in expected}
    assert len((found["text"] or "").encode()) <= 512_000


def test_objects_by_graphql(home: Repository, client: ClientRepository) -> None:
    sha = home.commit({"a/file": "", "b": Executable("")}, branch="main")

    def kind(**variables: str) -> object:
        found = graphql(client, OBJECT, **variables)["data"]["repository"]["object"]
        return found and found["__typename"]

    assert ("Commit", "Commit") == (kind(expression="HEAD"), kind(oid=sha))
    assert ("Tree", "Blob") == (kind(expression=f"{sha}:a"), kind(expression="main:a/file"))
    assert (None, None) == (kind(oid="0" * 40), kind(expression="main:nothing"))
    tree = graphql(client, OBJECT, expression="main:")["data"]["repository"]["object"]
    assert [
        {"name": "a", "mode": 0o40000, "type": "tree"},
        {"name": "b", "mode": 0o100755, "type": "blob"},
    ] == tree["entries"]


def test_comments_by_graphql(server: GitHubServer, home: Repository) -> None:
    home.commit({}, branch="main")
    fork = server.repository("fork-owner/skills", fork_of=home)
    pull = home.pull_request("main", head_repository=fork)
    pull.comment("one", author="someone")
    pull.comment("two", author="github-actions[bot]", minimised=True)
    pull.comment("three", author="other[bot]")
    with connected(server, server.read_token) as client:
        first = graphql(client, COMMENTS)["data"]["repository"]["pullRequest"]
        cursor = first["comments"]["pageInfo"]["endCursor"]
        second = graphql(client, COMMENTS, after=cursor)["data"]["repository"]["pullRequest"]
    nodes = first["comments"]["nodes"] + second["comments"]["nodes"]

    assert "fork-owner/skills" == first["headRepository"]["nameWithOwner"]
    assert [True, False] == [
        each["comments"]["pageInfo"]["hasNextPage"] for each in (first, second)
    ]
    assert [
        ("one", False, False, "someone"),
        ("two", True, True, "github-actions"),
        ("three", False, False, "other"),
    ] == [
        (each["body"], each["viewerDidAuthor"], each["isMinimized"], each["author"]["login"])
        for each in nodes
    ]


def test_what_is_not_there_is_an_error_of_graphql(
    home: Repository, client: ClientRepository
) -> None:
    home.commit({}, branch="main")
    answer = graphql(client, COMMENTS)

    assert {"repository": {"pullRequest": None}} == answer["data"]
    assert "NOT_FOUND" == answer["errors"][0]["type"]


def commit_input(home: Repository, **more: object) -> dict[str, object]:
    added = {"path": "new/file", "contents": base64.b64encode(b"new").decode()}
    return {
        "branch": {"repositoryNameWithOwner": NAME, "branchName": "main"},
        "expectedHeadOid": home.branches["main"],
        "message": {"headline": "Say it"},
        "fileChanges": {"additions": [added], "deletions": [{"path": "old"}]},
        **more,
    }


def test_a_commit_by_graphql(home: Repository, client: ClientRepository) -> None:
    before = home.commit({"old": "", "kept": Executable("")}, branch="main")
    answer = graphql(client, COMMIT, input=commit_input(home))
    after = home.branches["main"]

    assert {"commit": {"oid": after}, "ref": {"name": "main"}} == (
        answer["data"]["createCommitOnBranch"]
    )
    assert {"new/file": b"new", "kept": Executable(b"")} == home.files("main")
    assert client.get_git_commit(after).verification.verified
    assert [before] == [each.sha for each in client.get_commit(after).parents]


@pytest.mark.parametrize(
    ("protection", "error"),
    [("classic", "BRANCH_PROTECTION_RULE_VIOLATION"), ("ruleset", "UNPROCESSABLE")],
)
def test_a_commit_on_a_protected_branch(
    home: Repository, client: ClientRepository, protection: Protection, error: str
) -> None:
    before = home.commit({"old": ""}, branch="main")
    home.protected["main"] = protection
    answer = graphql(client, COMMIT, input=commit_input(home))

    assert error == answer["errors"][0]["type"]
    assert before == home.branches["main"]


def test_commits_that_are_refused(server: GitHubServer, home: Repository) -> None:
    stale = home.commit({"old": ""}, branch="main")
    home.commit({}, branch="main")
    refused = [
        commit_input(home, expectedHeadOid=stale),
        commit_input(home),
        commit_input(home, branch={"repositoryNameWithOwner": NAME, "branchName": "none"}),
    ]

    def kind(client: ClientRepository, given: dict[str, object]) -> object:
        return graphql(client, COMMIT, input=given)["errors"][0]["type"]

    with connected(server) as client:
        kinds = [kind(client, given) for given in refused]
    with connected(server, server.read_token) as client:
        kinds.append(kind(client, commit_input(home)))

    assert ["STALE_DATA", "UNPROCESSABLE", "NOT_FOUND", "FORBIDDEN"] == kinds
    assert {} == home.files("main")
