"""All runs of a skill's cases together: which cases pass, how sure that is, what the skill adds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import Final, Literal, NamedTuple

from plugineval_action.evals.cases import KINDS, Case, Kind
from plugineval_action.evals.grading import Run, outcome_of
from plugineval_action.evals.recordings import Arm
from plugineval_action.stats.paired import mcnemar_exact, pass_at_k
from plugineval_action.stats.proportions import Interval, effective, wilson

State = Literal["passed", "failed", "flaky", "ungraded"]
"""Of a case: all graded runs passed, none did, some did, or none could be graded."""

_ACTIVATION: Final = "activation"
_MOST_K: Final = 10


class Trial(NamedTuple):
    """One graded run, the arm and repeat that it was, and where its trace lies."""

    run: Run
    arm: Arm
    repeat: int
    trace: str


class CaseResult(NamedTuple):
    """A case with the skill: how many of its graded runs passed."""

    case: Case
    state: State
    passed: int
    graded: int
    trials: tuple[Trial, ...]


class Rate(NamedTuple):
    """A share of runs, with its Wilson interval; repeats of a prompt count for less than one.

    `interval` is None without a run.
    """

    hits: int
    runs: int
    interval: Interval | None

    @property
    def share(self) -> float | None:
        """From 0 to 1, None without a run."""
        return self.hits / self.runs if self.runs else None


class KindRate(NamedTuple):
    """How often the cases of a kind pass, and how many of them there are."""

    kind: Kind
    cases: int
    rate: Rate


class Paired(NamedTuple):
    """The same cases with and without the skill, activation left out: what it changed.

    `p` is that of McNemar's exact test, two-sided.
    """

    cases: int
    with_skill: int
    without_skill: int
    won: tuple[str, ...]
    lost: tuple[str, ...]
    p: float


class Cost(NamedTuple):
    """Of one arm. None: no run told it. `runs` is how many runs told tokens."""

    arm: Arm
    runs: int
    tokens: int | None
    usd: float | None


class Summary(NamedTuple):
    """Everything about one skill's evals. `not_run` are the cases without any run."""

    skill: str
    cases: tuple[CaseResult, ...]
    kinds: tuple[KindRate, ...]
    precision: Rate
    recall: Rate
    paired: Paired | None
    pass_at: tuple[tuple[int, float], ...]
    costs: tuple[Cost, ...]
    ungraded: int
    not_run: tuple[str, ...]
    unknown_lines: int
    trials: tuple[Trial, ...]


def summarise(skill: str, cases: Iterable[Case], trials: Sequence[Trial]) -> Summary:
    """Put the runs of a skill together."""
    cases = tuple(cases)
    withs, withouts = _by_case(trials, "with"), _by_case(trials, "without")
    results = tuple(_case(case, withs.get(case.id, ())) for case in cases)
    ran = tuple(one for one in results if one.trials)
    return Summary(
        skill=skill,
        cases=ran,
        kinds=tuple(_kinds(ran)),
        precision=_activation(ran, lambda trial: bool(trial.run.facts.activated)),
        recall=_activation(ran, lambda trial: trial.run.case.should_trigger),
        paired=_paired(ran, withouts),
        pass_at=tuple(_pass_at(ran)),
        costs=tuple(_costs(trials)),
        ungraded=sum(one.arm == "with" and one.run.outcome == "ungraded" for one in trials),
        not_run=tuple(one.case.id for one in results if not one.trials),
        unknown_lines=sum(count for one in trials for _, count in one.run.facts.unknown),
        trials=tuple(trials),
    )


def _by_case(trials: Iterable[Trial], arm: Arm) -> dict[str, list[Trial]]:
    """The runs of an arm by the id of their case."""
    found: dict[str, list[Trial]] = {}
    for one in trials:
        if one.arm == arm:
            found.setdefault(one.run.case.id, []).append(one)
    return found


def _case(case: Case, trials: Sequence[Trial]) -> CaseResult:
    outcomes = [one.run.outcome for one in trials]
    passed, graded = outcomes.count("passed"), len(outcomes) - outcomes.count("ungraded")
    return CaseResult(case, _state(passed, graded), passed, graded, tuple(trials))


