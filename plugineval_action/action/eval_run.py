"""The evals that a run tells: results of an earlier step against the baseline of the base."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from plugineval_action.action.eval_files import given_results
from plugineval_action.action.run import Run, tell
from plugineval_action.content.tree import Tree
from plugineval_action.evals.compared import NO_EVALS, Evals, compare

NOT_OURS: Final = (
    "Evals are not shown: they ran in the pull request's own run, and what that says of itself"
    " cannot be checked here."
)


def evals_of(run: Run, base: Tree, head: Tree) -> Evals:
    """What the input `evals` names, compared with the baseline at `base`; problems are told."""
    globs = run.settings.evals
    if run.plan.run is not None:
        # A job that posts for a fork: whatever lies in its workspace may be the fork's word.
        return Evals(notes=(NOT_OURS,)) if globs else NO_EVALS
    if not globs:
        return NO_EVALS
    given = given_results(Path(run.settings.workspace), globs, head)
    found = compare(given.told, base, head)
    evals = found._replace(problems=(*given.problems, *found.problems))
    tell("warning", evals.problems)
    return evals
