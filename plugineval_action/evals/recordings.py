"""Runs that were recorded: traces in a folder, with what was kept beside each.

    with/<case>.<repeat>.jsonl    the trace, as the harness printed it
    with/<case>.<repeat>.json     what the runner saw: version, exit status, changes (optional)
    with/<case>.<repeat>.files/   the workspace afterwards (optional)
    without/…                     the same prompts without the skill

Traces recorded elsewhere may lie in the folder itself, as `<case>.jsonl`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plugineval_action.errors import UsageError
from plugineval_action.inputs.text_file import read_input

Arm = Literal["with", "without"]
ARMS: Final[tuple[Arm, ...]] = ("with", "without")
FILES: Final = ".files"
INTERRUPTED: Final = "It was interrupted."

_NAME: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]{0,63})(?:\.(\d{1,4}))?\.jsonl")
_MOST: Final = 100_000
_NAMED: Final = 5
_BELOW: Final = ("*", "*/*", "*/*/*")
"""Where traces are looked for to name them: `<skill>/<time>/with`, as `eval run` records them."""


class Seen(BaseModel):
    """What the runner saw of a run, beside the trace.

    `errors` is the end of standard error, `left_out` names files that could not be kept.
    """

    model_config = ConfigDict(frozen=True)

    harness: str = ""
    version: str = ""
    exit_code: int | None = None
    seconds: float | None = None
    stopped: str = ""
    errors: str = ""
    changes: tuple[str, ...] | None = Field(default=None, max_length=10_001)
    left_out: tuple[str, ...] = ()


class Recording(NamedTuple):
    """A recorded run. `files` is the workspace afterwards, None if it was not kept."""

    case: str
    arm: Arm
    repeat: int
    trace: Path
    files: Path | None
    seen: Seen


def recordings(folder: Path) -> Iterator[Recording]:
    """Every recorded run of a folder, in order. Raises UsageError if there is none."""
    if not folder.is_dir():
        what = (
            f"{folder} is no folder." if folder.exists() else f"There is no folder {str(folder)!r}."
        )
        raise UsageError(what, "Name the folder of the traces.")
    found = [
        one
        for arm, place in (("with", folder), *((arm, folder / arm) for arm in ARMS))
        for one in _in(place, arm)
    ]
    if not found:
        raise _no_traces(folder)
    met: dict[tuple[str, Arm, int], Path] = {}
    for one in found:
        key = (one.case, one.arm, one.repeat)
        if key in met:
            message = f"{one.trace} and {met[key]} are the same run of the same case."
            raise UsageError(message, "Number the repeats: <case>.1.jsonl, <case>.2.jsonl.")
        met[key] = one.trace
    yield from found


def _no_traces(folder: Path) -> UsageError:
    """The error for a folder without traces; names those in it that hold some, the last first."""
    below = sorted({path.parent for depth in _BELOW for path in folder.glob(f"{depth}/*.jsonl")})
    runs = {at.parent if at.name in ARMS else at for at in below}
    if not runs:
        remedy = "Put them there as <case>.jsonl or <case>.<repeat>.jsonl."
        return UsageError(f"{folder} holds no traces.", remedy)
    last = sorted(runs, reverse=True)[:_NAMED]
    names = ", ".join(str(at.relative_to(folder)) for at in last)
    more = f" and {len(runs) - len(last):,} more" if len(runs) > len(last) else ""
    return UsageError(
        f"{folder} holds no traces itself, but its folders {names}{more} do."
        if len(runs) > 1
        else f"{folder} holds no traces itself, but its folder {names} does.",
        f"Grade one run at a time: --traces {shlex.quote(str(last[0]))}",
    )


def stem(case: str, repeat: int) -> str:
    """The name of a run's files, without what follows the last dot."""
    return f"{case}.{repeat}"


def _in(folder: Path, arm: str) -> Iterator[Recording]:
    paths = sorted(folder.glob("*.jsonl")) if folder.is_dir() and not folder.is_symlink() else []
    for path in paths[:_MOST]:
        match = _NAME.fullmatch(path.name)
        if match and path.is_file() and not path.is_symlink():
            files = path.with_suffix(FILES)
            kept = files if files.is_dir() and not files.is_symlink() else None
            repeat = int(match[2] or 1)
            seen = _seen(path.with_suffix(".json"))
            yield Recording(
                match[1], "without" if arm == "without" else "with", repeat, path, kept, seen
            )


def _seen(path: Path) -> Seen:
    if not path.is_file():
        return Seen()
    try:
        return Seen.model_validate_json(read_input(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(
            f"{path}: {where}: {first['msg']}.", "Let the runner write it anew, or remove it."
        ) from error
