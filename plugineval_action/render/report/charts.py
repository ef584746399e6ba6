"""The charts of a report, as SVG for a light and a dark page, and what they say as text.

Nothing is told by colour alone: lines and bands are labelled where they end, bands differ in
lightness and hatching, risers and fallers in their markers and signs. Names are foreign text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from plugineval_action.escape import shorten
from plugineval_action.render.report.canvas import (
    HATCHES,
    Frame,
    Palette,
    Theme,
    draw,
    draw_nothing,
    label_ends,
    note,
)
from plugineval_action.render.report.chart_data import (
    LOWEST,
    STEP,
    Point,
    bar_counts,
    by_day,
    day_of,
    largest,
    limits,
    points_of,
    runs_of,
)
from plugineval_action.render.words import counted, signed
from plugineval_action.report.weeks import Move, Week
from plugineval_action.scoring.bands import BADGES, ORDER, badge_name, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import PathPatch

NAME_LIMIT: Final = 34
_RULESET_LIMIT: Final = 16

_TREND: Final = "Scores of plugins over time"
_BANDS: Final = "Plugins by badge over time"
_DISTRIBUTION: Final = "Plugins by score now"
_MOVERS: Final = "Largest changes"
_NOTHING_SCORED: Final = "No plugin has a score."
_NOTHING_MOVED: Final = "No score has changed."
_LABELS: Final = 106.0
"""Points that labels take, right of the axes."""
_ROW: Final = 34.0
"""Points that a mover takes."""
_MOST_DOTS: Final = 16
"""Runs up to which each one is marked on a line."""


def trend(weeks: Sequence[Week], theme: Theme) -> str:
    """Mean and quartiles over time; where the ruleset changes, the lines are interrupted."""
    points = points_of(weeks)
    if not points:
        return draw_nothing(theme, _TREND, _NOTHING_SCORED)

    def paint(axes: Axes, palette: Palette) -> None:
        for run in runs_of(points):
            dotted = len(points) <= _MOST_DOTS or len(run) == 1
            _line(axes, palette, run, "o" if dotted else "")
        score_axis(axes, palette, [score for _, one in points for score in one])
        time_axis(axes, palette, [week for week, _ in points])
        mean, low, high = points[-1][1]
        words = ((low, "lower quartile"), (mean, "mean"), (high, "upper quartile"))
        # The quartiles of a single score, or of equal ones, are all the same line.
        told = sorted(words) if low < high else [words[1]]
        label_ends(axes, [(at, f"{shown(at)} {word}") for at, word in told])

    return draw(theme, _TREND, paint, Frame(left=30, right=_LABELS + 26))


def bands(weeks: Sequence[Week], theme: Theme) -> str:
    """How many plugins have which badge, one bar a run."""
    runs = by_day(weeks)
    if not runs:
        return draw_nothing(theme, _BANDS, _NOTHING_SCORED)

    def paint(axes: Axes, palette: Palette) -> None:
        floors, labels = [0] * len(runs), []
        looks = zip(ORDER, palette.bands, HATCHES, strict=True)
        for name, colour, hatch in reversed(list(looks)):
            counts = [week.badges.get(name, 0) for week in runs]
            if any(counts):
                patch = _bars(axes, runs, floors, counts)
                patch.set(facecolor=colour, hatch=hatch, linewidth=0)
                labels.append((floors[-1] + counts[-1] / 2, f"{counts[-1]:,} {badge_name(name)}"))
            floors = [sum(pair) for pair in zip(floors, counts, strict=True)]
        axes.set_ylim(0, max(floors))
        axes.locator_params("y", integer=True, nbins=4)
        time_axis(axes, palette, runs)
        label_ends(axes, labels)

    return draw(theme, _BANDS, paint, Frame(left=40, right=_LABELS))


def distribution(scores: Sequence[float], theme: Theme) -> str:
    """How many plugins score how much now."""
    if not scores:
        return draw_nothing(theme, _DISTRIBUTION, _NOTHING_SCORED)
    return _distribution(tuple(bar_counts(scores)), theme)


@lru_cache(8)  # a report that starts anew because its branch has moved has the same bars
def _distribution(counts: tuple[int, ...], theme: Theme) -> str:
    def paint(axes: Axes, palette: Palette) -> None:
        lefts = [LOWEST + STEP * index for index in range(len(counts))]
        places = [sum(left < line for _, line in BADGES) for left in lefts]
        colours = [palette.bands[place] for place in places]
        hatches = [HATCHES[place] for place in places]
        bars = axes.bar(
            lefts, counts, STEP * 0.92, align="edge", color=colours, hatch=hatches, linewidth=0
        )
        axes.bar_label(bars, [f"{count:,}" if count else "" for count in counts], padding=2)
        axes.set(xlim=(LOWEST, 100), ylim=(0, max(counts) * 1.14), yticks=[])
        axes.set_xticks([47.5, *range(60, 101, 10)], ["<50", *map(str, range(60, 101, 10))])
        for name, line in BADGES:
            axes.axvline(line, color=palette.soft, linewidth=0.8, linestyle=(0, (2, 3)), zorder=0)
            note(axes, palette, badge_name(name), line)

    return draw(theme, _DISTRIBUTION, paint)


def movers(moves: Sequence[Move], theme: Theme) -> str:
    """Whose score rose and fell most since the run before, at most ten."""
    chosen = largest(moves)
    if not chosen:
        return draw_nothing(theme, _MOVERS, _NOTHING_MOVED)

    def paint(axes: Axes, palette: Palette) -> None:
        low, high = limits([score for move in chosen for score in (move.before, move.after)])
        axes.set(xlim=(low, high), ylim=(len(chosen) - 0.5, -0.75), yticks=[])
        axes.set_xticks(range(low, high + 1, 10))
        axes.grid(axis="x", color=palette.grid, linewidth=0.6)
        axes.set_axisbelow(True)
        for row, move in enumerate(chosen):
            _arrow(axes, palette, row, move)

    return draw(theme, _MOVERS, paint, Frame(height=_ROW * len(chosen) + 64))


def trend_alt(weeks: Sequence[Week]) -> str:
    """What the trend shows, in numbers."""
    points = points_of(weeks)
    if not points:
        return _NOTHING_SCORED
    (first, before), (last, now) = points[0], points[-1]
    said = (
        f"Mean score of {counted(len(last.scores), 'plugin')} on {last.date}: {shown(now.mean)},"
        f" quartiles {shown(now.low)} and {shown(now.high)}."
    )
    if last.date != first.date:
        said += f" On {first.date} the mean was {shown(before.mean)}."
    changes = [week for week, _ in points[1:] if week.breaks]
    return said + "".join(
        f" Ruleset {shorten(week.ruleset, _RULESET_LIMIT)} from {week.date} on." for week in changes
    )


def bands_alt(weeks: Sequence[Week]) -> str:
    """How many plugins had which badge at first, and have now."""
    runs = by_day(weeks)
    if not runs:
        return _NOTHING_SCORED
    ends = {week.date: week for week in (runs[-1], runs[0])}
    told = (f"{day}: {_badges(week)}." for day, week in ends.items())
    return f"Plugins by badge. {' '.join(told)}"


def distribution_alt(scores: Sequence[float]) -> str:
    """How many plugins score how much."""
    if not scores:
        return _NOTHING_SCORED
    counts = bar_counts(scores)
    parts = [
        f"{count:,} {'below 50' if not index else f'from {LOWEST + STEP * index}'}"
        for index, count in enumerate(counts)
        if count
    ]
    return f"Plugins by score, in steps of {STEP} points: {', '.join(parts)}."


def movers_alt(moves: Sequence[Move]) -> str:
    """Whose score moved, from where to where."""
    chosen, number = largest(moves), sum(move.before != move.after for move in moves)
    if not chosen:
        return _NOTHING_MOVED
    told = "; ".join(
        f"{shorten(move.name, NAME_LIMIT)} {shown(move.before)} to {shown(move.after)}"
        for move in chosen
    )
    more = f"; and {number - len(chosen):,} more" if number > len(chosen) else ""
    return f"Largest changes: {told}{more}."


def _badges(week: Week) -> str:
    counts = [(week.badges.get(name, 0), badge_name(name).lower()) for name in ORDER]
    return ", ".join(f"{count:,} {name}" for count, name in counts if count)


def _line(axes: Axes, palette: Palette, run: Sequence[Point], dots: str) -> None:
    days = [day_of(week) for week, _ in run]
    means, lows, highs = zip(*(one for _, one in run), strict=True)
    # An area over a single day has no width but that of its edge.
    alone = len(run) == 1
    axes.fill_between(days, lows, highs, color=palette.area, linewidth=8 if alone else 0)
    for quartile in (lows, highs):
        axes.plot(days, quartile, color=palette.soft, linewidth=1, linestyle=(0, (4, 3)))
    axes.plot(days, means, color=palette.line, linewidth=2, marker=dots, clip_on=False)


def _bars(
    axes: Axes, runs: Sequence[Week], floors: Sequence[int], counts: Sequence[int]
) -> PathPatch:
    """A bar at each run as one shape, which takes a fraction of the bytes of many."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    bars = [
        Path(
            [(left, low), (right, low), (right, low + count), (left, low + count), (left, low)],
            closed=True,
        )
        for (left, right), low, count in zip(_sides(runs), floors, counts, strict=True)
        if count
    ]
    patch = PathPatch(Path.make_compound_path(*bars))
    axes.add_patch(patch)
    return patch


