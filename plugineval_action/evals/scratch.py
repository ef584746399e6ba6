"""Folders for a while, that are gone afterwards whatever was put into them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import mkdtemp


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder."""
    folder = Path(mkdtemp(prefix="plugin-eval-"))
    try:
        yield folder
    finally:
        remove(folder)


def remove(path: Path) -> None:
    """Remove what lies at a path, if anything does, and nothing that a link leads to."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    with suppress(RecursionError):
        shutil.rmtree(path, ignore_errors=True)
    if path.exists():
        with suppress(OSError):
            _flatten(path)
            path.rmdir()


def _flatten(top: Path) -> None:
    """Remove everything in a folder, one level after the other.

    What lies deeper is moved up first: no path becomes too long, and nothing recurses.
    """
    names = (f"plugin-eval-{number}" for number in count())
    while entries := list(os.scandir(top)):
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
                continue
            os.chmod(entry.path, 0o700)
            for inner in os.scandir(entry.path):
                os.rename(inner.path, _free(top, names))
            os.rmdir(entry.path)


def _free(top: Path, names: Iterator[str]) -> Path:
    return next(path for name in names if not os.path.lexists(path := top / name))
