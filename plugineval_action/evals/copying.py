"""Copying folders by strangers: links stay links, pipes and devices are left out."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path


def copy_files(source: Path, target: Path) -> None:
    """Copy what a folder holds into another one, which may be there already."""
    shutil.copytree(source, target, symlinks=True, ignore=_special, dirs_exist_ok=True)


def _special(folder: str, names: list[str]) -> list[str]:
    """Names that are neither files, folders nor links: to open one may take for ever."""
    kinds = {name: os.lstat(os.path.join(folder, name)).st_mode for name in names}
    plain = (stat.S_ISREG, stat.S_ISDIR, stat.S_ISLNK)
    return [name for name, mode in kinds.items() if not any(fits(mode) for fits in plain)]
