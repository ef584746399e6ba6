"""Grade what was recorded: each run of a suite's cases, and the runs that no case asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from plugineval_action.evals.copying import copy_files
from plugineval_action.evals.graders.activation import Activation
from plugineval_action.evals.graders.build import Build
from plugineval_action.evals.graders.smoke import Smoke
from plugineval_action.evals.grading import Left, grade
from plugineval_action.evals.outcomes import Trial
from plugineval_action.evals.processes import execute
from plugineval_action.evals.recordings import Recording
from plugineval_action.evals.scratch import scratch_folder
from plugineval_action.evals.suite import Suite
from plugineval_action.evals.traces.events import Event, SkillUse
from plugineval_action.evals.traces.reading import read_trace
from plugineval_action.evals.traces.skills import bare_name


class Recorded(NamedTuple):
    """The graded runs, and the names of traces whose case is not in the suite."""

    trials: tuple[Trial, ...]
    strangers: tuple[str, ...]


def grade_recordings(suite: Suite, found: Iterable[Recording], *, run_commands: bool) -> Recorded:
    """Grade every recording. `run_commands`: whether commands of the checks file may run."""
    cases = {case.id: case for case in suite.cases}
    trials, strangers = [], []
    for one in found:
        if one.case not in cases:
            strangers.append(_name(one.trace))
            continue
        # Without the skill there is nothing to activate.
        checks = [
            check
            for check in suite.checks
            if one.arm == "with" or not isinstance(check, Activation)
        ]
        runs = run_commands and any(isinstance(check, Build | Smoke) for check in checks)
        with _left(one, run_commands=runs) as left:
            run = grade(cases[one.case], suite.skill, checks, _named(one.trace, suite), left)
        trials.append(Trial(run, one.arm, one.repeat, _name(one.trace)))
    return Recorded(tuple(trials), tuple(strangers))


def _named(trace: Path, suite: Suite) -> Iterator[Event]:
    """The events of a trace, in which the skill has one name, however an agent came to it."""
    for event in read_trace(trace):
        if isinstance(event, SkillUse) and bare_name(event.name) == suite.directory:
            yield event._replace(name=suite.skill)
        else:
            yield event


@contextmanager
def _left(one: Recording, *, run_commands: bool) -> Iterator[Left]:
    """What a run left. Commands run in a copy, so that the recording stays what it is."""
    seen = one.seen
    left = Left(one.files, seen.changes, None, seen.stopped, seen.errors, seen.left_out)
    if one.files is None or not run_commands:
        yield left
        return
    with scratch_folder() as scratch:
        copy = scratch / "workspace"
        copy_files(one.files, copy)
        yield left._replace(workspace=copy, execute=partial(execute, folder=copy))


def _name(trace: Path) -> str:
    """The trace as it is called in results: its arm and name, and no path of this machine."""
    arm = trace.parent.name
    return f"{arm}/{trace.name}" if arm in ("with", "without") else trace.name
