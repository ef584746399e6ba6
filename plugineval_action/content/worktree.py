"""Whether what lies in a directory is what its commit says.

git compares only what its index remembers of each file, for comparing content could run a filter
that the repository's settings name; what differs there is compared here, byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.content.git import ask
from plugineval_action.content.members import PLUGIN_FOLDER
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.tree import DirectoryTree
from plugineval_action.errors import ContentError, GitError

_SCORED: Final = (f"**/{SKILL_FILE}", "**/agents/*.md", f"**/{PLUGIN_FOLDER}/*.json")
"""What would be scored though git does not know it."""


def differs_from_head(tree: DirectoryTree, directory: str, besides: str | None) -> bool:
    """Whether a directory of a repository holds changes that are not in the commit checked out.

    What lies below `besides`, a path in the tree, does not count. Where git cannot tell, it says
    that there are changes.
    """
    within = f":(top,literal){directory}" if directory else ":(top)"
    places = [within, *([f":(top,exclude,literal){besides}"] if besides else [])]
    try:
        return (
            bool(_asked(tree, "diff-index", "--cached", "--name-only", "HEAD", "--", *places))
            or any(_changed(tree, line) for line in _asked(tree, "diff-files", "--", *places))
            or bool(_asked(tree, "ls-files", "--others", "--exclude-standard", "--", *_new(places)))
        )
    except GitError:
        return True


def _new(places: list[str]) -> Iterator[str]:
    """Where to look for files that would be scored."""
    directory = places[0].partition("literal)")[2]
    prefix = f"{directory}/" if directory else ""
    yield from (f":(top,glob){_quoted(prefix)}{pattern}" for pattern in _SCORED)
    yield from places[1:]


def _quoted(path: str) -> str:
    """A path in which no character stands for others."""
    return "".join(f"\\{character}" if character in "*?[\\" else character for character in path)


def _asked(tree: DirectoryTree, *arguments: str) -> list[str]:
    status, output, errors = ask(tree.root, arguments[0], "-z", *arguments[1:])
    if status:
        raise GitError(f"git {arguments[0]} failed ({errors}).", "Check it: git fsck")
    fields = output.strip("\0").split("\0") if output else []
    if arguments[0] != "diff-files":
        return fields
    return [f"{entry}\t{path}" for entry, path in zip(fields[::2], fields[1::2], strict=True)]


def _changed(tree: DirectoryTree, line: str) -> bool:
    """A line of raw diff: `:100644 100644 <name in the index> <zeros> M<tab>path`."""
    entry, _, path = line.partition("\t")
    try:
        return tree.blob_id(path) != entry.split(" ")[2]
    except ContentError:
        return True
