"""`sarif-file`: every finding of a run, for code scanning."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from plugineval_action.action.run import RULESET, Run
from plugineval_action.errors import UsageError
from plugineval_action.render.score import to_sarif
from plugineval_action.render.view import ScoreRun
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import versioned


def write_sarif(
    run: Run, name: str, results: Iterable[Result], failures: tuple[Failure, ...]
) -> None:
    """Write the file below the workspace. Raises UsageError if that fails or leads out of it."""
    workspace = Path(run.settings.workspace)
    target = workspace / name
    if not target.parent.resolve().is_relative_to(workspace.resolve()) or target.is_symlink():
        message = f"sarif-file: {name} leads out of the workspace."
        raise UsageError(message, "Name a file in it that is not behind a symbolic link.")
    document = ScoreRun(
        results=tuple(results),
        failures=failures,
        depth_asked=run.depth,
        depth_run=run.depth,
        ruleset=versioned(RULESET),
        threshold=None,
        timestamp="",
        concurrency=1,
        verbose=False,
        output_format="sarif",
        duration_ms=None,
        notes=(),
    )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(to_sarif.render(document), encoding="utf-8")
    except OSError as error:
        message = f"sarif-file: {name} cannot be written ({error.strerror})."
        raise UsageError(message, "Name another file.") from error
