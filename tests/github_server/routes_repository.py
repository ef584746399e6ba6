"""The repository itself: its commits, comparisons and contents."""

from __future__ import annotations

import base64
import posixpath
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from github_server import git_payloads, payloads
from github_server.description import Json
from github_server.exchange import Call, Problem, Reply, found, paged
from github_server.git_payloads import text
from github_server.history import ancestors, changes, log, merge_base
from github_server.objects import SYMLINK, Entry

MOST_FILES = 300
LARGEST_CONTENT = 1_000_000
"""Bytes; the content of a larger file comes only raw."""


def get(call: Call) -> Reply:
    return Reply(200, payloads.repository(call.repository, "full-repository"))


def list_commits(call: Call) -> Reply:
    """From a branch or commit back, the newest first; of a path, those that changed it."""
    home = call.repository
    sha = found(home.resolve(call.query.get("sha") or "HEAD"))
    path = call.query.get("path", "").strip("/")
    commits = [each for each in log(home.store, sha) if not path or _touches(call, each, path)]
    return paged(call, commits, lambda each: git_payloads.commit(home, each))


def _touches(call: Call, sha: str, path: str) -> bool:
    store = call.repository.store
    commit = store.commit(sha)
    before = [store.find(store.commit(parent).tree, path) for parent in commit.parents]
    now = store.find(commit.tree, path)
    return all(now != each for each in before) if before else now is not None


def get_commit(call: Call) -> Reply:
    home = call.repository
    sha = home.resolve(call.path["ref"])
    if sha is None:
        raise Problem(422, f"No commit found for SHA: {call.path['ref']}")
    commit = home.store.commit(sha)
    before = home.store.commit(commit.parents[0]).tree if commit.parents else None
    touched = changes(home.store, before, commit.tree)

    def with_files(files: list[Json]) -> Json:
        totals = {name: sum(each[name] for each in files) for name in ("additions", "deletions")}
        stats = {**totals, "total": sum(totals.values())}
        return {**git_payloads.commit(home, sha), "files": files, "stats": stats}

    render: Callable[[Any], Json] = lambda change: git_payloads.file_change(home, sha, change)  # noqa: E731
    return paged(call, touched[:3000], render, with_files)


def compare(call: Call) -> Reply:
    """At most 300 files, all on the first page; commits page by page, the oldest first."""
    home, store = call.repository, call.repository.store
    left, dots, right = call.path["basehead"].partition("...")
    base, head = found(_side(call, left)), found(_side(call, right))
    common = merge_base(store, base, head) if dots else None
    if common is None:
        raise Problem(404, f"No common ancestor between {left} and {right}.")
    before, after = ancestors(store, base), ancestors(store, head)
    ahead, behind = len(after - before), len(before - after)
    files = changes(store, store.commit(common).tree, store.commit(head).tree)
    first = call.query.get("page", "1") == "1"
    url = f"{home.html_url}/compare/{left}...{right}"
    body = {
        "url": f"{home.url}/compare/{call.path['basehead']}",
        "html_url": url,
        "permalink_url": url,
        "diff_url": f"{url}.diff",
        "patch_url": f"{url}.patch",
        "base_commit": git_payloads.commit(home, base),
        "merge_base_commit": git_payloads.commit(home, common),
        "status": _status(ahead, behind),
        "ahead_by": ahead,
        "behind_by": behind,
        "total_commits": ahead,
        "files": [git_payloads.file_change(home, head, each) for each in files[:MOST_FILES]]
        if first
        else [],
    }
    commits = [each for each in log(store, head)[::-1] if each in after - before]
    return paged(
        call,
        commits,
        lambda each: git_payloads.commit(home, each),
        lambda page: {**body, "commits": page},
    )


def _side(call: Call, revision: str) -> str | None:
    """`branch`, `owner:branch` or `owner:repository:branch`, all of one family of forks."""
    *names, ref = revision.split(":")
    if not names:
        return call.repository.resolve(ref)
    for each in call.world.repositories.values():
        is_named = names in ([each.owner], [each.owner, each.short_name])
        if is_named and each.store is call.repository.store:
            return each.resolve(ref)
    return None


def _status(ahead: int, behind: int) -> str:
    if ahead and behind:
        return "diverged"
    if ahead:
        return "ahead"
    return "behind" if behind else "identical"


def get_content(call: Call) -> Reply:
    """A file, a directory, a link to what it points to in the repository, or a submodule."""
    home, store = call.repository, call.repository.store
    revision = call.query.get("ref") or "HEAD"
    sha = home.resolve(revision)
    if sha is None:
        raise Problem(404, f"No commit found for the ref {revision}")
    tree, path = store.commit(sha).tree, call.path["path"].strip("/")
    entry = found(store.find(tree, path))
    if entry.kind == "tree":
        inside = [(posixpath.join(path, each.name), each) for each in store.tree(entry.sha)]
        return Reply(200, [_content(call, at, each) for at, each in inside[:1000]])
    if entry.mode == SYMLINK:
        target = store.blob(entry.sha).decode("utf-8", "replace")
        pointed = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        goal = None if pointed.startswith(("/", "..")) else store.find(tree, pointed)
        if goal is None or goal.kind != "blob" or goal.mode == SYMLINK:
            return Reply(200, {**_content(call, path, entry), "target": target})
        entry = goal
    if entry.kind == "commit":
        address = f"{home.html_url}/{text(entry.name)}.git"
        return Reply(200, {**_content(call, path, entry), "submodule_git_url": address})
    return _file(call, path, entry)


def _file(call: Call, path: str, entry: Entry) -> Reply:
    data = call.repository.store.blob(entry.sha)
    if "raw" in call.accept:
        return Reply(200, data)
    encoded = {"content": base64.encodebytes(data).decode(), "encoding": "base64"}
    if len(data) > LARGEST_CONTENT:
        encoded = {"content": "", "encoding": "none"}
    return Reply(200, {**_content(call, path, entry), **encoded})


def _content(call: Call, path: str, entry: Entry) -> Json:
    home = call.repository
    shown = text(path)
    kind = {"tree": "dir", "commit": "submodule"}.get(entry.kind, "file")
    url = f"{home.url}/contents/{quote(shown)}?ref={quote(call.query.get('ref') or 'HEAD')}"
    page = f"{home.html_url}/blob/HEAD/{quote(shown)}"
    git = f"{home.url}/git/{'trees' if kind == 'dir' else 'blobs'}/{entry.sha}"
    return {
        "type": "symlink" if entry.mode == SYMLINK else kind,
        "name": posixpath.basename(shown),
        "path": shown,
        "sha": entry.sha,
        "size": len(home.store.blob(entry.sha)) if entry.kind == "blob" else 0,
        "url": url,
        "html_url": page,
        "git_url": git,
        "download_url": page if kind == "file" else None,
        "_links": {"self": url, "git": git, "html": page},
    }