def _sides(runs: Sequence[Week]) -> list[tuple[float, float]]:
    """Where bars begin and end: a little short of half way to the nearest run."""
    days = [day_of(week) for week in runs]
    gaps = [after - before for before, after in pairwise(days)] or [7]
    nearest = [min(pair) for pair in pairwise([gaps[0], *gaps, gaps[-1]])][: len(days)]
    return [(day - 0.43 * gap, day + 0.43 * gap) for day, gap in zip(days, nearest, strict=True)]


def _arrow(axes: Axes, palette: Palette, row: int, move: Move) -> None:
    rose = move.after > move.before
    colour = palette.line if rose else palette.ink
    axes.plot([move.before, move.after], [row, row], color=colour, linewidth=2)
    axes.plot(move.before, row, "o", color=colour, markerfacecolor=palette.paper, clip_on=False)
    axes.plot(move.after, row, ">" if rose else "<", color=colour, markersize=8, clip_on=False)
    line = axes.get_yaxis_transform()
    axes.text(0, row - 0.28, shorten(move.name, NAME_LIMIT), transform=line)
    axes.text(1, row - 0.28, signed(move.after - move.before), ha="right", transform=line)


def score_axis(axes: Axes, palette: Palette, scores: Sequence[float]) -> None:
    """Values on 0 to 100, as much of that as they take."""
    low, high = limits(scores)
    axes.set_ylim(low, high)
    axes.set_yticks(range(low, high + 1, 10 if high - low <= 50 else 20))
    axes.grid(axis="y", color=palette.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def time_axis(axes: Axes, palette: Palette, weeks: Sequence[Week]) -> None:
    """The first and the last day below the axis, changes of the ruleset above it."""
    first, last = day_of(weeks[0]), day_of(weeks[-1])
    margin = max((last - first) * 0.03, 4)
    axes.set(xlim=(first - margin, last + margin), xticks=[])
    ends = ((0, "left", weeks[0]), (1, "right", weeks[-1]))
    for at, align, week in ends if last > first else ((0.5, "center", weeks[0]),):
        axes.annotate(
            week.date,
            (at, 0),
            (0, -5),
            xycoords=axes.transAxes,
            textcoords="offset points",
            ha=align,
            va="top",
            color=palette.soft,
        )
    changes = [pair for pair in pairwise(weeks) if pair[1].breaks]
    for before, after in changes:
        middle = (day_of(before) + day_of(after)) / 2
        axes.axvline(middle, color=palette.ink, linewidth=1, linestyle=(0, (1, 2)))
        if after is changes[-1][1]:
            words = f"new ruleset {shorten(after.ruleset, _RULESET_LIMIT)}"
            note(axes, palette, words, middle, "left" if middle < (first + last) / 2 else "right")
