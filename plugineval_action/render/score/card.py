"""One result in full: the verdict, what to fix first, and why the score is what it is.

Text in here is raw; each writer escapes it for its own format.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import Final, NamedTuple

from plugineval_action.findings.problems import Problem, problems
from plugineval_action.findings.withheld import reasons
from plugineval_action.render.score.to_do import Fix, Help, fix_row, help_rows
from plugineval_action.render.view import Row, ScoreRun, below_threshold, row, worst_first
from plugineval_action.render.words import NOTHING, counted, spaced
from plugineval_action.results import (
    Composite,
    Extra,
    Finding,
    Measure,
    Part,
    Result,
    SubScore,
)
from plugineval_action.scoring.advice import improvements
from plugineval_action.scoring.bands import BADGES, badge_name, next_badge, shown, shown_beside

FIXES_SHOWN: Final = 5
LINES_SHOWN: Final = 6
FAULTS_SHOWN: Final = 3
REASONS_SHOWN: Final = 3


class DimensionRow(NamedTuple):
    """A dimension, 0 to 100, and its share of the composite.

    `points` is None, `score` and `share` are "—" if nobody measured it; `interval` is "" where
    nothing was sampled.
    """

    title: str
    points: float | None
    score: str
    grade: str
    share: str
    interval: str = ""


class MeasureRow(NamedTuple):
    """A number that a model's answers gave, its interval, and how it came about; or why not."""

    layer: str
    title: str
    value: str
    interval: str
    how: str


class PartRow(NamedTuple):
    """One addend of a sub-score, in points of its 100."""

    name: str
    points: str
    found: str
    lines: str


class SubScoreRow(NamedTuple):
    """A sub-score, 0 to 100, and the parts it is the sum of."""

    title: str
    score: str
    parts: tuple[PartRow, ...]


class Card(NamedTuple):
    """One result in full. `verdict` and `penalty` are sentences, and so is `unscored`: why none.

    `measured`, `notes` and `cost` are of the layers that ask models.
    A plugin has the `mean` of its members, a sentence too, in place of `dimensions`.
    """

    row: Row
    verdict: tuple[str, ...]
    penalty: str
    unscored: str
    helps: tuple[Help, ...]
    fixes: tuple[Fix, ...]
    more_fixes: int
    mean: str
    dimensions: tuple[DimensionRow, ...]
    anti_patterns: tuple[Problem, ...]
    findings: tuple[Problem, ...]
    sub_scores: tuple[SubScoreRow, ...]
    members: tuple[Row, ...]
    measured: tuple[MeasureRow, ...] = ()
    notes: tuple[str, ...] = ()
    cost: str = ""


def cards(run: ScoreRun) -> tuple[Card, ...]:
    """The results to show in full, worst first: a lone one; all and their members if `verbose`."""
    if len(run.results) > 1 and not run.verbose:
        return ()
    shown_in_full: list[Card] = []
    for result in worst_first(run.results):
        shown_in_full.append(card(result, run.threshold))
        if run.verbose:
            shown_in_full += [card(member) for member in worst_first(result.members)]
    return tuple(shown_in_full)


def card(result: Result, threshold: float | None = None) -> Card:
    """Everything there is to show of one result."""
    composite = result.composite
    fixes = improvements(result)
    found = problems(result)
    is_plugin = result.kind == "plugin"
    return Card(
        row=row(result, threshold),
        verdict=_verdict(result, composite, threshold) if composite else (),
        penalty=_penalty(composite, found) if composite else "",
        unscored=result.unscored or "",
        helps=tuple(help_rows(result, fixes[:FIXES_SHOWN])),
        fixes=tuple(map(fix_row, fixes[:FIXES_SHOWN])),
        more_fixes=max(0, len(fixes) - FIXES_SHOWN),
        mean=_mean(result, composite) if composite and is_plugin else "",
        dimensions=tuple(_dimensions(composite)) if composite and not is_plugin else (),
        anti_patterns=tuple(problem for problem in found if problem.costs),
        findings=tuple(problem for problem in found if not problem.costs),
        sub_scores=tuple(_sub_score(sub) for layer in result.layers for sub in layer.sub_scores),
        members=tuple(map(row, worst_first(result.members))),
        measured=tuple(_measured(result)),
        notes=result.notes,
        cost=_cost_of_models(result),
    )


def _verdict(result: Result, composite: Composite, threshold: float | None) -> tuple[str, ...]:
    sentences = [f"Badge withheld: {note.message}" for note in _reasons(result, composite)]
    following = next_badge(composite.score) if composite.badge != "withheld" else None
    if following:
        name, missing = following
        # From the number that is shown, so that the two add up to the badge's line.
        points = composite.score + missing - float(shown_beside(composite.score, threshold))
        sentences.append(f"{points:.1f} points to {badge_name(name)}.")
    if threshold is not None:
        meets = "Below" if below_threshold(result, threshold) else "Meets"
        sentences.append(f"{meets} the threshold of {threshold:g}.")
    sentences += _uncertain(composite, threshold)
    return tuple(sentences)


