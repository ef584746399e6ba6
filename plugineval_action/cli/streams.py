"""Standard output and error: written as UTF-8 everywhere, and given up where they cannot be."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

from plugineval_action.escape import printable


def open_streams() -> None:
    """Make stdout and stderr write UTF-8 whatever the locale; a closed one swallows its text."""
    sys.stdout = _opened(sys.stdout)
    sys.stderr = _opened(sys.stderr)


def drop_output() -> None:
    """Let go of what stdout still holds, or the interpreter would fail over it at its end."""
    # A stream that stands in for stdout has no file descriptor, and nothing to let go of.
    with suppress(OSError):
        output = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, output)
        os.close(nowhere)


def _opened(stream: TextIO | None) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream


def inert(text: str) -> str:
    """Text for a log in which names by strangers occur: no escape, and nothing a runner obeys."""
    return "\n".join(map(_inert_line, text.split("\n")))


def _inert_line(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip(" "))]
    shown = printable(line).strip()
    # The runner obeys a line that starts with ::, and ##[ wherever it stands.
    return indent + re.sub("^::", ": :", shown).replace("##[", "# #[")
