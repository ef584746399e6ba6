"""Which function carries out which operation of the description."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from github_server import (
    routes_actions,
    routes_checks,
    routes_git,
    routes_issues,
    routes_pulls,
    routes_repository,
)
from github_server.exchange import Call, Reply

ROUTES: Mapping[str, Callable[[Call], Reply]] = {
    "actions/download-artifact": routes_actions.download,
    "actions/get-artifact": routes_actions.get_artifact,
    "actions/get-workflow-run": routes_actions.get_run,
    "actions/list-workflow-run-artifacts": routes_actions.list_artifacts,
    "checks/create": routes_checks.create,
    "checks/get": routes_checks.get,
    "checks/list-annotations": routes_checks.list_annotations,
    "checks/list-for-ref": routes_checks.list_for_ref,
    "checks/update": routes_checks.update,
    "git/create-blob": routes_git.create_blob,
    "git/create-commit": routes_git.create_commit,
    "git/create-ref": routes_git.create_ref,
    "git/create-tree": routes_git.create_tree,
    "git/get-blob": routes_git.get_blob,
    "git/get-commit": routes_git.get_commit,
    "git/get-ref": routes_git.get_ref,
    "git/get-tree": routes_git.get_tree,
    "git/update-ref": routes_git.update_ref,
    "issues/create": routes_issues.create_issue,
    "issues/create-comment": routes_pulls.create_comment,
    "issues/get": routes_pulls.get_issue,
    "issues/get-comment": routes_pulls.get_comment,
    "issues/list-comments": routes_pulls.list_comments,
    "issues/update": routes_issues.update_issue,
    "issues/update-comment": routes_pulls.update_comment,
    "pulls/create": routes_pulls.create_pull,
    "pulls/get": routes_pulls.get_pull,
    "pulls/list": routes_pulls.list_pulls,
    "pulls/list-files": routes_pulls.list_files,
    "repos/compare-commits-with-basehead": routes_repository.compare,
    "repos/get": routes_repository.get,
    "repos/get-commit": routes_repository.get_commit,
    "repos/get-content": routes_repository.get_content,
    "repos/list-commits": routes_repository.list_commits,
    "repos/list-pull-requests-associated-with-commit": routes_pulls.pulls_of_commit,
}
