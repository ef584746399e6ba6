"""Programs that evals start: the user's harness, and what a checks file itself declares.

Never a shell, never anything from a trace. Whatever they start ends with them, and their
environment holds no secrets that they do not need.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, NamedTuple

from plugineval_action.evals.leftovers import end_marked, new_mark
from plugineval_action.evals.loopback import Answer, ask

OUTPUT: Final = 20_000
"""Bytes at the end of an output that are kept."""

_PASSED: Final = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|XDG_\w+"
    r"|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|(?:https?|no|all)_proxy",
    re.IGNORECASE,
)
MOST_OUTPUT: Final = 1 << 28
"""Bytes that a program may print before it is ended."""

_GRACE: Final = 5.0
_BETWEEN: Final = 0.1


class Task(NamedTuple):
    """A program with its arguments, and how long it may take; with `url`, a server that answers."""

    words: tuple[str, ...]
    seconds: float
    url: str | None = None


class Streams(NamedTuple):
    """Where a program writes, and what it reads: nothing unless told otherwise."""

    output: IO[bytes]
    stdin: IO[bytes] | int = subprocess.DEVNULL
    errors: IO[bytes] | int = subprocess.STDOUT


class Ended(NamedTuple):
    """What became of a task. `problem`: it could not be tried; then nothing else is known.

    `stopped` says why it was ended, "" if it ended by itself.
    """

    exit_code: int | None = None
    output: str = ""
    stopped: str = ""
    answer: Answer | None = None
    problem: str = ""


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """What a program is given: where things are, and nothing that could be a secret."""
    plain = {name: value for name, value in os.environ.items() if _PASSED.fullmatch(name)}
    return {**plain, **extra}


def execute(task: Task, folder: Path) -> Ended:
    """Run a task in a folder, to its end or its limit."""
    if task.url and ask(task.url, _BETWEEN * 10):
        return Ended(problem=f"Something answers at {task.url} before the server is started.")
    with TemporaryFile() as output:
        try:
            with started(task.words, folder, environment({}), Streams(output)) as process:
                ended = _serve(task, process, output) if task.url else _wait(task, process, output)
        except OSError as error:
            return Ended(problem=f"{task.words[0]} cannot be started ({error.strerror}).")
        return ended._replace(output=_tail(output))


@contextmanager
def started(
    words: tuple[str, ...], folder: Path, env: Mapping[str, str], streams: Streams
) -> Iterator[subprocess.Popen[bytes]]:
    """A program in a group of its own; it and all that it started has ended when the block has."""
    mark = new_mark()
    process = subprocess.Popen(  # noqa: S603 - no shell; whose words these are is said above
        words,
        cwd=folder,
        env={**env, **mark},
        stdin=streams.stdin,
        stdout=streams.output,
        stderr=streams.errors,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        _end(process)
        end_marked(mark)


def watch(process: subprocess.Popen[bytes], reason: Callable[[], str]) -> str:
    """Wait for a program to end, or for a reason to end it, which is asked for all the time."""
    while process.poll() is None:
        if why := reason():
            return why
        with suppress(subprocess.TimeoutExpired):
            process.wait(_BETWEEN)
    return ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask the group to end, and make it end."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
            # The leader has gone; what it left behind in its group has no reason to stay.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            return


def size_of(output: IO[bytes]) -> int:
    """Bytes that a program has written so far; where the file is read or written next stays."""
    return os.fstat(output.fileno()).st_size


def limits(seconds: float, *outputs: IO[bytes]) -> Callable[[], str]:
    """Why a program has to be ended now, "" as long as it may go on."""
    deadline = time.monotonic() + seconds

    def reason() -> str:
        if time.monotonic() > deadline:
            return f"took over {seconds:g} s"
        much = any(size_of(output) > MOST_OUTPUT for output in outputs)
        return f"printed over {MOST_OUTPUT >> 20} MiB" if much else ""

    return reason


def _wait(task: Task, process: subprocess.Popen[bytes], output: IO[bytes]) -> Ended:
    stopped = watch(process, limits(task.seconds, output))
    return Ended(stopped=stopped) if stopped else Ended(process.returncode)


def _serve(task: Task, process: subprocess.Popen[bytes], output: IO[bytes]) -> Ended:
    """Ask until there is an answer, the time is over, or the server has ended."""
    assert task.url
    reason = limits(task.seconds, output)
    while not (why := reason()):
        if answer := ask(task.url, min(task.seconds, _GRACE)):
            return Ended(answer=answer)
        if process.poll() is not None and not _is_alive(process):
            return Ended(process.returncode)
        time.sleep(_BETWEEN)
    return Ended(stopped=why)


def _is_alive(process: subprocess.Popen[bytes]) -> bool:
    """Whether something is left in the group: a server may go on in the background."""
    try:
        os.killpg(process.pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _tail(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - OUTPUT))
    return output.read(OUTPUT).decode("utf-8", "replace")
