"""`sarif-in`: what scanners found earlier in the job, from files in the workspace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plugineval_action.action.run import Run, tell
from plugineval_action.content.tree import Tree
from plugineval_action.errors import UsageError
from plugineval_action.review_values import Review


def with_scanners(run: Run, review: Review, base: Tree, head: Tree) -> tuple[Run, Review]:
    """A review with the results of scanners; the run with what is to be told of those left out.

    Raises UsageError if a file is not there or is no SARIF: a gate would believe that all is well.
    """
    if not run.settings.sarif_in or run.plan.run:
        # What the run of a fork has left is anybody's text.
        return run, review
    from plugineval_action.scanners.attach import attach_to_review, in_review
    from plugineval_action.scanners.read import read_logs, reports_of

    runs = read_logs(_files(run))
    found, elsewhere = reports_of(runs, head, run.settings.roots, in_review(review))
    notes = (f"sarif-in: {elsewhere}",) if elsewhere else ()
    tell("notice", notes)
    plan = run.plan._replace(reasons=(*run.plan.reasons, *notes))
    return run._replace(plan=plan), attach_to_review(review, found, base, head)


def _files(run: Run) -> Iterator[tuple[str, Path]]:
    """Each file, by what messages call it; what a change put behind a link is not followed."""
    workspace = Path(run.settings.workspace)
    for name in run.settings.sarif_in:
        path = workspace / name
        if path.resolve() != workspace.resolve() / name:
            raise UsageError(
                f"sarif-in: {name} lies behind a symbolic link.",
                "Have the scanner write a plain file in the workspace, and name that.",
            )
        yield f"sarif-in: {name}", path
