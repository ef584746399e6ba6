"""A repository: branches, commits and everything that hangs on it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from github_server import git_import, payloads
from github_server.description import Json
from github_server.objects import Content, Person, Store, content_of
from github_server.state import CheckRun, Comment, Issue, PullRequest, WorkflowRun
from github_server.world import World

Protection = Literal["classic", "ruleset"]


class Repository:
    """Made by `GitHubServer.repository`; a fork shares the objects of what it was forked from."""

    def __init__(
        self, world: World, name: str, *, private: bool = False, fork_of: Repository | None = None
    ) -> None:
        self.world = world
        self.name = name
        self.owner, _, self.short_name = name.partition("/")
        self.id = world.next_id()
        self.private = private
        self.fork_of = fork_of
        self.store: Store = fork_of.store if fork_of else Store()
        self.default_branch: str = fork_of.default_branch if fork_of else "main"
        self.branches: dict[str, str] = dict(fork_of.branches) if fork_of else {}
        self.protected: dict[str, Protection] = {}
        self.signed: set[str] = set()
        self.truncate_after: int | None = None
        self.may_propose = True
        self.pull_requests: dict[int, PullRequest] = {}
        self.issues: dict[int, Issue] = {}
        self.check_runs: list[CheckRun] = []
        self.workflow_runs: list[WorkflowRun] = []

    def __repr__(self) -> str:
        return f"Repository({self.name!r})"

    @property
    def url(self) -> str:
        return f"{self.world.url}/repos/{self.name}"

    @property
    def html_url(self) -> str:
        return f"{self.world.html_url}/{self.name}"

    def commit(
        self,
        files: Mapping[str, Content],
        *,
        parents: Sequence[str] | None = None,
        branch: str | None = None,
        message: str = "change",
        author: str = "maintainer",
    ) -> str:
        """See the package; returns the commit's id."""
        if parents is None:
            start = branch if branch in self.branches else self.default_branch
            parents = [self.branches[start]] if start in self.branches else []
        person = Person(author, f"{author}@users.noreply.example.com", self.world.seconds())
        tree = self.store.put_files(files)
        sha = self.store.put_commit(tree, parents, person, person, message)
        if branch:
            self.branches[branch] = sha
        return sha

    def files(self, revision: str) -> dict[str, Content]:
        """The content of a branch or commit, as `commit` takes it."""
        sha = self.resolve(revision)
        if sha is None:
            raise KeyError(revision)
        leaves = self.store.leaves(self.store.commit(sha).tree)
        return {path: content_of(self.store, entry) for path, entry in leaves.items()}

    def import_git(self, path: str | os.PathLike[str]) -> None:
        """Take over all objects and branches of a local repository."""
        git_import.import_objects(self.store, Path(path))
        self.branches |= git_import.read_branches(Path(path))

    def resolve(self, revision: str) -> str | None:
        """The commit of a branch, a full reference, a pull request's reference or an id."""
        name = revision.removeprefix("refs/")
        if name == "HEAD":
            name = f"heads/{self.default_branch}"
        if found := re.fullmatch(r"pull/([0-9]+)/head", name):
            pull = self.pull_requests.get(int(found[1]))
            return pull.head_sha if pull else None
        if sha := self.branches.get(name.removeprefix("heads/")):
            return sha
        if self.store.kind(revision) == "commit":
            return revision
        if re.fullmatch(r"[0-9a-f]{7,39}", revision):
            return self.store.abbreviated(revision)
        return None

    def pull_request(
        self,
        head: str,
        *,
        base: str | None = None,
        head_repository: Repository | None = None,
        author: str = "contributor",
        association: str = "CONTRIBUTOR",
        labels: Iterable[str] = (),
        state: Literal["open", "closed"] = "open",
        title: str = "A change",
        draft: bool = False,
    ) -> PullRequest:
        """See the package; `head` is a branch of the head repository, which is this one if none."""
        source = head_repository or self
        base_ref = base or self.default_branch
        pull = PullRequest(
            repository=self,
            number=self._next_number(),
            id=self.world.next_id(),
            head_repository=source,
            head_owner=source.owner,
            head_ref=head,
            base_ref=base_ref,
            base_sha=self.branches[base_ref],
            author=author,
            association=association,
            labels=list(labels),
            title=title,
            draft=draft,
            created_at=self.world.now(),
            _head_sha=source.branches[head],
        )
        pull.state = state
        self.pull_requests[pull.number] = pull
        return pull

    def issue(self, title: str, *, body: str = "", author: str = "someone") -> Issue:
        """See the package."""
        number, now = self._next_number(), self.world.now()
        issue = Issue(self, number, self.world.next_id(), title, body, author, now)
        self.issues[number] = issue
        return issue

    def _next_number(self) -> int:
        """Issues and pull requests are counted together."""
        return len(self.pull_requests) + len(self.issues) + 1

    def workflow_run(
        self,
        *,
        head_sha: str,
        head_branch: str,
        head_repository: Repository | None = None,
        event: str = "pull_request",
    ) -> WorkflowRun:
        """A completed run of the workflow named "check"."""
        run = WorkflowRun(
            self,
            self.world.next_id(),
            head_sha,
            head_branch,
            head_repository or self,
            event,
            self.world.now(),
        )
        self.workflow_runs.append(run)
        return run

    def find_comment(self, number: int) -> Comment | None:
        comments = (each for pull in self.pull_requests.values() for each in pull.comments)
        return next((each for each in comments if each.id == number), None)

    def payload(self) -> Json:
        return payloads.repository(self, "full-repository")
