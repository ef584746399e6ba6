"""Reading a result.json that anybody may have written.

The job that posts gets it out of an artifact of a pull request's run. What comes out is a Review,
from which our own template renders the comment, or a refusal that says what is wrong.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from io import BytesIO
from typing import Final, NamedTuple

from pydantic import ValidationError

from plugineval_action.action.gate import Gate
from plugineval_action.action.result_file import NAME
from plugineval_action.action.result_model import FORMAT, MOST_CHANGES, Document
from plugineval_action.errors import ContentError
from plugineval_action.render.escape import shorten
from plugineval_action.results import Review

ARTIFACT: Final = "plugin-eval-result"
"""What the run of the pull request calls its artifact."""

MAX_BYTES: Final = 4_000_000
"""Of the artifact, and of the file in it: twice what 300 changed skills take."""

_REMEDY: Final = f"Use one version of the action in both workflows, and upload {NAME} alone."
_BROKEN: Final = (
    *(zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError),
    *(OSError, EOFError, ValueError, LookupError),
)
"""All that reading a zip raises, by trying it on damaged ones."""


class Stored(NamedTuple):
    """What a file said; whether the gate passed is that run's word for it."""

    review: Review
    gate: Gate


def read_artifact(archive: bytes) -> Stored:
    """The result in the zip of an artifact. Raises ContentError unless it is exactly that."""
    if len(archive) > MAX_BYTES:
        raise _refused(f"The artifact has over {MAX_BYTES:,} bytes.")
    try:
        with zipfile.ZipFile(BytesIO(archive)) as opened:
            entry = _only_entry(opened.infolist())
            with opened.open(entry) as file:
                return read_result(file.read(MAX_BYTES + 1))
    except _BROKEN as error:
        raise _refused("The artifact is not a zip that can be read.") from error


def read_result(data: bytes) -> Stored:
    """A result that anybody may have written. Raises ContentError unless all of it is in order."""
    if len(data) > MAX_BYTES:
        raise _refused(f"{NAME} has over {MAX_BYTES:,} bytes.")
    try:
        document = Document.model_validate_json(data)
    except ValidationError as error:
        raise _refused(_said(error)) from error
    return Stored(document.review(), Gate(document.gate.passed, document.gate.reasons))


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


def _said(error: ValidationError) -> str:
    """The first of what is wrong, in words of ours but for where it is."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = shorten(".".join(map(str, first["loc"])), 100)
    if first["type"] == "too_long" and first["loc"] in (("changes",), ("failures",)):
        return f"{NAME} has more than {MOST_CHANGES} {where}."
    if where == "format":
        return f"{NAME} is not of the format {FORMAT}."
    return f"{NAME} is not in order{f' at {where}' if where else ''}: {shorten(first['msg'], 100)}."


def _refused(message: str) -> ContentError:
    return ContentError(NAME, f"{message} It is not used.", _REMEDY)
