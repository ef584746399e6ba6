"""What became of something that was to be published. None of these fails a run."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Published(NamedTuple):
    """It is on GitHub now, at this address; `missing` says in a sentence what is not."""

    url: str
    missing: str = ""


class Unchanged(NamedTuple):
    """GitHub already had exactly this, at this address."""

    url: str


class Skipped(NamedTuple):
    """It was not wanted, or could not be done; `reason` is a sentence."""

    reason: str


class Denied(NamedTuple):
    """The token may not do it; `permission` is what the workflow has to grant."""

    permission: str


Outcome: TypeAlias = Published | Unchanged | Skipped | Denied
