"""The view for a terminal: verdict, what to fix first, a bar for each dimension.

Colours are the eight that every theme has, always beside the word they stand for. Foreign text is
printed as `Text`, never as markup, and without control characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from plugineval_action.escape import TEXT_LIMIT, shorten
from plugineval_action.findings.problems import Problem, rule_url
from plugineval_action.render.score.card import (
    Card,
    DimensionRow,
    MeasureRow,
    SubScoreRow,
    cards,
)
from plugineval_action.render.score.to_do import FORM_ONLY, Fix, Help
from plugineval_action.render.view import Row, RuleCount, ScoreRun, Summary, method, summary
from plugineval_action.render.words import counted
from plugineval_action.results import Failure, Level

PROBLEMS_SHOWN: Final = 10
WIDEST: Final = 100
"""Columns that are used at most: longer lines are hard to read."""

_BADGES: Final = {
    "Platinum": "bold cyan",
    "Gold": "bold yellow",
    "Silver": "bold blue",
    "Bronze": "bold magenta",
    "No badge": "bold red",
    "Withheld": "bold red",
}
_LEVELS: Final[dict[Level, str]] = {"error": "bold red", "warning": "bold", "note": "dim"}
_BESIDE_BAR: Final = 43
_WIDEST_BAR: Final = 30


def render(run: ScoreRun, console: Console) -> None:
    """Print the run on `console`, at most WIDEST columns wide."""
    width = min(console.width, WIDEST)
    parts: list[RenderableType] = []
    if len(run.results) != 1:
        parts += _summary(summary(run), run)
    for card in cards(run):
        parts += [*_card(card, width, verbose=run.verbose), ""]
    if run.failures:
        parts += [_heading("Could not be scored"), _grid(map(_failure, run.failures)), ""]
    parts += [Text.assemble(("Note: ", "bold"), _foreign(note)) for note in run.notes]
    parts.append(_foreign(f"{method(run)}.", "dim"))
    console.print(Padding(Group(*parts), (1, 1, 0, 1)), width=width)


def _summary(view: Summary, run: ScoreRun) -> list[RenderableType]:
    if not view.rows:
        return []
    counts = [f"{count} {name}" for name, count in view.badges]
    if view.unscored:
        counts.append(f"{view.unscored} not scored")
    title = f"{view.what}, worst first: {', '.join(counts)}"
    parts: list[RenderableType] = [Text(title, "bold"), "", _rows(view.rows)]
    if view.below:
        below = f"✗ {view.below} below the threshold of {run.threshold:g}"
        parts += ["", Text(below, "bold red")]
    if view.rules:
        parts += [
            _heading("Errors, then what is most frequent"),
            _grid(map(_rule_count, view.rules)),
        ]
    return [*parts, ""]


def _card(card: Card, width: int, *, verbose: bool) -> list[RenderableType]:
    row = card.row
    verdict = " ".join(filter(None, (*card.verdict, card.penalty, card.unscored)))
    title = Text.assemble(
        _foreign(row.name, "bold"), "  ", (row.score, "bold"), "  ", _badge(row.badge)
    )
    parts: list[RenderableType] = [title, _foreign(verdict)]
    parts.append(_foreign(f"{row.kind} {row.path}", "dim"))
    parts += [Text.assemble(("Note: ", "bold"), _foreign(note)) for note in card.notes]
    if card.helps:
        parts += [_heading("What helps a reader most"), _grid(map(_help, card.helps))]
    if card.fixes:
        parts += [_heading("Fix first"), _grid(map(_fix, card.fixes))]
    if card.members:
        parts += [_heading("What is inside"), _rows(card.members)]
    if card.mean:
        parts.append(Text(f"\n{card.mean}"))
    if card.dimensions:
        parts.append(_heading("Dimensions"))
        parts += [_dimension(each, width) for each in card.dimensions]
    if card.measured:
        parts += [_heading("What was measured"), _grid(map(_measured, card.measured), columns=4)]
    if card.cost:
        parts.append(_foreign(card.cost, "dim"))
    parts += _problems("Anti-patterns", card.anti_patterns)
    parts += _problems("Findings, which cost no points", card.findings)
    if verbose:
        for sub in card.sub_scores:
            parts += [_heading(f"{sub.title}: {sub.score}"), _sub_score(sub)]
    return parts


def _problems(title: str, problems: tuple[Problem, ...]) -> list[RenderableType]:
    if not problems:
        return []
    parts: list[RenderableType] = [_heading(title), _grid(map(_problem, problems[:PROBLEMS_SHOWN]))]
    if len(problems) > PROBLEMS_SHOWN:
        more = f"… and {len(problems) - PROBLEMS_SHOWN} more: --output markdown lists them."
        parts.append(Text(more, "dim"))
    return parts


def _problem(problem: Problem) -> tuple[Text, Text]:
    where = Text.assemble(_foreign(problem.place, "dim"), "  ", _rule(problem.rule))
    what = [where, _foreign(problem.message), _foreign(problem.remedy)]
    return Text(problem.level, _LEVELS[problem.level]), Text("\n").join(what)


def _help(each: Help) -> tuple[Text, Text]:
    where = Text.assemble(_foreign(each.place, "dim"), "  ", _rule(each.rule))
    return Text(each.level, _LEVELS[each.level]), Text("\n").join(
        [_foreign(each.said, "bold"), _foreign(each.remedy), where]
    )


def _fix(fix: Fix) -> tuple[Text, Text]:
    where = _foreign(fix.place, "dim")
    if fix.rule:
        where = Text.assemble(where, "  ", _rule(fix.rule))
    what = [_foreign(fix.title, "bold"), _foreign(fix.remedy), where]
    if fix.form:
        what.insert(2, Text(FORM_ONLY, "dim"))
    return Text(fix.points, "bold green"), Text("\n").join(what)


def _failure(failure: Failure) -> tuple[Text, Text]:
    what = [_foreign(failure.path, "bold"), _foreign(f"{failure.message} {failure.remedy}")]
    return Text("error", _LEVELS["error"]), Text("\n").join(what)


def _rule_count(count: RuleCount) -> tuple[Text, Text]:
    what = Text.assemble(_rule(count.rule), "\n", _foreign(count.title, "dim"))
    return Text(f"{count.times} ×"), what


def _dimension(dimension: DimensionRow, width: int) -> Text:
    name = f"{dimension.title:<24}{dimension.score:>6}  {dimension.grade:<3}"
    if dimension.points is None:
        return Text(name, "dim")
    length = max(4, min(width - _BESIDE_BAR, _WIDEST_BAR))
    full = round(length * dimension.points / 100)
    bar = [("━" * full, _colour(dimension.points)), ("─" * (length - full), "dim")]
    return Text.assemble(name, *bar, (f"{dimension.share:>6}", "dim"))


def _measured(one: MeasureRow) -> tuple[Text, Text, Text, Text]:
    title = Text.assemble((f"{one.layer}: ", "dim"), _foreign(one.title))
    return Text(one.value, "bold"), title, Text(one.interval), _foreign(one.how, "dim")


def _sub_score(sub: SubScoreRow) -> Table:
    rows = ((Text(part.points), _foreign(f"{part.name}: {part.found}")) for part in sub.parts)
    return _grid(rows)


def _rows(rows: Iterable[Row]) -> Table:
    table = _grid([], columns=4)
    for row in rows:
        score = Text(f"✗ {row.score}", "bold red") if row.below else Text(row.score, "bold")
        flags = Text(counted(row.flags, "flag"), "" if row.flags else "dim")
        table.add_row(score, _badge(row.badge), flags, _foreign(row.path))
    return table


def _grid(rows: Iterable[tuple[Text, ...]], columns: int = 2) -> Table:
    """Columns without lines; the last one wraps, the others keep their width."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    for _ in range(columns - 2):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _heading(title: str) -> Text:
    return Text(f"\n{title}", "bold underline")


def _badge(name: str) -> Text:
    return Text(name, _BADGES.get(name, "dim"))


def _colour(points: float) -> str:
    return "green" if points >= 80 else "yellow" if points >= 60 else "red"


def _rule(rule: str) -> Text:
    url = rule_url(rule)
    return _foreign(rule, f"link {url}" if url else "")


def _foreign(text: str, style: str = "") -> Text:
    return Text(shorten(text, TEXT_LIMIT), style)
