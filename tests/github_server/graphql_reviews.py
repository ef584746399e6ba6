"""The mutations that comment on lines of a pull request, and take a comment back."""

from __future__ import annotations

from github_server.access import Needs
from github_server.description import Json
from github_server.graphql_errors import refusal
from github_server.graphql_views import Asker
from github_server.history import merge_base
from github_server.state import PullRequest, Thread


def add_review(asker: Asker, given: Json) -> Json:
    """All comments or none, as GitHub has it; each on a line that the diff holds on the right."""
    pull = _pull(asker, given["pullRequestId"])
    if not asker.token.may(Needs(("pull_requests",), "write")):
        raise refusal("FORBIDDEN", "Resource not accessible by integration")
    if given.get("event") != "COMMENT" or given.get("commitOID") != pull.head_sha:
        raise refusal("UNPROCESSABLE", "The review is not about the head.")
    drafts = given.get("threads") or []
    if not drafts or any(not _in_diff(pull, one["path"], one["line"]) for one in drafts):
        raise refusal("UNPROCESSABLE", "Pull request review thread line must be part of the diff")
    for one in drafts:
        text = pull.lines(one["path"])[one["line"] - 1]
        number = asker.world.next_id()
        author = asker.token.login
        thread = Thread(pull, number, one["path"], one["line"], one["body"], author, text)
        pull.threads.append(thread)
    pull.reviews += 1
    url = f"{pull.html_url}#pullrequestreview-{asker.world.next_id()}"
    review = {"id": "PRR_1", "body": given.get("body") or "", "url": url}
    return {"clientMutationId": given.get("clientMutationId"), "pullRequestReview": review}


def delete_comment(asker: Asker, given: Json) -> Json:
    """Only what the token itself has written."""
    for home in asker.world.repositories.values():
        for pull in home.pull_requests.values():
            for thread in pull.threads:
                if thread.node_id == given["id"] and thread.author == asker.token.login:
                    pull.threads.remove(thread)
                    return {"clientMutationId": given.get("clientMutationId")}
    raise refusal("NOT_FOUND", f"Could not resolve to a node with the global id of {given['id']}.")


def _pull(asker: Asker, node_id: str) -> PullRequest:
    for home in asker.world.repositories.values():
        for pull in home.pull_requests.values():
            if pull.node_id == node_id:
                return pull
    raise refusal("NOT_FOUND", f"Could not resolve to a node with the global id of {node_id}.")


def _in_diff(pull: PullRequest, path: str, line: int) -> bool:
    """Whether a line was added; lines around it, which GitHub takes as well, are not."""
    base = merge_base(pull.repository.store, pull.base_sha, pull.head_sha)
    before = pull.lines(path, base) if base else []
    after = pull.lines(path)
    return 0 < line <= len(after) and after[line - 1] not in before
