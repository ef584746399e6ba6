"""`build`: a command of the checks file succeeds in the workspace, after the run."""

from __future__ import annotations

import shlex
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from plugineval_action.evals.graders.base import Check, Grader, Scene, Seconds, Verdict
from plugineval_action.evals.processes import Task
from plugineval_action.inputs.mistakes import problem, quoted

NOT_RUN: Final = Verdict("unknown", "Commands of the checks file were not run here.")


def _split(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise problem(f"{quoted(command)} cannot be split: {error}.", "Close the quote.") from error
    if not words:
        raise problem("it is empty.", "Write a command, such as npm run build.")
    return command


OwnCommand = Annotated[str, Field(max_length=2_000), AfterValidator(_split)]
"""A command of ours: split into words, run without a shell."""


class Build(Check):
    """`command` ends with exit status 0 within `seconds`."""

    type: Literal["build"]
    command: OwnCommand
    seconds: Seconds = 300.0

    def grader(self) -> Grader:
        return _Build(self)


class _Build(Grader):
    def __init__(self, check: Build) -> None:
        self._task = Task(tuple(shlex.split(check.command)), check.seconds)
        self._command = check.command

    def verdict(self, scene: Scene) -> Verdict:
        if scene.execute is None:
            return NOT_RUN
        ended = scene.execute(self._task)
        if ended.problem:
            return Verdict("unknown", ended.problem)
        if ended.stopped:
            return Verdict("failed", f"{self._command} {ended.stopped}.")
        if ended.exit_code:
            last = ended.output.strip().rpartition("\n")[2]
            why = f"{self._command} ended with exit status {ended.exit_code}: {quoted(last)}."
            return Verdict("failed", why)
        return Verdict("passed", f"{self._command} succeeded.")
