"""Repositories, pull requests, comments and git objects as GraphQL shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from github_server.access import Needs, Token
from github_server.description import Json
from github_server.git_payloads import text
from github_server.graphql_errors import refusal
from github_server.objects import Entry
from github_server.repository import Repository
from github_server.state import Comment, Issue, PullRequest, Thread
from github_server.world import World, timestamp

Item = TypeVar("Item")
LONGEST_TEXT = 512_000
MOST_NODES = 100


@dataclass
class Asker:
    """Who asks, where, and what was wrong with it."""

    world: World
    token: Token
    violations: list[str] = field(default_factory=list)


def repository_view(asker: Asker, given: Repository) -> Json:
    def one_object(_: object, oid: str | None = None, expression: str | None = None) -> Json | None:
        _need(asker, given, "contents")
        return _object(given, oid, expression)

    def pull(_: object, number: int) -> Json:
        _need(asker, given, "pull_requests")
        found = given.pull_requests.get(number)
        if found is None:
            message = f"Could not resolve to a PullRequest with the number of {number}."
            raise refusal("NOT_FOUND", message)
        return pull_view(asker, found)

    def issues(_: object, **arguments: Any) -> Json:  # noqa: ANN401 - the query's arguments
        _need(asker, given, "issues")
        states = arguments.get("states") or ["OPEN", "CLOSED"]
        chosen = [each for each in given.issues.values() if each.state.upper() in states]
        return _connection(asker, "issues", chosen, lambda each: _issue(asker, each), arguments)

    def pulls(_: object, **arguments: Any) -> Json:  # noqa: ANN401 - the query's arguments
        _need(asker, given, "pull_requests")
        return _pulls(asker, given, arguments)

    return {
        "id": f"R_{given.id}",
        "databaseId": given.id,
        "name": given.short_name,
        "nameWithOwner": given.name,
        "owner": _owner(given.owner),
        "url": given.html_url,
        "isPrivate": given.private,
        "isFork": given.fork_of is not None,
        "parent": lambda _: repository_view(asker, given.fork_of) if given.fork_of else None,
        "defaultBranchRef": lambda _: reference_view(given, given.default_branch),
        "ref": lambda _, qualifiedName: reference_view(  # noqa: N803 - the schema's name
            given, qualifiedName.removeprefix("refs/heads/")
        ),
        "object": one_object,
        "pullRequest": pull,
        "issueOrPullRequest": pull,
        "pullRequests": pulls,
        "issues": issues,
    }


def _need(asker: Asker, home: Repository, permission: str) -> None:
    """Everybody may read a public repository."""
    if home.private and not asker.token.may(Needs((permission,), "read")):
        raise refusal("FORBIDDEN", "Resource not accessible by integration")


def _owner(login: str) -> Json:
    return {"__typename": "Organization", "login": login}


def _actor(asker: Asker, login: str) -> Json:
    """Bots are called without their ending here, other than in REST and as a viewer."""
    kind = "Bot" if login.endswith("[bot]") else "User"
    name = login.removesuffix("[bot]")
    return {"__typename": kind, "login": name, "url": f"{asker.world.html_url}/{name}"}


def reference_view(home: Repository, branch: str) -> Json | None:
    sha = home.branches.get(branch)
    if sha is None:
        return None
    target = lambda _: object_view(home, sha)  # noqa: E731 - read only if asked for
    return {"id": f"REF_{branch}", "name": branch, "prefix": "refs/heads/", "target": target}


def _object(home: Repository, oid: str | None, expression: str | None) -> Json | None:
    store = home.store
    if oid is not None:
        return object_view(home, oid) if store.kind(oid) else None
    revision, colon, path = (expression or "HEAD").partition(":")
    sha = home.resolve(revision) or revision
    if not colon or store.kind(sha) is None:
        return object_view(home, sha) if store.kind(sha) else None
    tree = store.commit(sha).tree if store.kind(sha) == "commit" else sha
    entry = store.find(tree, path) if store.kind(tree) == "tree" else None
    return object_view(home, entry.sha, path) if entry and store.kind(entry.sha) else None


def object_view(home: Repository, sha: str, path: str = "") -> Json:
    kind = home.store.kind(sha)
    assert kind
    view = {"__typename": kind.title(), "id": f"O_{sha}", "oid": sha, "abbreviatedOid": sha[:7]}
    if kind == "blob":
        return view | _blob(home.store.blob(sha))
    if kind == "tree":
        entries = lambda _: [_entry(home, path, each) for each in home.store.tree(sha)]  # noqa: E731
        return view | {"entries": entries}
    commit = home.store.commit(sha)
    return view | {
        "url": f"{home.html_url}/commit/{sha}",
        "message": commit.message,
        "committedDate": timestamp(commit.committer.seconds),
        "tree": lambda _: object_view(home, commit.tree),
    }


def _blob(data: bytes) -> Json:
    """Text that is no UTF-8 is shown recoded; a long one is cut between two characters."""
    view: Json = {"byteSize": len(data), "isBinary": b"\0" in data[:8000], "isTruncated": False}
    if view["isBinary"]:
        return view | {"text": None}
    try:
        shown = data.decode()
    except UnicodeDecodeError:
        shown = data.decode("latin-1")
    cut = shown.encode()[:LONGEST_TEXT].decode("utf-8", "ignore")
    return view | {"text": cut, "isTruncated": cut != shown}


def _entry(home: Repository, directory: str, entry: Entry) -> Json:
    path = f"{directory}/{entry.name}" if directory else entry.name
    is_known = home.store.kind(entry.sha)
    return {
        "mode": int(entry.mode, 8),
        "name": text(entry.name),
        "oid": entry.sha,
        "path": text(path),
        "size": len(home.store.blob(entry.sha)) if entry.kind == "blob" else 0,
        "type": entry.kind,
        "object": lambda _: object_view(home, entry.sha, path) if is_known else None,
    }


def _pulls(asker: Asker, home: Repository, arguments: Json) -> Json:
    states = arguments.get("states") or ["OPEN", "CLOSED", "MERGED"]
    chosen = [
        pull
        for pull in home.pull_requests.values()
        if pull.state.upper() in states
        and arguments.get("headRefName") in {None, pull.head_ref}
        and arguments.get("baseRefName") in {None, pull.base_ref}
    ]
    return _connection(
        asker, "pullRequests", chosen, lambda pull: pull_view(asker, pull), arguments
    )


def pull_view(asker: Asker, pull: PullRequest) -> Json:
    def comments(_: object, **arguments: Any) -> Json:  # noqa: ANN401 - the query's arguments
        shown = lambda each: _comment(asker, each)  # noqa: E731 - one expression
        return _connection(asker, "comments", pull.comments, shown, arguments)

    def threads(_: object, **arguments: Any) -> Json:  # noqa: ANN401 - the query's arguments
        shown = lambda each: _thread(asker, each)  # noqa: E731 - one expression
        return _connection(asker, "reviewThreads", pull.threads, shown, arguments)

    def labels(_: object, **arguments: Any) -> Json:  # noqa: ANN401 - the query's arguments
        return _connection(asker, "labels", pull.labels, lambda name: {"name": name}, arguments)

    head = pull.head_repository
    return {
        "__typename": "PullRequest",
        "id": pull.node_id,
        "databaseId": pull.id,
        "fullDatabaseId": str(pull.id),
        "number": pull.number,
        "title": pull.title,
        "url": pull.html_url,
        "state": pull.state.upper(),
        "isDraft": pull.draft,
        "isCrossRepository": head is not pull.repository,
        "author": _actor(asker, pull.author),
        "authorAssociation": pull.association,
        "viewerDidAuthor": pull.author == asker.token.login,
        "headRefName": pull.head_ref,
        "headRefOid": pull.head_sha,
        "headRepository": lambda _: repository_view(asker, head) if head else None,
        "headRepositoryOwner": _owner(pull.head_owner),
        "baseRefName": pull.base_ref,
        "baseRefOid": pull.base_sha,
        "baseRepository": lambda _: repository_view(asker, pull.repository),
        "changedFiles": lambda _: len(pull.changes()),
        "labels": labels,
        "comments": comments,
        "reviewThreads": threads,
    }


def _issue(asker: Asker, given: Issue) -> Json:
    return {
        "id": f"I_{given.id}",
        "number": given.number,
        "title": given.title,
        "body": given.body,
        "url": given.html_url,
        "state": given.state.upper(),
        "author": _actor(asker, given.author),
        "viewerDidAuthor": given.author == asker.token.login,
    }


def _comment(asker: Asker, given: Comment) -> Json:
    return {
        "id": given.node_id,
        "databaseId": given.id,
        "fullDatabaseId": str(given.id),
        "body": given.body,
        "url": given.html_url,
        "author": _actor(asker, given.author),
        "authorAssociation": "NONE",
        "viewerDidAuthor": given.author == asker.token.login,
        "isMinimized": given.minimised,
        "minimizedReason": "outdated" if given.minimised else None,
        "createdAt": given.created_at,
        "updatedAt": given.updated_at,
    }


def _thread(asker: Asker, given: Thread) -> Json:
    def comments(_: object, **arguments: Any) -> Json:  # noqa: ANN401 - the query's arguments
        said = [(given.author, given.body), *(("someone", text) for text in given.replies)]
        shown = lambda each: {  # noqa: E731 - one expression
            "id": given.node_id,
            "fullDatabaseId": str(given.id),
            "body": each[1],
            "author": _actor(asker, each[0]),
            "viewerDidAuthor": each[0] == asker.token.login,
            "isMinimized": False,
        }
        return _connection(asker, "comments", said, shown, arguments)

    return {
        "id": f"PRRT_{given.id}",
        "isOutdated": given.outdated,
        "isResolved": given.resolved,
        "line": None if given.outdated else given.line,
        "originalLine": given.line,
        "path": given.path,
        "comments": comments,
    }


def _connection(
    asker: Asker,
    name: str,
    items: Sequence[Item],
    view: Callable[[Item], Json],
    arguments: Json,
) -> Json:
    """One page; GitHub insists on `first` or `last`, of at most 100. Cursors are positions."""
    first, last = arguments.get("first"), arguments.get("last")
    size = last if first is None else first
    if size is None or not 1 <= size <= MOST_NODES:
        message = f"The `{name}` connection needs a `first` or `last` of 1 to {MOST_NODES}."
        asker.violations.append(f"graphql: {message}")
        kind = "MISSING_PAGINATION_BOUNDARIES" if size is None else "EXCESSIVE_PAGINATION"
        raise refusal(kind, message)
    start = int(arguments.get("after") or 0)
    end = int(arguments.get("before") or len(items))
    if first is None:
        start = max(start, end - size)
    else:
        end = min(end, start + size)
    return {
        "nodes": [view(item) for item in items[start:end]],
        "totalCount": len(items),
        "pageInfo": {
            "hasNextPage": end < len(items),
            "hasPreviousPage": start > 0,
            "startCursor": str(start),
            "endCursor": str(end) if end else None,
        },
    }