def _state(passed: int, graded: int) -> State:
    if not graded:
        return "ungraded"
    if passed == graded:
        return "passed"
    return "flaky" if passed else "failed"


def _kinds(results: Sequence[CaseResult]) -> Iterable[KindRate]:
    for kind in KINDS:
        of_kind = [one for one in results if one.case.kind == kind]
        if of_kind:
            outcomes = [
                [t.run.outcome == "passed" for t in one.trials if t.run.outcome != "ungraded"]
                for one in of_kind
            ]
            yield KindRate(kind, len(of_kind), rate(outcomes))


def rate(clusters: Sequence[Sequence[bool]]) -> Rate:
    """The share of hits, where each cluster holds the runs of one case."""
    runs = sum(map(len, clusters))
    interval = wilson(effective(clusters)) if runs else None
    return Rate(sum(map(sum, clusters)), runs, interval)


def _activation(results: Sequence[CaseResult], among: Callable[[Trial], bool]) -> Rate:
    """How often activation was right, among the runs in which it could be told."""
    clusters = [
        [
            trial.run.case.should_trigger and bool(trial.run.facts.activated)
            for trial in one.trials
            if _told(trial) and among(trial)
        ]
        for one in results
    ]
    return rate([cluster for cluster in clusters if cluster])


def _told(trial: Trial) -> bool:
    """Whether the run shows if the skill was activated; explicit calls never do."""
    return trial.run.facts.end.state in ("completed", "stopped") and any(
        one.type == _ACTIVATION and one.verdict.status in ("passed", "failed")
        for one in trial.run.checks
    )


def _paired(results: Sequence[CaseResult], without: Mapping[str, Sequence[Trial]]) -> Paired | None:
    """Cases that were graded in both arms; a case passes if more than half of its runs do."""
    pairs = []
    for one in results:
        both = _mostly(one.trials), _mostly(without.get(one.case.id, ()))
        if None not in both:
            pairs.append((one.case.id, *both))
    if not pairs:
        return None
    won = tuple(name for name, with_it, without_it in pairs if with_it and not without_it)
    lost = tuple(name for name, with_it, without_it in pairs if without_it and not with_it)
    return Paired(
        cases=len(pairs),
        with_skill=sum(bool(with_it) for _, with_it, _ in pairs),
        without_skill=sum(bool(without_it) for *_, without_it in pairs),
        won=won,
        lost=lost,
        p=mcnemar_exact(len(won), len(lost)),
    )


def _mostly(trials: Iterable[Trial]) -> bool | None:
    """Whether most graded runs reach their goal, however; None if none was graded."""
    outcomes = [
        outcome_of(
            trial.run.facts.end, [one for one in trial.run.checks if one.type != _ACTIVATION]
        )[0]
        for trial in trials
    ]
    graded = [outcome == "passed" for outcome in outcomes if outcome != "ungraded"]
    return 2 * sum(graded) > len(graded) if graded else None


def _pass_at(results: Sequence[CaseResult]) -> Iterable[tuple[int, float]]:
    """pass@k for each k that every graded case has repeats for, if any case has more than one."""
    graded = [one for one in results if one.graded]
    most = min((one.graded for one in graded), default=0)
    for k in range(1, min(most, _MOST_K) + 1) if most > 1 else ():
        shares = [pass_at_k(one.graded, one.passed, k) for one in graded]
        yield k, fsum(shares) / len(shares)


def _costs(trials: Sequence[Trial]) -> Iterable[Cost]:
    arms: tuple[Arm, ...] = ("with", "without")
    for arm in arms:
        usages = [one.run.facts.usage for one in trials if one.arm == arm]
        told = [usage for usage in usages if usage is not None]
        dollars = [usage.usd for usage in told if usage.usd is not None]
        if usages:
            tokens = sum(usage.total for usage in told) if told else None
            yield Cost(arm, len(told), tokens, fsum(dollars) if dollars else None)
