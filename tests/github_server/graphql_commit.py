"""The mutation that makes a commit of many files at once."""

from __future__ import annotations

import base64
import binascii

from github_server.access import Needs
from github_server.description import Json
from github_server.graphql_errors import refusal
from github_server.graphql_views import Asker, object_view, reference_view
from github_server.objects import FILE, Entry, Person
from github_server.repository import Repository
from github_server.routes_git import PROTECTED, WHO


def create_commit(asker: Asker, given: Json) -> Json:
    """A signed commit on the branch's tip, which has to be the one expected."""
    home, branch = _target(asker, given["branch"])
    tip = home.branches[branch]
    if not asker.token.may(Needs(("contents",), "write")):
        raise refusal("FORBIDDEN", "Resource not accessible by integration")
    if tip != given["expectedHeadOid"]:
        message = f'Expected branch to point to "{given["expectedHeadOid"]}" but it did not.'
        raise refusal("STALE_DATA", f"{message}  Pull and try again.")
    if protection := home.protected.get(branch):
        kind = "BRANCH_PROTECTION_RULE_VIOLATION" if protection == "classic" else "UNPROCESSABLE"
        raise refusal(kind, PROTECTED[protection])
    leaves = home.store.leaves(home.store.commit(tip).tree)
    _apply(home, leaves, given.get("fileChanges") or {})
    message = "\n\n".join(
        filter(None, (given["message"]["headline"], given["message"].get("body")))
    )
    now = asker.world.seconds()
    login = asker.token.login
    author = Person(login, f"{login}@users.noreply.example.com", now)
    tree = home.store.put_leaves(leaves)
    sha = home.store.put_commit(tree, [tip], author, WHO._replace(seconds=now), message)
    home.branches[branch] = sha
    home.signed.add(sha)
    return {
        "clientMutationId": given.get("clientMutationId"),
        "commit": object_view(home, sha),
        "ref": reference_view(home, branch),
    }


def _target(asker: Asker, branch: Json) -> tuple[Repository, str]:
    name = branch.get("branchName", "").removeprefix("refs/heads/")
    home = asker.world.find(branch.get("repositoryNameWithOwner", ""))
    if home is None or name not in home.branches:
        raise refusal("NOT_FOUND", f"No such branch: {branch}")
    return home, name


def _apply(home: Repository, leaves: dict[str, Entry], changes: Json) -> None:
    for each in changes.get("deletions", []):
        if leaves.pop(each["path"], None) is None:
            message = f"A path was requested for deletion which does not exist: {each['path']}"
            raise refusal("UNPROCESSABLE", message)
    for each in changes.get("additions", []):
        try:
            data = base64.b64decode(each["contents"], validate=True)
        except binascii.Error as error:
            raise refusal("UNPROCESSABLE", f"{each['path']} is not valid Base64") from error
        leaves[each["path"]] = Entry(FILE, "", home.store.put("blob", data))
