"""A git repository for the demo and the benchmark, made with nothing but our own settings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_SETTINGS = (
    "-c", "user.name=Example maintainers", "-c", "user.email=maintainers@example.com",
    "-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false", "-c", "core.autocrlf=false",
)  # fmt: skip


def make(repository: Path) -> None:
    """Make an empty repository."""
    git(repository, "init", "--quiet")


def commit(repository: Path, message: str, day: str = "2026-01-05") -> str:
    """Commit everything on a day; returns the commit's full name."""
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--no-verify", "--message", message, day=day)
    return git(repository, "rev-parse", "HEAD").strip()


def git(repository: Path, *arguments: str, day: str = "2026-01-05") -> str:
    """Run git; returns what it prints."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_")
    } | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": f"{day}T09:00:00Z",
        "GIT_COMMITTER_DATE": f"{day}T09:00:00Z",
    }
    done = subprocess.run(
        ["git", *_SETTINGS, *arguments],
        cwd=repository,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    return done.stdout