def _reasons(result: Result, composite: Composite) -> tuple[Finding, ...]:
    return reasons(result)[:REASONS_SHOWN] if composite.badge == "withheld" else ()


def _uncertain(composite: Composite, threshold: float | None) -> Iterator[str]:
    """The interval, and which lines it crosses: on which side the truth lies is then open."""
    low, high = composite.ci_lower, composite.ci_upper
    if low is None or high is None:
        return
    yield f"95 % interval {low:.1f} to {high:.1f} over {composite.ci_covers}."
    crossed = [badge_name(name) for name, line in reversed(BADGES) if low < line <= high]
    if crossed:
        yield f"It crosses the line of {' and '.join(crossed)}, so the badge is not certain."
    if threshold is not None and low < threshold <= high:
        yield "It crosses the threshold, so another run may come out on its other side."


def _penalty(composite: Composite, found: tuple[Problem, ...]) -> str:
    flags = sum(problem.costs for problem in found)
    cost = _cost(composite)
    return f"{counted(flags, 'anti-pattern')} took {cost} % off." if flags else ""


def _cost(composite: Composite) -> int:
    return round(100 * (1 - composite.anti_pattern_penalty))


def _mean(result: Result, composite: Composite) -> str:
    mean, cost = shown(100 * result.layers[0].score), _cost(composite)
    return f"Mean of its members: {mean}; {f'penalty {cost} %' if cost else 'no penalty'}."


def _dimensions(composite: Composite) -> Iterator[DimensionRow]:
    total = fsum(one.weight for one in composite.dimensions if one.score is not None)
    for one in composite.dimensions:
        points = None if one.score is None else 100 * one.score
        yield DimensionRow(
            title=spaced(one.name).capitalize(),
            points=points,
            score=NOTHING if points is None else shown(points),
            grade=one.grade,
            share=NOTHING if points is None else f"{100 * one.weight / total:.0f} %",
            interval=_interval(one.ci_lower, one.ci_upper, 100),
        )


def _interval(low: float | None, high: float | None, scale: float) -> str:
    if low is None or high is None:
        return ""
    return f"{_number(scale * low)}–{_number(scale * high)}".replace("–-", "–−")


def _number(value: float) -> str:
    """Three digits or so, whatever the size."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _measured(result: Result) -> Iterator[MeasureRow]:
    for layer in result.layers:
        for one in layer.measures:
            yield _measure(spaced(layer.layer), one)
    yield from map(_extra, result.extras)


def _extra(one: Extra) -> MeasureRow:
    value = NOTHING if one.value is None else _number(one.value)
    told = (f"{counted(one.n, 'block')} parsed.", *one.evidence[:FAULTS_SHOWN])
    more = len(one.evidence) - FAULTS_SHOWN
    how = one.reason or " ".join((*told, f"… and {more} more.") if more > 0 else told)
    return MeasureRow("extra, no weight", spaced(one.name).capitalize(), value, "", how)


def _measure(layer: str, one: Measure) -> MeasureRow:
    value = NOTHING if one.value is None else _number(one.value)
    how = one.reason or (f"{one.method}, n = {one.n}" if one.n else one.method)
    interval = _interval(one.ci_lower, one.ci_upper, 1)
    return MeasureRow(layer, spaced(one.name).capitalize(), value, interval, how)


def _cost_of_models(result: Result) -> str:
    """What models were asked and what that cost, a sentence; "" if none was."""
    used = [
        f"{each.model}: {counted(each.calls, 'call')}, "
        + ("cost unknown" if each.usd is None else f"${each.usd:.4f}")
        for each in result.model_usage
    ]
    return f"{'; '.join(used)}." if used else ""


def _sub_score(sub: SubScore) -> SubScoreRow:
    parts = tuple(map(_part, sub.parts))
    return SubScoreRow(spaced(sub.name).capitalize(), shown(100 * sub.score), parts)


def _part(part: Part) -> PartRow:
    got, best = _short(part.points), _short(part.best)
    more = ", …" if len(part.lines) > LINES_SHOWN else ""
    return PartRow(
        name=part.name,
        points=got if part.best == 0 else f"{got} of {best}",
        found=part.found,
        lines=", ".join(map(str, part.lines[:LINES_SHOWN])) + more,
    )


def _short(share: float) -> str:
    """`0.125` as `12.5`, `0.1` as `10`, with a real minus sign."""
    return f"{round(100 * share, 1) + 0:g}".replace("-", "−")
