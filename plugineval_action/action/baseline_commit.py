"""Let the baseline get shorter by itself, where the report is kept on the same branch.

Only what the branch holds now is dropped from, and nothing is ever added, so whoever writes it
meanwhile loses nothing.
"""

from __future__ import annotations

from typing import Final

from plugineval_action.action.report_commit import Place, persevere, write
from plugineval_action.errors import UsageError
from plugineval_action.gh.client import GitHub
from plugineval_action.policy.baseline import parse, ratcheted, render
from plugineval_action.policy.report import Legacy

MESSAGE: Final = "Drop findings from the baseline that are mended"

_MAX_BASELINE: Final = 16 << 20
_ROOT: Final = ""


def shorten(github: GitHub, branch: str, legacy: Legacy) -> bool:
    """Drop from the baseline of a branch what is found no more; whether anything was.

    Nothing is dropped if something could not be scored: its findings are only out of sight. Raises
    UsageError if the file is none there, and Conflict if others write faster than we do.
    """
    if not legacy.complete or not legacy.worked_off:
        return False

    def attempt() -> bool:
        tip = github.branches.tip(branch)
        data = github.branches.content(tip, legacy.path, _MAX_BASELINE) if tip else None
        if tip is None or data is None:
            return False
        try:
            there = parse(data.decode())
        except (ValueError, RecursionError) as error:
            why = f"{legacy.path} of {branch} is no baseline."
            raise UsageError(why, "Delete it and run plugin-eval baseline write.") from error
        left = ratcheted(there, legacy.left)
        if left == there:
            return False
        write(github, Place(branch, _ROOT), tip, {legacy.path: render(left).encode()}, MESSAGE)
        return True

    return persevere(attempt)
