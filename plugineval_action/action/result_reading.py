"""Reading the artifact of a pull request's run, which anybody may have written.

All that it is asked for is which commit it is about: that one is scored again by the job that
posts, so that no number and no word of the artifact reaches a comment.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from io import BytesIO
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from plugineval_action.action.result_file import FORMAT, NAME
from plugineval_action.errors import ContentError

ARTIFACT: Final = "plugin-eval-result"
"""What the run of the pull request calls its artifact."""

MAX_BYTES: Final = 16_000_000
"""Of the artifact, and of the file in it: more than 2,000 changed skills take."""

_REMEDY: Final = f"Use one version of the action in both workflows, and upload {NAME} alone."
_BROKEN: Final = (
    *(zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError),
    *(OSError, EOFError, ValueError, LookupError),
)
"""All that reading a zip raises, by trying it on damaged ones."""


class _Sign(BaseModel):
    """What is read of result.json; the rest is not looked at."""

    model_config = ConfigDict(strict=True, frozen=True)

    format: Literal["plugineval-result/1"]
    head: Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]


def read_artifact(archive: bytes) -> str:
    """The commit that was scored. Raises ContentError unless the zip holds one result.json."""
    if len(archive) > MAX_BYTES:
        raise _refused(f"The artifact has over {MAX_BYTES:,} bytes.")
    try:
        with zipfile.ZipFile(BytesIO(archive)) as opened:
            entry = _only_entry(opened.infolist())
            with opened.open(entry) as file:
                return read_result(file.read(MAX_BYTES + 1))
    except _BROKEN as error:
        raise _refused("The artifact is not a zip that can be read.") from error


def read_result(data: bytes) -> str:
    """The commit that a result is about. Raises ContentError unless it tells one."""
    if len(data) > MAX_BYTES:
        raise _refused(f"{NAME} has over {MAX_BYTES:,} bytes.")
    try:
        return _Sign.model_validate_json(data).head
    except ValidationError as error:
        raise _refused(
            f"{NAME} is not of the format {FORMAT}, with a commit as its head."
        ) from error


def _only_entry(entries: list[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    if [entry.filename for entry in entries] != [NAME]:
        raise _refused(f"The artifact holds something else than {NAME}.")
    entry = entries[0]
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG) or entry.flag_bits & 1:
        raise _refused(f"{NAME} is no plain file.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refused(f"{NAME} is packed in an unusual way.")
    if entry.file_size > MAX_BYTES:
        raise _refused(f"{NAME} has over {MAX_BYTES:,} bytes.")
    return entry


def _refused(message: str) -> ContentError:
    return ContentError(NAME, f"{message} It is not used.", _REMEDY)
