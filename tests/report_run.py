"""A marketplace on the loopback GitHub, and runs of the action that report on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from action_run import REPOSITORY, Done, act
from event_files import payload
from github_server import GitHubServer, Repository

BRANCH = "plugin-eval-report"
GOOD = """\
---
name: {name}
description: Reads {name} of any kind and says what is in them. Use when a {name} is there.
---

# {name}

Takes a file as input and returns a list.

## Usage

1. Open the file.
2. Write down what is in it.
"""
POOR = "---\nname: {name}\ndescription: Reads {name}.\n---\n\nNEVER ask.\n"


def plugins(*names: str, poor: tuple[str, ...] = ()) -> dict[str, str]:
    """The files of a marketplace of plugins with a skill each."""
    listed = [{"name": name, "source": f"./plugins/{name}"} for name in names]
    files = {
        ".claude-plugin/marketplace.json": json.dumps(
            {"name": "skills", "owner": {"name": "octo-org"}, "plugins": listed}
        )
    }
    for name in names:
        text = (POOR if name in poor else GOOD).format(name=name)
        files[f"plugins/{name}/.claude-plugin/plugin.json"] = json.dumps({"name": name})
        files[f"plugins/{name}/skills/{name}/SKILL.md"] = text
    return files


def market(server: GitHubServer, *names: str, poor: tuple[str, ...] = ()) -> Repository:
    """A repository with such a marketplace on its default branch."""
    repository = server.repository(REPOSITORY)
    change(repository, plugins(*names, poor=poor))
    return repository


def change(repository: Repository, files: Mapping[str, Any], days: int = 7) -> str:
    """Replace the marketplace on the default branch, some days after what was done last."""
    repository.world.skip(days)
    before = repository.files("main") if "main" in repository.branches else {}
    kept = {path: text for path, text in before.items() if not _is_market(path)}
    return repository.commit({**kept, **files}, branch="main")


def _is_market(path: str) -> bool:
    return path.startswith(("plugins/", ".claude-plugin/"))


def report(
    server: GitHubServer,
    tmp_path: Path,
    *,
    event: str = "schedule",
    token: str = "",
    ref: str = "refs/heads/main",
    **inputs: str,
) -> Done:
    """Run the action in mode report at the tip of the default branch."""
    tip = server.repository(REPOSITORY).branches["main"]
    given = {"mode": "report"} | {name.replace("_", "-"): text for name, text in inputs.items()}
    return act(
        server,
        tmp_path,
        payload(event),
        name=event,
        token=token,
        inputs=given,
        sha=tip,
        ref=ref,
    )


def history(
    repository: Repository, revision: str = BRANCH, folder: str = ""
) -> list[tuple[str, str]]:
    """Commit (ten digits) and plugin of each line of the history, in order."""
    text = page(repository, f"{folder}history.jsonl", revision)
    lines = map(json.loads, text.splitlines())
    return [(line["commit"][:10], line["plugin"]) for line in lines]


def page(repository: Repository, path: str = "README.md", revision: str = BRANCH) -> str:
    """A file of the report as text."""
    data = repository.files(revision)[path]
    assert isinstance(data, bytes)
    return data.decode()
