"""The files that the input `evals` names: what an earlier step of the job wrote.

They lie in the workspace, where a checkout lies as well, so nothing about them is trusted: plain
files only, reached through folders and no links, of bounded size and number, and none that is part
of the commit, for that is not what this run found.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.globs import selector
from plugineval_action.content.members import SKIPPED_FOLDERS
from plugineval_action.content.tree import Tree, not_a_file
from plugineval_action.errors import ContentError, PluginEvalError
from plugineval_action.evals.baseline import harness_of
from plugineval_action.evals.compared import Told
from plugineval_action.evals.result_file import MAX_BYTES, read_results

INPUT: Final = "evals"
MOST_FILES: Final = 50
_WILD: Final = frozenset("*?")


class Given(NamedTuple):
    """What the files tell of each skill, and sentences on what could not be used."""

    told: tuple[Told, ...]
    problems: tuple[str, ...]


def given_results(workspace: Path, globs: Iterable[str], head: Tree) -> Given:
    """Read every file that a glob matches; `head` is the commit that is scored."""
    reading = _Reading(DirectoryTree(workspace), head)
    for glob in globs:
        reading.read(glob)
    return Given(tuple(reading.told), tuple(reading.problems))


class _Reading:
    """The files so far."""

    def __init__(self, workspace: DirectoryTree, head: Tree) -> None:
        self._workspace, self._head = workspace, head
        self._seen: set[str] = set()
        self._known: dict[tuple[str, str], str] = {}
        self.told: list[Told] = []
        self.problems: list[str] = []

    def read(self, glob: str) -> None:
        """Read what one glob matches. Whatever is wrong becomes a problem."""
        found = list(islice(_matching(self._workspace, glob), MOST_FILES + 1))
        if not found:
            self._problem(
                f"{glob} matches no file in the workspace, so its evals are not known."
                " Let an earlier step of the job write it, with --output json."
            )
        if len(found) > MOST_FILES:
            self._problem(f"{glob} matches over {MOST_FILES} files; the others are not read.")
        for path in found[:MOST_FILES]:
            if path not in self._seen:
                self._seen.add(path)
                self._take(path)

    def _take(self, path: str) -> None:
        try:
            if self._head.kind(path) is not None:
                raise ContentError(
                    path,
                    f"{path} is part of the commit, so it is not what this run found.",
                    "Write results to a path that is not checked in.",
                )
            results = read_results(path, _bytes(self._workspace, path))
        except PluginEvalError as error:
            self._problem(str(error))
            return
        for summary, evaluations in results:
            key = summary.skill, harness_of(summary)
            if key in self._known:
                other = self._known[key]
                self._problem(f"{path} has results of {' with '.join(key)}, as {other} has; the"
                              " first ones count. Write one file for each.")  # fmt: skip
                continue
            self._known[key] = path
            self.told.append(Told(summary, path, evaluations))

    def _problem(self, said: str) -> None:
        self.problems.append(f"{INPUT}: {said}")


def _matching(tree: DirectoryTree, glob: str) -> Iterator[str]:
    """A path itself, or the JSON files that a glob or folder stands for."""
    if not _WILD & set(glob) and tree.kind(glob) not in ("dir", None):
        yield glob
        return
    parts = glob.split("/")
    wild = next((at for at, part in enumerate(parts) if _WILD & set(part)), len(parts))
    selects = selector([glob])
    for path in tree.files("/".join(parts[:wild]), skip=SKIPPED_FOLDERS):
        if path.endswith(".json") and selects(path):
            yield path


def _bytes(tree: DirectoryTree, path: str) -> bytes:
    """Up to one byte more than is read. Raises ContentError unless it is a plain file."""
    if tree.kind(path) != "file":
        raise not_a_file(path, tree.kind(path))
    try:
        handle = os.open(tree.root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise not_a_file(path, "other")
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ContentError(
            path, f"{path} cannot be read ({error.strerror}).", "Give it read permission."
        ) from error
