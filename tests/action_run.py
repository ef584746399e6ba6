"""Runs the whole action against the loopback GitHub, with the environment of a runner."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from event_files import HEAD, payload
from github_server import GitHubServer, PullRequest, Repository, zipped
from plugineval_action.action.app import main
from runner import environ

Files = Mapping[str, Any]

REPOSITORY = "octo-org/skills"
GOOD = "---\nname: {name}\ndescription: Reads bills of any kind. Use when one is there.\n---\n"
POOR = "---\nname: {name}\ndescription: Reads bills of any kind and of any age.\n---\n"


def skill(name: str, text: str = GOOD) -> dict[str, str]:
    """A small skill as a file."""
    return {f"skills/{name}/SKILL.md": text.format(name=name)}


class Done(NamedTuple):
    """What a run of the action left behind; `files` is RUNNER_TEMP."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str
    files: Path

    @property
    def result(self) -> dict[str, Any]:
        """What result.json says."""
        text = (self.files / "plugin-eval" / "result.json").read_text(encoding="utf-8")
        read: dict[str, Any] = json.loads(text)
        return read


class Change(NamedTuple):
    """A pull request on the loopback GitHub, from base to head."""

    repository: Repository
    base: str
    head: str
    pull: PullRequest


def propose(server: GitHubServer, before: Files, after: Files, *, fork: bool = False) -> Change:
    """Commit both sides and open a pull request between them."""
    repository = server.repository(REPOSITORY)
    base = repository.commit(before, branch="main")
    source = server.repository("fork-owner/skills", fork_of=repository) if fork else repository
    head = source.commit(after, parents=[base], branch="topic")
    pull = repository.pull_request("topic", head_repository=source)
    return Change(repository, base, head, pull)


def act(
    server: GitHubServer,
    tmp_path: Path,
    event: object,
    *,
    name: str = "pull_request",
    token: str = "",
    inputs: Mapping[str, str] | None = None,
    variables: Mapping[str, str] | None = None,
    sha: str = HEAD,
    ref: str = "",
    run_id: str = "1",
    process: bool = False,
) -> Done:
    """Run the action; `event` is the payload of the event `name`.

    It runs here, where no time is lost in waits, or, as the container starts it, in a process of
    its own, with nothing but the environment of a runner and in the workspace. That is a folder of
    `tmp_path`, see WORKSPACE.
    """
    place = tmp_path / "runner"
    for folder in ("home", "temp", "workspace"):
        (place / folder).mkdir(parents=True, exist_ok=True)
    (place / "event.json").write_text(json.dumps(event), encoding="utf-8")
    for file in ("output", "summary"):
        if not (place / file).is_dir():
            (place / file).write_text("", encoding="utf-8")
    usual = {
        "GITHUB_API_URL": server.url,
        "GITHUB_GRAPHQL_URL": server.graphql_url,
        "GITHUB_SERVER_URL": server.html_url,
        "GITHUB_EVENT_PATH": str(place / "event.json"),
        "GITHUB_OUTPUT": str(place / "output"),
        "GITHUB_STEP_SUMMARY": str(place / "summary"),
        "GITHUB_RUN_ID": run_id,
        "GITHUB_SHA": sha,
        "GITHUB_REF": ref,
        "GITHUB_WORKSPACE": str(place / "workspace"),
        "RUNNER_TEMP": str(place / "temp"),
    }
    given = {"github-token": token or server.write_token} | dict(inputs or {})
    environment = environ(given, name, **usual, **(variables or {}))
    code, log = _started(environment, place) if process else _called(environment)
    summary = (place / "summary").read_text(encoding="utf-8")
    return Done(code, log, _outputs(place / "output"), summary, place / "temp")


WORKSPACE = "runner/workspace"


def _called(environment: Mapping[str, str]) -> tuple[int, str]:
    log = StringIO()
    with redirect_stdout(log):
        return main(environment, sleep=lambda _: None), log.getvalue()


def _started(environment: Mapping[str, str], place: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "plugineval_action", "action"],
        cwd=place / "workspace",
        env={"HOME": str(place / "home"), "PATH": os.environ["PATH"], **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def review_of(change: Change, event: str = "pull_request") -> dict[str, Any]:
    """The payload of an event that asks for a review of a change."""
    return payload(event, base=change.base, head=change.head, number=change.pull.number)


def workflow_run_of(change: Change, result: bytes) -> dict[str, Any]:
    """The payload of the event that follows a fork's run, which left result.json as artifact."""
    fork = change.repository.world.repositories["fork-owner/skills"]
    run = change.repository.workflow_run(
        head_sha=change.head, head_branch="topic", head_repository=fork
    )
    run.artifact("plugin-eval-result", zipped({"result.json": result}))
    event = payload("workflow_run", base=change.base, head=change.head)
    event["workflow_run"] |= {
        "id": run.id,
        "head_branch": "topic",
        "head_repository": {"full_name": "fork-owner/skills", "owner": {"login": "fork-owner"}},
    }
    return event


def _outputs(path: Path) -> dict[str, str]:
    if path.is_dir():
        return {}
    found = re.findall(r"^(.+?)<<(.+)\n(.*)\n\2$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: value for name, _, value in found}
