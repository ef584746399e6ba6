"""A fresh workspace for each run, under git, so that what a run changed can be told afterwards.

What is asked afterwards is a repository made anew, which takes nothing but objects from the first
one: whatever an agent writes into a `.git` that it can reach, such as a program to run, is never
obeyed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from plugineval_action.errors import GitError
from plugineval_action.evals.copying import copy_files
from plugineval_action.evals.processes import environment

SKILL_FOLDERS: Final = (".agents/skills", ".claude/skills")
"""Where Codex and Claude Code look for skills of a project."""

EVALS: Final = "evals"
MOST_CHANGES: Final = 10_000
_SECONDS: Final = 120.0
_SETTINGS: Final = (
    "-c", "user.name=plugin-eval", "-c", "user.email=plugin-eval@localhost",
    "-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false", "-c", "core.autocrlf=false",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0",
)  # fmt: skip
_ENVIRONMENT: Final = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
}


class Contents(NamedTuple):
    """What a workspace starts with: folders laid over each other, and the skill (or None)."""

    layers: tuple[Path, ...]
    skill: Path | None
    name: str


class Workspace(NamedTuple):
    """A folder to work in, and the repository and commit that hold how it began."""

    folder: Path
    repository: Path
    commit: str = ""

    def changes(self) -> tuple[str, ...]:
        """What `git status --porcelain` says, without what .gitignore names. Raises GitError."""
        with TemporaryDirectory(prefix="plugin-eval-") as scratch:
            fresh = self._replace(repository=Path(scratch, "repository"))
            _git(fresh, "init", "--quiet", "--template=")
            information = fresh.repository / "objects/info"
            information.mkdir(exist_ok=True)
            (information / "alternates").write_bytes(
                os.fsencode(self.repository / "objects") + b"\n"
            )
            _git(fresh, "update-ref", "HEAD", self.commit)
            _git(fresh, "read-tree", "HEAD")
            told = _git(
                fresh, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames",
                "--ignore-submodules=all",
            )  # fmt: skip
        lines = (" ".join(line.split("\n")) for line in told.split("\0") if line)
        return tuple(line for line, _ in zip(lines, range(MOST_CHANGES), strict=False))

    def keep(self, target: Path) -> None:
        """Copy the files as they are now, without `.git`."""
        shutil.rmtree(self.folder / ".git", ignore_errors=True)
        copy_files(self.folder, target)


@contextmanager
def workspace(contents: Contents) -> Iterator[Workspace]:
    """A workspace for one run; it is removed afterwards. Raises GitError or OSError."""
    with TemporaryDirectory(prefix="plugin-eval-", ignore_cleanup_errors=True) as scratch:
        made = Workspace(Path(scratch, "workspace"), Path(scratch, "repository"))
        made.folder.mkdir()
        for layer in contents.layers:
            copy_files(layer, made.folder)
        # A project's history and settings are not needed, and its hooks not wanted.
        shutil.rmtree(made.folder / ".git", ignore_errors=True)
        if contents.skill:
            for folder in SKILL_FOLDERS:
                target = made.folder / folder / contents.name
                copy_files(contents.skill, target)
                # Who is examined does not get to see what is expected.
                shutil.rmtree(target / EVALS, ignore_errors=True)
        _git(made, "init", "--quiet", "--template=")
        _git(made, "add", "--all", "--force")
        _git(made, "commit", "--quiet", "--no-verify", "--allow-empty", "--message", "Start")
        shutil.copytree(made.repository, made.folder / ".git")
        yield made._replace(commit=_git(made, "rev-parse", "HEAD").strip())


def _git(where: Workspace, *arguments: str) -> str:
    place = (f"--git-dir={where.repository}", f"--work-tree={where.folder}")
    try:
        done = subprocess.run(  # noqa: S603 - git, with settings of our own
            ["git", "--no-pager", *_SETTINGS, *place, *arguments],  # noqa: S607 - found on the PATH
            cwd=where.folder,
            env=environment(_ENVIRONMENT),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except OSError as error:
        message = f"git cannot be started ({error.strerror})."
        raise GitError(message, "Install git and put it on the PATH.") from error
    except subprocess.TimeoutExpired as error:
        message = f"git {arguments[0]} took over {_SECONDS:g} s in a workspace."
        raise GitError(message, "Give the cases a smaller one.") from error
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip()[-200:]
        raise GitError(f"git {arguments[0]} failed in a workspace: {told}.", "Try again.")
    return os.fsdecode(done.stdout)
