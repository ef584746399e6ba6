"""Issues: open one, change it, close it."""

from __future__ import annotations

from github_server import payloads
from github_server.exchange import Call, Problem, Reply, found
from github_server.routes_pulls import LONGEST_COMMENT


def create_issue(call: Call) -> Reply:
    body = call.body
    _check(call)
    issue = call.repository.issue(
        body["title"], body=body.get("body") or "", author=call.token.login
    )
    return Reply(201, payloads.plain_issue(issue))


def update_issue(call: Call) -> Reply:
    """What is not named stays."""
    issue = found(call.repository.issues.get(call.number("issue_number")))
    _check(call)
    issue.update(call.body)
    return Reply(200, payloads.plain_issue(issue))


def _check(call: Call) -> None:
    body = call.body.get("body") or ""
    if len(body) > LONGEST_COMMENT:
        message = f"body is too long (maximum is {LONGEST_COMMENT} characters)"
        error = {"resource": "Issue", "field": "body", "code": "custom", "message": message}
        raise Problem(422, "Validation Failed", [error], unexpected=True)
