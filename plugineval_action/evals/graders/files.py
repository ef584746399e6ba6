"""`file_exists`, `file_absent`, `file_matches`, `file_json`: files that the run left.

Paths stay inside the workspace, links are not followed, and files over 1 MiB are not read.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import AfterValidator, model_validator

from plugineval_action.errors import ContentError
from plugineval_action.evals.graders.base import Check, Goal, Grader, Scene, Verdict, inside
from plugineval_action.evals.graders.searching import Wanted, Words, checked_pattern, found_in
from plugineval_action.inputs.mistakes import problem

FilePath = Annotated[str, AfterValidator(inside)]
_NO_FILES = Verdict("unknown", "The files that the run left were not kept.")


class FileExists(Check):
    """A file, or a folder, is there."""

    type: Literal["file_exists"]
    path: FilePath

    def grader(self) -> Grader:
        return _FileState(self.path, wanted=True)


class FileAbsent(Check):
    """Nothing is there."""

    type: Literal["file_absent"]
    path: FilePath

    def grader(self) -> Grader:
        return _FileState(self.path, wanted=False)


class FileMatches(Check):
    """A text file holds a text (`contains`), or something that fits `pattern`."""

    type: Literal["file_matches"]
    goal: Goal = "style"
    path: FilePath
    contains: Words = None
    pattern: Annotated[str | None, AfterValidator(checked_pattern)] = None

    @model_validator(mode="after")
    def _one_of_both(self) -> FileMatches:
        if (self.contains is None) == (self.pattern is None):
            raise problem("it takes one of contains and pattern.", "Give exactly one of them.")
        return self

    def grader(self) -> Grader:
        return _FileMatches(self)


class FileJson(Check):
    """A file is valid JSON."""

    type: Literal["file_json"]
    path: FilePath

    def grader(self) -> Grader:
        return _FileJson(self.path)


class _FileState(Grader):
    def __init__(self, path: str, *, wanted: bool) -> None:
        self._path, self._wanted = path, wanted

    def verdict(self, scene: Scene) -> Verdict:
        tree = scene.tree()
        if tree is None:
            return _NO_FILES
        if scene.was_left_out(self._path):
            return _left_out(self._path)
        kind = tree.kind(self._path)
        there = kind is not None
        told = {None: "not there", "dir": "a folder", "symlink": "a symbolic link"}.get(
            kind, "there"
        )
        # A link may point at anything: it is neither the file nor nothing.
        passed = kind in ("file", "dir") if self._wanted else not there
        return Verdict("passed" if passed else "failed", f"{self._path} is {told}.")


class _FileMatches(Grader):
    def __init__(self, check: FileMatches) -> None:
        self._path, self._wanted = check.path, Wanted(check.contains, check.pattern)

    def verdict(self, scene: Scene) -> Verdict:
        read = _text(scene, self._path)
        return read if isinstance(read, Verdict) else found_in(read, self._path, self._wanted)


class _FileJson(Grader):
    def __init__(self, path: str) -> None:
        self._path = path

    def verdict(self, scene: Scene) -> Verdict:
        read = _text(scene, self._path)
        if isinstance(read, Verdict):
            return read
        try:
            json.loads(read)
        except json.JSONDecodeError as error:
            why = f"{self._path} is not valid JSON, line {error.lineno}: {error.msg}."
            return Verdict("failed", why)
        except (ValueError, RecursionError):
            return Verdict("failed", f"{self._path} is JSON that nobody can read.")
        return Verdict("passed", f"{self._path} is valid JSON.")


def _left_out(path: str) -> Verdict:
    return Verdict("unknown", f"{path} was too much to be kept, or could not be read.")


def _text(scene: Scene, path: str) -> str | Verdict:
    """The text of a file, or the verdict if there is none to read."""
    tree = scene.tree()
    if tree is None:
        return _NO_FILES
    if scene.was_left_out(path):
        return _left_out(path)
    if tree.kind(path) != "file":
        return Verdict("failed", f"{path} is no file.")
    try:
        return tree.read(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        return Verdict("failed", f"{path} is not UTF-8.")
    except ContentError as error:
        return Verdict("unknown", error.message)
