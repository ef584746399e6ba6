"""`workspace_clean`: the run left nothing but what was expected."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Annotated, Literal

from pydantic import Field

from plugineval_action.evals.graders.base import Check, Goal, Grader, Scene, Verdict
from plugineval_action.inputs.mistakes import quoted

Glob = Annotated[str, Field(min_length=1, max_length=200)]


class WorkspaceClean(Check):
    """`git status --porcelain` names nothing but what fits `expected`; `*` also stands for `/`."""

    type: Literal["workspace_clean"]
    goal: Goal = "style"
    expected: Annotated[tuple[Glob, ...], Field(max_length=100)] = ()

    def grader(self) -> Grader:
        return _WorkspaceClean(self.expected)


class _WorkspaceClean(Grader):
    def __init__(self, expected: tuple[str, ...]) -> None:
        self._expected = expected

    def verdict(self, scene: Scene) -> Verdict:
        if scene.changes is None:
            return Verdict("unknown", "Nobody has looked at what changed in the workspace.")
        left = [line[3:] for line in scene.changes if not self._is_expected(line[3:])]
        if not left:
            return Verdict("passed", "The workspace holds nothing unexpected.")
        shown = ", ".join(map(quoted, left[:3]))
        more = f" and {len(left) - 3:,} more" if len(left) > 3 else ""
        return Verdict("failed", f"Not expected: {shown}{more}.")

    def _is_expected(self, path: str) -> bool:
        return any(fnmatchcase(path, glob) for glob in self._expected)
