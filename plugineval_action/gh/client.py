"""What the action asks of GitHub: a Protocol and the values that cross it.

Every method talks to one repository and raises only the errors of `gh.errors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


class LineComment(NamedTuple):
    """A comment to be made on a line at the head of a pull request, which has to be in its diff."""

    path: str
    line: int
    body: str


class Thread(NamedTuple):
    """A talk on lines of a pull request, by its first comment; `mine` as in Comment.

    `outdated` if its lines have changed since, `answered` if somebody replied or resolved it.
    """

    id: str
    body: str
    mine: bool
    outdated: bool
    answered: bool


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


class Issue(NamedTuple):
    """An issue; `mine` says whether this token opened it."""

    number: int
    body: str
    url: str
    mine: bool


class NewCommit(NamedTuple):
    """What to commit on top of `parent`: paths with their bytes, None for those to be deleted."""

    parent: str
    files: Mapping[str, bytes | None]
    message: str


class Branches(Protocol):
    """The branches of a repository, and writing to them."""

    def default(self) -> str:
        """The name of the default branch."""

    def tip(self, branch: str) -> str | None:
        """The commit that a branch points to; None if there is no such branch."""

    def before(self, commit: str, folder: str) -> str | None:
        """The commit before one that changed nothing but a folder; None if it changed more."""

    def date(self, commit: str) -> str:
        """When a commit was committed, in UTC, as 2026-01-31."""

    def content(self, commit: str, path: str, limit: int) -> bytes | None:
        """The bytes of one file; None if there is none.

        Raises GitHubError if it has more than `limit` bytes.
        """

    def create(self, branch: str, commit: str) -> None:
        """Make a branch that points to a commit. Raises Conflict if there is one by this name."""

    def create_orphan(self, branch: str, files: Mapping[str, str], message: str) -> str:
        """Make a branch of one commit without a past; gives the commit. Raises Conflict."""

    def update(self, branch: str, tip: str, onto: str, folder: str) -> str:
        """Take another commit into a branch; gives the merge that the branch then points to.

        Its files are those of `onto`, but for `folder`, which stays as it is at `tip`. Raises
        Conflict if the branch has another tip.
        """

    def commit(self, branch: str, commit: NewCommit) -> str:
        """Commit to a branch, signed by GitHub in this token's name; gives the new commit.

        It is made once, even if the answer is lost. Raises Conflict if the branch has another tip
        than `parent`, Protected if its rules refuse the commit.
        """

    def propose(self, branch: str, title: str, body: str) -> str:
        """The address of the open pull request from a branch into the default branch.

        It is opened if there is none.
        """


class Issues(Protocol):
    """The issues of a repository."""

    def open(self) -> list[Issue]:
        """Every open issue, oldest first."""

    def create(self, title: str, body: str) -> Issue:
        """Open an issue, once even if the answer is lost; the first line tells ours apart."""

    def edit(self, number: int, title: str, body: str, *, close: bool = False) -> str:
        """Put other words in an issue of ours, and close it as completed; gives its address."""


class GitHub(Protocol):
    """One repository on GitHub."""

    repository: str
    """`owner/name`."""

    @property
    def branches(self) -> Branches:
        """Its branches."""

    @property
    def issues(self) -> Issues:
        """Its issues."""

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

    def threads(self, number: int) -> list[Thread]:
        """Every talk on lines of a pull request, oldest first."""

    def comment_on_lines(self, number: int, commit: str, comments: Sequence[LineComment]) -> str:
        """Comment on lines in one review, once even if the answer is lost; gives its address."""

    def delete_line_comment(self, comment_id: str) -> None:
        """Take back a comment of ours that began a thread."""

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
