"""Copying folders by strangers, who may have nested, filled and linked them at will."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 1 << 30
"""Bytes of what an agent left that are kept."""

_DEEPEST: Final = 100
_MOST_TOLD: Final = 1_000


def copy_files(
    source: Path, target: Path, *, most_bytes: int | None = None, without: Path | None = None
) -> tuple[str, ...]:
    """Copy what a folder holds into another one, which may be there already.

    Links stay links; pipes, sockets and devices are no files. `without` is not copied. Returns the
    paths, from the source, of what was too much or could not be read.
    """
    copying = _Copying(source, most_bytes, without)
    waiting = [(source, target)]
    while waiting:
        waiting += copying.folder(*waiting.pop())
    return tuple(copying.left_out)


class _Copying:
    """One copy: what may still be copied, and what was left out."""

    def __init__(self, source: Path, most_bytes: int | None, without: Path | None) -> None:
        self._source, self._bytes, self._without = source, most_bytes, without
        self.left_out: list[str] = []

    def folder(self, source: Path, target: Path) -> list[tuple[Path, Path]]:
        """Copy the files of a folder; gives back the folders in it and where they go."""
        below = []
        try:
            target.mkdir(parents=True, exist_ok=True)
            with os.scandir(source) as entries:
                for entry in entries:
                    path = Path(entry.path)
                    if path == self._without:
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        below.append((path, target / entry.name))
                    else:
                        self._file(path, target / entry.name)
        except OSError:
            self._leave_out(source)
        if below and len(source.relative_to(self._source).parts) >= _DEEPEST:
            self._leave_out(source)
            return []
        return below

    def _file(self, path: Path, target: Path) -> None:
        """A file or a link. To open anything else may take for ever."""
        try:
            told = path.lstat()
            if stat.S_ISREG(told.st_mode):
                if self._bytes is not None and told.st_size > self._bytes:
                    self._leave_out(path)
                    return
                self._bytes = None if self._bytes is None else self._bytes - told.st_size
            elif not stat.S_ISLNK(told.st_mode):
                return
            if target.is_symlink():
                target.unlink()
            shutil.copy2(path, target, follow_symlinks=False)
        except OSError:
            self._leave_out(path)

    def _leave_out(self, path: Path) -> None:
        if len(self.left_out) < _MOST_TOLD:
            inner = path.relative_to(self._source).as_posix()
            self.left_out.append(inner.encode("utf-8", "replace").decode())
