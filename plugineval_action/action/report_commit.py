"""Bring a report onto a branch: only what changed, only files of our own, and no run lost.

The history is read from the very commit that is written on. If somebody else writes meanwhile,
GitHub refuses, and everything starts anew from the new tip: nothing is merged, nothing overwritten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import HistoryError, UsageError
from plugineval_action.escape import shorten
from plugineval_action.gh.blobs import blob_id
from plugineval_action.gh.client import GitHub, NewCommit
from plugineval_action.gh.errors import Conflict, GitHubError
from plugineval_action.render.report.pages import REPORT_MARKER
from plugineval_action.report.history import HISTORY_FILE
from plugineval_action.report.inventory import INVENTORY, difference, inventory, listed

FRONT: Final = "README.md"
TRIES: Final = 5
"""How often a report is made anew because somebody else wrote to the branch."""

MAX_HISTORY: Final = 64 << 20
"""Bytes of a history that is read: about 150,000 lines, or 52 weeks of 2,900 plugins."""

BATCH_BYTES: Final = 2 << 20
BATCH_FILES: Final = 500
"""Most bytes and files of one commit; a larger report takes several."""

_MAX_INVENTORY: Final = 32 << 20
_PATHS_SHOWN: Final = 3
_STUB: Final = f"{REPORT_MARKER}\n# Plugin Eval\n\nThe first report is on its way.\n"

Files = Mapping[str, bytes]
MakeReport = Callable[[str], Mapping[str, str]]
"""From the text of the history so far to the files of the report, history included."""


class Place(NamedTuple):
    """A branch, and the folder of the report in it, "" for the root."""

    branch: str
    folder: str


def publish(github: GitHub, place: Place, make: MakeReport, message: str) -> bool:
    """Commit what changed to a branch; whether anything did.

    A branch that is not there is made, without a past. Raises Conflict if others write faster than
    we do, UsageError if a foreign file is in the way, and what `make` raises.
    """

    def attempt() -> bool:
        tip = github.branches.tip(place.branch)
        if tip is None:
            stub = {FRONT: _STUB, INVENTORY: inventory([FRONT])}
            first = {join(place.folder, name): text for name, text in stub.items()}
            tip = github.branches.create_orphan(place.branch, first, message)
        files = with_inventory(make(history_text(github, place, tip)))
        changes = changes_to(github, tip, place, files)
        write(github, place, tip, changes, message)
        return bool(changes)

    return persevere(attempt)


def persevere(attempt: Callable[[], bool]) -> bool:
    """Try again from the start while somebody else is faster, a few times."""
    for _ in range(TRIES - 1):
        try:
            return attempt()
        except Conflict:
            continue
    return attempt()


def history_text(github: GitHub, place: Place, commit: str) -> str:
    """The history at a commit, "" if there is none.

    Raises HistoryError if it is no text, which is not the same, and GitHubError.
    """
    path = join(place.folder, HISTORY_FILE)
    data = github.branches.content(commit, path, MAX_HISTORY)
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        raise HistoryError(
            f"{path} of {place.branch} is not valid UTF-8 (byte {error.start + 1:,}).",
            "Take the file back from the commit before; nothing was written.",
        ) from None


def with_inventory(texts: Mapping[str, str]) -> Files:
    """The files of a report as bytes, and the list of them."""
    every = {**texts, INVENTORY: inventory(texts)}
    return {path: text.encode() for path, text in every.items()}


def changes_to(github: GitHub, commit: str, place: Place, files: Files) -> dict[str, bytes | None]:
    """What to write (None: to delete) so that a folder holds these files, in the order to do it in.

    Raises UsageError if a file that no report has written is in the way.
    """
    tree = github.tree(commit)
    owned = _owned(github, commit, place, files)
    there = {path: tree.blob_id(join(place.folder, path)) for path in _paths(tree, place.folder)}
    found = difference(there, {path: blob_id(data) for path, data in files.items()}, owned)
    # A symbolic link or a folder is nobody's file, and would be replaced all the same.
    odd = [path for path in files if tree.kind(join(place.folder, path)) not in (None, "file")]
    if foreign := [*found.foreign, *odd]:
        shown = ", ".join(shorten(path, 80) for path in foreign[:_PATHS_SHOWN])
        raise UsageError(
            f"{place.folder or 'The root'} of {place.branch} holds files that no report has"
            f" written, and that it would replace: {shown}.",
            "Name another folder with report-path, or move these files.",
        )
    ordered = sorted(found.written, key=_order)
    written: dict[str, bytes | None] = {join(place.folder, path): files[path] for path in ordered}
    return written | {join(place.folder, path): None for path in found.stale}


def _order(path: str) -> tuple[int, str]:
    """The history first, so that a run that is cut off is recorded; the front page last."""
    return {HISTORY_FILE: -1, FRONT: 1}.get(path, 0), path


def _paths(tree: Tree, folder: str) -> Iterator[str]:
    skipped = f"{folder}/" if folder else ""
    return (path.removeprefix(skipped) for path in tree.files(folder))


def _owned(github: GitHub, commit: str, place: Place, files: Files) -> frozenset[str]:
    """What a report has written there: nothing, unless the first line of the front page is ours.

    A history without a front page is what a first run leaves that was cut off.
    """

    def text(name: str) -> str:
        data = github.branches.content(commit, join(place.folder, name), _MAX_INVENTORY)
        return (data or b"").decode("utf-8", "replace")

    front = text(FRONT)
    cut_off = not front and github.tree(commit).is_file(join(place.folder, HISTORY_FILE))
    if not cut_off and not front.startswith(REPORT_MARKER):
        return frozenset()
    return listed(text(INVENTORY)) | files.keys()


def write(
    github: GitHub, place: Place, tip: str, changes: Mapping[str, bytes | None], message: str
) -> str:
    """Commit changes on a tip, in as many commits as they take; the last one. Raises Conflict."""
    for batch in _batches(list(changes.items())):
        tip = _commit(github, place, NewCommit(tip, batch, message))
    return tip


def _commit(github: GitHub, place: Place, commit: NewCommit) -> str:
    """A commit, or two halves of it if GitHub finds it too large."""
    try:
        return github.branches.commit(place.branch, commit)
    except GitHubError as error:
        if error.status != 413 or len(commit.files) == 1:
            raise
    every = list(commit.files.items())
    middle = len(every) // 2
    tip = _commit(github, place, commit._replace(files=dict(every[:middle])))
    return _commit(github, place, commit._replace(parent=tip, files=dict(every[middle:])))


def _batches(
    changes: Sequence[tuple[str, bytes | None]],
) -> Iterator[dict[str, bytes | None]]:
    batch: dict[str, bytes | None] = {}
    size = 0
    for path, data in changes:
        length = len(data or b"")
        if batch and (len(batch) == BATCH_FILES or size + length > BATCH_BYTES):
            yield batch
            batch, size = {}, 0
        batch[path] = data
        size += length
    if batch:
        yield batch
