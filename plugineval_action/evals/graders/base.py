"""What every check has, and what a grader sees and says.

A grader sees the events of a run one after another and keeps only what its verdict needs, so that
a long trace takes no memory. Then it is asked for the verdict, with what is known at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StrictBool, model_validator

from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.tree import Tree, normalise
from plugineval_action.evals.cases import Case, Id, Kind
from plugineval_action.evals.processes import Ended, Task
from plugineval_action.evals.traces.events import End, Event, Started, Usage
from plugineval_action.inputs.mistakes import problem, quoted

Goal = Literal["outcome", "process", "style", "efficiency"]
Status = Literal["passed", "failed", "unknown", "skipped"]
"""`unknown`: it could not be told. `skipped`: there was nothing to tell."""


class Verdict(NamedTuple):
    """What a grader found, in one sentence, and the lines of the trace that show it."""

    status: Status
    why: str
    lines: tuple[int, ...] = ()


class Scene(NamedTuple):
    """A run at its end. What was not kept or not told is None.

    `workspace` holds the files that the run left, `left_out` names those that were too much to be
    kept, `changes` is what git said of them (`git status --porcelain`), `answer` is the last thing
    the agent said. `execute` runs a task in the workspace; it is None where commands of the checks
    file may not run.
    """

    case: Case
    started: Started | None
    end: End
    usage: Usage | None
    answer: str | None
    workspace: Path | None
    changes: tuple[str, ...] | None
    left_out: tuple[str, ...]
    execute: Callable[[Task], Ended] | None

    def was_left_out(self, path: str) -> bool:
        """Whether what lies at a path was too much to be kept."""
        return any(path == one or path.startswith(f"{one}/") for one in self.left_out)

    def tree(self) -> Tree | None:
        """The files as they are now: a build may have added some."""
        return DirectoryTree(self.workspace) if self.workspace else None


class Grader:
    """One check on one run. `sees` names the events it wants."""

    sees: ClassVar[tuple[type, ...]] = ()

    def see(self, event: Event) -> None:
        """Look at one event of a type in `sees`."""

    def verdict(self, scene: Scene, /) -> Verdict:
        """What was found, once the run has ended."""
        raise NotImplementedError


class Only(BaseModel):
    """The cases that a check is for; a case has to fit everything that is given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cases: tuple[Id, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _says_something(self) -> Only:
        if not (self.cases or self.kinds or self.tags):
            raise problem("it names nothing.", "Give cases, kinds or tags, or leave `only` out.")
        return self

    def fits(self, case: Case) -> bool:
        """Whether a case is one of these."""
        return (
            (not self.cases or case.id in self.cases)
            and (not self.kinds or case.kind in self.kinds)
            and (not self.tags or bool(set(self.tags).intersection(case.tags)))
        )


def meant(only: Only | None, case: Case) -> bool:
    """Whether something is for a case; without `only` it is for those that should trigger."""
    return only.fits(case) if only else case.should_trigger


class Check(BaseModel):
    """The settings of a check. Without `only` it is for every case that should trigger.

    YAML has numbers and truth values, so text in quotes is none of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    type: str
    must_pass: StrictBool = True
    goal: Goal = "outcome"
    only: Only | None = None

    def applies(self, case: Case) -> bool:
        """Whether the check is for a case."""
        return meant(self.only, case)

    def grader(self) -> Grader:
        """A grader for one run."""
        raise NotImplementedError


def inside(path: str) -> str:
    """A path in the workspace, as `out/report.md`; for validators."""
    inner = normalise(path)
    if not inner:
        raise problem(
            f"{quoted(path)} leads out of the workspace.",
            "Name a file in it, such as out/report.md.",
        )
    return inner


Seconds = Annotated[float, Field(gt=0, le=3600, strict=True)]
