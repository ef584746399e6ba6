"""Processes that left the group of the program that started them, as daemons do.

They are known by a variable that they inherited, where the system shows it (Linux). Both harnesses
run commands in sessions of their own, so that ending their group does not end those.
"""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_NAME: Final = "PLUGIN_EVAL_PROCESS"
_PROCESSES: Final = Path("/proc")
_ROUNDS: Final = 20
_BETWEEN: Final = 0.02


def new_mark() -> dict[str, str]:
    """A variable for the environment of a program, unlike that of any other."""
    return {_NAME: secrets.token_hex(16)}


def end_marked(mark: dict[str, str]) -> None:
    """Kill every process with this variable; again, as long as there are new ones."""
    wanted = f"{_NAME}={mark[_NAME]}".encode()
    for _ in range(_ROUNDS):
        found = list(_with(wanted))
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if not found:
            return
        time.sleep(_BETWEEN)


def _with(variable: bytes) -> Iterator[int]:
    if not _PROCESSES.is_dir():
        return
    for folder in _PROCESSES.iterdir():
        if folder.name.isdecimal():
            # One that ends meanwhile, or is another user's.
            with suppress(OSError):
                if variable in (folder / "environ").read_bytes().split(b"\0"):
                    yield int(folder.name)
