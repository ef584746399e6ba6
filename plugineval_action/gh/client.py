"""What the action asks of GitHub: a Protocol and the values that cross it.

Every method talks to one repository and raises only the errors of `gh.errors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from plugineval_action.content.tree import Tree

AnnotationLevel = Literal["failure", "warning", "notice"]
Conclusion = Literal["success", "failure", "neutral"]


class Comment(NamedTuple):
    """A comment on a pull request; `mine` says whether this token wrote it."""

    id: int
    body: str
    url: str
    mine: bool
    minimised: bool


class Annotation(NamedTuple):
    """A note on lines of a file, both counted from 1 and both included."""

    path: str
    start_line: int
    end_line: int
    level: AnnotationLevel
    title: str
    message: str


class CheckRun(NamedTuple):
    """A check run; `external_id` is what its maker calls it, "" if nothing."""

    id: int
    external_id: str
    completed: bool
    url: str


class PullRequest(NamedTuple):
    """A pull request as it is now; `head_repository` is "" once the fork is deleted.

    `state` is "open" or "closed", `head_ref` the name of a branch, `base_sha` the tip of the base.
    """

    number: int
    head_sha: str
    head_repository: str
    head_ref: str
    base_sha: str
    state: str


class GitHub(Protocol):
    """One repository on GitHub."""

    repository: str
    """`owner/name`."""

    def tree(self, revision: str) -> Tree:
        """The files of a commit, branch or tag; `identity` is the commit's id."""

    def merge_base(self, base: str, head: str) -> str | None:
        """The commit that two revisions have in common, None if their histories are unrelated."""

    def comments(self, number: int) -> list[Comment]:
        """Every comment of a pull request, oldest first."""

    def create_comment(self, number: int, body: str) -> Comment:
        """Comment, once even if the answer is lost; the first line tells our comments apart."""

    def edit_comment(self, comment_id: int, body: str) -> Comment:
        """Put another text in a comment of ours."""

    def checks(self, name: str, head_sha: str) -> list[CheckRun]:
        """Every check run of a name on a commit, newest first."""

    def create_check(self, name: str, head_sha: str, details_url: str, external_id: str) -> int:
        """Start a check run, in progress, once even if the answer is lost; gives its id.

        For the token of a workflow GitHub shows another address than `details_url`. The
        `external_id` has to be that of one run only.
        """

    def annotations(self, check_id: int) -> list[Annotation]:
        """Every annotation of a check run."""

    def annotate_check(
        self, check_id: int, title: str, summary: str, annotations: Sequence[Annotation]
    ) -> None:
        """Add at most 50 annotations to a check run, once even if the answer is lost."""

    def conclude_check(
        self, check_id: int, conclusion: Conclusion, title: str, summary: str, external_id: str
    ) -> str:
        """End a check run and name it anew; gives the address of its page."""

    def open_pull_requests(self, head_owner: str, head_branch: str) -> list[PullRequest]:
        """Open pull requests from a branch of a user or organisation, forks included."""

    def pull_request(self, number: int) -> PullRequest:
        """One pull request as it is now."""

    def download_artifact(self, run_id: int, name: str, limit: int) -> bytes | None:
        """The zip of a workflow run's artifact; None if there is none of this name.

        Raises GitHubError if it has more than `limit` bytes.
        """
