"""One repository of a GitHub in memory: it keeps what is published, and fails when told to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plugineval_action.content.tree import Tree
from plugineval_action.gh.client import (
    Annotation,
    Branches,
    CheckRun,
    Comment,
    Conclusion,
    Issues,
    LineComment,
    PullRequest,
    Thread,
)
from plugineval_action.gh.errors import NotFound

WEB = "https://github.example/sample-owner/sample-repo"


def _page(check_id: int) -> str:
    return f"{WEB}/runs/{check_id}"


class Check:
    """A check run as it stands."""

    def __init__(self, name: str, head_sha: str, details_url: str, external_id: str) -> None:
        self.name, self.head_sha, self.details_url = name, head_sha, details_url
        self.external_id = external_id
        self.annotations: list[Annotation] = []
        self.conclusion: Conclusion | None = None
        self.title = self.summary = ""


class FakeGitHub:
    """`failures` holds the error that a method raises, by its name, instead of doing anything."""

    repository = "sample-owner/sample-repo"

    def __init__(
        self,
        trees: Mapping[str, Tree] | None = None,
        pull_requests: Sequence[PullRequest] = (),
        artifacts: Mapping[tuple[int, str], bytes] | None = None,
    ) -> None:
        self.trees, self.pull_requests = trees or {}, pull_requests
        self.artifacts = artifacts or {}
        self.check_runs: list[Check] = []
        self.failures: dict[str, Exception] = {}
        self.calls: list[str] = []
        self._comments: dict[int, list[Comment]] = {}

    def _called(self, method: str) -> None:
        self.calls.append(method)
        if method in self.failures:
            raise self.failures[method]

    @property
    def writes(self) -> list[str]:
        """The calls that change something."""
        return [
            call
            for call in self.calls
            if call.startswith(("create", "edit", "annotate_", "conclude"))
        ]

    @property
    def branches(self) -> Branches:
        raise AssertionError("A review writes to no branch.")

    @property
    def issues(self) -> Issues:
        raise AssertionError("A review opens no issue.")

    def tree(self, revision: str) -> Tree:
        self._called("tree")
        return self.trees[revision]

    def merge_base(self, base: str, head: str) -> str | None:  # noqa: ARG002 - the Protocol's
        self._called("merge_base")
        return base

    def comments(self, number: int) -> list[Comment]:
        self._called("comments")
        return list(self._comments.get(number, []))

    def create_comment(self, number: int, body: str) -> Comment:
        self._called("create_comment")
        return self.add_comment(number, body)

    def add_comment(
        self, number: int, body: str, *, mine: bool = True, minimised: bool = False
    ) -> Comment:
        """What somebody, by default this token, wrote before."""
        known = 1 + sum(map(len, self._comments.values()))
        url = f"{WEB}/pull/{number}#issuecomment-{known}"
        comment = Comment(known, body, url, mine, minimised)
        self._comments.setdefault(number, []).append(comment)
        return comment

    def edit_comment(self, comment_id: int, body: str) -> Comment:
        self._called("edit_comment")
        for comments in self._comments.values():
            for at, comment in enumerate(comments):
                if comment.id == comment_id:
                    comments[at] = comment._replace(body=body)
                    return comments[at]
        raise NotFound("There is no such comment.", "It may have been deleted.", 404)

    def threads(self, number: int) -> list[Thread]:  # noqa: ARG002 - the Protocol's
        self._called("threads")
        return []

    def comment_on_lines(self, number: int, commit: str, comments: Sequence[LineComment]) -> str:
        raise AssertionError(f"Nothing here is mechanical: {number}, {commit}, {comments}.")

    def delete_line_comment(self, comment_id: str) -> None:
        raise AssertionError(f"There is no comment {comment_id}.")

    def checks(self, name: str, head_sha: str) -> list[CheckRun]:
        self._called("checks")
        return [
            CheckRun(number, check.external_id, check.conclusion is not None, _page(number))
            for number, check in reversed([*enumerate(self.check_runs, start=1)])
            if (check.name, check.head_sha) == (name, head_sha)
        ]

    def create_check(self, name: str, head_sha: str, details_url: str, external_id: str) -> int:
        self._called("create_check")
        self.check_runs.append(Check(name, head_sha, details_url, external_id))
        return len(self.check_runs)

    def annotations(self, check_id: int) -> list[Annotation]:
        self._called("annotations")
        return [*self.check_runs[check_id - 1].annotations]

    def annotate_check(
        self, check_id: int, title: str, summary: str, annotations: Sequence[Annotation]
    ) -> None:
        self._called("annotate_check")
        check = self.check_runs[check_id - 1]
        assert len(annotations) <= 50

        check.title, check.summary = title, summary
        check.annotations += annotations

    def conclude_check(
        self, check_id: int, conclusion: Conclusion, title: str, summary: str, external_id: str
    ) -> str:
        self._called("conclude_check")
        check = self.check_runs[check_id - 1]
        assert len(summary.encode()) < 65_535

        check.conclusion, check.title, check.summary = conclusion, title, summary
        check.external_id = external_id
        return _page(check_id)

    def open_pull_requests(self, head_owner: str, head_branch: str) -> list[PullRequest]:
        self._called("open_pull_requests")
        return [
            each
            for each in self.pull_requests
            if (each.head_repository.partition("/")[0], each.head_ref) == (head_owner, head_branch)
        ]

    def pull_request(self, number: int) -> PullRequest:
        self._called("pull_request")
        return next(each for each in self.pull_requests if each.number == number)

    def download_artifact(self, run_id: int, name: str, limit: int) -> bytes | None:
        self._called("download_artifact")
        data = self.artifacts.get((run_id, name))
        assert data is None or len(data) <= limit

        return data
