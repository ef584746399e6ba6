"""Files that a command writes: only new ones, and those that an earlier run has written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, flock
from pathlib import Path
from tempfile import NamedTemporaryFile

from plugineval_action.errors import UsageError

Recognise = Callable[[str], bool]
"""Whether a text is what an earlier run has written."""


def refuse_foreign_files(directory: Path, ours: Mapping[str, Recognise]) -> None:
    """Raise UsageError if a file that would be replaced is not one of ours.

    A repository may hold links where results are to be written: none is followed.
    """
    if directory.is_symlink():
        raise UsageError(f"{directory} is a symbolic link.", "Name the folder that it leads to.")
    folders = {parent for name in ours for parent in (directory / name).parents}
    for folder in sorted(folders - {directory, *directory.parents}):
        if folder.is_symlink():
            raise UsageError(f"{folder} is a symbolic link.", "Put a folder in its place.")
    for name, recognise in ours.items():
        path = directory / name
        foreign = path.exists() and not (path.is_file() and recognise(_text(path)))
        if foreign or path.is_symlink():
            raise UsageError(
                f"{path} is there already, and plugin-eval has not written it.",
                "Name another folder, or move the file away.",
            )


def json_object(text: str) -> dict[str, object]:
    """The object that a text is in JSON; an empty one if it is anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror})."
        raise UsageError(message, "Name another folder.") from error


def write_files(
    directory: Path, files: Mapping[str, str], remedy: str = "Name another folder."
) -> None:
    """Write text files into a directory; folders are made. Raises UsageError if that fails."""
    try:
        for name, text in files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_file(path, text)
    except OSError as error:
        raise _unwritable(directory, error, remedy) from error


@contextmanager
def alone_in(directory: Path) -> Iterator[None]:
    """Wait until no other run of ours writes to a folder, which is made if it is not there.

    The system takes the lock from a run that ends, however it ends. Raises UsageError.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory, os.O_RDONLY)
    except OSError as error:
        raise _unwritable(directory, error, "Name another folder.") from error
    try:
        with suppress(OSError):  # some file systems know no locks
            flock(handle, LOCK_EX)
        yield
    finally:
        os.close(handle)


def _unwritable(directory: Path, error: OSError, remedy: str) -> UsageError:
    return UsageError(f"{directory} cannot be written ({error.strerror}).", remedy)


def _write_file(path: Path, text: str) -> None:
    """The whole file or, if anything happens meanwhile, nothing."""
    with NamedTemporaryFile(
        "w", dir=path.parent, delete=False, encoding="utf-8", errors="backslashreplace"
    ) as file:
        try:
            file.write(text)
            file.flush()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
