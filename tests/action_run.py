"""Runs the whole action against the loopback GitHub, with the environment of a runner."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from event_files import HEAD, payload
from github_server import GitHubServer, PullRequest, Repository
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
) -> Done:
    """Run the action in this process; `event` is the payload of the event `name`."""
    place = tmp_path / "runner"
    for folder in ("temp", "workspace"):
        (place / folder).mkdir(parents=True, exist_ok=True)
    (place / "event.json").write_text(json.dumps(event), encoding="utf-8")
    for file in ("output", "summary"):
        (place / file).write_text("", encoding="utf-8")
    usual = {
        "GITHUB_API_URL": server.url,
        "GITHUB_GRAPHQL_URL": server.graphql_url,
        "GITHUB_SERVER_URL": server.html_url,
        "GITHUB_EVENT_PATH": str(place / "event.json"),
        "GITHUB_OUTPUT": str(place / "output"),
        "GITHUB_STEP_SUMMARY": str(place / "summary"),
        "GITHUB_SHA": sha,
        "GITHUB_WORKSPACE": str(place / "workspace"),
        "RUNNER_TEMP": str(place / "temp"),
    }
    given = {"github-token": token or server.write_token} | dict(inputs or {})
    log = StringIO()
    with redirect_stdout(log):
        code = main(environ(given, name, **usual, **(variables or {})))
    summary = (place / "summary").read_text(encoding="utf-8")
    return Done(code, log.getvalue(), _outputs(place / "output"), summary, place / "temp")


def review_of(change: Change, event: str = "pull_request") -> dict[str, Any]:
    """The payload of an event that asks for a review of a change."""
    return payload(event, base=change.base, head=change.head, number=change.pull.number)


def _outputs(path: Path) -> dict[str, str]:
    found = re.findall(r"^(.+?)<<(.+)\n(.*)\n\2$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: value for name, _, value in found}
