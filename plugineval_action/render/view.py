"""What the writers of `score` share: the run, its results as rows, and the rows as a summary.

Text in here is raw; each writer escapes it for its own format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.findings.catalogue import RULES
from plugineval_action.findings.problems import problems, refused, rule_url
from plugineval_action.render.words import NOTHING, counted
from plugineval_action.results import FailOn, Failure, Finding, Kind, Result, findings_of
from plugineval_action.scoring.bands import ORDER, badge_name, shown_beside
from plugineval_action.scoring.points import points_of

RULES_SHOWN: Final = 10
NAME_LIMIT: Final = 60


class ScoreRun(NamedTuple):
    """Everything one `score` produced, and how it was asked for.

    `ruleset` names its version too (`plugineval/1`), `timestamp` is ISO 8601, `notes` sentences.
    `findings` are those beside what was scored, such as in a marketplace.json; those of `fail_on`
    and worse, here and in results, fail the run.
    """

    results: tuple[Result, ...]
    failures: tuple[Failure, ...]
    depth_asked: str
    depth_run: str
    ruleset: str
    threshold: float | None
    timestamp: str
    concurrency: int
    verbose: bool
    output_format: str
    duration_ms: float | None
    notes: tuple[str, ...]
    fail_on: FailOn = "never"
    findings: tuple[Finding, ...] = ()


class Row(NamedTuple):
    """One result in a table; `points` (0 to 100) is None and `badge` "—" where there is none."""

    kind: Kind
    name: str
    path: str
    points: float | None
    score: str
    badge: str
    flags: int
    below: bool


class RuleCount(NamedTuple):
    """How often a rule was broken, and in how many results."""

    rule: str
    title: str
    url: str | None
    costs: bool
    times: int
    results: int


class Summary(NamedTuple):
    """Several results at a glance, worst first; `badges` counts each badge that occurs."""

    what: str
    rows: tuple[Row, ...]
    badges: tuple[tuple[str, int], ...]
    unscored: int
    below: int
    rules: tuple[RuleCount, ...]


def below_threshold(result: Result, threshold: float | None) -> bool:
    """Whether a composite misses the threshold, at the precision that badges are compared at."""
    composite = result.composite
    return threshold is not None and composite is not None and round(composite.score, 9) < threshold


def refusals(result: Result, fail_on: FailOn) -> tuple[Finding, ...]:
    """The findings of a result, members included, that fail the run."""
    levels = refused(fail_on)
    return tuple(note for note in findings_of(result) if note.level in levels)


def worst_first(results: Iterable[Result]) -> list[Result]:
    """By score, then path; what is not scored comes last."""

    def order(result: Result) -> tuple[bool, float, str]:
        points = points_of(result)
        return points is None, points or 0.0, result.path

    return sorted(results, key=order)


def row(result: Result, threshold: float | None = None) -> Row:
    """A result as a line of a table."""
    points = points_of(result)
    badge = result.composite.badge if result.composite else None
    return Row(
        kind=result.kind,
        name=shorten(result.name or result.path or result.kind, NAME_LIMIT),
        path=result.path or ".",
        points=points,
        score=NOTHING if points is None else shown_beside(points, threshold),
        badge=badge_name(badge) if badge else NOTHING,
        flags=sum(len(layer.anti_patterns) for layer in result.layers),
        below=below_threshold(result, threshold),
    )


def summary(run: ScoreRun) -> Summary:
    """All results of a run at a glance."""
    rows = tuple(row(result, run.threshold) for result in worst_first(run.results))
    return Summary(
        what=_what(rows),
        rows=rows,
        badges=_badges(run.results),
        unscored=sum(each.points is None for each in rows),
        below=sum(each.below for each in rows),
        rules=_most_frequent(run.results),
    )


def method(run: ScoreRun) -> str:
    """What stands behind the numbers: confidence label, depth, ruleset and its version."""
    labels = sorted({each.composite.confidence_label for each in run.results if each.composite})
    depth = f"{', '.join(labels)} at depth" if labels else "Depth"
    published = any(each.methodology == "reference" for each in run.results)
    how = ", published measures of the model's own" if published else ""
    return f"{depth} {run.depth_run}, ruleset {run.ruleset}{how}"


def _what(rows: tuple[Row, ...]) -> str:
    kinds = {each.kind for each in rows}
    return counted(len(rows), kinds.pop() if len(kinds) == 1 else "result")


def _badges(results: Iterable[Result]) -> tuple[tuple[str, int], ...]:
    counts = Counter(result.composite.badge for result in results if result.composite)
    return tuple((badge_name(name), counts[name]) for name in ORDER if counts[name])


def _most_frequent(results: Iterable[Result]) -> tuple[RuleCount, ...]:
    times: Counter[tuple[str, bool]] = Counter()
    spread: Counter[tuple[str, bool]] = Counter()
    errors: set[str] = set()
    for result in results:
        told = problems(result)
        found = [(problem.rule, problem.costs) for problem in told]
        errors.update(problem.rule for problem in told if problem.level == "error")
        times.update(found)
        spread.update(set(found))
    ranked = sorted(times, key=lambda key: (key[0] not in errors, -times[key], key))
    return tuple(
        RuleCount(key[0], _title(key[0]), rule_url(key[0]), key[1], times[key], spread[key])
        for key in ranked[:RULES_SHOWN]
    )


def _title(rule: str) -> str:
    return RULES[rule].title if rule in RULES else ""
