"""How often evals pass over time, one line a harness. They depend on no ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.render.report.canvas import Frame, Palette, Theme, draw, label_ends
from plugineval_action.render.report.chart_data import day_of
from plugineval_action.render.report.charts import score_axis, time_axis
from plugineval_action.report.runs import Run
from plugineval_action.report.weeks import Week, weeks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_HARNESSES: Final = 3
"""Lines that can be told apart without colour; the table has all."""

_TITLE: Final = "Eval runs passed over time, in percent"
_LABELS: Final = 132.0
_NAME_LIMIT: Final = 16
_STROKES: Final = ("solid", (0, (5, 2)), (0, (2, 2)))
_MARKERS: Final = ("o", "s", "^")
"""Harnesses are told apart by strokes and markers as well, and named where their lines end."""


class EvalRun(NamedTuple):
    """A run that has evals: percent of eval runs passed, by harness."""

    week: Week
    rates: Mapping[str, float]


def eval_rates_of(run: Run) -> dict[str, float]:
    """Percent of the eval runs that passed, by harness, over all plugins."""
    sums: dict[str, tuple[int, int]] = {}
    for record in run.records:
        for harness, (passed, graded) in (record.evals or {}).items():
            before = sums.get(harness, (0, 0))
            sums[harness] = before[0] + passed, before[1] + graded
    return {name: 100 * hit / of for name, (hit, of) in sorted(sums.items()) if of}


def eval_runs(runs: Sequence[Run]) -> list[EvalRun]:
    """The runs that have evals, the last one of each day."""
    found = {
        run.date: EvalRun(week._replace(breaks=False), rates)
        for run, week in zip(runs, weeks(runs), strict=True)
        if (rates := eval_rates_of(run))
    }
    return list(found.values())


def eval_rates(runs: Sequence[EvalRun], theme: Theme) -> str:
    """The chart, of two runs or more."""
    names = sorted({name for run in runs for name in run.rates})[:MOST_HARNESSES]

    def paint(axes: Axes, palette: Palette) -> None:
        labels = []
        for at, name in enumerate(names):
            line = [(day_of(run.week), run.rates[name]) for run in runs if name in run.rates]
            days, rates = zip(*line, strict=True)
            axes.plot(
                *(days, rates),
                color=(palette.line, palette.ink, palette.soft)[at % 3],
                linestyle=_STROKES[at % 3],
                marker=_MARKERS[at % 3],
                markersize=4,
                linewidth=2,
                clip_on=False,
            )
            labels.append((rates[-1], f"{rates[-1]:.0f} % {shorten(name, _NAME_LIMIT)}"))
        score_axis(
            axes, palette, [run.rates[name] for run in runs for name in names if name in run.rates]
        )
        time_axis(axes, palette, [run.week for run in runs])
        label_ends(axes, sorted(labels))

    return draw(theme, _TITLE, paint, Frame(left=30, right=_LABELS))


def rates_alt(runs: Sequence[EvalRun]) -> str:
    """What the chart shows, in numbers."""
    first, last = runs[0], runs[-1]
    told = ", ".join(f"{rate:.0f} % with {name}" for name, rate in last.rates.items())
    was = ", ".join(f"{rate:.0f} % with {name}" for name, rate in first.rates.items())
    return f"Eval runs passed on {last.week.date}: {told}. On {first.week.date}: {was}."
