"""How a step talks to its runner: commands on standard output, and files to append to.

Source: GitHub's page "Workflow commands for GitHub Actions". Any line that starts with `::name` is
obeyed, so foreign text is escaped here and goes out no other way.
"""

from __future__ import annotations

import re
import secrets
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from plugineval_action.escape import command_data, command_property
from plugineval_action.gh.client import Annotation, AnnotationLevel

PER_LEVEL: Final = 10
"""Annotations of each level that GitHub shows for a step."""

SUMMARY_LIMIT: Final = 900 * 1024
"""Bytes of a step's summary; GitHub refuses one of more than 1 MiB altogether."""

SHORTEST_SECRET: Final = 8
"""Masking something shorter would hide harmless text all over the log."""

_NAMES: Final[dict[AnnotationLevel, str]] = {
    "failure": "error",
    "warning": "warning",
    "notice": "notice",
}
_OUTPUT: Final = re.compile(r"[a-z][a-z0-9-]*")
_CUT: Final = "\n\n*The rest is left out: a summary may not be longer.*\n"


def annotation_command(found: Annotation) -> str:
    """The command that annotates lines of a file; an empty path or title is left out."""
    places = {
        "file": found.path,
        "line": str(found.start_line),
        "endLine": str(max(found.start_line, found.end_line)),
        "title": found.title,
    }
    if not found.path:
        places = {"title": found.title}
    given = ",".join(f"{name}={command_property(text)}" for name, text in places.items() if text)
    return f"::{_NAMES[found.level]}{' ' if given else ''}{given}::{_message(found.message)}"


def mask(secret: str) -> list[str]:
    """The commands that hide a secret in the log, its lines and its base64 forms too."""
    return [f"::add-mask::{_exact(form)}" for form in dict.fromkeys(_forms(secret))]


def verbatim(text: str) -> str:
    """Raw text for the log, such as a traceback, in which the runner obeys nothing."""
    token = secrets.token_hex(16)
    return f"::stop-commands::{token}\n{text}\n::{token}::\n"


def output_entry(name: str, value: str, delimiter: str) -> str:
    """An entry of the file of outputs. The delimiter must not occur in the value."""
    if not _OUTPUT.fullmatch(name) or delimiter in value:
        raise ValueError(f"{name!r} cannot be written as an output")
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def append_output(path: Path, name: str, value: str) -> None:
    """Set an output of the step; the delimiter cannot be guessed by whoever wrote the value."""
    _append(path, output_entry(name, value, f"end-{secrets.token_hex(16)}"))


def append_summary(path: Path, text: str) -> None:
    """Add to the step's summary, as much as there is room for."""
    taken = path.stat().st_size if path.exists() else 0
    _append(path, clipped(text, SUMMARY_LIMIT - taken))


def clipped(text: str, room: int) -> str:
    """Text in at most `room` UTF-8 bytes, cut at the end of a line, and it says so."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= room:
        return data.decode()
    left = room - len(_CUT.encode())
    if left < 0:
        return ""
    return data[: data.rfind(b"\n", 0, left) + 1].decode() + _CUT


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text)


def _message(text: str) -> str:
    """The lines of a message; the runner puts line breaks back in."""
    return "%0A".join(filter(None, map(command_data, text.split("\n"))))


def _forms(secret: str) -> Iterator[str]:
    lines = [line.strip() for line in secret.splitlines()]
    for text in (secret.strip(), *lines):
        if len(text) >= SHORTEST_SECRET:
            yield text
            # Without the padding: it then also matches inside of longer text.
            yield from (form(text.encode()).decode().rstrip("=") for form in _BASE64)


_BASE64: Final = (b64encode, urlsafe_b64encode)


def _exact(secret: str) -> str:
    """Escaped without any other change: the runner hides exactly this text."""
    return secret.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
