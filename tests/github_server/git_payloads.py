"""The JSON that REST sends about git objects."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import quote

from github_server.description import Json
from github_server.history import FileChange, patch
from github_server.objects import Entry, Person
from github_server.world import timestamp

if TYPE_CHECKING:
    from github_server.repository import Repository


def text(path: str) -> str:
    """A path as GitHub shows it: what is not UTF-8 becomes a replacement character."""
    return os.fsencode(path).decode("utf-8", "replace")


def file_change(home: Repository, revision: str, change: FileChange) -> Json:
    shown = text(change.path)
    hunks = patch(home.store, change)
    entry = change.after or change.before
    assert entry
    value = {
        "sha": entry.sha,
        "filename": shown,
        "status": change.status,
        "additions": hunks.additions,
        "deletions": hunks.deletions,
        "changes": hunks.additions + hunks.deletions,
        "blob_url": f"{home.html_url}/blob/{revision}/{quote(shown)}",
        "raw_url": f"{home.html_url}/raw/{revision}/{quote(shown)}",
        "contents_url": f"{home.url}/contents/{quote(shown)}?ref={revision}",
    }
    if hunks.text is not None:
        value["patch"] = hunks.text
    if change.previous is not None:
        value["previous_filename"] = text(change.previous)
    return value


def git_commit(home: Repository, sha: str) -> Json:
    given = home.store.commit(sha)
    return {
        "sha": sha,
        "node_id": f"C_{sha}",
        "url": f"{home.url}/git/commits/{sha}",
        "html_url": f"{home.html_url}/commit/{sha}",
        "author": _person(given.author),
        "committer": _person(given.committer),
        "message": given.message,
        "tree": {"sha": given.tree, "url": f"{home.url}/git/trees/{given.tree}"},
        "parents": _parents(home, given.parents, "git/commits"),
        "verification": _verification(signed=sha in home.signed),
    }


def commit(home: Repository, sha: str) -> Json:
    given = home.store.commit(sha)
    inner = git_commit(home, sha)
    kept = ("author", "committer", "message", "tree", "url", "verification")
    return {
        "sha": sha,
        "node_id": f"C_{sha}",
        "url": f"{home.url}/commits/{sha}",
        "html_url": f"{home.html_url}/commit/{sha}",
        "comments_url": f"{home.url}/commits/{sha}/comments",
        "commit": {**{name: inner[name] for name in kept}, "comment_count": 0},
        "author": home.world.user(given.author.name),
        "committer": home.world.user(given.committer.name),
        "parents": _parents(home, given.parents, "commits"),
    }


def _verification(*, signed: bool) -> Json:
    return {
        "verified": signed,
        "reason": "valid" if signed else "unsigned",
        "signature": "-----BEGIN PGP SIGNATURE-----" if signed else None,
        "payload": None,
        "verified_at": None,
    }


def _parents(home: Repository, parents: Iterable[str], kind: str) -> list[Json]:
    return [
        {"sha": sha, "url": f"{home.url}/{kind}/{sha}", "html_url": f"{home.html_url}/commit/{sha}"}
        for sha in parents
    ]


def _person(person: Person) -> Json:
    return {"name": person.name, "email": person.email, "date": timestamp(person.seconds)}


def tree_entry(home: Repository, path: str, entry: Entry) -> Json:
    value = {"path": text(path), "mode": entry.mode.zfill(6), "type": entry.kind, "sha": entry.sha}
    if entry.kind != "commit":
        value["url"] = f"{home.url}/git/{entry.kind}s/{entry.sha}"
    if entry.kind == "blob":
        return {**value, "size": len(home.store.blob(entry.sha))}
    return value


def blob(home: Repository, sha: str) -> Json:
    data = home.store.blob(sha)
    return {
        "sha": sha,
        "node_id": f"B_{sha}",
        "size": len(data),
        "url": f"{home.url}/git/blobs/{sha}",
        "content": base64.encodebytes(data).decode(),
        "encoding": "base64",
    }


def reference(home: Repository, ref: str, sha: str) -> Json:
    return {
        "ref": ref,
        "node_id": f"REF_{ref}",
        "url": f"{home.url}/git/{ref}",
        "object": {"type": "commit", "sha": sha, "url": f"{home.url}/git/commits/{sha}"},
    }
