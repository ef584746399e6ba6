"""Real git repositories for tests, untouched by the settings of whoever runs them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
    "PATH": os.environ["PATH"],
}
_IDENTITY = ("-c", "user.name=Tester", "-c", "user.email=tester@example.com")


def git(directory: Path, *arguments: str, data: bytes = b"") -> str:
    """Run git in a directory and return what it prints, stripped; it has to succeed."""
    command = ["git", *_IDENTITY, "-c", "commit.gpgsign=false", *arguments]
    done = subprocess.run(
        command, cwd=directory, env=_ENVIRONMENT, input=data, capture_output=True, check=True
    )
    return os.fsdecode(done.stdout).strip()


class Repository:
    """A repository in a directory, new and empty; the branch is `main`."""

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main", *options)

    def git(self, *arguments: str, data: bytes = b"") -> str:
        return git(self.root, *arguments, data=data)

    def write(self, path: str, content: bytes | str = b"") -> None:
        """Put a file into the working tree."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, message: str = "change") -> str:
        """Commit the whole working tree; returns the commit's id."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", f"--message={message}")
        return self.git("rev-parse", "HEAD")

    def blob(self, content: bytes) -> str:
        """Store a blob; returns its id."""
        return self.git("hash-object", "-w", "--stdin", data=content)

    def tree(self, *entries: tuple[str, str, str, str]) -> str:
        """Store a tree of (mode, type, id, name), which need not be fit for a checkout."""
        lines = (f"{mode} {kind} {name_of}\t{name}\0" for mode, kind, name_of, name in entries)
        return self.git("mktree", "-z", "--missing", data=os.fsencode("".join(lines)))

    def commit_tree(self, tree: str) -> str:
        """Store a commit of a tree, on no branch; returns its id."""
        return self.git("commit-tree", "-m", "stored", tree)
