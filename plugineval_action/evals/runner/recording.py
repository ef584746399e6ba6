"""Make one run and record it: the trace, what was seen from outside, and the files it left."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event
from typing import IO, Final, NamedTuple

from plugineval_action.errors import GitError
from plugineval_action.evals.processes import Streams, started
from plugineval_action.evals.recordings import FILES, Seen
from plugineval_action.evals.runner.harness import Harness
from plugineval_action.evals.runner.plan import Planned
from plugineval_action.evals.runner.workspace import Contents, Workspace, workspace

MAX_TRACE: Final = 1 << 30
"""Bytes of a trace; a run that prints more is stopped."""

_BETWEEN: Final = 0.1
_SHOWN: Final = 500


class Caps(NamedTuple):
    """How long one run may take, and a flag by which all are told to stop."""

    seconds: float
    stop: Event


class _Ended(NamedTuple):
    exit_code: int | None
    seconds: float
    stopped: str
    errors: str


def record(run: Planned, harness: Harness, contents: Contents, folder: Path, caps: Caps) -> Seen:
    """Make a run in a workspace of its own. Never raises for what one run does or lacks."""
    trace = run.trace(folder)
    trace.parent.mkdir(parents=True, exist_ok=True)
    changes: tuple[str, ...] | None = None
    try:
        with workspace(contents) as place, trace.open("wb") as output:
            ended = _run(harness, run.case.prompt, place, output, caps)
            changes = place.changes()
            place.keep(trace.with_suffix(FILES))
    except (OSError, GitError) as error:
        trace.touch()
        ended = _Ended(None, 0.0, "", str(error))
    seen = Seen(
        harness=harness.name,
        version=harness.version,
        exit_code=ended.exit_code,
        seconds=round(ended.seconds, 3),
        stopped=ended.stopped,
        changes=changes,
        errors=ended.errors,
    )
    trace.with_suffix(".json").write_text(seen.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return seen


def _run(harness: Harness, prompt: str, place: Workspace, output: IO[bytes], caps: Caps) -> _Ended:
    words = harness.words(prompt, str(place.folder))
    began = time.monotonic()
    with TemporaryFile() as stdin, TemporaryFile() as errors:
        stdin.write(b"" if harness.prompt_is_argument else prompt.encode())
        stdin.seek(0)
        streams = Streams(output, stdin, errors)
        with started(words, place.folder, harness.variables, streams) as process:
            stopped = _watch(process, output, began, caps)
        errors.seek(max(0, errors.seek(0, 2) - _SHOWN))
        told = errors.read(_SHOWN).decode("utf-8", "replace").strip()
    return _Ended(process.returncode, time.monotonic() - began, stopped, told)


def _watch(process: subprocess.Popen[bytes], output: IO[bytes], began: float, caps: Caps) -> str:
    """Wait for the run to end; why it has to be ended, "" if it did so by itself."""
    while process.poll() is None:
        if time.monotonic() - began > caps.seconds:
            return f"It took over {caps.seconds:g} s."
        if output.seek(0, 2) > MAX_TRACE:
            return "Its trace is over 1 GiB."
        if caps.stop.is_set():
            return "It was interrupted."
        time.sleep(_BETWEEN)
    return ""
