"""What goes to GraphQL because REST cannot do it, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from plugineval_action.gh.client import Comment, Issue, LineComment, Thread
from plugineval_action.gh.failure import Failure, one_line

COMMENTS: Final = """
query Comments($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id fullDatabaseId body url viewerDidAuthor isMinimized }
      }
    }
  }
}
"""

THREADS: Final = """
query Threads($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          isOutdated
          isResolved
          comments(first: 2) { nodes { id body viewerDidAuthor } }
        }
      }
    }
  }
}
"""

PULL_REQUEST_ID: Final = """
query PullRequestId($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { id } }
}
"""

REVIEW: Final = """
mutation Review($input: AddPullRequestReviewInput!) {
  addPullRequestReview(input: $input) { pullRequestReview { url } }
}
"""

DELETE_LINE_COMMENT: Final = """
mutation DeleteLineComment($input: DeletePullRequestReviewCommentInput!) {
  deletePullRequestReviewComment(input: $input) { clientMutationId }
}
"""

ISSUES: Final = """
query Issues($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    issues(first: 100, after: $after, states: [OPEN]) {
      pageInfo { hasNextPage endCursor }
      nodes { number body url viewerDidAuthor }
    }
  }
}
"""
FILE: Final = """
query File($owner: String!, $name: String!, $expression: String!) {
  repository(owner: $owner, name: $name) {
    object(expression: $expression) { ... on Blob { oid byteSize } }
  }
}
"""
FOLDER: Final = """
query Folder($owner: String!, $name: String!, $expression: String!) {
  repository(owner: $owner, name: $name) {
    object(expression: $expression) { ... on Tree { oid } }
  }
}
"""
COMMIT: Final = """
mutation Commit($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}
"""

# GitHub names the kinds of trouble so, in an answer of status 200.
_STATUS: Final = {
    "FORBIDDEN": 403,
    "INSUFFICIENT_SCOPES": 403,
    "NOT_FOUND": 404,
    "RATE_LIMIT": 429,
    "RATE_LIMITED": 429,
}


def comments_page(data: dict[str, Any]) -> tuple[list[Comment], str | None]:
    """The comments of one page, and the cursor of the next if there is one."""
    page = data["repository"]["pullRequest"]["comments"]
    info = page["pageInfo"]
    comments = [
        Comment(
            id=int(node["fullDatabaseId"]),
            body=node["body"],
            url=node["url"],
            mine=node["viewerDidAuthor"],
            minimised=node["isMinimized"],
        )
        for node in page["nodes"]
        if node
    ]
    return comments, info["endCursor"] if info["hasNextPage"] else None


def threads_page(data: dict[str, Any]) -> tuple[list[Thread], str | None]:
    """The threads of one page, and the cursor of the next if there is one."""
    page = data["repository"]["pullRequest"]["reviewThreads"]
    info = page["pageInfo"]
    threads = [
        Thread(
            id=first["id"],
            body=first["body"],
            mine=first["viewerDidAuthor"],
            outdated=node["isOutdated"],
            answered=node["isResolved"] or len(rest) > 0,
        )
        for node in page["nodes"]
        if node and node["comments"]["nodes"]
        for first, *rest in [node["comments"]["nodes"]]
    ]
    return threads, info["endCursor"] if info["hasNextPage"] else None


def pull_request_id(data: dict[str, Any]) -> str:
    """The id of a pull request, as mutations want it."""
    return str(data["repository"]["pullRequest"]["id"])


def review_input(pull_id: str, commit: str, comments: Sequence[LineComment]) -> dict[str, Any]:
    """The variable of REVIEW: comments that neither approve nor ask for changes."""
    threads = [{"path": one.path, "line": one.line, "body": one.body} for one in comments]
    return {
        "pullRequestId": pull_id,
        "commitOID": commit,
        "event": "COMMENT",
        "threads": threads,
    }


def issues_page(data: dict[str, Any]) -> tuple[list[Issue], str | None]:
    """The issues of one page, and the cursor of the next if there is one."""
    page = data["repository"]["issues"]
    info = page["pageInfo"]
    issues = [
        Issue(node["number"], node["body"], node["url"], node["viewerDidAuthor"])
        for node in page["nodes"]
        if node
    ]
    return issues, info["endCursor"] if info["hasNextPage"] else None


def file_blob(data: dict[str, Any]) -> tuple[str, int] | None:
    """Id and size of the file that was asked for; None if there is none."""
    found = data["repository"]["object"]
    return (found["oid"], found["byteSize"]) if found and "oid" in found else None


def folder_tree(data: dict[str, Any]) -> str | None:
    """Id of the folder that was asked for; None if there is none."""
    found = data["repository"]["object"]
    return str(found["oid"]) if found and "oid" in found else None


def blobs_query(count: int) -> str:
    """Asks for the texts of `count` blobs; their ids are the variables o0, o1 and so on."""
    variables = "".join(f", $o{number}: GitObjectID!" for number in range(count))
    fields = "\n".join(
        f"    b{number}: object(oid: $o{number}) {{ ... on Blob {{ text isTruncated }} }}"
        for number in range(count)
    )
    return (
        f"query Blobs($owner: String!, $name: String!{variables}) {{\n"
        f"  repository(owner: $owner, name: $name) {{\n{fields}\n  }}\n}}\n"
    )


def blob_ids(ids: Sequence[str]) -> dict[str, str]:
    """The variables that go with `blobs_query`."""
    return {f"o{number}": one for number, one in enumerate(ids)}


def blob_texts(ids: Sequence[str], data: dict[str, Any]) -> dict[str, str]:
    """The whole texts that came, by id; what is binary, cut or not there is left out."""
    repository = data["repository"]
    found = {one: repository[f"b{number}"] for number, one in enumerate(ids)}
    return {
        one: blob["text"]
        for one, blob in found.items()
        if blob and blob.get("text") is not None and not blob["isTruncated"]
    }


def failure(errors: list[dict[str, Any]], headers: dict[str, str]) -> Failure:
    """What the errors in an answer of status 200 amount to."""
    first = errors[0]
    reason = one_line(str(first.get("message", "")))
    # Trouble of the server's own, which passes, comes without any kind.
    other = 422 if "type" in first or "extensions" in first else 502
    kind = str(first.get("type", ""))
    return Failure(_STATUS.get(kind, other), reason, headers, kind)
