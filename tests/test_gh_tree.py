"""A commit read through GitHub's API; what it shares with other trees is in test_tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from github_server import Executable, GitHubServer, Link, Submodule
from github_server.faults import Kind
from github_server.repository import Repository
from memory_tree import MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.members import SKIPPED_FOLDERS
from plugineval_action.content.tree import MAX_BYTES, MAX_ENTRIES, MAX_TOTAL, Tree
from plugineval_action.errors import ContentError
from plugineval_action.gh.api import connect
from plugineval_action.gh.api_tree import ApiTree, Entry, Listing
from plugineval_action.gh.blobs import BATCH, BATCH_BYTES, KEPT_BYTES, Blob, Blobs, blob_id
from plugineval_action.gh.client import GitHub
from plugineval_action.gh.errors import Exhausted, GitHubError
from plugineval_action.gh.retry import TRIES, Deadline
from plugineval_action.review.trees import Side, review_trees
from skills import skill_text

NAME = "octo-org/skills"


class Hub(NamedTuple):
    """A GitHub with one repository, and clients of it."""

    server: GitHubServer
    repository: Repository

    def connect(self, local: Tree | None = None) -> GitHub:
        return connect(
            token=self.server.read_token,
            repository=NAME,
            api_url=self.server.url,
            graphql_url=self.server.graphql_url,
            deadline=Deadline(sleep=lambda _: None),
            local=local,
            timeout=5,
        )

    def tree(self, files: Mapping[str, str | bytes], local: Tree | None = None) -> ApiTree:
        tree = self.connect(local).tree(self.repository.commit(files, branch="main"))
        assert isinstance(tree, ApiTree)
        return tree

    @property
    def listings(self) -> int:
        return len(self.server.calls("GET", "/git/trees/"))

    @property
    def batches(self) -> int:
        return len(self.server.calls("POST", "/graphql/Blobs"))

    @property
    def singles(self) -> int:
        return len(self.server.calls("GET", "/git/blobs/"))


@pytest.fixture(params=[False], ids=["github.com"])
def hub(request: pytest.FixtureRequest) -> Iterator[Hub]:
    with GitHubServer(enterprise=request.param) as server:
        yield Hub(server, server.repository(NAME))


def contents(number: int, name: str = "SKILL.md") -> dict[str, bytes]:
    """As many skills, of which each has another text."""
    return {f"skills/s{one:03}/{name}": b"%d" % one for one in range(number)}


# Listing


@pytest.mark.parametrize("hub", [False, True], ids=["github.com", "enterprise"], indirect=True)
def test_branch_is_read_at_the_commit_that_it_is_at(hub: Hub) -> None:
    commit = hub.repository.commit({"a/SKILL.md": b"text"}, branch="feature/ü")
    tree = hub.connect().tree("feature/ü")
    hub.repository.commit({"a/SKILL.md": b"later"}, branch="feature/ü")

    assert (commit, "skills") == (tree.identity, tree.name)
    assert b"text" == tree.read("a/SKILL.md")
    assert 3 == len(hub.server.requests)


def test_everything_is_told_by_its_mode(hub: Hub) -> None:
    tree = hub.connect().tree(
        hub.repository.commit(
            {
                "file": "x",
                "run.sh": Executable(b"x"),
                "link": Link("file"),
                "module": Submodule("1" * 40),
                "directory/file": "x",
            }
        )
    )

    assert {
        "directory": "dir",
        "file": "file",
        "link": "symlink",
        "module": "other",
        "run.sh": "file",
    } == tree.listing("")
    for path in ("link", "module", "directory"):
        with pytest.raises(ContentError):
            tree.read(path)


def test_a_whole_listing_takes_one_request(hub: Hub) -> None:
    tree = hub.tree({f"a/{number % 60}/{number}": b"x" for number in range(4000)})

    assert 4000 == sum(1 for _ in tree.files())
    assert 1 == len(hub.server.requests)


def test_a_listing_that_is_cut_short_is_completed_where_it_is_looked_into(hub: Hub) -> None:
    files = {
        **contents(20),
        **{f"node_modules/{number}/index.js": b"x" for number in range(200)},
        "SKILL.md": b"x",
    }
    hub.repository.truncate_after = 50
    tree = hub.tree(files)
    found = list(tree.files(skip=SKIPPED_FOLDERS))

    assert ["SKILL.md", *sorted(contents(20))] == found
    assert b"7" == tree.read("skills/s007/SKILL.md")
    assert 3 == hub.listings
    assert tree.is_file("node_modules/199/index.js")


def test_a_path_leads_into_what_was_not_listed_yet(hub: Hub) -> None:
    hub.repository.truncate_after = 3
    tree = hub.tree(contents(9))

    assert b"3" == tree.read("skills/s003/SKILL.md")
    assert blob_id(b"4") == tree.blob_id("skills/s004/SKILL.md")
    assert tree.kind("skills/s009/SKILL.md") is None
    assert tree.kind("skills/" + "../" * 200_000) is None


class FakeSource:
    """Listings and contents of a dict of files, counting what is asked."""

    def __init__(self, files: Mapping[str, bytes], most: int = 1_000_000) -> None:
        self.files, self.most = files, most
        self.asked: list[str] = []

    def listing(self, tree_id: str, *, recursive: bool) -> Listing:
        below = "" if tree_id == "commit" else f"{tree_id.removeprefix('tree:')}/"
        inside = [path.removeprefix(below) for path in self.files if path.startswith(below)]
        folders = {path[:end] for path in inside for end in _slashes(path)}
        entries = [
            Entry(path, "100644", blob_id(self.files[below + path]), len(self.files[below + path]))
            for path in inside
        ]
        entries += [Entry(path, "040000", f"tree:{below}{path}", 0) for path in folders]
        if not recursive:
            return Listing([entry for entry in entries if "/" not in entry.path], complete=True)
        return Listing(entries[: self.most], complete=len(entries) <= self.most)

    def texts(self, ids: Sequence[str]) -> Mapping[str, str]:
        self.asked += ids
        return {}

    def content(self, blob_id: str) -> bytes:
        return self.files[blob_id]


def _slashes(path: str) -> list[int]:
    return [place for place, character in enumerate(path) if character == "/"]


def api_tree(source: FakeSource) -> ApiTree:
    return ApiTree(source, Blobs(source), commit="commit", name="skills")


NAMES = st.text("ab.é🦊", min_size=1, max_size=3).filter(lambda name: name not in {".", ".."})
FILES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=4).map("/".join), st.binary(max_size=3), max_size=12
).filter(lambda files: not any(f"{a}/" == b[: len(a) + 1] for a in files for b in files))


@given(FILES, st.integers(0, 20))
def test_the_tree_is_the_same_however_little_comes_at_once(
    files: dict[str, bytes], most: int
) -> None:
    tree, expected = api_tree(FakeSource(files, most)), MemoryTree(files)

    assert list(expected.files()) == list(tree.files())
    for path in ["", *files]:
        directory = path.rpartition("/")[0]
        assert list(expected.listing(directory).items()) == list(tree.listing(directory).items())
    assert all(expected.blob_id(path) == tree.blob_id(path) for path in files)


class FixedSource(FakeSource):
    """One listing, whatever is asked."""

    def __init__(self, entries: Sequence[Entry], *, complete: bool = True) -> None:
        super().__init__({})
        self.answer = Listing(entries, complete)

    def listing(self, tree_id: str, *, recursive: bool) -> Listing:
        self.asked.append(f"{tree_id} {recursive}")
        return self.answer


def listed(*paths: str) -> ApiTree:
    """A tree of paths as they are; those that end in `/` are directories."""
    return api_tree(
        FixedSource(
            [
                Entry(path.removesuffix("/"), "040000" if path.endswith("/") else "100644", "0", 1)
                for path in paths
            ]
        )
    )


@pytest.mark.parametrize(
    "path",
    [
        "..",
        ".",
        "../x",
        "a/../x",
        "a/./x",
        "a//x",
        "/x",
        "",
        "x/y",
        "file/x",
        "a" * 1025,
        "\ud800",
    ],
)
def test_what_no_checkout_could_hold_is_left_out(path: str) -> None:
    tree = listed("a/", "file", path, "a/file")

    assert {"a": "dir", "file": "file"} == tree.listing("")
    assert ["a/file", "file"] == list(tree.files())
    assert tree.kind(path) in (None, "dir")


def test_the_first_of_two_things_with_one_name_counts() -> None:
    assert ["a"] == list(listed("a", "a/", "a/x").files())


@pytest.mark.parametrize(
    "source",
    [
        FixedSource([Entry("a", "100644", "0", 1)] * (MAX_ENTRIES + 1)),
        FixedSource([], complete=False),
    ],
    ids=["too many", "cut even for one directory"],
)
def test_a_commit_that_cannot_be_listed_is_an_error(source: FixedSource) -> None:
    with pytest.raises(GitHubError, match="more files than GitHub lists"):
        api_tree(source)


# Contents


def test_files_asked_for_beforehand_come_in_batches(hub: Hub) -> None:
    tree = hub.tree(contents(2 * BATCH + 1))
    tree.prefetch([*contents(2 * BATCH + 1), "skills", "not-there"])

    assert contents(2 * BATCH + 1) == {path: tree.read(path) for path in tree.files()}
    assert (3, 0) == (hub.batches, hub.singles)


@pytest.mark.parametrize("name", ["SKILL.md", "agents/helper.md", ".claude-plugin/plugin.json"])
def test_files_read_one_by_one_come_in_batches_too(hub: Hub, name: str) -> None:
    tree = hub.tree({**contents(2 * BATCH, name), "other/README.md": b"x"})

    assert contents(2 * BATCH, name) == {
        path: tree.read(path) for path in tree.files() if path.startswith("skills/")
    }
    assert (2, 0) == (hub.batches, hub.singles)


def test_a_batch_is_small_in_bytes_too(hub: Hub) -> None:
    size = BATCH_BYTES // 4
    tree = hub.tree({f"{number}": b"%d" % number * size for number in range(10)})
    tree.prefetch(tree.files())

    assert (3, 0) == (hub.batches, hub.singles)


INEXACT = {
    "binary": bytes(range(256)),
    "latin-1": "naïve".encode("latin-1"),
    "nul": b"a\0b",
    "large": b"x" * 512_001,
    "large-utf8": "é".encode() * 300_000,
}
EXACT = {
    "empty": b"",
    "bom": "\ufefftext".encode(),
    "crlf": b"a\r\nb\rc\n",
    "utf-8": "naïve 🦊 \u2028".encode(),
    "most": b"x" * 512_000,
}


def test_bytes_that_graphql_cannot_give_exactly_come_by_rest(hub: Hub) -> None:
    tree = hub.tree({**INEXACT, **EXACT})
    tree.prefetch(tree.files())

    assert {**INEXACT, **EXACT} == {path: tree.read(path) for path in tree.files()}
    assert len(INEXACT) == hub.singles


def test_a_file_over_the_cap_is_not_asked_for(hub: Hub) -> None:
    tree = hub.tree({"large": b"x" * (MAX_BYTES + 1)})
    tree.prefetch(["large"])

    with pytest.raises(ContentError, match="larger than 1024 KiB"):
        tree.read("large")
    assert 1 == len(hub.server.requests)


def test_a_file_over_the_cap_is_digested_all_the_same(hub: Hub) -> None:
    """It counts to a skill's digest, and nothing of it is shown to anybody."""
    data = bytes(range(256)) * (MAX_BYTES // 256) + b"!"
    tree = hub.tree({"large": data})

    assert sha256(data).hexdigest() == tree.sha256("large")
    assert 1 == hub.singles


def test_a_large_file_that_is_checked_out_is_not_asked_for(hub: Hub, tmp_path: Path) -> None:
    data = b"x" * (MAX_BYTES + 1)
    (tmp_path / "large").write_bytes(data)
    tree = hub.tree({"large": data}, DirectoryTree(tmp_path))

    assert sha256(data).hexdigest() == tree.sha256("large")
    assert 0 == hub.singles


def test_another_file_that_is_checked_out_there_is_not_taken_for_it(
    hub: Hub, tmp_path: Path
) -> None:
    data = b"x" * (MAX_BYTES + 1)
    (tmp_path / "large").write_bytes(data[:-1] + b"y")
    tree = hub.tree({"large": data}, DirectoryTree(tmp_path))

    assert sha256(data).hexdigest() == tree.sha256("large")


def test_large_files_are_digested_up_to_a_limit() -> None:
    """A few bytes in a listing may stand for any size: nothing is asked for beyond it."""
    source = FixedSource([Entry("large", "100644", "a" * 40, MAX_TOTAL + 1)])

    with pytest.raises(ContentError, match="more than 64 MiB"):
        api_tree(source).sha256("large")


def test_trees_share_what_was_read(hub: Hub) -> None:
    github = hub.connect()
    base = github.tree(hub.repository.commit(contents(30), branch="main"))
    changed = {**contents(30), "skills/s007/SKILL.md": b"changed"}
    head = github.tree(hub.repository.commit(changed, branch="patch"))

    assert contents(30) == {path: base.read(path) for path in base.files()}
    assert changed == {path: head.read(path) for path in head.files()}
    assert (2, 2, 0) == (hub.listings, hub.batches, hub.singles)


def test_files_of_a_checkout_with_the_same_bytes_are_read_from_there(
    hub: Hub, tmp_path: Path
) -> None:
    for path, content in contents(30).items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "skills/s001/SKILL.md").write_bytes(b"X")
    (tmp_path / "skills/s002/SKILL.md").unlink()
    (tmp_path / "skills/s003/SKILL.md").unlink()
    (tmp_path / "skills/s003/SKILL.md").symlink_to("../s004/SKILL.md")
    tree = hub.tree(contents(30), local=DirectoryTree(tmp_path))

    assert contents(30) == {path: tree.read(path) for path in tree.files()}
    assert (1, 0) == (hub.batches, hub.singles)
    asked = hub.server.calls("POST", "/graphql/Blobs")[0].body
    assert isinstance(asked, dict)
    assert 3 + 2 == len(asked["variables"])


