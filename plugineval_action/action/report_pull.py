"""Propose a report by a pull request: opened once, then brought up to date.

Its branch takes in the default branch whenever that has moved, so it can always be merged. The
history is that of both: lines wait in the branch until they are merged, and those that are merged
stay if the branch is deleted.
"""

from __future__ import annotations

from typing import Final

from plugineval_action.action.report_commit import (
    MakeReport,
    Place,
    changes_to,
    history_text,
    persevere,
    with_inventory,
    write,
)
from plugineval_action.errors import UsageError
from plugineval_action.gh.client import GitHub

_BODY: Final = """\
A new report on the plugins of this repository. Merge it to publish it; until then, later reports
are added here.

Checks do not start by themselves on what a workflow's token has pushed. If they are required, close
and reopen this pull request.
"""


def propose(github: GitHub, place: Place, make: MakeReport, message: str) -> str | None:
    """Commit to a branch what differs from the default branch; the pull request's address.

    None if nothing differs. Raises what `publish` raises.
    """
    branches = github.branches
    base = Place(branches.default(), place.folder)

    def attempt() -> bool:
        onto = branches.tip(base.branch) or ""
        tip = branches.tip(place.branch)
        past = history_text(github, base, onto)
        if tip is not None:
            past = _joined(past, history_text(github, place, tip))
        files = with_inventory(make(past))
        if not changes_to(github, onto, base, files):
            return False
        tip = _up_to_date(github, place, tip, onto)
        write(github, place, tip, changes_to(github, tip, place, files), message)
        return True

    if not persevere(attempt):
        return None
    return branches.propose(place.branch, message.strip().partition("\n")[0], _BODY)


def _joined(merged: str, waiting: str) -> str:
    """Both histories; of lines that are in both, one is left when they are read."""
    return f"{merged.rstrip()}\n{waiting}" if merged.strip() else waiting


def _up_to_date(github: GitHub, place: Place, tip: str | None, onto: str) -> str:
    """A tip of the branch that holds everything of the default branch."""
    if tip is None:
        github.branches.create(place.branch, onto)
        return onto
    common = github.merge_base(onto, tip)
    if common is None:
        raise UsageError(
            f"The branch {place.branch} has no commit in common with the default branch, so it"
            " cannot be proposed.",
            "Name another branch with report-branch: that one seems to hold the report of"
            " publish: branch.",
        )
    return tip if common == onto else github.branches.update(place.branch, tip, onto, place.folder)
