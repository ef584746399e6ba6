"""The globs of the `paths` input, and what they select.

`*` stands for any characters within one folder or file name, `?` for one of them, `**` for any
number of folders. Everything else stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Final

from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.tree import join

_ANY_FOLDERS: Final = "**"


def selector(globs: Sequence[str]) -> Callable[[str], bool]:
    """Whether a glob matches a path, a folder around it, or the SKILL.md in it.

    Without globs every path is selected. Paths are relative to the repository, "" is its root.
    """
    patterns = [_pattern(glob) for glob in globs]

    def selects(path: str) -> bool:
        names = join(path, SKILL_FILE).split("/")
        return not patterns or any(_matches(pattern, names) for pattern in patterns)

    return selects


def unmatched(globs: Sequence[str], files: Iterable[str]) -> list[str]:
    """The globs that match none of the files and no folder around one."""
    left = {glob: _pattern(glob) for glob in globs}
    for file in files if left else ():
        names = file.split("/")
        left = {glob: pattern for glob, pattern in left.items() if not _matches(pattern, names)}
        if not left:
            break
    return list(left)


def _pattern(glob: str) -> list[str]:
    return [part.replace("[", "[[]") for part in glob.split("/")]


def _matches(pattern: Sequence[str], names: Sequence[str]) -> bool:
    """Whether the pattern matches the whole path or a folder that it starts with."""
    reached = _with_empty_runs(pattern, {0})
    for name in names:
        if len(pattern) in reached:
            return True
        fitting = {at for at in reached if fnmatchcase(name, pattern[at])}
        reached = _with_empty_runs(
            pattern, {at if pattern[at] == _ANY_FOLDERS else at + 1 for at in fitting}
        )
    return len(pattern) in reached


def _with_empty_runs(pattern: Sequence[str], reached: set[int]) -> set[int]:
    """The same places, and those behind each `**` that stands for no folder at all."""
    for at, part in enumerate(pattern):
        if at in reached and part == _ANY_FOLDERS:
            reached.add(at + 1)
    return reached