@pytest.mark.parametrize("kind", ["502", "graphql-error", "403-integration"])
def test_without_graphql_files_come_one_by_one(hub: Hub, kind: Kind) -> None:
    hub.server.fault("POST", "/graphql", kind, times=99)
    tree = hub.tree(contents(5))

    assert contents(5) == {path: tree.read(path) for path in tree.files()}
    assert 5 == hub.singles
    assert hub.batches in (1, TRIES)


def test_a_limit_is_not_evaded_by_asking_one_by_one(hub: Hub) -> None:
    hub.server.fault("POST", "/graphql", "graphql-rate-limit", seconds=600)
    tree = hub.tree(contents(5))

    with pytest.raises(Exhausted):
        tree.read("skills/s000/SKILL.md")
    assert 0 == hub.singles


def test_bytes_that_are_not_those_of_the_commit_are_refused() -> None:
    blob = Blob(blob_id(b"expected"), 8)
    source = FakeSource({blob.id: b"tampered"})

    with pytest.raises(GitHubError, match="other bytes"):
        Blobs(source).read(blob)


def test_what_is_kept_in_memory_is_bounded() -> None:
    """The oldest go, and are asked for again."""
    number = KEPT_BYTES // MAX_BYTES + 2
    data = [b"%04d" % one * (MAX_BYTES // 4) for one in range(number)]
    blobs = [Blob(blob_id(one), len(one)) for one in data]
    kept = Blobs(FakeSource({blob.id: one for blob, one in zip(blobs, data, strict=True)}))
    read = [kept.read(blob) for blob in blobs]

    assert data == read
    assert number - 2 == sum(blob in kept for blob in blobs)
    assert data[0] == kept.read(blobs[0])


# A whole review


def skills(number: int, line: str) -> dict[str, str]:
    files = {".claude-plugin/plugin.json": '{"name": "many", "description": "Many skills."}'}
    for one in range(number):
        body = f"# Skill {one}\n\n{line}\n\nSee [more](references/more.md).\n"
        files[f"skills/s{one:03}/SKILL.md"] = skill_text(body)
        files[f"skills/s{one:03}/references/more.md"] = f"More about {one}.\n{line}\n"
    return files


def test_review_reads_the_same_through_the_api(hub: Hub) -> None:
    before, after = skills(5, "Do it."), skills(7, "Do it well.")
    github = hub.connect()
    base = github.tree(hub.repository.commit(before, branch="main"))
    head = github.tree(hub.repository.commit(after, branch="patch"))
    expected = review_trees(
        Side(MemoryTree(before, "skills"), "base"),
        Side(MemoryTree(after, "skills"), "head"),
        "plugineval",
    )

    assert expected == review_trees(Side(base, "base"), Side(head, "head"), "plugineval")


def test_review_of_300_changed_skills_takes_less_than_60_requests(hub: Hub) -> None:
    github = hub.connect()
    base = github.tree(hub.repository.commit(skills(300, "Do it."), branch="main"))
    head = github.tree(hub.repository.commit(skills(300, "Do it well."), branch="patch"))
    review = review_trees(Side(base, "base"), Side(head, "head"), "plugineval")

    assert 301 == len(review.changes)
    assert 30 > len(hub.server.requests)
