"""Files that people write for evals, as text: small, UTF-8, and no links."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from plugineval_action.errors import UsageError

MAX_BYTES: Final = 1 << 20
"""Largest file that is read, 1 MiB."""

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


def read_input(path: Path) -> str:
    """The text of a file, without its byte order mark. Raises UsageError with what to do."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        with open(handle, "rb") as file:
            plain = stat.S_ISREG(os.fstat(handle).st_mode)
            data = file.read(MAX_BYTES + 1) if plain else b""
    except OSError as error:
        link = error.errno == errno.ELOOP
        why = "it is a symbolic link" if link else error.strerror
        raise UsageError(f"{path} cannot be read ({why}).", "Name a plain file.") from error
    if not plain:
        raise UsageError(f"{path} is no plain file.", "Name a plain file.")
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path} is larger than 1 MiB.", "Split it.")
    if data.startswith(_UTF_16):
        raise UsageError(f"{path}:1: The file is UTF-16.", "Save it as UTF-8.")
    if b"\0" in data:
        line = 1 + data.count(b"\n", 0, data.index(b"\0"))
        raise UsageError(f"{path}:{line}: There is a zero byte here.", "Save the file as UTF-8.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        raise UsageError(
            f"{path}:{line}: This line is not UTF-8.", "Save the file as UTF-8."
        ) from error
