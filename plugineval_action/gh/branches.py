"""Branches by the API: commits that GitHub signs, and no git, no checkout and no credentials."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from plugineval_action.gh import graphql
from plugineval_action.gh.api_tree import ApiTree
from plugineval_action.gh.blobs import Blob, Blobs, blob_id
from plugineval_action.gh.client import NewCommit
from plugineval_action.gh.errors import GitHubError, NotFound
from plugineval_action.gh.failure import Asked
from plugineval_action.gh.objects import READ, GitObjects
from plugineval_action.gh.session import Session

_WRITE: Final = "contents: write"
_PROPOSE: Final = "pull-requests: write"


class ApiBranches:
    """See `client.Branches`."""

    def __init__(self, session: Session, objects: GitObjects, repository: str) -> None:
        self._session, self._objects, self._name = session, objects, repository
        self._github = session.repository

    def default(self) -> str:
        asked = Asked("find the default branch", READ)
        return self._session.get(asked, "", lambda answer: str(answer["default_branch"]))

    def tip(self, branch: str) -> str | None:
        asked = Asked(f"find the branch {branch}", READ)
        path = f"/git/ref/heads/{quote(branch)}"
        try:
            return self._session.get(asked, path, lambda answer: str(answer["object"]["sha"]))
        except NotFound:
            return None

    def before(self, commit: str, folder: str) -> str | None:
        asked = Asked(f"read commit {commit}", READ)
        parents = self._session.get(
            asked,
            f"/git/commits/{commit}",
            lambda answer: [one["sha"] for one in answer["parents"]],
        )
        return parents[0] if parents and self._alike(commit, parents[0], folder) else None

    def _alike(self, left: str, right: str, folder: str) -> bool:
        """Whether two commits have the same files outside of a folder."""
        names = folder.split("/")
        for depth, name in enumerate(names, 1):
            here, there = self._names(left), self._names(right)
            left, right = here.pop(name, ""), there.pop(name, "")
            if here != there:
                return False
            if not left or not right:
                return depth == len(names)
        return True

    def _names(self, tree: str) -> dict[str, str]:
        entries, _ = self._objects.listing(tree, recursive=False)
        return {entry.path: entry.id for entry in entries}

    def date(self, commit: str) -> str:
        asked = Asked(f"read the date of commit {commit}", READ)
        path = f"/git/commits/{commit}"
        return self._session.get(asked, path, _committed)

    def content(self, commit: str, path: str, limit: int) -> bytes | None:
        asked = Asked(f"read {path} of commit {commit}", READ)
        variables = {"expression": f"{commit}:{path}"}
        found = self._session.query(asked, graphql.FILE, variables, graphql.file_blob)
        if found is None:
            return None
        if found[1] > limit:
            raise GitHubError(
                f"{path} has more than {limit >> 20} MiB and is not read.",
                "Look at what wrote it, and take an earlier version of it back.",
            )
        return Blobs(self._objects).read(Blob(*found))

    def create(self, branch: str, commit: str) -> None:
        asked = Asked(f"create the branch {branch}", _WRITE)

        def made() -> bool | None:
            return True if self.tip(branch) == commit else None

        self._session.run(asked, lambda: self._create(branch, commit), made)

    def _create(self, branch: str, commit: str) -> bool:
        self._github.create_git_ref(f"refs/heads/{branch}", commit)
        return True

    def create_orphan(self, branch: str, files: Mapping[str, str], message: str) -> str:
        asked = Asked(f"create the branch {branch}", _WRITE)
        entries = [
            {"path": path, "mode": "100644", "type": "blob", "content": text}
            for path, text in files.items()
        ]
        tree = self._send(asked, "POST", "/git/trees", {"tree": entries})
        # Without author and committer GitHub signs it.
        root = {"message": message, "tree": tree, "parents": []}
        commit = self._send(asked, "POST", "/git/commits", root)
        self.create(branch, commit)
        return commit

    def _send(self, asked: Asked, verb: str, path: str, body: Mapping[str, Any]) -> str:
        """Write something that may be written twice; gives the id of the object that is made."""
        url = f"{self._github.url}{path}"
        requester = self._session.requester

        def request() -> str:
            _, answer = requester.requestJsonAndCheck(verb, url, input=dict(body))
            return str(answer.get("sha"))

        return self._session.run(asked, request)

    def update(self, branch: str, tip: str, onto: str, folder: str) -> str:
        asked = Asked(f"bring the branch {branch} up to date", _WRITE)
        variables = {"expression": f"{tip}:{folder}"}
        kept = self._session.query(asked, graphql.FOLDER, variables, graphql.folder_tree)
        tree = self._session.get(
            asked, f"/git/commits/{onto}", lambda answer: answer["tree"]["sha"]
        )
        if kept:
            entry = {"path": folder, "mode": "040000", "type": "tree", "sha": kept}
            tree = self._send(asked, "POST", "/git/trees", {"base_tree": tree, "tree": [entry]})
        merge = {"message": f"Take in {onto[:10]}", "tree": tree, "parents": [tip, onto]}
        commit = self._send(asked, "POST", "/git/commits", merge)
        # Without force: GitHub then refuses if anything else has been committed meanwhile.
        move = {"sha": commit, "force": False}
        self._send(asked, "PATCH", f"/git/refs/heads/{quote(branch)}", move)
        return commit

    def commit(self, branch: str, commit: NewCommit) -> str:
        asked = Asked(f"commit to the branch {branch}", _WRITE)
        headline, _, body = commit.message.strip().partition("\n")
        given = {
            "branch": {"repositoryNameWithOwner": self._name, "branchName": branch},
            "expectedHeadOid": commit.parent,
            "message": {"headline": headline, "body": body.strip()},
            "fileChanges": _changes(commit.files),
        }
        return self._session.mutate(
            asked,
            graphql.COMMIT,
            {"input": given},
            lambda data: str(data["createCommitOnBranch"]["commit"]["oid"]),
            partial(self._landed, branch, commit),
        )

    def _landed(self, branch: str, commit: NewCommit) -> str | None:
        """The branch's tip, if it holds what was to be committed: then the answer was lost."""
        tip = self.tip(branch)
        if tip is None or tip == commit.parent:
            return None
        tree = ApiTree(self._objects, Blobs(self._objects), commit=tip, name="")
        for path, data in commit.files.items():
            there = tree.blob_id(path) if tree.is_file(path) else None
            if there != (None if data is None else blob_id(data)):
                return None
        return tip

    def propose(self, branch: str, title: str, body: str) -> str:
        asked = Asked(f"open a pull request from {branch}", _PROPOSE)
        base = self.default()

        def request() -> str:
            return self._github.create_pull(base=base, head=branch, title=title, body=body).html_url

        def proposed() -> str | None:
            head = f"{self._name.partition('/')[0]}:{branch}"
            listing = self._github.get_pulls(state="open", head=head, base=base)
            found = self._session.pages(asked, listing, lambda pull: (pull.head.ref, pull.html_url))
            return next((url for ref, url in found if ref == branch), None)

        return proposed() or self._session.run(asked, request, proposed)


def _changes(files: Mapping[str, bytes | None]) -> dict[str, list[dict[str, str]]]:
    return {
        "additions": [
            {"path": path, "contents": b64encode(data).decode()}
            for path, data in files.items()
            if data is not None
        ],
        "deletions": [{"path": path} for path, data in files.items() if data is None],
    }


def _committed(answer: dict[str, Any]) -> str:
    when = datetime.fromisoformat(answer["committer"]["date"])
    return when.astimezone(UTC).date().isoformat()
