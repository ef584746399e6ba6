"""Charts, sparklines and badges of a report: their files, and the Markdown that shows them."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, get_args

from plugineval_action.render.links import Markdown
from plugineval_action.render.report import charts
from plugineval_action.render.report.badge import badge_svg, certificate_badge, shields_json
from plugineval_action.render.report.canvas import Theme
from plugineval_action.render.report.eval_chart import eval_rates, eval_runs, rates_alt
from plugineval_action.render.report.model import Model, Subject
from plugineval_action.render.report.sparkline import sparkline
from plugineval_action.render.words import NOTHING
from plugineval_action.report.weeks import weeks
from plugineval_action.results import Badge
from plugineval_action.scoring.bands import badge, shown

MARKETPLACE: Final = "marketplace"
SPARKLINE_RUNS: Final = 26
"""Runs in a sparkline: half a year of weeks."""

_THEMES: Final[tuple[Theme, ...]] = get_args(Theme)
_CHART_WIDTH: Final = 410


class Chart(NamedTuple):
    """A chart's file name without theme, its text, and how it is drawn."""

    name: str
    alt: str
    draw: Callable[[Theme], str]


def chart_list(model: Model) -> list[Chart]:
    """The charts that have something to say: a trend needs two runs, movers a move."""
    runs, scores = weeks(model.timeline.runs), model.timeline.now.scores
    moves = model.week.moves if model.week else []
    found = []
    if len(runs) > 1:
        found.append(
            Chart("trend", charts.trend_alt(runs), lambda theme: charts.trend(runs, theme))
        )
        found.append(
            Chart("bands", charts.bands_alt(runs), lambda theme: charts.bands(runs, theme))
        )
    if scores:
        alt = charts.distribution_alt(scores)
        draw: Callable[[Theme], str] = lambda theme: charts.distribution(scores, theme)  # noqa: E731
        found.append(Chart("distribution", alt, draw))
    if len(eval_runs(model.timeline.runs)) > 1:
        rates = eval_runs(model.timeline.runs)
        found.append(Chart("evals", rates_alt(rates), lambda theme: eval_rates(rates, theme)))
    if moves:
        alt = charts.movers_alt(moves)
        found.append(Chart("movers", alt, lambda theme: charts.movers(moves, theme)))
    return found


def picture_files(model: Model) -> Iterator[tuple[str, str]]:
    """Every picture by its path, and what shields.io reads."""
    for chart in chart_list(model):
        for theme in _THEMES:
            yield f"charts/{chart.name}-{theme}.svg", chart.draw(theme)
    for subject in model.subjects:
        for theme in _THEMES:
            drawn = sparkline(subject.scores[-SPARKLINE_RUNS:], theme)
            yield f"{_sparkline(subject.record.slug)}-{theme}.svg", drawn
        yield from _badge_files(subject.record.slug, subject.record.badge, subject.record.score)
    yield from _badge_files(MARKETPLACE, *marketplace_badge(model))
    for row, state in model.certificates:
        # Drawn anew every week, so that it says stale where the certificate does not hold.
        yield f"badges/certificates/{row.stem}.svg", certificate_badge(row.badge, state)


def marketplace_badge(model: Model) -> tuple[Badge | None, float | None]:
    """The badge that the mean of all scores gives, and that mean; None without a score."""
    mean = model.timeline.now.mean
    return (None, None) if mean is None else (badge(round(mean, 9)), mean)


def _badge_files(name: str, found: Badge | None, score: float | None) -> Iterator[tuple[str, str]]:
    yield f"badges/{name}.svg", badge_svg(found, score)
    yield f"badges/{name}.json", shields_json(found, score)


def chart(found: Chart) -> Markdown:
    """A chart as HTML, for the theme that GitHub shows."""
    return _picture(f"charts/{found.name}", found.alt, f' width="{_CHART_WIDTH}"')


def sparkline_picture(subject: Subject, root: str = "") -> Markdown:
    """A sparkline as HTML; its text is the score, which stays while the score does."""
    score = subject.record.score
    alt = f"Trend, now {NOTHING if score is None else shown(score)}"
    return _picture(f"{root}{_sparkline(subject.record.slug)}", alt, "")


def _sparkline(slug: str) -> str:
    return f"charts/plugins/{slug}"


def _picture(stem: str, alt: str, size: str) -> Markdown:
    text = html.escape(alt.replace("\n", " "))
    dark = f'<source media="(prefers-color-scheme: dark)" srcset="{stem}-dark.svg">'
    return Markdown(f'<picture>{dark}<img src="{stem}-light.svg"{size} alt="{text}"></picture>')
