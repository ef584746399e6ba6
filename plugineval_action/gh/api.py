"""The GitHub of `client`, by way of PyGithub: the only module through which it is imported."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Final
from urllib.parse import quote

from github.IssueComment import IssueComment

from plugineval_action.content.tree import Tree
from plugineval_action.gh import graphql, values
from plugineval_action.gh.api_tree import ApiTree
from plugineval_action.gh.blobs import Blobs
from plugineval_action.gh.branches import ApiBranches
from plugineval_action.gh.client import (
    Annotation,
    Branches,
    CheckRun,
    Comment,
    Conclusion,
    GitHub,
    Issues,
    LineComment,
    PullRequest,
    Thread,
)
from plugineval_action.gh.errors import NotFound
from plugineval_action.gh.failure import Asked
from plugineval_action.gh.issues import ApiIssues
from plugineval_action.gh.objects import READ, GitObjects
from plugineval_action.gh.retry import Deadline
from plugineval_action.gh.session import TIMEOUT, Session, too_large

_COMMENT: Final = "pull-requests: write"
_CHECK: Final = "checks: write"
_PULL_REQUEST: Final = "pull-requests: read"
_ARTIFACT: Final = "actions: read"
_TO_CONCLUDE: Final = 15.0
"""Seconds kept for the last request about a check run."""

_COMMIT_ID: Final = re.compile(r"[0-9a-f]{40}")


def connect(  # noqa: PLR0913 # what the runner says about GitHub, each under its own name
    *,
    token: str,
    repository: str,
    api_url: str,
    graphql_url: str,
    deadline: Deadline,
    local: Tree | None = None,
    timeout: int = TIMEOUT,
) -> GitHub:
    """A client of one repository; nothing is sent yet. Raises UsageError.

    `local` is a checkout of whatever commit: files that a tree has in common with it are read from
    there. After `timeout` seconds without a byte a request counts as failed.
    """
    session = Session(
        token=token,
        repository=repository,
        api_url=api_url,
        graphql_url=graphql_url,
        deadline=deadline,
        timeout=timeout,
    )
    return Client(session, repository, local)


class Client:
    """See `client.GitHub`."""

    def __init__(self, session: Session, repository: str, local: Tree | None) -> None:
        self.repository = repository
        self._session, self._local = session, local
        self._github = session.repository
        self._objects = GitObjects(session)
        self._blobs = Blobs(self._objects)
        self._annotated: dict[int, int] = {}
        self.branches: Branches = ApiBranches(session, self._objects, repository)
        self.issues: Issues = ApiIssues(session)

    def tree(self, revision: str) -> Tree:
        return ApiTree(
            self._objects,
            self._blobs,
            commit=self._commit(revision),
            name=self.repository.partition("/")[2],
            local=self._local,
        )

    def _commit(self, revision: str) -> str:
        if _COMMIT_ID.fullmatch(revision):
            return revision
        asked = Asked(f"find the commit {revision}", READ)
        path = f"/commits/{quote(revision, safe='')}"
        return self._session.get(asked, path, lambda answer: str(answer["sha"]), {"per_page": 1})

    def merge_base(self, base: str, head: str) -> str | None:
        asked = Asked(f"compare {base} with {head}", READ)
        path = f"/compare/{quote(base, safe='')}...{quote(head, safe='')}"
        # Only the first page carries the changed files, which may be too many for GitHub.
        second = {"page": 2, "per_page": 1}
        try:
            return self._session.get(
                asked, path, lambda answer: str(answer["merge_base_commit"]["sha"]), second
            )
        except NotFound as error:
            if "No common ancestor" in error.message:
                return None
            raise

    def comments(self, number: int) -> list[Comment]:
        asked = Asked(f"read the comments of pull request {number}", _PULL_REQUEST)
        comments: list[Comment] = []
        after: str | None = None
        while True:
            variables = {"number": number, "after": after}
            page, after = self._session.query(
                asked, graphql.COMMENTS, variables, graphql.comments_page
            )
            comments += page
            if after is None:
                return comments

    def create_comment(self, number: int, body: str) -> Comment:
        asked = Asked(f"comment on pull request {number}", _COMMENT)
        issue = self._github.get_issue(number)

        def written() -> Comment | None:
            return next(filter(partial(values.is_the_same, body), self.comments(number)), None)

        return self._session.run(asked, lambda: values.written(issue.create_comment(body)), written)

    def edit_comment(self, comment_id: int, body: str) -> Comment:
        asked = Asked(f"edit comment {comment_id}", _COMMENT)
        url = f"{self._github.url}/issues/comments/{comment_id}"
        comment = IssueComment(self._session.requester, url=url)

        def request() -> Comment:
            comment.edit(body)
            return values.written(comment)

        return self._session.run(asked, request)

    def threads(self, number: int) -> list[Thread]:
        asked = Asked(f"read the talks on lines of pull request {number}", _PULL_REQUEST)
        threads: list[Thread] = []
        after: str | None = None
        while True:
            variables = {"number": number, "after": after}
            page, after = self._session.query(
                asked, graphql.THREADS, variables, graphql.threads_page
            )
            threads += page
            if after is None:
                return threads

    def comment_on_lines(self, number: int, commit: str, comments: Sequence[LineComment]) -> str:
        asked = Asked(f"comment on lines of pull request {number}", _COMMENT)
        pull = self._session.query(
            asked, graphql.PULL_REQUEST_ID, {"number": number}, graphql.pull_request_id
        )
        bodies = {one.body for one in comments}

        def written() -> str | None:
            there = {one.body for one in self.threads(number) if one.mine}
            return "" if bodies <= there else None

        return self._session.mutate(
            asked,
            graphql.REVIEW,
            {"input": graphql.review_input(pull, commit, comments)},
            lambda data: str(data["addPullRequestReview"]["pullRequestReview"]["url"]),
            written,
        )

    def delete_line_comment(self, comment_id: str) -> None:
        asked = Asked("delete a comment on a line", _COMMENT)
        variables = {"input": {"id": comment_id}}
        self._session.mutate(asked, graphql.DELETE_LINE_COMMENT, variables, lambda _: None)

    def checks(self, name: str, head_sha: str) -> list[CheckRun]:
        # Who lists them is about to write one, and lacks that right as well.
        asked = Asked(f"list the check runs {name} of {head_sha}", _CHECK)
        listing = self._github.get_commit(head_sha).get_check_runs(check_name=name, filter="all")
        return sorted(self._session.pages(asked, listing, values.check_run), reverse=True)

    def create_check(self, name: str, head_sha: str, details_url: str, external_id: str) -> int:
        asked = Asked(f"create the check run {name}", _CHECK)

        def request() -> int:
            # GitHub puts another details_url in place of a workflow's, but keeps the external_id.
            return self._github.create_check_run(
                name, head_sha, details_url, external_id=external_id, status="in_progress"
            ).id

        def created() -> int | None:
            checks = self.checks(name, head_sha)
            ours = (one for one in checks if one.external_id == external_id and not one.completed)
            return next((one.id for one in ours), None)

        return self._session.run(asked, request, created)

    def annotations(self, check_id: int) -> list[Annotation]:
        asked = Asked(f"read the annotations of check run {check_id}", _CHECK)
        listing = self._github.get_check_run(check_id).get_annotations()
        found = [*self._session.pages(asked, listing, values.annotation_there)]
        self._annotated[check_id] = len(found)
        return found

    def annotate_check(
        self, check_id: int, title: str, summary: str, annotations: Sequence[Annotation]
    ) -> None:
        asked = Asked(f"annotate check run {check_id}", _CHECK)
        check = self._github.get_check_run(check_id)
        expected = self._annotated.get(check_id, 0) + len(annotations)
        notes = [values.annotation(annotation) for annotation in annotations]

        def request() -> bool:
            check.edit(output={"title": title, "summary": summary, "annotations": notes})
            return True

        def added() -> bool | None:
            # GitHub adds to the annotations that are there: a second time would show them twice.
            now = self._github.get_check_run(check_id)
            there = self._session.run(asked, lambda: now.output.annotations_count)
            return True if there >= expected else None

        self._session.run(asked, request, added)
        self._annotated[check_id] = expected

    def conclude_check(
        self, check_id: int, conclusion: Conclusion, title: str, summary: str, external_id: str
    ) -> str:
        asked = Asked(f"conclude check run {check_id}", _CHECK)
        # A check run that is never concluded spins on the pull request for good.
        self._session.spare(_TO_CONCLUDE)
        check = self._github.get_check_run(check_id)

        def request() -> str:
            check.edit(
                status="completed",
                conclusion=conclusion,
                external_id=external_id,
                output={"title": title, "summary": summary},
            )
            return check.html_url

        return self._session.run(asked, request)

    def open_pull_requests(self, head_owner: str, head_branch: str) -> list[PullRequest]:
        asked = Asked(f"list the pull requests from {head_owner}:{head_branch}", _PULL_REQUEST)
        listing = self._github.get_pulls(state="open", head=f"{head_owner}:{head_branch}")
        # GitHub lists all pull requests where it does not understand the filter.
        return [
            pull
            for pull in self._session.pages(asked, listing, values.pull_request)
            if pull.head_ref == head_branch
            and pull.head_repository.partition("/")[0].lower() == head_owner.lower()
        ]

    def pull_request(self, number: int) -> PullRequest:
        asked = Asked(f"read pull request {number}", _PULL_REQUEST)
        pull = self._github.get_pull(number)
        return self._session.run(asked, lambda: values.pull_request(pull))

    def download_artifact(self, run_id: int, name: str, limit: int) -> bytes | None:
        asked = Asked(f"download the artifact {name} of workflow run {run_id}", _ARTIFACT)
        found = self._session.get(
            asked,
            f"/actions/runs/{run_id}/artifacts",
            partial(values.artifacts, name),
            {"name": name, "per_page": 100},
        )
        if not found:
            return None
        number, size = max(found)
        if size > limit:
            raise too_large(asked, limit)
        return self._session.download(asked, f"/actions/artifacts/{number}/zip", limit)
