"""Read the files of scanners."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from plugineval_action.content.tree import Tree
from plugineval_action.errors import UsageError
from plugineval_action.escape import shorten
from plugineval_action.review.trees import everything
from plugineval_action.scanners.findings import Report, Reports, reports
from plugineval_action.scanners.log import MAX_BYTES, Run, parse

_SHOWN = 120


def read_logs(files: Iterable[tuple[str, Path]]) -> tuple[Run, ...]:
    """The runs in files, each with the name that messages call it by. Raises UsageError."""
    return tuple(run for name, path in files for run in parse(_bytes(name, path), name))


def reports_of(
    runs: Sequence[Run],
    tree: Tree,
    roots: Sequence[str],
    wanted: Callable[[str], bool] = everything,
) -> tuple[list[Report], str]:
    """What was found in wanted files of a tree, by path, and a sentence on what was elsewhere.

    Elsewhere is what lies in no file of the tree: then the paths do not match.
    """
    read: Reports = reports(runs, tree, roots, wanted)
    found = sorted(read.found, key=lambda report: report.finding.path)
    if not read.elsewhere:
        return found, ""
    if read.elsewhere == 1:
        return found, "1 result of a scanner lies in no file of this tree; it is left out."
    many = f"{read.elsewhere:,} results of scanners lie"
    return found, f"{many} in no file of this tree; they are left out."


def _bytes(name: str, path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"{shorten(name, _SHOWN)} cannot be read ({error.strerror}).",
            "Name the SARIF file that the scanner has written; let it run first.",
        ) from error
