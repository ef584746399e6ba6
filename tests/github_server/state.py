"""What hangs on a repository: pull requests, comments, check runs, workflow runs, artifacts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from github_server import payloads
from github_server.description import Json
from github_server.history import FileChange, changes, merge_base

if TYPE_CHECKING:
    from github_server.repository import Repository


@dataclass(eq=False)
class Comment:
    """A comment on a pull request; `edits` are the bodies it had before."""

    pull: PullRequest = field(repr=False)
    id: int
    body: str
    author: str
    minimised: bool
    created_at: str
    updated_at: str
    edits: list[str] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        return f"IC_{self.id}"

    @property
    def html_url(self) -> str:
        return f"{self.pull.html_url}#issuecomment-{self.id}"

    def edit(self, body: str) -> None:
        self.edits.append(self.body)
        self.body = body
        self.updated_at = self.pull.repository.world.now()


@dataclass(eq=False)
class Thread:
    """A talk on a line of a pull request; `replies` are by others.

    It is outdated once the line has another text at the head.
    """

    pull: PullRequest = field(repr=False)
    id: int
    path: str
    line: int
    body: str
    author: str
    text: str
    replies: list[str] = field(default_factory=list)
    resolved: bool = False

    @property
    def node_id(self) -> str:
        return f"PRRC_{self.id}"

    @property
    def outdated(self) -> bool:
        return self.text not in self.pull.lines(self.path)


@dataclass(eq=False)
class PullRequest:
    """A pull request; `head_sha` follows the branch of its head as long as it is open."""

    repository: Repository = field(repr=False)
    number: int
    id: int
    head_repository: Repository | None = field(repr=False)
    head_owner: str
    head_ref: str
    base_ref: str
    base_sha: str
    author: str
    association: str
    labels: list[str]
    title: str
    draft: bool
    created_at: str
    body: str | None = None
    state: Literal["open", "closed"] = "open"
    merge_commit_sha: str | None = None
    comments: list[Comment] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    reviews: int = 0
    _head_sha: str = ""

    @property
    def head_sha(self) -> str:
        if self.state == "open" and self.head_repository:
            self._head_sha = self.head_repository.branches.get(self.head_ref, self._head_sha)
        return self._head_sha

    @property
    def node_id(self) -> str:
        return f"PR_{self.id}"

    @property
    def html_url(self) -> str:
        return f"{self.repository.html_url}/pull/{self.number}"

    def comment(self, body: str, *, author: str = "someone", minimised: bool = False) -> Comment:
        now = self.repository.world.now()
        number = self.repository.world.next_id()
        added = Comment(self, number, body, author, minimised, now, now)
        self.comments.append(added)
        return added

    def close(self) -> None:
        """Close it at the head that it has now."""
        assert self.head_sha
        self.state = "closed"

    def changes(self) -> tuple[FileChange, ...]:
        """Files changed since the merge base."""
        store = self.repository.store
        base = merge_base(store, self.base_sha, self.head_sha)
        before = store.commit(base).tree if base else None
        return changes(store, before, store.commit(self.head_sha).tree)

    def lines(self, path: str, revision: str = "") -> list[str]:
        """The lines of a file at the head, or at another revision; none if it is not there."""
        store = self.repository.store
        entry = store.leaves(store.commit(revision or self.head_sha).tree).get(path)
        return store.blob(entry.sha).decode().split("\n") if entry else []

    def payload(self) -> Json:
        return payloads.pull_request(self)


@dataclass(eq=False)
class Issue:
    """An issue that is no pull request; `edits` are the bodies it had before."""

    repository: Repository = field(repr=False)
    number: int
    id: int
    title: str
    body: str
    author: str
    created_at: str
    state: Literal["open", "closed"] = "open"
    state_reason: str | None = None
    edits: list[str] = field(default_factory=list)

    @property
    def html_url(self) -> str:
        return f"{self.repository.html_url}/issues/{self.number}"

    def update(self, body: Json) -> None:
        """Take over what a request names."""
        if "body" in body:
            self.edits.append(self.body)
        for name in ("title", "body", "state", "state_reason"):
            setattr(self, name, body.get(name, getattr(self, name)))


@dataclass(eq=False)
class CheckRun:
    """A check run; annotations are as they came in, each update appends."""

    repository: Repository = field(repr=False)
    id: int
    name: str
    head_sha: str
    status: str = "queued"
    conclusion: str | None = None
    details_url: str | None = None
    external_id: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    annotations: list[Json] = field(default_factory=list)

    @property
    def html_url(self) -> str:
        return f"{self.repository.html_url}/runs/{self.id}"

    def update(self, body: Json) -> None:
        """Take over what a request names; a conclusion completes the run."""
        for name in ("name", "status", "details_url", "external_id", "started_at"):
            setattr(self, name, body.get(name, getattr(self, name)))
        output = body.get("output", {})
        for name in ("title", "summary", "text"):
            setattr(self, name, output.get(name, getattr(self, name)))
        self.annotations += output.get("annotations", [])
        if "conclusion" in body:
            self.conclusion, self.status = body["conclusion"], "completed"
            self.completed_at = body.get("completed_at", self.repository.world.now())
        elif self.status != "completed":
            self.conclusion = self.completed_at = None


@dataclass(eq=False)
class Artifact:
    """A zip file that a workflow run has uploaded; its listed size may be a lie."""

    run: WorkflowRun = field(repr=False)
    id: int
    name: str
    data: bytes = field(repr=False)
    expired: bool
    size_in_bytes: int


@dataclass(eq=False)
class WorkflowRun:
    """A run of a workflow, with what it has uploaded."""

    repository: Repository = field(repr=False)
    id: int
    head_sha: str
    head_branch: str
    head_repository: Repository = field(repr=False)
    event: str
    created_at: str
    artifacts: list[Artifact] = field(default_factory=list)

    def artifact(
        self, name: str, data: bytes, *, expired: bool = False, size_in_bytes: int | None = None
    ) -> Artifact:
        size = len(data) if size_in_bytes is None else size_in_bytes
        added = Artifact(self, self.repository.world.next_id(), name, data, expired, size)
        self.artifacts.append(added)
        return added

    def payload(self) -> Json:
        return payloads.workflow_run(self)


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """A zip file of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()
