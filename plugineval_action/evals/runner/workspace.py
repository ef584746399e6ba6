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
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from plugineval_action.errors import GitError
from plugineval_action.evals.copying import MOST_BYTES, copy_files
from plugineval_action.evals.processes import environment
from plugineval_action.evals.scratch import remove, scratch_folder

SKILL_FOLDERS: Final = (".agents/skills", ".claude/skills")
"""Where Codex and Claude Code look for skills of a project."""

EVALS: Final = "evals"
MOST_CHANGES: Final = 10_000
_MOST_CHARACTERS: Final = 200_000
_MORE: Final = "?? (more than are told)"
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
    """What a workspace starts with: folders laid over each other, and the skill (or None).

    `secret` is a folder that is left out: who is examined does not get to see what is expected.
    """

    layers: tuple[Path, ...]
    skill: Path | None
    name: str
    secret: Path | None = None


class Workspace(NamedTuple):
    """A folder to work in, and the repository and commit that hold how it began."""

    folder: Path
    repository: Path
    commit: str = ""

    def changes(self) -> tuple[str, ...]:
        """What `git status --porcelain` says, without what .gitignore names. Raises GitError.

        Of very many the first, and one that stands for the others.
        """
        with scratch_folder() as scratch:
            fresh = self._replace(repository=scratch / "repository")
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
        first = tuple(_first(lines))
        return (*first, _MORE) if next(lines, None) else first

    def keep(self, target: Path) -> tuple[str, ...]:
        """Copy the files as they are now, without `.git`; gives back what was too much."""
        if self.folder.is_symlink() or not self.folder.is_dir():
            return ()
        return copy_files(self.folder, target, most_bytes=MOST_BYTES, without=self.folder / ".git")


@contextmanager
def workspace(contents: Contents) -> Iterator[Workspace]:
    """A workspace for one run; it is removed afterwards. Raises GitError or OSError."""
    with scratch_folder() as scratch:
        made = Workspace(scratch / "workspace", scratch / "repository")
        made.folder.mkdir()
        for layer in contents.layers:
            _copy_all(layer, made.folder, contents.secret)
        # A project's history and settings are not needed, and its hooks not wanted.
        remove(made.folder / ".git")
        if contents.skill:
            for folder in SKILL_FOLDERS:
                target = made.folder / folder / contents.name
                _copy_all(contents.skill, target, contents.skill / EVALS)
        _git(made, "init", "--quiet", "--template=")
        _git(made, "add", "--all", "--force")
        _git(made, "commit", "--quiet", "--no-verify", "--allow-empty", "--message", "Start")
        shutil.copytree(made.repository, made.folder / ".git")
        yield made._replace(commit=_git(made, "rev-parse", "HEAD").strip())


def _copy_all(source: Path, target: Path, without: Path | None) -> None:
    """Copy a folder of the user's, of which nothing may be missing. Raises OSError."""
    if left_out := copy_files(source, target, without=without):
        raise OSError(f"{source / left_out[0]} cannot be copied.")


def _first(lines: Iterator[str]) -> Iterator[str]:
    """As many lines as are kept."""
    characters = 0
    for line in islice(lines, MOST_CHANGES):
        yield line
        characters += len(line)
        if characters > _MOST_CHARACTERS:
            return


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
    return done.stdout.decode("utf-8", "replace")
