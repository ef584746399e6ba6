"""`sarif-file`: every finding of a run, for code scanning."""

from __future__ import annotations

from pathlib import Path

from plugineval_action.errors import UsageError
from plugineval_action.render.score import to_sarif
from plugineval_action.render.view import ScoreRun


def write_sarif(workspace: Path, name: str, run: ScoreRun) -> None:
    """Write the file below the workspace. Raises UsageError if that fails or leads out of it."""
    target = workspace / name
    try:
        parent = target.parent.resolve()
        if not parent.is_relative_to(workspace.resolve()) or target.is_symlink():
            raise UsageError(
                f"sarif-file: {name} leads out of the workspace.",
                "Name a file in it that is not behind a symbolic link.",
            )
        parent.mkdir(parents=True, exist_ok=True)
        with target.open("w", encoding="utf-8") as file:
            file.writelines(to_sarif.pieces(run))
    # Python 3.11 and 3.12 tell of a loop of links by a RuntimeError.
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or "its links lead in a circle"
        message = f"sarif-file: {name} cannot be written ({why})."
        raise UsageError(message, "Name another file.") from error
