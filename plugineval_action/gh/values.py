"""The values of `client`, to and from what PyGithub and GitHub's JSON call them."""

from __future__ import annotations

from typing import Any, cast

from github.CheckRun import CheckRun as GithubCheckRun
from github.CheckRunAnnotation import CheckRunAnnotation
from github.IssueComment import IssueComment
from github.PullRequest import PullRequest as GithubPullRequest

from plugineval_action.gh.client import Annotation, AnnotationLevel, CheckRun, Comment, PullRequest


def is_the_same(body: str, comment: Comment) -> bool:
    """Whether a comment is the one with this text, as its first line, the marker, tells."""
    lines = comment.body.splitlines()[:1], body.splitlines()[:1]
    return comment.mine and not comment.minimised and lines[0] == lines[1]


def written(comment: IssueComment) -> Comment:
    """A comment that we wrote."""
    return Comment(
        id=comment.id,
        body=comment.body,
        url=comment.html_url,
        mine=True,
        minimised=False,
    )


def annotation(note: Annotation) -> dict[str, str | int]:
    """An annotation as GitHub takes it."""
    return {
        "path": note.path,
        "start_line": note.start_line,
        "end_line": note.end_line,
        "annotation_level": note.level,
        "title": note.title,
        "message": note.message,
    }


def annotation_there(note: CheckRunAnnotation) -> Annotation:
    """An annotation as GitHub gives it."""
    return Annotation(
        path=note.path,
        start_line=note.start_line,
        end_line=note.end_line,
        level=cast("AnnotationLevel", note.annotation_level),
        title=note.title or "",
        message=note.message,
    )


def check_run(check: GithubCheckRun) -> CheckRun:
    """A check run, whoever made it."""
    done = check.status == "completed"
    return CheckRun(check.id, check.external_id or "", done, check.html_url)


def pull_request(pull: GithubPullRequest) -> PullRequest:
    """A pull request; deleted forks and accounts have no name any more."""
    return PullRequest(
        number=pull.number,
        head_sha=pull.head.sha,
        head_repository=getattr(pull.head.repo, "full_name", ""),
        head_ref=pull.head.ref,
        base_sha=pull.base.sha,
        state=pull.state,
    )


def artifacts(name: str, answer: dict[str, Any]) -> list[tuple[int, int]]:
    """Id and size of the artifacts of a name that are still there."""
    return [
        (one["id"], one["size_in_bytes"])
        for one in answer["artifacts"]
        if one["name"] == name and not one["expired"]
    ]
