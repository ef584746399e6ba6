"""Workflow runs and their artifacts."""

from __future__ import annotations

from github_server import payloads
from github_server.exchange import Call, Problem, Reply, found, paged
from github_server.state import Artifact, WorkflowRun


def _run(call: Call) -> WorkflowRun:
    number = call.number("run_id")
    return found(next((each for each in call.repository.workflow_runs if each.id == number), None))


def _artifact(call: Call) -> Artifact:
    number = call.number("artifact_id")
    artifacts = (each for run in call.repository.workflow_runs for each in run.artifacts)
    return found(next((each for each in artifacts if each.id == number), None))


def get_run(call: Call) -> Reply:
    return Reply(200, payloads.workflow_run(_run(call)))


def list_artifacts(call: Call) -> Reply:
    """The newest first; expired ones are among them."""
    name = call.query.get("name")
    chosen = [each for each in _run(call).artifacts[::-1] if name in {None, each.name}]
    return paged(
        call,
        chosen,
        payloads.artifact,
        lambda page: {"total_count": len(chosen), "artifacts": page},
    )


def get_artifact(call: Call) -> Reply:
    return Reply(200, payloads.artifact(_artifact(call)))


def download(call: Call) -> Reply:
    """The file lies on another server, which must not see the token."""
    artifact = _artifact(call)
    if call.path["archive_format"] != "zip":
        raise Problem(422, "Only zip is supported.", unexpected=True)
    if artifact.expired:
        raise Problem(410, "Artifact has expired")
    return Reply(302, None, {"Location": f"{call.world.storage_url}/{artifact.id}.zip?sig=abc"})
