"""Make one run and record it: the trace, what was seen from outside, and the files it left."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, NamedTuple

from plugineval_action.errors import GitError
from plugineval_action.evals.processes import Streams, size_of, started, watch
from plugineval_action.evals.recordings import FILES, INTERRUPTED, Seen
from plugineval_action.evals.runner.harness import Harness
from plugineval_action.evals.runner.plan import Planned
from plugineval_action.evals.runner.workspace import Contents, Workspace, workspace

MAX_TRACE: Final = 1 << 30
"""Bytes of a trace; a run that prints more is stopped."""

_SHOWN: Final = 500


class Caps(NamedTuple):
    """How long one run may take, what it may print, and whether all have to stop."""

    seconds: float
    stop: Callable[[], bool]
    most_bytes: int = MAX_TRACE


def record(run: Planned, harness: Harness, contents: Contents, folder: Path, caps: Caps) -> Seen:
    """Make a run in a workspace of its own. Never raises for what one run does or lacks."""
    trace = run.trace(folder)
    trace.parent.mkdir(parents=True, exist_ok=True)
    seen = Seen(harness=harness.name, version=harness.version, seconds=0.0)
    try:
        with workspace(contents) as place:
            with trace.open("wb") as output:
                told = _run(harness, run.case.prompt, place, output, caps)
            seen = _looked(seen.model_copy(update=told), place, trace)
    except (OSError, GitError, ValueError) as error:
        trace.touch()
        seen = _with_error(seen, error)
    trace.with_suffix(".json").write_text(seen.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return seen


def _looked(seen: Seen, place: Workspace, trace: Path) -> Seen:
    """What a run left: what git says of it, and its files. What fails leaves the rest as it is."""
    try:
        seen = seen.model_copy(update={"changes": place.changes()})
    except (OSError, GitError) as error:
        seen = _with_error(seen, error)
    left_out = place.keep(trace.with_suffix(FILES))
    return seen.model_copy(update={"left_out": left_out})


def _with_error(seen: Seen, error: Exception) -> Seen:
    return seen.model_copy(update={"errors": f"{seen.errors}\n{error}".strip()})


def _run(
    harness: Harness, prompt: str, place: Workspace, output: IO[bytes], caps: Caps
) -> dict[str, object]:
    """Run the harness to its end or to a cap; gives back what was seen of it."""
    words = harness.words(prompt, str(place.folder))
    began = time.monotonic()
    with TemporaryFile() as stdin, TemporaryFile() as errors:
        stdin.write(b"" if harness.prompt_is_argument else prompt.encode())
        stdin.seek(0)
        streams = Streams(output, stdin, errors)
        with started(words, place.folder, harness.variables, streams) as process:
            stopped = watch(process, _limits(streams, began, caps))
        errors.seek(max(0, errors.seek(0, 2) - _SHOWN))
        told = errors.read(_SHOWN).decode("utf-8", "replace").strip()
    seconds = round(time.monotonic() - began, 3)
    return {
        "exit_code": process.returncode, "seconds": seconds, "stopped": stopped, "errors": told
    }  # fmt: skip


def _limits(streams: Streams, began: float, caps: Caps) -> Callable[[], str]:
    """Why a run has to be ended now, "" as long as it may go on."""

    def reason() -> str:
        if time.monotonic() - began > caps.seconds:
            return f"It took over {caps.seconds:g} s."
        if size_of(streams.output) > caps.most_bytes:
            return f"Its trace is over {caps.most_bytes >> 20:,} MiB."
        if not isinstance(streams.errors, int) and size_of(streams.errors) > caps.most_bytes:
            return f"It printed over {caps.most_bytes >> 20:,} MiB of errors."
        return INTERRUPTED if caps.stop() else ""

    return reason
