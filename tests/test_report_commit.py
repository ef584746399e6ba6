"""Publishing a report: whatever GitHub does meanwhile, each run is in the history exactly once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import get_args

import pytest

from github_server import GitHubServer, Link, Repository
from github_server.faults import Kind
from github_server.repository import Protection
from plugineval_action.action.report_commit import (
    BATCH_BYTES,
    BATCH_FILES,
    TRIES,
    Place,
    publish,
)
from plugineval_action.action.report_pull import propose
from plugineval_action.errors import HistoryError, UsageError
from plugineval_action.gh.api import connect
from plugineval_action.gh.client import GitHub
from plugineval_action.gh.errors import Conflict, Denied, GitHubError, Protected
from plugineval_action.gh.retry import Deadline
from plugineval_action.render.report.pages import REPORT_MARKER
from plugineval_action.report.history import Record, read_history, with_run, write_history

NAME = "octo-org/skills"
OWN = Place("plugin-eval-report", "")
FOLDER = Place("main", "docs/eval")
PROPOSAL = Place("plugin-eval-report", "docs/eval")
NOTHING_MORE: Mapping[str, str] = {}
COMMIT = "/graphql/Commit$"
WRITES = ("/git/trees$", "/git/commits$", "/git/refs$", COMMIT)
FAULTS: tuple[Kind, ...] = ("500", "502", "502-after", "cut", "invalid-json", "409", "422")


class Home:
    """A repository, a client that does not wait, and reports of one line a run."""

    def __init__(self, server: GitHubServer) -> None:
        self.server = server
        self.repository: Repository = server.repository(NAME)
        self.repository.commit({"a.md": "mine"}, branch="main")

    def connect(self, token: str = "") -> GitHub:
        return connect(
            token=token or self.server.write_token,
            repository=NAME,
            api_url=self.server.url,
            graphql_url=self.server.graphql_url,
            deadline=Deadline(120, sleep=lambda _: None),
            timeout=1,
        )

    def publish(
        self, number: int, place: Place = OWN, more: Mapping[str, str] = NOTHING_MORE
    ) -> bool:
        return publish(self.connect(), place, make(number, more), f"Report {number}")

    def propose(self, number: int) -> str | None:
        return propose(self.connect(), PROPOSAL, make(number, {}), f"Report {number}")

    def text(self, path: str, branch: str = OWN.branch) -> str:
        data = self.repository.files(branch)[path]
        assert isinstance(data, bytes)
        return data.decode()

    def runs(self, place: Place = OWN) -> list[str]:
        """The commits in the history, line by line."""
        path = f"{place.folder}/history.jsonl".lstrip("/")
        return [json.loads(line)["commit"] for line in self.text(path, place.branch).splitlines()]

    def others_write(self, number: int, place: Place = OWN) -> Callable[[], None]:
        """What another run does that is quicker than ours."""

        def write() -> None:
            path = f"{place.folder}/history.jsonl".lstrip("/")
            files = self.repository.files(place.branch)
            known = files.get(path, b"")
            assert isinstance(known, bytes)
            line = make(number, {})("")["history.jsonl"].encode()
            self.repository.commit({**files, path: known + line}, branch=place.branch)

        return write

    def commits(self, branch: str = OWN.branch) -> list[str]:
        """Messages from the first commit of a branch to its tip, by first parents."""
        store, sha, found = self.repository.store, self.repository.branches[branch], list[str]()
        while True:
            commit = store.commit(sha)
            found.append(commit.message)
            if not commit.parents:
                return found[::-1]
            sha = commit.parents[0]


def make(number: int, more: Mapping[str, str]) -> Callable[[str], dict[str, str]]:
    record = Record(
        f"2026-01-{number:02}",
        f"c{number}",
        "plugineval/1",
        "p",
        "p",
        "p",
        70.0,
        "silver",
        {},
        1,
        0,
        None,
        "",
    )

    def files(history: str) -> dict[str, str]:
        every = write_history(with_run(read_history(history), [record]))
        front = f"{REPORT_MARKER}\n# {len(every.splitlines())} runs\n"
        return {"README.md": front, "history.jsonl": every, **more}

    return files


@pytest.fixture
def home() -> Iterator[Home]:
    with GitHubServer() as server:
        yield Home(server)


def test_the_first_report_makes_a_branch_without_a_past(home: Home) -> None:
    assert home.publish(1)
    assert ["Report 1", "Report 1"] == home.commits()
    assert {"README.md", "files.txt", "history.jsonl"} == home.repository.files(OWN.branch).keys()
    assert {"a.md": b"mine"} == home.repository.files("main")


def test_every_commit_is_signed_and_names_no_author(home: Home) -> None:
    home.publish(1)
    (commit,) = home.server.calls("POST", "/git/commits$")
    sha = home.repository.branches[OWN.branch]

    assert {"message", "tree", "parents"} == commit.body.keys()
    assert {sha, home.repository.store.commit(sha).parents[0]} == home.repository.signed


def test_only_files_whose_bytes_changed_are_sent(home: Home) -> None:
    home.publish(1, more={"badges/a.svg": "<svg/>", "badges/b.svg": "<svg/>"})
    home.publish(2, more={"badges/a.svg": "<svg/>", "badges/b.svg": "<svg></svg>"})
    changes = home.server.calls("POST", COMMIT)[-1].body["variables"]["input"]["fileChanges"]

    assert ["history.jsonl", "badges/b.svg", "README.md"] == [
        each["path"] for each in changes["additions"]
    ]
    assert [] == changes["deletions"]


def test_nothing_changed_is_no_commit(home: Home) -> None:
    home.publish(1)
    tip = home.repository.branches[OWN.branch]

    assert not home.publish(1)
    assert tip == home.repository.branches[OWN.branch]


def test_stale_files_go_and_foreign_ones_stay(home: Home) -> None:
    home.publish(1, more={"plugins/a.md": "a", "plugins/b.md": "b"})
    files = home.repository.files(OWN.branch)
    home.repository.commit({**files, "plugins/mine.md": "m", "CNAME": "c"}, branch=OWN.branch)
    home.publish(2, more={"plugins/a.md": "a"})
    left = home.repository.files(OWN.branch).keys()

    assert {"plugins/a.md", "plugins/mine.md", "CNAME"} <= left
    assert "plugins/b.md" not in left


def test_a_foreign_file_in_the_way_is_never_replaced(home: Home) -> None:
    home.repository.commit({"docs/eval/README.md": "# My own page"}, branch="main")
    with pytest.raises(
        UsageError, match="docs/eval of main holds files that no report has written"
    ):
        home.publish(1, FOLDER)

    assert "# My own page" == home.text("docs/eval/README.md", "main")


def test_a_link_in_the_way_is_neither_followed_nor_replaced(home: Home) -> None:
    home.publish(1)
    files = home.repository.files(OWN.branch)
    tip = home.repository.commit({**files, "new.md": Link("README.md")}, branch=OWN.branch)
    with pytest.raises(UsageError, match=r"it would replace: new\.md"):
        home.publish(2, more={"new.md": "x"})

    assert tip == home.repository.branches[OWN.branch]


def test_a_list_of_files_may_be_larger_than_a_skill(home: Home) -> None:
    home.publish(1, more={"plugins/gone.md": "g"})
    files = home.repository.files(OWN.branch)
    many = "".join(f"plugins/{number:060}.md\n" for number in range(20_000))
    listing = f"{many}README.md\nfiles.txt\nhistory.jsonl\nplugins/gone.md\n"
    home.repository.commit({**files, "files.txt": listing}, branch=OWN.branch)
    home.publish(2)

    assert "plugins/gone.md" not in home.repository.files(OWN.branch)


def test_a_list_of_files_that_leads_out_of_the_folder_deletes_nothing_there(home: Home) -> None:
    home.publish(1, FOLDER)
    files = home.repository.files("main")
    listed = b"../../a.md\n/a.md\nREADME.md\nfiles.txt\nhistory.jsonl\n"
    home.repository.commit({**files, "docs/eval/files.txt": listed}, branch="main")
    home.publish(2, FOLDER)

    assert "mine" == home.text("a.md", "main")


def test_a_list_of_files_of_somebody_else_deletes_and_replaces_nothing(home: Home) -> None:
    mine = {"files.txt": b"README.md\na.md\nfiles.txt\n", "README.md": b"# Mine\n", "a.md": b"a"}
    home.repository.commit(mine, branch="main")
    with pytest.raises(UsageError, match="that no report has written"):
        home.publish(1, Place("main", ""))

    assert mine == home.repository.files("main")


def test_files_of_an_earlier_report_without_a_list_are_taken_over(home: Home) -> None:
    home.publish(1)
    files = home.repository.files(OWN.branch)
    del files["files.txt"]
    home.repository.commit(files, branch=OWN.branch)

    assert home.publish(2)
    assert ["c1", "c2"] == home.runs()


def test_on_main_the_report_lies_in_its_folder_on_top_of_the_tip(home: Home) -> None:
    home.publish(1, FOLDER)

    assert ["change", "Report 1"] == home.commits("main")
    assert {"a.md", "docs/eval/README.md"} <= home.repository.files("main").keys()


@pytest.mark.parametrize("place", [OWN, FOLDER])
def test_a_lost_race_keeps_both_runs(home: Home, place: Place) -> None:
    home.publish(1, place)
    home.server.when("POST", COMMIT, home.others_write(2, place))
    home.publish(3, place)

    assert ["c1", "c2", "c3"] == home.runs(place)
    front = f"{place.folder}/README.md".lstrip("/")
    assert "# 3 runs" in home.text(front, place.branch)


def test_who_is_always_slower_gives_up_and_loses_nothing(home: Home) -> None:
    home.publish(1)
    for number in range(TRIES):
        home.server.when("POST", COMMIT, home.others_write(2 + number), after=number)
    with pytest.raises(Conflict):
        home.publish(20)

    assert [f"c{number}" for number in range(1, 2 + TRIES)] == home.runs()


@pytest.mark.parametrize(("path", "kind"), [*product(WRITES, FAULTS)])
def test_a_fault_at_any_write_of_a_first_report_loses_and_doubles_nothing(
    home: Home, path: str, kind: Kind
) -> None:
    home.server.fault("POST", path, kind)
    try:
        home.publish(1)
    except GitHubError:
        assert kind == "422"
        home.publish(1)

    assert ["c1"] == home.runs()
    assert 2 == len(home.commits())


@pytest.mark.parametrize(("kind", "times"), [*product(FAULTS[:-1], (1, 3)), ("422", 1)])
def test_a_fault_when_committing_loses_and_doubles_nothing(
    home: Home, kind: Kind, times: int
) -> None:
    home.publish(1)
    home.server.fault("POST", COMMIT, kind, times=times)
    try:
        home.publish(2)
    except GitHubError:
        assert kind == "422"

    home.publish(3)
    assert (["c1", "c3"] if kind == "422" else ["c1", "c2", "c3"]) == home.runs()
    assert 2 + len(home.runs()) - 1 == len(home.commits())


def test_a_lost_answer_and_a_quicker_run_after_it_lose_nothing(home: Home) -> None:
    home.publish(1)
    home.server.fault("POST", COMMIT, "502-after")
    home.server.when(
        "GET",
        "/git/ref/",
        home.others_write(2),
    )
    home.publish(3)

    assert ["c1", "c2", "c3"] == sorted(home.runs())


@pytest.mark.parametrize(
    "path", ["/git/ref/", "/git/trees/", "/graphql/File$", "/graphql/Blobs$|/git/blobs/"]
)
@pytest.mark.parametrize("kind", ["404", "500", "invalid-json"])
def test_a_history_that_cannot_be_read_is_never_taken_for_none(
    home: Home, path: str, kind: Kind
) -> None:
    home.publish(1)
    tip = home.repository.branches[OWN.branch]
    home.server.fault("*", path, kind, times=99)
    with suppress(GitHubError):
        home.publish(2)

    assert tip == home.repository.branches[OWN.branch]


@pytest.mark.parametrize("content", [b"{", b"\xff\n", b"<<<<<<< ours\n", b"[1]\n"])
def test_a_history_that_is_none_stops_the_run(home: Home, content: bytes) -> None:
    home.publish(1)
    files = home.repository.files(OWN.branch)
    tip = home.repository.commit({**files, "history.jsonl": content}, branch=OWN.branch)
    with pytest.raises(HistoryError):
        home.publish(2)

    assert tip == home.repository.branches[OWN.branch]


@pytest.mark.parametrize("size", [600_000, 3_000_000])
def test_a_history_is_read_whole_though_it_is_larger_than_a_skill_may_be(
    home: Home, size: int
) -> None:
    text = "x" * size + "ü\n"
    tip = home.repository.commit({"docs/h.txt": text}, branch="main")
    branches = home.connect().branches

    assert text.encode() == branches.content(tip, "docs/h.txt", size + 10)
    assert None is branches.content(tip, "docs/none.txt", 10)
    assert None is branches.content(tip, "docs", 10)


def test_a_history_over_its_limit_is_refused_before_it_is_read(home: Home) -> None:
    tip = home.repository.commit({"h.txt": "x" * 20}, branch="main")
    with pytest.raises(GitHubError, match=r"h\.txt has more than"):
        home.connect().branches.content(tip, "h.txt", 19)

    assert [] == home.server.calls("*", "/git/blobs/|/graphql/Blobs$")


@pytest.mark.parametrize("protection", get_args(Protection))
@pytest.mark.parametrize("place", [OWN, FOLDER])
def test_a_protected_branch_is_recognised(home: Home, protection: Protection, place: Place) -> None:
    home.publish(1, place)
    home.repository.protected[place.branch] = protection
    with pytest.raises(Protected):
        home.publish(2, place)

    assert ["c1"] == home.runs(place)


def test_a_token_that_only_reads_is_told_what_to_grant(home: Home) -> None:
    with pytest.raises(Denied) as denied:
        publish(home.connect(home.server.read_token), OWN, make(1, {}), "Report")

    assert "contents: write" == denied.value.permission


def test_a_commit_that_is_too_large_is_made_in_halves(home: Home) -> None:
    home.publish(1)
    home.server.fault("POST", COMMIT, "413", times=2)
    home.publish(2, more={f"plugins/{number}.md": str(number) for number in range(9)})

    assert ["c1", "c2"] == home.runs()
    assert 3 + 9 == len(home.repository.files(OWN.branch))
    assert ["Report 2"] * 3 == home.commits()[2:]


def test_a_single_file_that_is_too_large_is_an_error_and_not_halved_for_ever(home: Home) -> None:
    home.publish(1)
    home.server.fault("POST", COMMIT, "413", times=9)
    with pytest.raises(GitHubError) as refused:
        home.publish(2)

    assert 413 == refused.value.status
    assert ["c1"] == home.runs()


def test_a_large_report_takes_several_commits_the_history_in_the_first(home: Home) -> None:
    large = {f"plugins/{number}.md": "x" * (BATCH_BYTES // 2) for number in range(3)}
    many = {f"badges/{number}.svg": str(number) for number in range(BATCH_FILES)}
    home.publish(1, more=large | many)
    sent = [
        [each["path"] for each in one.body["variables"]["input"]["fileChanges"]["additions"]]
        for one in home.server.calls("POST", COMMIT)
    ]

    assert "history.jsonl" == sent[0][0]
    assert "README.md" == sent[-1][-1]
    assert max(map(len, sent)) <= BATCH_FILES
    assert len(large) + len(many) + 3 == len(home.repository.files(OWN.branch))


def test_a_run_that_is_cut_off_between_two_commits_is_mended_by_the_next(home: Home) -> None:
    home.publish(1)
    large = {f"plugins/{number}.md": "x" * (BATCH_BYTES // 2) for number in range(3)}
    home.server.fault("POST", COMMIT, "422", after=1)
    with pytest.raises(GitHubError):
        home.publish(2, more=large)
    home.publish(3, more=large)

    assert ["c1", "c2", "c3"] == home.runs()


def test_a_first_run_that_is_cut_off_on_main_is_mended_by_the_next(home: Home) -> None:
    large = {f"badges/{number}.svg": "x" * (BATCH_BYTES // 2) for number in range(3)}
    home.server.fault("POST", COMMIT, "422", after=1)
    with pytest.raises(GitHubError):
        home.publish(1, FOLDER, large)
    home.publish(2, FOLDER, large)

    assert ["c1", "c2"] == home.runs(FOLDER)


def test_a_quicker_run_between_two_commits_loses_nothing(home: Home) -> None:
    home.publish(1)
    large = {f"plugins/{number}.md": "x" * (BATCH_BYTES // 2) for number in range(3)}
    home.server.when("POST", COMMIT, home.others_write(2), after=1)
    home.publish(3, more=large)

    assert ["c1", "c2", "c3"] == sorted(home.runs())
    assert len(large) + 3 == len(home.repository.files(OWN.branch))


def merge(home: Home, *, squash: bool) -> None:
    """What a person does with the proposal."""
    pull = next(iter(home.repository.pull_requests.values()))
    main = home.repository.branches["main"]
    parents = [main] if squash else [main, pull.head_sha]
    files = home.repository.files("plugin-eval-report")
    pull.close()
    home.repository.commit(
        {**home.repository.files("main"), **files}, parents=parents, branch="main"
    )


def proposed(home: Home) -> list[tuple[int, str]]:
    return [(each.number, each.state) for each in home.repository.pull_requests.values()]


def test_a_report_is_proposed_once_and_then_updated(home: Home) -> None:
    first = home.propose(1)
    second = home.propose(2)

    assert first == second == f"{home.repository.html_url}/pull/1"
    assert [(1, "open")] == proposed(home)
    assert ["c1", "c2"] == home.runs(PROPOSAL)
    assert {"a.md"} == home.repository.files("main").keys()


def test_what_the_default_branch_has_already_is_not_proposed(home: Home) -> None:
    home.propose(1)
    merge(home, squash=True)
    del home.repository.branches["plugin-eval-report"]

    assert None is home.propose(1)
    assert "plugin-eval-report" not in home.repository.branches


def test_a_proposal_takes_in_what_happened_on_the_default_branch(home: Home) -> None:
    home.propose(1)
    home.repository.commit({"a.md": "newer", "b.md": "new"}, branch="main")
    home.propose(2)
    (pull,) = home.repository.pull_requests.values()
    pull.base_sha = home.repository.branches["main"]

    assert ["docs/eval/"] == sorted({each.path[:10] for each in pull.changes()})
    assert "newer" == home.text("a.md", "plugin-eval-report")
    assert ["c1", "c2"] == home.runs(PROPOSAL)


@pytest.mark.parametrize("squash", [True, False])
@pytest.mark.parametrize("deleted", [True, False])
def test_after_a_merge_the_next_report_is_proposed_anew(
    home: Home, squash: bool, deleted: bool
) -> None:
    home.propose(1)
    merge(home, squash=squash)
    if deleted:
        del home.repository.branches["plugin-eval-report"]
    home.propose(2)

    assert [(1, "closed"), (2, "open")] == proposed(home)
    assert ["c1", "c2"] == home.runs(PROPOSAL)


def test_a_rejected_proposal_loses_no_line(home: Home) -> None:
    home.propose(1)
    home.repository.pull_requests[1].close()
    home.repository.commit({"a.md": "newer"}, branch="main")
    home.propose(2)

    assert ["c1", "c2"] == home.runs(PROPOSAL)


def test_the_branch_of_another_way_to_publish_is_not_proposed(home: Home) -> None:
    home.publish(1)
    with pytest.raises(UsageError, match="Name another branch with report-branch"):
        home.propose(2)

    assert ["c1"] == home.runs()


@pytest.mark.parametrize(
    ("path", "kind"),
    [*product((*WRITES, "/git/refs/", "/pulls$"), ("502", "502-after", "409", "cut"))],
)
def test_a_fault_at_any_write_of_a_proposal_loses_and_doubles_nothing(
    home: Home, path: str, kind: Kind
) -> None:
    home.propose(1)
    home.repository.commit({"a.md": "newer"}, branch="main")
    home.server.fault("*", path, kind, times=1)
    try:
        home.propose(2)
    except GitHubError:
        home.propose(2)

    assert ["c1", "c2"] == home.runs(PROPOSAL)
    assert [(1, "open")] == proposed(home)


def test_a_lost_race_on_a_proposal_keeps_both_runs(home: Home) -> None:
    home.propose(1)
    home.repository.commit({"a.md": "newer"}, branch="main")
    home.server.when("PATCH", "/git/refs/", home.others_write(2, PROPOSAL))
    home.propose(3)

    assert ["c1", "c2", "c3"] == home.runs(PROPOSAL)


def test_who_may_not_propose_is_told_where_to_allow_it(home: Home) -> None:
    home.repository.may_propose = False
    with pytest.raises(Denied, match="Allow GitHub Actions to create and approve pull requests"):
        home.propose(1)
