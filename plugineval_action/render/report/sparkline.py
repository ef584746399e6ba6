"""A plugin's scores over time, small enough for a table: by hand, for there are many of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

from plugineval_action.render.report.canvas import PALETTES, Theme

WIDTH: Final = 96
HEIGHT: Final = 20
_MARGIN: Final = 3.0
_LEAST_SPAN: Final = 10.0
"""Points of score that the height stands for at least, so that a tenth is no cliff."""


class _Place(NamedTuple):
    x: float
    y: float


def sparkline(scores: Sequence[float | None], theme: Theme) -> str:
    """SVG of scores (0 to 100), oldest first, with a dot at the last one; None is a gap."""
    places = _places(scores)
    colour = PALETTES[theme].line
    runs = [list(run) for there, run in groupby(places, key=bool) if there]
    lines = "".join(_polyline([place for place in run if place], colour) for run in runs)
    last = next((place for place in reversed(places) if place), None)
    dot = f'<circle cx="{last.x:.1f}" cy="{last.y:.1f}" r="2.5" fill="{colour}"/>' if last else ""
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{lines}{dot}</svg>\n'


def _places(scores: Sequence[float | None]) -> list[_Place | None]:
    """Where each score lies, the last one at the right."""
    known = [score for score in scores if score is not None]
    if not known:
        return []
    middle = (min(known) + max(known)) / 2
    scale = (HEIGHT - 2 * _MARGIN) / max(max(known) - min(known), _LEAST_SPAN)
    step = (WIDTH - 2 * _MARGIN) / max(len(scores) - 1, 1)
    right = WIDTH - _MARGIN - step * (len(scores) - 1)
    return [
        None
        if score is None
        else _Place(right + step * index, HEIGHT / 2 - (score - middle) * scale)
        for index, score in enumerate(scores)
    ]


def _polyline(run: Sequence[_Place], colour: str) -> str:
    """Scores without a gap; one alone is a line from there to there, which its caps show."""
    points = " ".join(f"{place.x:.1f},{place.y:.1f}" for place in (run if run[1:] else [*run] * 2))
    style = f'fill="none" stroke="{colour}" stroke-width="1.5" stroke-linecap="round"'
    return f'<polyline points="{points}" {style}/>'
