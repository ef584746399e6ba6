"""Cases as CSV, as spreadsheets and people write it.

id,should_trigger,prompt
report,true,"Make a report of sales.csv, with totals"
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from plugineval_action.inputs.mistakes import Located, Mistake, Place, did_you_mean, refuse
from plugineval_action.inputs.text_file import read_input

REQUIRED: Final = ("id", "should_trigger", "prompt")
COLUMNS: Final = (*REQUIRED, "kind", "setup", "tags")
_TRUTH: Final = {
    **dict.fromkeys(("1", "on", "t", "true", "y", "yes"), True),
    **dict.fromkeys(("0", "f", "false", "n", "no", "off"), False),
}
_WRONG_QUOTES: Final = ("'", "‘", "’", "“", "”", "„", "«", "»")
_HEADER: Final = ",".join(REQUIRED)

Row = tuple[int, list[str]]
"""The line on which a row begins, and its cells."""


def read_csv(path: Path) -> Located:
    """One mapping a row; empty cells are left out. Raises UsageError with line and remedy."""
    return parse_csv(str(path), read_input(path))


def parse_csv(name: str, text: str) -> Located:
    """The same of a file's text."""
    rows = list(_rows(name, text))
    if not rows:
        refuse([Mistake(name, 1, "The file is empty.", f"Start it with the line {_HEADER}")])
    (head_line, head), *rest = rows
    columns = [cell.strip().lower() for cell in head]
    mistakes = [*_header_mistakes(name, head_line, columns)] or [*_width(name, columns, rest)]
    if mistakes:
        refuse(mistakes)
    lines: dict[Place, int] = {}
    values = []
    for at, (line, cells) in enumerate(rest):
        lines[(at,)] = line
        values.append(_entry(dict(zip(columns, cells, strict=True))))
    return Located(name, values, lines)


def _rows(path: str, text: str) -> Iterator[Row]:
    """The rows that are not blank. A cell may hold line breaks, so a row may be many lines."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        reason, remedy = _unreadable(str(error))
        refuse([Mistake(path, line, f"From here on this is not valid CSV: {reason}.", remedy)])


def _unreadable(told: str) -> tuple[str, str]:
    if told == "unexpected end of data":
        return "a quote is opened and never closed", 'Close it, or write a quote twice: "".'
    if "field limit" in told:
        return "a cell is longer than 131,072 characters", "Close its quote, or write less."
    return told, 'Put the whole cell in quotes, and write a quote inside it twice: "".'


def _header_mistakes(path: str, line: int, columns: list[str]) -> Iterator[Mistake]:
    for sign, called in ((";", "semicolons"), ("\t", "tabs")):
        if len(columns) == 1 and sign in columns[0]:
            remedy = "Save it as CSV with commas."
            yield Mistake(path, line, f"The columns are separated by {called}.", remedy)
            return
    if not set(columns) & set(COLUMNS):
        yield Mistake(path, line, "The first line names no column.", f"Start with {_HEADER}")
        return
    for column in columns:
        if column not in COLUMNS:
            reason = f"There is no column {column!r}."
            yield Mistake(path, line, reason, did_you_mean(column, COLUMNS))
        elif columns.count(column) > 1:
            yield Mistake(path, line, f"The column {column} is there twice.", "Keep one.")
    for column in REQUIRED:
        if column not in columns:
            yield Mistake(path, line, f"The column {column} is missing.", "Add it.")


def _width(path: str, columns: list[str], rows: list[Row]) -> Iterator[Mistake]:
    for line, cells in rows:
        if len(cells) != len(columns):
            have = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
            reason = f"This row has {have}, the header {len(columns)}."
            yield Mistake(path, line, reason, _width_remedy(cells, len(columns)))


def _width_remedy(cells: list[str], wanted: int) -> str:
    if cells[0].lstrip().startswith("#"):
        return "CSV has no comments: remove the line."
    if len(cells) < wanted:
        return "Add the missing commas; a cell may be empty."
    if any(cell.strip()[:1] in _WRONG_QUOTES for cell in cells if cell.strip()):
        return 'Put the prompt in straight double quotes: ".'
    return "Put a prompt that holds commas in quotes."


def _entry(cells: dict[str, str]) -> dict[str, object]:
    """A row as a case is given in YAML; tags are separated by spaces or semicolons."""
    given: dict[str, object] = {
        name: cell if name == "prompt" else cell.strip()
        for name, cell in cells.items()
        if cell.strip()
    }
    wanted = given.get("should_trigger")
    if wanted is not None:
        given["should_trigger"] = _TRUTH.get(str(wanted).lower(), wanted)
    if "kind" in given:
        given["kind"] = str(given["kind"]).lower()
    if "tags" in given:
        given["tags"] = str(given["tags"]).replace(";", " ").split()
    return given
