"""Evals for a terminal: the verdict, what needs looking at, the facts.

Foreign text is printed as `Text`, never as markup, and without control characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from plugineval_action.escape import TEXT_LIMIT, shorten
from plugineval_action.render.evals.evaluated import EvaluatedRow
from plugineval_action.render.evals.view import EvalRun, Row, View, view_of
from plugineval_action.render.words import NOTHING

WIDEST: Final = 100
"""Columns that are used at most: longer lines are hard to read."""

_WHY: Final = 200
_STATES: Final = {
    "broken": "bold red",
    "failed": "red",
    "flaky": "yellow",
    "ungraded": "dim",
    "fixed": "green",
}


def render(runs: Sequence[EvalRun], console: Console) -> None:
    """Print the evals of one or more skills, at most WIDEST columns wide."""
    parts = [part for run in runs for part in _parts(view_of(run))]
    console.print(Padding(Group(*parts), (1, 1, 0, 1)), width=min(console.width, WIDEST))


def _parts(view: View) -> Iterator[RenderableType]:
    yield Text.assemble(("Evals of ", "bold"), _foreign(view.skill, "bold"))
    yield _foreign(view.verdict)
    if view.rows:
        yield from ("", _grid(map(_row, view.rows)))
    if view.quiet:
        names = ", ".join(row.id for row in view.quiet)
        yield from ("", Text.assemble(("Passed: ", "green"), _foreign(f"{names}.")))
    if view.kinds:
        titles = ("Kind", "Cases", "Runs passed", "Share (95 % interval)")
        rows = [tuple(Text(title, "bold") for title in titles)]
        rows += [tuple(map(Text, kind)) for kind in view.kinds]
        yield from ("", _grid(rows))
    yield ""
    yield from map(_foreign, view.facts)
    if view.evaluated:
        yield from ("", _grid(map(_evaluated, view.evaluated)))
    yield from (Text.assemble(("Note: ", "bold"), _foreign(note)) for note in view.notes)


def _row(row: Row) -> tuple[Text, ...]:
    why = [_foreign(row.why, limit=_WHY)] if row.why else []
    where = _foreign(" ".join(filter(None, (row.kind, row.trace))), "dim")
    passed = "" if row.runs == NOTHING else f"  {row.runs} passed"
    name = Text.assemble(_foreign(row.id, "bold"), passed)
    return Text(row.state, _STATES[row.state]), Text("\n").join([name, *why, where])


def _evaluated(row: EvaluatedRow) -> tuple[Text, ...]:
    said = Text("\n").join([_foreign(row.metrics), _foreign(f"verdict: {row.verdict}", "dim")])
    return _foreign(row.run), Text(row.overall, "bold"), said


def _grid(rows: Iterable[tuple[Text, ...]]) -> Table:
    """Columns without lines; the last one wraps, the others keep their width."""
    rows = list(rows)
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in rows[0][1:]:
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _foreign(text: str, style: str = "", limit: int = TEXT_LIMIT) -> Text:
    return Text(shorten(text, limit), style)
