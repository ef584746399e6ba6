"""The headline numbers of a report, and what they were last week and four weeks ago."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple

from plugineval_action.escape import markdown
from plugineval_action.render.links import NAME_LIMIT
from plugineval_action.render.report.eval_chart import eval_rates_of
from plugineval_action.render.report.facts import members, tally
from plugineval_action.render.report.model import Model
from plugineval_action.render.words import NOTHING, UNBROKEN, moved
from plugineval_action.report.comparison import Comparison
from plugineval_action.report.runs import Run
from plugineval_action.scoring.bands import ORDER, badge_name, shown

BAR_WIDTH: Final = 10
MOST_HARNESSES: Final = 5
_SAME: Final = "="

Measure = Callable[[Run], float | None]


class Number(NamedTuple):
    """A number now, and how far it is from the numbers of earlier runs; `name` is Markdown."""

    name: str
    now: str
    changes: tuple[str, ...]


class BadgeRow(NamedTuple):
    """How many plugins have a badge now and had it before, as a bar with the number behind."""

    badge: str
    plugins: str
    changes: tuple[str, ...]
    skills: str


def comparisons(model: Model) -> list[Comparison]:
    """Last week and four weeks ago, each if there is such a run; the same run only once."""
    found = {each.since.date: each for each in (model.month, model.week) if each}
    return [found[day] for day in sorted(found, reverse=True)]


def numbers(model: Model) -> Iterator[Number]:
    """The table at the top."""
    what = "plugins" if model.report.plugins else "skills"
    yield _points(model, f"Mean score of {what}", lambda run: run.mean)
    yield _points(model, "Median", lambda run: median(run.scores) if run.scores else None)
    yield _count(model, f"{what.capitalize()} with a score", lambda run: len(run.scores))
    if model.report.plugins:
        yield _count(model, "Skills in plugins", lambda run: sum(one.skills for one in run.records))
        yield _count(model, "Agents in plugins", lambda run: sum(one.agents for one in run.records))
    yield _count(model, "Anti-patterns", lambda run: sum(_flags(run).values()))
    for harness in [*eval_rates_of(model.timeline.now)][:MOST_HARNESSES]:
        yield _percent(model, f"Eval runs passed with {markdown(harness, NAME_LIMIT)}", harness)


def badge_rows(model: Model) -> Iterator[BadgeRow]:
    """How the badges are spread, now and before."""
    now = Counter(record.badge for record in model.timeline.now.records)
    skills = tally(members(model.report, "skill")).badges
    plugins = {badge: now[badge] for badge in ORDER}
    for badge in ORDER:
        before = [
            sum(record.badge == badge for record in each.since.records)
            for each in comparisons(model)
        ]
        yield BadgeRow(
            badge_name(badge),
            _bar(plugins[badge], sum(plugins.values())),
            tuple(_difference(plugins[badge], count) for count in before),
            _bar(skills[badge], sum(skills.values())),
        )


def _flags(run: Run) -> Counter[str]:
    return sum((Counter(record.flags) for record in run.records), Counter())


def _points(model: Model, name: str, measure: Measure) -> Number:
    now = measure(model.timeline.now)
    before = [measure(each.since) for each in comparisons(model)]
    changes = [NOTHING if now is None or one is None else _moved(now - one) for one in before]
    return Number(name, NOTHING if now is None else shown(now), tuple(changes))


def _percent(model: Model, name: str, harness: str) -> Number:
    now = eval_rates_of(model.timeline.now)[harness]
    before = [eval_rates_of(each.since).get(harness) for each in comparisons(model)]
    changes = [NOTHING if one is None else _moved(now - one) for one in before]
    return Number(name, f"{now:.0f}{UNBROKEN}%", tuple(changes))


def _count(model: Model, name: str, measure: Callable[[Run], int]) -> Number:
    now = measure(model.timeline.now)
    before = [measure(each.since) for each in comparisons(model)]
    return Number(name, f"{now:,}", tuple(_difference(now, one) for one in before))


def _moved(points: float) -> str:
    return moved(points) if round(abs(points), 1) else _SAME


def _difference(now: int, before: int) -> str:
    return f"{now - before:+,}".replace("-", "−") if now != before else _SAME


def _bar(count: int, of: int) -> str:
    """A share as blocks; one thing among many still shows."""
    if not count:
        return "0"
    return "█" * max(1, round(BAR_WIDTH * count / of)) + f"{UNBROKEN}{count:,}"


def since(found: Sequence[Comparison]) -> tuple[str, ...]:
    """The days that the columns of changes go back to."""
    return tuple(each.since.date for each in found)
