"""The files that a run leaves: result.json for later steps, and `sarif-file` for code scanning.

One that cannot be written is a problem to be told at the end, and costs no other result.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from plugineval_action.action import result_file
from plugineval_action.action.gate import Gate
from plugineval_action.action.run import Run
from plugineval_action.action.sarif_file import write_sarif
from plugineval_action.errors import UsageError
from plugineval_action.evals.compared import NO_EVALS, Evals
from plugineval_action.results import Failure, Result
from plugineval_action.review_values import Review


class Kept(NamedTuple):
    """Where later steps find result.json, "" if nowhere, and what could not be written."""

    path: str = ""
    problems: tuple[str, ...] = ()


def keep_result(run: Run, review: Review, gate: Gate, evals: Evals = NO_EVALS) -> Kept:
    """Write result.json."""
    try:
        path = result_file.write_result(run.temp, result_file.render(review, gate, evals))
    except UsageError as error:
        return Kept(problems=(str(error),))
    return Kept(run.settings.seen_later(path.relative_to(run.temp).as_posix()))


def keep_sarif(
    run: Run, kept: Kept, results: Iterable[Result], failures: tuple[Failure, ...]
) -> Kept:
    """Write the file that `sarif-file` asks for, if it does, besides what is kept already."""
    name = run.settings.sarif_file
    if not name:
        return kept
    try:
        write_sarif(Path(run.settings.workspace), name, run.scores(tuple(results), failures))
    except UsageError as error:
        return kept._replace(problems=(*kept.problems, str(error)))
    return kept
