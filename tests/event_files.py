"""The payloads in `events/`, one for each kind of event, named by the event and what is special.

They have GitHub's shape and only the fields that matter. The repository is octo-org/skills, a fork
of it fork-owner/skills.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

EVENTS: Final = Path(__file__).parent / "events"

BASE: Final = "b" * 40
HEAD: Final = "c" * 40


def names() -> list[str]:
    """Every payload there is, such as `pull_request.fork`."""
    return sorted(path.stem for path in EVENTS.glob("*.json"))


def event_name(name: str) -> str:
    """`pull_request.fork` as `pull_request`."""
    return name.partition(".")[0]


def payload(name: str, *, base: str = BASE, head: str = HEAD, number: int = 7) -> dict[str, Any]:
    """A payload with its placeholders filled in."""
    text = (EVENTS / f"{name}.json").read_text(encoding="utf-8")
    filled = text.replace("BASE_SHA", base).replace("HEAD_SHA", head)
    read: dict[str, Any] = json.loads(filled.replace('"PULL_NUMBER"', str(number)))
    return read
