"""What earlier runs found: `history.jsonl`, one line a run and plugin. Pure over text.

Lines are appended and never rewritten, but for a run over a commit that is in there already, which
takes the place of its own lines. Everything of the year before the newest run but one stays, and
of each month before that the last run. What cannot be read is an error, never an empty history:
writing after such a guess would lose all of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date
from functools import cache
from hashlib import sha256
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from plugineval_action.errors import HistoryError
from plugineval_action.results import Badge

HISTORY_FILE: Final = "history.jsonl"
VERSION: Final = 1
FULL_DAYS: Final = 366
"""How far before the newest run but one every run is kept."""

MOST_CHARACTERS: Final = 4096
"""Of a text in a record."""

_DIGITS: Final = 16

_MARKER: Final = re.compile(r"<{7}|={7}|>{7}|\|{7}")

Text = Annotated[str, Field(max_length=MOST_CHARACTERS)]
Count = Annotated[int, Field(ge=0)]
Points = Annotated[float, Field(ge=0, le=100)]
Share = Annotated[float, Field(ge=0, le=1)]


def _day(text: str) -> str:
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError("must look like 2026-01-31")
    return text


class Record(NamedTuple):
    """What one run found of one plugin, or of a skill where there are no plugins.

    `score` and `badge` are None for what could not be scored, `flags` counts its anti-patterns,
    `sub_scores` are the means over its skills in the order of the static layer's weights (None
    without a skill), `digest` stands for its content ("" if unknown), `evals` are by harness the
    runs of its evals that passed and those that were graded (None, and not in the line, without
    any).
    """

    date: Annotated[str, AfterValidator(_day)]
    commit: Text
    ruleset: Text
    plugin: Text
    path: Text
    slug: Text
    score: Points | None
    badge: Badge | None
    flags: dict[Text, Count]
    skills: Count
    agents: Count
    sub_scores: Annotated[tuple[Share, ...], Field(min_length=7, max_length=7)] | None
    digest: Text
    evals: dict[Text, tuple[Count, Count]] | None = None
    v: Literal[1] = 1


class History(NamedTuple):
    """All records, in the order of their lines."""

    records: tuple[Record, ...] = ()


Key = tuple[str, str]
"""Which run: the commit (or name of a folder) and the date."""


def run_key(record: Record) -> Key:
    """Which run a record is of."""
    return record.commit, record.date


def plugin_key(record: Record) -> tuple[str, str]:
    """Which plugin a record is of, within its run: name and path."""
    return record.plugin, record.path


def read_history(text: str) -> History:
    """The history in a file's text; "" is that of a first run.

    Of two lines of one run about one plugin the later one counts. Raises HistoryError for a line
    that is no record of this format.
    """
    found: dict[tuple[str, ...], Record] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            record = _read_line(line, number)
            found[(*run_key(record), *plugin_key(record))] = record
    return History(tuple(found.values()))


def write_history(history: History) -> str:
    """The text of a history, which reads as the same history."""
    return "".join(f"{_write_line(record)}\n" for record in history.records)


def with_run(history: History, run: Sequence[Record]) -> History:
    """A history with the records of one run, thinned; what the run had in there is replaced.

    Raises HistoryError for a record that could not be read back: no later run would get past it.
    """
    if not run:
        return history
    _check(run)
    key = run_key(run[0])
    before, after, met = list[Record](), list[Record](), False
    for record in history.records:
        if run_key(record) == key:
            met = True
        else:
            (after if met else before).append(record)
    return thinned(History((*before, *run, *after)))


def thinned(history: History) -> History:
    """All runs of the last year, and of each month before that the last one.

    The year ends with the newest day but one: a single commit whose date is years ahead, by a clock
    that was wrong, takes nothing away.
    """
    if not history.records:
        return history
    newest = sorted({record.date for record in history.records})[-2:][0]
    first = date.fromisoformat(newest).toordinal() - FULL_DAYS
    since = date.fromordinal(max(first, 1)).isoformat()
    last: dict[str, Key] = {}
    for record in sorted(history.records, key=lambda record: record.date):
        last[record.date[:7]] = run_key(record)
    return History(
        tuple(
            record
            for record in history.records
            if record.date >= since or run_key(record) == last[record.date[:7]]
        )
    )


def storable(text: str) -> str:
    r"""Text as a record can hold it: a byte that is no UTF-8 is written as `\udcff`.

    Of a text that is too long the end is replaced by digits that stand for all of it.
    """
    whole = text.encode("utf-8", "backslashreplace")
    stored = whole.decode()
    if len(stored) <= MOST_CHARACTERS:
        return stored
    return stored[: MOST_CHARACTERS - _DIGITS] + sha256(whole).hexdigest()[:_DIGITS]


@cache
def _adapter() -> TypeAdapter[Record]:
    return TypeAdapter(Record)


def _check(run: Sequence[Record]) -> None:
    for record in run:
        try:
            _adapter().validate_python(record._asdict(), strict=True)
        except ValidationError as error:
            raise HistoryError(
                f"The run cannot be recorded ({_what(error)}).",
                "If it was joined from shards, score them again; nothing was written.",
            ) from None


def _read_line(line: str, number: int) -> Record:
    try:
        return _adapter().validate_json(line, strict=True)
    except ValidationError as error:
        raise HistoryError(*_why(line, number, error)) from None


def _why(line: str, number: int, error: ValidationError) -> tuple[str, str]:
    """What is wrong with a line, and what to do."""
    where = f"Line {number} of {HISTORY_FILE}"
    if _MARKER.match(line):
        return (
            f"{where} is a conflict marker.",
            "Keep the lines of both sides and remove the markers: <<<<<<<, =======, >>>>>>>.",
        )
    if _version(line) > VERSION:
        return (
            f"{where} has format {_version(line)}; this version reads format {VERSION}.",
            "Use the version of plugin-eval that wrote it, or a newer one.",
        )
    return (
        f"{where} cannot be read ({_what(error)}).",
        "Take the file back from the commit before; nothing was written.",
    )


def _what(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"] if part != "v")
    return f"{field}: {first['msg']}" if field else first["msg"]


def _version(line: str) -> int:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return 0
    version = found.get("v") if isinstance(found, dict) else None
    return version if isinstance(version, int) else 0


def _write_line(record: Record) -> str:
    fields: dict[str, object] = {"v": VERSION, **record._asdict()}
    if record.evals is None:
        # Versions that know no evals read such a line too.
        del fields["evals"]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
