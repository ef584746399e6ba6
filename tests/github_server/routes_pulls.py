"""Pull requests and their comments."""

from __future__ import annotations

from github_server import git_payloads, payloads
from github_server.exchange import Call, Problem, Reply, found, paged
from github_server.repository import Repository
from github_server.state import Comment, PullRequest

LONGEST_COMMENT = 65_536
MOST_FILES = 3_000


def _pull(call: Call, name: str) -> PullRequest:
    return found(call.repository.pull_requests.get(call.number(name)))


def list_pulls(call: Call) -> Reply:
    """The newest first; `head=owner:branch` finds those of a fork."""
    query = call.query
    state = query.get("state", "open")
    chosen = [
        pull
        for pull in call.repository.pull_requests.values()
        if state in {pull.state, "all"}
        and query.get("base", pull.base_ref) == pull.base_ref
        and _is_of(pull, query.get("head"))
    ]
    # Whatever the order is by, the number gives the same one here.
    usual = "asc" if query.get("sort", "created") != "created" else "desc"
    if query.get("direction", usual) == "desc":
        chosen.reverse()
    return paged(call, chosen, lambda pull: payloads.pull_request(pull, short=True))


def _is_of(pull: PullRequest, head: str | None) -> bool:
    # GitHub ignores a filter that names no owner.
    if not head or ":" not in head:
        return True
    owner, _, ref = head.partition(":")
    return pull.head_owner.lower() == owner.lower() and pull.head_ref == ref


def get_pull(call: Call) -> Reply:
    return Reply(200, payloads.pull_request(_pull(call, "pull_number")))


def create_pull(call: Call) -> Reply:
    body, home = call.body, call.repository
    if call.token.is_app and not home.may_propose:
        message = "GitHub Actions is not permitted to create or approve pull requests."
        raise Problem(403, message)
    owner, _, branch = body["head"].rpartition(":")
    source = _source(call, owner or home.owner)
    if source is None or branch not in source.branches or body["base"] not in home.branches:
        raise _invalid("PullRequest", "head")
    for pull in home.pull_requests.values():
        if (pull.head_repository, pull.head_ref, pull.state) == (source, branch, "open"):
            raise Problem(
                422,
                "Validation Failed",
                [
                    {
                        "resource": "PullRequest",
                        "code": "custom",
                        "message": f"A pull request already exists for {source.owner}:{branch}.",
                    }
                ],
            )
    pull = home.pull_request(
        branch,
        base=body["base"],
        head_repository=source,
        author=call.token.login,
        association="NONE",
        title=body.get("title", ""),
        draft=body.get("draft", False),
    )
    pull.body = body.get("body")
    return Reply(201, payloads.pull_request(pull), {"Location": f"{home.url}/pulls/{pull.number}"})


def _source(call: Call, owner: str) -> Repository | None:
    family = (call.repository, *call.world.repositories.values())
    return next(
        (
            each
            for each in family
            if each.owner.lower() == owner.lower() and each.store is call.repository.store
        ),
        None,
    )


def _invalid(resource: str, field: str) -> Problem:
    error = {"resource": resource, "field": field, "code": "invalid"}
    return Problem(422, "Validation Failed", [error])


def list_files(call: Call) -> Reply:
    """At most 3,000 files, however many there are."""
    pull = _pull(call, "pull_number")
    head = pull.head_sha
    return paged(
        call,
        pull.changes()[:MOST_FILES],
        lambda change: git_payloads.file_change(call.repository, head, change),
    )


def pulls_of_commit(call: Call) -> Reply:
    """Those from a fork are not found this way."""
    sha = found(call.repository.resolve(call.path["commit_sha"]))
    pulls = [
        pull
        for pull in call.repository.pull_requests.values()
        if pull.head_repository is call.repository and pull.head_sha == sha
    ]
    return paged(call, pulls, lambda pull: payloads.pull_request(pull, short=True))


def get_issue(call: Call) -> Reply:
    return Reply(200, payloads.issue(_pull(call, "issue_number")))


def list_comments(call: Call) -> Reply:
    """The oldest first; minimised ones are among them."""
    since = call.query.get("since", "")
    comments = [each for each in _pull(call, "issue_number").comments if each.updated_at >= since]
    return paged(call, comments, payloads.comment)


def create_comment(call: Call) -> Reply:
    pull = _pull(call, "issue_number")
    added = pull.comment(_body(call), author=call.token.login)
    payload = payloads.comment(added)
    return Reply(201, payload, {"Location": payload["url"]})


def get_comment(call: Call) -> Reply:
    return Reply(200, payloads.comment(_comment(call)))


def update_comment(call: Call) -> Reply:
    comment = _comment(call)
    comment.edit(_body(call))
    return Reply(200, payloads.comment(comment))


def _comment(call: Call) -> Comment:
    return found(call.repository.find_comment(call.number("comment_id")))


def _body(call: Call) -> str:
    body: str = call.body["body"]
    error = {"resource": "IssueComment", "field": "data", "code": "unprocessable"}
    if not body.strip():
        error |= {"message": "Body cannot be blank"}
        raise Problem(422, "Validation Failed", [error], unexpected=True)
    if len(body) > LONGEST_COMMENT:
        error |= {"message": f"Body is too long (maximum is {LONGEST_COMMENT} characters)"}
        raise Problem(422, "Validation Failed", [error], unexpected=True)
    return body
