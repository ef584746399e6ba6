"""What a person reads of a skill's evals: the verdict first, then what needs looking at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from plugineval_action.evals.baseline import Changes
from plugineval_action.evals.grading import Graded
from plugineval_action.evals.outcomes import CaseResult, Cost, Paired, Rate, Summary, Trial
from plugineval_action.evals.reviewing.applying import Evaluated
from plugineval_action.render.evals.evaluated import EvaluatedRow, evaluated_row
from plugineval_action.render.words import NOTHING, UNBROKEN, counted

_MARKS: Final = {"passed": "✅", "failed": "❌", "flaky": "🔀", "ungraded": "❔"}
_MOST_REMARKS: Final = 10
_ORDER: Final = ("broken", "failed", "flaky", "ungraded", "fixed", "passed")
_NEAR_CERTAIN: Final = 0.001


class EvalRun(NamedTuple):
    """One run of `plugin-eval eval grade` or `eval run`, to be written."""

    summary: Summary
    changes: Changes | None
    timestamp: str
    notes: tuple[str, ...] = ()
    evaluated: tuple[Evaluated, ...] = ()


class Row(NamedTuple):
    """A case in the table: what became of it, and why."""

    id: str
    kind: str
    mark: str
    state: str
    runs: str
    why: str
    trace: str


class View(NamedTuple):
    """Everything the template places, in order."""

    skill: str
    verdict: str
    rows: tuple[Row, ...]
    quiet: tuple[Row, ...]
    kinds: tuple[tuple[str, str, str, str], ...]
    facts: tuple[str, ...]
    evaluated: tuple[EvaluatedRow, ...]
    notes: tuple[str, ...]


def view_of(run: EvalRun) -> View:
    """The view of a run."""
    summary, changed = run.summary, run.changes
    rows = sorted(
        (row_of(one, changed) for one in summary.cases), key=lambda row: _ORDER.index(row.state)
    )
    return View(
        skill=summary.skill,
        verdict=verdict(summary, changed),
        rows=tuple(row for row in rows if row.state != "passed"),
        quiet=tuple(row for row in rows if row.state == "passed"),
        kinds=tuple((one.kind, str(one.cases), *shown_rate(one.rate)) for one in summary.kinds),
        facts=tuple(_facts(summary)),
        evaluated=tuple(map(evaluated_row, run.evaluated)),
        notes=(*run.notes, *_remarks(summary), *_notes(summary)),
    )


def verdict(summary: Summary, changed: Changes | None) -> str:
    """The first sentence: how many cases pass, and what changed."""
    graded = [one for one in summary.cases if one.state != "ungraded"]
    passed = sum(one.state == "passed" for one in graded)
    if not graded:
        return "No case could be graded."
    said = [f"{passed} of {counted(len(graded), 'case')} passed"]
    if changed and changed.broken:
        said.append(f"{len(changed.broken)} broken since the baseline")
    if changed and changed.fixed:
        said.append(f"{len(changed.fixed)} fixed")
    if flaky := sum(one.state == "flaky" for one in graded):
        said.append(f"{flaky} flaky")
    if left := len(summary.cases) - len(graded):
        said.append(f"{left} not graded")
    return ", ".join(said) + "."


def failing(trial: Trial) -> Iterator[Graded]:
    """The checks that a run did not pass, those that must pass first."""
    missed = [one for one in trial.run.checks if one.verdict.status in ("failed", "unknown")]
    yield from sorted(missed, key=lambda one: not one.must_pass)


def row_of(one: CaseResult, changed: Changes | None) -> Row:
    """A case in the table."""
    state: str = one.state
    if changed and one.case.id in changed.broken:
        state = "broken"
    elif changed and one.case.id in changed.fixed:
        state = "fixed"
    trial = next((t for t in one.trials if t.run.outcome != "passed"), None)
    runs = f"{one.passed} of {one.graded}" if one.graded else NOTHING
    return Row(
        id=one.case.id,
        kind=one.case.kind,
        mark=f"{_MARKS[one.state]}{UNBROKEN}{state}",
        state=state,
        runs=runs,
        why=trial.run.why if trial else "",
        trace=_place(trial) if trial else "",
    )


def _place(trial: Trial) -> str:
    """The trace, and the line in it that shows why."""
    lines = next((one.verdict.lines for one in failing(trial) if one.must_pass), ())
    return f"{trial.trace}:{lines[-1]}" if lines else trial.trace


def shown_rate(rate: Rate) -> tuple[str, str]:
    """`5 of 6` and `83 % (44–97 %)`."""
    if rate.share is None or rate.interval is None:
        return NOTHING, NOTHING
    low, high = (f"{100 * end:.0f}" for end in rate.interval)
    return f"{rate.hits} of {rate.runs}", f"{100 * rate.share:.0f} % ({low}–{high} %)"


def _facts(summary: Summary) -> Iterator[str]:
    for name, rate in (("precision", summary.precision), ("recall", summary.recall)):
        runs, share = shown_rate(rate)
        yield f"Activation {name}: {share if rate.runs else 'not measured'}" + (
            f", {runs} runs." if rate.runs else "."
        )
    if summary.paired:
        yield paired_sentence(summary.paired)
    for k, share_at in summary.pass_at:
        yield f"pass@{k}: {100 * share_at:.0f} %."
    for cost in summary.costs:
        yield cost_sentence(cost)


def paired_sentence(paired: Paired) -> str:
    """What the skill changes on the same prompts."""
    p = "< 0.001" if paired.p < _NEAR_CERTAIN else f"= {paired.p:.3f}"
    return (
        f"With the skill {paired.with_skill} of {counted(paired.cases, 'case')} reached the goal, "
        f"without it {paired.without_skill} (won {len(paired.won)}, lost {len(paired.lost)}; "
        f"McNemar's exact test, p {p})."
    )


def cost_sentence(cost: Cost) -> str:
    """Tokens and dollars of an arm."""
    arm = "With the skill" if cost.arm == "with" else "Without the skill"
    tokens = "tokens not told" if cost.tokens is None else f"{cost.tokens:,} tokens"
    runs = f" in {counted(cost.runs, 'run')}" if cost.runs else ""
    usd = "cost not told" if cost.usd is None else f"${cost.usd:.2f} by the harness's own estimate"
    return f"{arm}: {tokens}{runs}, {usd}."


def _remarks(summary: Summary) -> Iterator[str]:
    """What did not pass and fails no case, each check once with the first run that shows it."""
    missed: dict[str, list[tuple[Trial, Graded]]] = {}
    for trial in (trial for one in summary.cases for trial in one.trials):
        for graded in failing(trial):
            if not graded.must_pass:
                missed.setdefault(graded.id, []).append((trial, graded))
    for name, found in list(missed.items())[:_MOST_REMARKS]:
        trial, graded = found[0]
        yield (
            f"Remark {name}, which fails no case: not passed in {counted(len(found), 'run')}, "
            f"first in {trial.run.case.id}: {graded.verdict.why}"
        )


def _notes(summary: Summary) -> Iterator[str]:
    if summary.ungraded:
        yield (
            f"{counted(summary.ungraded, 'run')} could not be graded and "
            f"{'counts' if summary.ungraded == 1 else 'count'} neither way."
        )
    if summary.not_run:
        yield f"Not run: {', '.join(summary.not_run)}."
    if summary.unknown_lines:
        lines = counted(summary.unknown_lines, "line")
        yield f"The traces hold {lines} that no reader knows; the JSON output counts them by kind."
