"""How git is asked: read-only, from the local store, deaf to what a repository wants to have run.

Only plumbing that runs no hook, filter, textconv, pager or fetch is called, with an environment
of our own. Replacement refs are off, so that a commit id always stands for the same content.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from plugineval_action.content.repository import repository_root
from plugineval_action.errors import GitError

_PATIENCE = 120
_COMMITTED = re.compile(r"^committer .*? (\d{1,11}) [+-]\d{4}$", re.MULTILINE)

_SETTINGS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")

# No protocol at all is allowed: git releases that do not know GIT_NO_LAZY_FETCH yet would
# otherwise fetch missing objects of a partial clone with a command from its configuration.
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

# What says where git is and which directories it trusts (safe.directory).
_KEPT = ("HOME", "PATH", "XDG_CONFIG_HOME")
_KEPT_PREFIX = "GIT_CONFIG_"


def start(
    repository: Path, *arguments: str, stderr: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """Start git in a repository, with pipes to and from it. Raises GitError if there is no git."""
    command = ["git", "--no-pager", *_SETTINGS, "-C", str(repository), *arguments]
    try:
        return subprocess.Popen(  # noqa: S603 # no shell, and `resolve` lets no option through
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=_environment(repository),
        )
    except OSError as error:
        raise GitError(
            f"git cannot be started ({error.strerror}).",
            "Install git and put it on the PATH.",
        ) from error


def ask(repository: Path, *arguments: str) -> tuple[int, str, str]:
    """Exit status, stripped output and stripped errors of a git command with a short answer."""
    with start(repository, *arguments, stderr=subprocess.PIPE) as process:
        try:
            output, errors = process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired as error:
            process.kill()
            message = f"git did not answer about {repository} in {_PATIENCE} s."
            raise GitError(message, "Look for a pipe or a slow disk in place of .git.") from error
    return process.returncode, os.fsdecode(output).strip(), os.fsdecode(errors).strip()


def resolve(repository: Path, revision: str) -> str:
    """The id of the commit that a revision names. Raises GitError if the clone has none."""
    # What starts with ^ asks git to leave commits out; rev-parse would answer with an id in vain.
    if not revision or revision[0] in "-^" or not revision.isprintable():
        raise GitError(
            f"{revision!r} is no name of a revision.", "Give a branch, tag or commit id."
        )
    name = f"{revision}^{{commit}}"
    status, commit, errors = ask(repository, "rev-parse", "--verify", "--end-of-options", name)
    if status == 0 and len(commit) == 40:
        return commit
    if status == 0:
        raise GitError(
            f"{repository} names its objects by SHA-256.",
            "Only repositories with SHA-1 names can be read.",
        )
    raise _refusal(repository, errors) or _unknown(repository, revision, errors)


def merge_base(repository: Path, a: str, b: str) -> str | None:
    """The commit that two revisions have in common, None if their histories are unrelated.

    Raises GitError if one of them is unknown, or if a shallow clone is cut off before they meet.
    """
    commits = resolve(repository, a), resolve(repository, b)
    status, commit, errors = ask(repository, "merge-base", *commits)
    if status == 0:
        return commit
    if status != 1:
        raise GitError(f"git cannot read {repository}{_reason(errors)}.", "Check it: git fsck")
    if is_shallow(repository):
        raise GitError(
            f"{repository} is a shallow clone, cut off before {a} and {b} meet.",
            "Fetch the rest: git fetch --unshallow (actions/checkout: fetch-depth: 0).",
        )
    return None


def head_commit(directory: Path) -> tuple[str, str] | None:
    """The commit checked out in a directory, and its date in UTC (2026-01-31).

    None outside of a repository, without any commit, and where git cannot be asked.
    """
    if repository_root(directory) is None:
        return None
    try:
        # Not `git show`: that would run a program from the repository's settings on signed commits.
        status, commit, _ = ask(directory, "rev-parse", "--verify", "HEAD^{commit}")
        if status:
            return None
        status, content, _ = ask(directory, "cat-file", "commit", commit)
    except GitError:
        return None
    committed = _COMMITTED.search(content)
    if status or not committed:
        return None
    date = datetime.fromtimestamp(int(committed.group(1)), UTC).date()
    return commit, date.isoformat()


def is_shallow(repository: Path) -> bool:
    """Whether the clone has only the last part of the history."""
    return ask(repository, "rev-parse", "--is-shallow-repository")[1] == "true"


def _environment(repository: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or name.startswith(_KEPT_PREFIX)
    }
    # Without a ceiling git would take the repository of a directory above for the one asked for.
    return kept | _ENVIRONMENT | {"GIT_CEILING_DIRECTORIES": str(repository.resolve().parent)}


def _refusal(repository: Path, errors: str) -> GitError | None:
    """What git said about the repository itself, None if it is fine with it."""
    if "safe.directory" in errors:
        trusted = shlex.quote(str(repository.resolve()))
        return GitError(
            f"git refuses {repository}: another user owns it.",
            f"If you trust it: git config --global --add safe.directory {trusted}",
        )
    if "not a git repository" in errors or "cannot change to" in errors:
        return GitError(
            f"{repository} is not a git repository.",
            "Name the directory that holds .git.",
        )
    return None


def _unknown(repository: Path, revision: str, errors: str) -> GitError:
    message = f"{repository} has no commit {revision!r}{_reason(errors)}."
    if revision == "HEAD":
        return GitError(message, "Commit something first.")
    named = frozenset("~^@:").isdisjoint(revision)
    fetch = f"git fetch origin {shlex.quote(revision.removeprefix('origin/'))}" if named else ""
    if is_shallow(repository):
        commands = " or ".join(filter(None, ("git fetch --unshallow", fetch)))
        return GitError(
            f"{message} It is a shallow clone.",
            f"Fetch it: {commands} (actions/checkout: fetch-depth: 0).",
        )
    found = f", or fetch it: {fetch} (then it is FETCH_HEAD)" if fetch else ""
    return GitError(message, f"Check the name{found}.")


def _reason(errors: str) -> str:
    """What git gave as its reason, in brackets, where it says more than "there is none"."""
    last = errors.rpartition("\n")[2].removeprefix("fatal: ")
    silent = not last.isprintable() or not last or last == "Needed a single revision"
    return "" if silent else f" (git: {last})"
