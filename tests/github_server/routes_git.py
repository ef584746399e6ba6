"""Git data: references, commits, trees, blobs."""

from __future__ import annotations

import base64
import binascii
import os

from github_server import git_payloads
from github_server.description import Json
from github_server.exchange import Call, Problem, Reply, found
from github_server.history import ancestors
from github_server.objects import SUBMODULE, Entry, Person
from github_server.repository import Repository
from github_server.world import START

WHO = Person("GitHub", "noreply@github.com", START)


def get_ref(call: Call) -> Reply:
    ref = f"refs/{call.path['ref']}"
    if not ref.startswith(("refs/heads/", "refs/pull/")):
        raise Problem(404, "Not Found")
    sha = found(call.repository.resolve(ref))
    return Reply(200, git_payloads.reference(call.repository, ref, sha))


def create_ref(call: Call) -> Reply:
    ref, sha = call.body["ref"], call.body["sha"]
    home = call.repository
    name = _branch(ref)
    if home.store.kind(sha) != "commit":
        raise Problem(422, "Object does not exist")
    if name in home.branches:
        raise Problem(422, "Reference already exists")
    home.branches[name] = sha
    payload = git_payloads.reference(home, ref, sha)
    return Reply(201, payload, {"Location": payload["url"]})


def update_ref(call: Call) -> Reply:
    home, sha = call.repository, call.body["sha"]
    name = _branch(f"refs/{call.path['ref']}")
    if name not in home.branches:
        raise Problem(422, "Reference does not exist")
    if home.store.kind(sha) != "commit":
        raise Problem(422, "Object does not exist")
    if protection := home.protected.get(name):
        raise Problem(422, PROTECTED[protection])
    if not call.body.get("force", False) and home.branches[name] not in ancestors(home.store, sha):
        raise Problem(422, "Update is not a fast forward")
    home.branches[name] = sha
    return Reply(200, git_payloads.reference(home, f"refs/heads/{name}", sha))


PROTECTED = {
    "classic": "Changes must be made through a pull request.",
    "ruleset": "Repository rule violations found\n\nChanges must be made through a pull request.",
}


def _branch(ref: str) -> str:
    if not ref.startswith("refs/heads/") or ref.count("/") < 2:
        raise Problem(422, "Reference name must be a branch here.", unexpected=True)
    return ref.removeprefix("refs/heads/")


def get_commit(call: Call) -> Reply:
    sha = call.path["commit_sha"]
    if call.repository.store.kind(sha) != "commit":
        raise Problem(404, "Not Found")
    return Reply(200, git_payloads.git_commit(call.repository, sha))


def create_commit(call: Call) -> Reply:
    """Signed by GitHub if a bot leaves author and committer out."""
    store, body = call.repository.store, call.body
    if store.kind(body["tree"]) != "tree":
        raise Problem(422, "Tree SHA does not exist")
    parents = body.get("parents", [])
    if any(store.kind(parent) != "commit" for parent in parents):
        raise Problem(422, "Parent SHA does not exist or is not a commit object")
    now = call.world.seconds()
    usual = Person(call.token.login, f"{call.token.login}@users.noreply.example.com", now)
    author = _person(body.get("author"), usual)
    committer = _person(body.get("committer"), WHO._replace(seconds=now))
    sha = store.put_commit(body["tree"], parents, author, committer, body["message"])
    if call.token.is_app and not {"author", "committer"} & body.keys():
        call.repository.signed.add(sha)
    return Reply(201, git_payloads.git_commit(call.repository, sha))


def _person(given: Json | None, usual: Person) -> Person:
    if given is None:
        return usual
    return usual._replace(name=given.get("name", usual.name), email=given.get("email", usual.email))


def get_tree(call: Call) -> Reply:
    """A tree, or that of a commit or branch; recursive ones may be cut short.

    Any value of `recursive` counts, "0" and "false" too. The id sent back is the one asked for.
    """
    home = call.repository
    revision = call.path["tree_sha"]
    sha = revision if home.store.kind(revision) == "tree" else found(home.resolve(revision))
    tree = sha if home.store.kind(sha) == "tree" else home.store.commit(sha).tree
    recursive = "recursive" in call.query
    if recursive:
        entries = list(home.store.walk(tree))
    else:
        entries = [(entry.name, entry) for entry in home.store.tree(tree)]
    limit = home.truncate_after
    truncated = recursive and limit is not None and len(entries) > limit
    shown = entries[:limit] if truncated else entries
    body = {
        "sha": sha,
        "url": f"{home.url}/git/trees/{sha}",
        "tree": [git_payloads.tree_entry(home, path, entry) for path, entry in shown],
        "truncated": truncated,
    }
    return Reply(200, body)


def create_tree(call: Call) -> Reply:
    """`base_tree` with files laid over it; an id of null takes a file away."""
    home, store = call.repository, call.repository.store
    leaves: dict[str, Entry] = {}
    if base := call.body.get("base_tree"):
        tree = store.commit(base).tree if store.kind(base) == "commit" else base
        if store.kind(tree) != "tree":
            raise Problem(422, "base_tree is not a valid tree")
        leaves = store.leaves(tree)
    for item in call.body["tree"]:
        _lay(home, leaves, item)
    sha = store.put_leaves(leaves)
    entries = [git_payloads.tree_entry(home, entry.name, entry) for entry in store.tree(sha)]
    url = f"{home.url}/git/trees/{sha}"
    return Reply(201, {"sha": sha, "url": url, "tree": entries, "truncated": False})


def _lay(home: Repository, leaves: dict[str, Entry], item: Json) -> None:
    path, mode = item.get("path", ""), item.get("mode", "")
    if not path or path.startswith("/") or not mode or ("sha" in item) == ("content" in item):
        raise Problem(422, "Must supply path, mode and either sha or content", unexpected=True)
    if item.get("sha", "") is None:
        if leaves.pop(path, None) is None:
            raise Problem(422, "GitRPC::BadObjectState")
        return
    sha = home.store.put("blob", item["content"].encode()) if "content" in item else item["sha"]
    if mode == "040000":
        inner = home.store.leaves(sha)
        leaves |= {f"{path}/{below}": entry for below, entry in inner.items()}
    elif mode == SUBMODULE or home.store.kind(sha) == "blob":
        leaves[path] = Entry(mode, "", sha)
    else:
        raise Problem(422, f"tree.sha {sha} is not a valid blob")


def get_blob(call: Call) -> Reply:
    sha = call.path["file_sha"]
    if call.repository.store.kind(sha) != "blob":
        raise Problem(404, "Not Found")
    if "raw" in call.accept:
        return Reply(200, call.repository.store.blob(sha))
    return Reply(200, git_payloads.blob(call.repository, sha))


def create_blob(call: Call) -> Reply:
    content: str = call.body["content"]
    encoding = call.body.get("encoding", "utf-8")
    if encoding not in {"utf-8", "base64"}:
        raise Problem(422, "encoding must be utf-8 or base64", unexpected=True)
    try:
        data = base64.b64decode(content) if encoding == "base64" else os.fsencode(content)
    except binascii.Error as error:
        raise Problem(422, "content is not valid Base64", unexpected=True) from error
    sha = call.repository.store.put("blob", data)
    return Reply(201, {"sha": sha, "url": f"{call.repository.url}/git/blobs/{sha}"})
