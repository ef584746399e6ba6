"""Whether what lies in a directory is what its commit says.

git is asked for nothing but names: where it compares content, it may run a filter that the
repository's settings name. So the text that is scored is compared here, byte by byte; of other
files, such as pictures, it counts only that they are there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.git import ask
from plugineval_action.content.members import PLUGIN_FOLDER
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.errors import ContentError, GitError

_TEXT: Final = (".md", ".json")
_SCORED: Final = (f"**/{SKILL_FILE}", "**/agents/*.md", f"**/{PLUGIN_FOLDER}/*.json")
"""What would be scored though git does not know it."""

_LINK: Final = "120000"
_SUBMODULE: Final = "160000"
_NOT_CHECKED_OUT: Final = "S"


def differs_from_head(tree: DirectoryTree, directory: str, besides: str | None) -> bool:
    """Whether a directory of a repository holds changes that are not in the commit checked out.

    What lies below `besides`, a path in the tree, does not count. Where git cannot tell, it says
    that there are changes.
    """
    within = f":(top,literal){directory}" if directory else ":(top)"
    aside = [f":(top,exclude,literal){besides}"] if besides else []
    new = [f":(top,glob){_quoted(directory)}{pattern}" for pattern in _SCORED]
    try:
        return (
            _finds(tree, "diff-index", "--cached", "--name-only", "HEAD", "--", within, *aside)
            or any(_changed(tree, line) for line in _tracked(tree, within, *aside))
            or _finds(tree, "ls-files", "--others", "--exclude-standard", "--", *new, *aside)
        )
    except GitError:
        return True


def _tracked(tree: DirectoryTree, *places: str) -> Iterator[str]:
    """Lines of the index: `H 100644 <name of the bytes> 0<tab>path`."""
    yield from _asked(tree, "ls-files", "--stage", "-t", "--", *places).split("\0")


def _finds(tree: DirectoryTree, *arguments: str) -> bool:
    return bool(_asked(tree, *arguments))


def _asked(tree: DirectoryTree, *arguments: str) -> str:
    status, output, errors = ask(tree.root, arguments[0], "-z", *arguments[1:])
    if status:
        raise GitError(f"git {arguments[0]} failed ({errors}).", "Check it: git fsck")
    return output.strip("\0")


def _changed(tree: DirectoryTree, line: str) -> bool:
    entry, _, path = line.partition("\t")
    if not path:
        return False
    state, mode, name_of_bytes, stage = entry.split(" ")
    if state == _NOT_CHECKED_OUT or mode == _SUBMODULE:
        return False
    if stage != "0" or tree.kind(path) != ("symlink" if mode == _LINK else "file"):
        return True
    try:
        return path.endswith(_TEXT) and mode != _LINK and tree.blob_id(path) != name_of_bytes
    except ContentError:
        return True


def _quoted(directory: str) -> str:
    """A directory before a pattern, in which no character stands for others."""
    quoted = "".join(f"\\{each}" if each in "*?[\\" else each for each in directory)
    return f"{quoted}/" if quoted else ""
