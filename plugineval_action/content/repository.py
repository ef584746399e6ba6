"""Where the repository around a path is, found without git: starting it would cost a cold start."""

from __future__ import annotations

import os
from pathlib import Path


def repository_root(path: Path) -> Path | None:
    """The nearest directory, from `path` upwards, that holds `.git`; git itself is not asked."""
    here = path.resolve()
    return next((root for root in (here, *here.parents) if os.path.lexists(root / ".git")), None)
