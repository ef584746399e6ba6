"""The JSON that REST sends; what is required and not named here gets a neutral value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from github_server.description import Json, description
from github_server.world import World

if TYPE_CHECKING:
    from github_server.repository import Repository
    from github_server.state import Artifact, CheckRun, Comment, Issue, PullRequest, WorkflowRun

RepositorySchema = Literal["full-repository", "repository", "minimal-repository"]


def repository(given: Repository, schema: RepositorySchema) -> Json:
    value = {
        "id": given.id,
        "node_id": f"R_{given.id}",
        "name": given.short_name,
        "full_name": given.name,
        "owner": given.world.user(given.owner),
        "private": given.private,
        "visibility": "private" if given.private else "public",
        "fork": given.fork_of is not None,
        "html_url": given.html_url,
        "url": given.url,
        "default_branch": given.default_branch,
    }
    if given.fork_of and schema == "full-repository":
        value |= dict.fromkeys(("parent", "source"), repository(given.fork_of, "repository"))
    return description().fill(schema, value)


def pull_request(pull: PullRequest, *, short: bool = False) -> Json:
    home = pull.repository
    sides = {
        "head": _side(pull.head_repository, home.world, pull.head_owner, pull.head_ref),
        "base": _side(home, home.world, home.owner, pull.base_ref),
    }
    sides["head"]["sha"], sides["base"]["sha"] = pull.head_sha, pull.base_sha
    value = {
        "id": pull.id,
        "node_id": pull.node_id,
        "number": pull.number,
        "state": pull.state,
        "draft": pull.draft,
        "title": pull.title,
        "body": pull.body,
        "user": home.world.user(pull.author),
        "author_association": pull.association,
        "labels": [_label(home, name) for name in pull.labels],
        "url": f"{home.url}/pulls/{pull.number}",
        "html_url": pull.html_url,
        "issue_url": f"{home.url}/issues/{pull.number}",
        "comments_url": f"{home.url}/issues/{pull.number}/comments",
        "created_at": pull.created_at,
        "updated_at": pull.created_at,
        "closed_at": None if pull.state == "open" else pull.created_at,
        "merge_commit_sha": pull.merge_commit_sha,
        **sides,
    }
    if short:
        return description().fill("pull-request-simple", value)
    more = {"comments": len(pull.comments), "changed_files": len(pull.changes())}
    return description().fill("pull-request", value | more | {"mergeable_state": "clean"})


def _side(source: Repository | None, world: World, owner: str, ref: str) -> Json:
    return {
        "label": f"{owner}:{ref}",
        "ref": ref,
        "user": world.user(owner),
        "repo": repository(source, "repository") if source else None,
    }


def _label(home: Repository, name: str) -> Json:
    return {"name": name, "url": f"{home.url}/labels/{quote(name)}", "color": "ededed"}


def issue(pull: PullRequest) -> Json:
    home = pull.repository
    value = {
        "id": pull.id,
        "node_id": pull.node_id,
        "number": pull.number,
        "state": pull.state,
        "title": pull.title,
        "body": pull.body,
        "user": home.world.user(pull.author),
        "author_association": pull.association,
        "labels": [_label(home, name) for name in pull.labels],
        "comments": len(pull.comments),
        "url": f"{home.url}/issues/{pull.number}",
        "repository_url": home.url,
        "html_url": pull.html_url,
        "created_at": pull.created_at,
        "updated_at": pull.created_at,
        "pull_request": {
            "url": f"{home.url}/pulls/{pull.number}",
            "html_url": pull.html_url,
            "diff_url": f"{pull.html_url}.diff",
            "patch_url": f"{pull.html_url}.patch",
        },
    }
    return description().fill("issue", value)


def plain_issue(given: Issue) -> Json:
    home = given.repository
    url = f"{home.url}/issues/{given.number}"
    value = {
        "id": given.id,
        "node_id": f"I_{given.id}",
        "number": given.number,
        "state": given.state,
        "state_reason": given.state_reason,
        "title": given.title,
        "body": given.body,
        "user": home.world.user(given.author),
        "labels": [],
        "comments": 0,
        "url": url,
        "html_url": given.html_url,
        "comments_url": f"{url}/comments",
        "repository_url": home.url,
        "created_at": given.created_at,
        "updated_at": given.created_at,
        "closed_at": None if given.state == "open" else given.created_at,
    }
    return description().fill("issue", value)


def comment(given: Comment) -> Json:
    pull = given.pull
    association = pull.association if given.author == pull.author else "NONE"
    value = {
        "id": given.id,
        "node_id": given.node_id,
        "url": f"{pull.repository.url}/issues/comments/{given.id}",
        "html_url": given.html_url,
        "issue_url": f"{pull.repository.url}/issues/{pull.number}",
        "body": given.body,
        "user": pull.repository.world.user(given.author),
        "author_association": association,
        "created_at": given.created_at,
        "updated_at": given.updated_at,
        "minimized": {"reason": "outdated"} if given.minimised else None,
    }
    return description().fill("issue-comment", value)


def check_run(run: CheckRun) -> Json:
    home = run.repository
    url = f"{home.url}/check-runs/{run.id}"
    value = {
        "id": run.id,
        "node_id": f"CR_{run.id}",
        "external_id": run.external_id or "",
        "name": run.name,
        "head_sha": run.head_sha,
        "status": run.status,
        "conclusion": run.conclusion,
        "started_at": run.started_at,
        "completed_at": run.completed_at,
        "url": url,
        "html_url": run.html_url,
        "details_url": run.details_url or run.html_url,
        "check_suite": {"id": 1},
        "app": {
            "id": 15368,
            "slug": "github-actions",
            "name": "GitHub Actions",
            "owner": home.world.user("github"),
        },
        "output": {
            "title": run.title,
            "summary": run.summary,
            "text": run.text,
            "annotations_count": len(run.annotations),
            "annotations_url": f"{url}/annotations",
        },
    }
    return description().fill("check-run", value)


def annotation(run: CheckRun, given: Json) -> Json:
    optional = ("start_column", "end_column", "title", "raw_details")
    href = f"{run.repository.html_url}/blob/{run.head_sha}/{quote(given['path'])}"
    return {"blob_href": href, **dict.fromkeys(optional), **given}


def workflow_run(run: WorkflowRun) -> Json:
    home = run.repository
    url = f"{home.url}/actions/runs/{run.id}"
    value = {
        "id": run.id,
        "node_id": f"WFR_{run.id}",
        "name": "check",
        "display_title": "check",
        "path": ".github/workflows/check.yml",
        "head_branch": run.head_branch,
        "head_sha": run.head_sha,
        "event": run.event,
        "status": "completed",
        "conclusion": "success",
        "run_number": 1,
        "run_attempt": 1,
        "workflow_id": 1,
        "url": url,
        "html_url": f"{home.html_url}/actions/runs/{run.id}",
        "artifacts_url": f"{url}/artifacts",
        "created_at": run.created_at,
        "updated_at": run.created_at,
        "pull_requests": [],
        "repository": repository(home, "minimal-repository"),
        "head_repository": repository(run.head_repository, "minimal-repository"),
    }
    return description().fill("workflow-run", value)


def artifact(given: Artifact) -> Json:
    run = given.run
    url = f"{run.repository.url}/actions/artifacts/{given.id}"
    value = {
        "id": given.id,
        "node_id": f"A_{given.id}",
        "name": given.name,
        "size_in_bytes": given.size_in_bytes,
        "url": url,
        "archive_download_url": f"{url}/zip",
        "expired": given.expired,
        "created_at": run.created_at,
        "updated_at": run.created_at,
        "workflow_run": {
            "id": run.id,
            "repository_id": run.repository.id,
            "head_repository_id": run.head_repository.id,
            "head_branch": run.head_branch,
            "head_sha": run.head_sha,
        },
    }
    return description().fill("artifact", value)
