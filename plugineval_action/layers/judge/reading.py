"""From what the judges said to the layer's result. Pure: averages, spread, agreement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import fsum, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from plugineval_action.layers.judge.prompts import Predicted
from plugineval_action.layers.judge.rubrics import CRITERIA, STEP
from plugineval_action.layers.judge.verdict import Key, Verdict
from plugineval_action.layers.outcome import measure, unmeasured
from plugineval_action.layers.triggering import sampled_f1
from plugineval_action.results import Evidence, LayerResult, Measure, SubScore
from plugineval_action.stats.agreement import cohen_kappa, krippendorff_alpha
from plugineval_action.stats.proportions import Sample, wilson
from plugineval_action.stats.resampling import Sampled, mean_draws, t_draws
from plugineval_action.stats.seeds import seeded

ASSESSMENTS: Final = (
    "triggering_accuracy",
    "orchestration_fitness",
    "output_quality",
    "scope_calibration",
)
_OVER_JUDGES: Final = "Student's t over judges, spread pooled over rubrics"
_METHODS: Final = {
    "orchestration_fitness": _OVER_JUDGES,
    "output_quality": "bootstrap over tasks",
    "scope_calibration": _OVER_JUDGES,
}
_LEAST_NOISE: Final = STEP / 2
"""Deviation of a reading that falls on two neighbouring levels alike. Readings that agree do not
show less: three of a judge who wavers are all the same in one case of four."""

SELF_CONSISTENCY: Final = "self_consistency"
"""Agreement of one model with itself: it says nothing about whether the model is right."""

_UNDEFINED: Final = "Not defined: every rating is of one level."


class Heard(NamedTuple):
    """All that judges said of one skill, by number of the judge; `missing` has reasons.

    `tasks` are those on which output was imagined.
    """

    predicted: dict[int, Predicted]
    verdicts: dict[str, dict[int, Verdict]]
    missing: dict[str, list[str]]
    tasks: tuple[str, ...] = ()


class Reading(NamedTuple):
    """The layer's result (None if nothing was measured) and its numbers with their spread."""

    result: LayerResult | None
    dimensions: dict[str, Sampled]


def reading(heard: Heard, digest: str, judges: int, notes: tuple[str, ...]) -> Reading:
    """Average, and say how far the judges lie apart. `digest` seeds the resampling."""
    sampled = dict(_sampled(heard, digest))
    if not sampled:
        return Reading(None, {})
    result = LayerResult(
        layer="judge",
        score=fmean(one.value for one in sampled.values()),
        sub_scores=tuple(
            SubScore(name, sampled[name].value) for name in ASSESSMENTS if name in sampled
        ),
        anti_patterns=(),
        metadata={
            "judges": judges,
            "quotes": sum(len(one.quotes) for one in _evidence(heard)),
            "quotes_not_in_the_text": _invented(heard),
        },
        measures=(*_measures(heard, sampled), *_agreement(heard, judges)),
        evidence=tuple(_evidence(heard)),
        notes=notes,
    )
    return Reading(result, sampled)


def _sampled(heard: Heard, digest: str) -> Iterator[tuple[str, Sampled]]:
    if heard.predicted:
        wanted, unwanted = _counts(heard)
        yield ASSESSMENTS[0], sampled_f1(wanted, unwanted, seeded("f1", digest))
    noise = _noise(heard)
    for name in ASSESSMENTS[1:]:
        by_judge = heard.verdicts.get(name)
        if by_judge:
            table = [by_subject(verdict) for verdict in by_judge.values()]
            yield name, _rated(table, noise, seeded(name, digest))


def _counts(heard: Heard) -> tuple[Sample, Sample]:
    """Predicted activations, and prompts of each kind, over all judges."""
    wanted = [loads for one in heard.predicted.values() for loads in one.should]
    unwanted = [loads for one in heard.predicted.values() for loads in one.should_not]
    return Sample(sum(wanted), len(wanted)), Sample(sum(unwanted), len(unwanted))


class _Noise(NamedTuple):
    """How far ratings of one thing lie apart (as a share), and the degrees of freedom of that."""

    deviation: float
    freedom: int


def _noise(heard: Heard) -> _Noise | None:
    """Pooled over everything that several judges rated; None if nothing was.

    Three judges say little about the spread of one rating; of eleven things rated by three there
    are twenty-two degrees of freedom. A rating is taken to be as noisy for one rubric as for the
    other, and no less than one that wavers between two levels.
    """
    things = [
        [(level - 1) * STEP for level in unit if level is not None]
        for unit in zip(*_levels(heard), strict=True)
    ]
    freedom = sum(len(unit) - 1 for unit in things)
    if not freedom:
        return None
    squares = fsum((one - fmean(unit)) ** 2 for unit in things for one in unit)
    return _Noise(max(sqrt(squares / freedom), _LEAST_NOISE), freedom)


def _rated(table: Sequence[Sequence[float]], noise: _Noise | None, rng: Random) -> Sampled:
    """The mean of a table with a row for each judge and a column for each subject.

    Tasks are resampled, and what judges make of them with them; a lone subject has the judges'
    noise alone, which one judge does not show.
    """
    value = fmean(fmean(row) for row in table)
    tasks = [fmean(column) for column in zip(*table, strict=True)]
    if len(tasks) > 1:
        return Sampled(value, inside(mean_draws(tasks, rng, resolution=STEP / len(CRITERIA))))
    if noise is None:
        return Sampled(value)
    error = noise.deviation / sqrt(len(table))
    return Sampled(value, inside(t_draws(value, error, noise.freedom, rng)))


def inside(draws: Iterable[float]) -> tuple[float, ...]:
    """Draws of a share."""
    return tuple(min(1.0, max(0.0, draw)) for draw in draws)


def by_subject(verdict: Verdict) -> list[float]:
    """The mean score of each subject, in the order of their names."""
    subjects = sorted({one.subject for one in verdict.ratings})
    return [
        fmean(one.score for one in verdict.ratings if one.subject == subject)
        for subject in subjects
    ]


def _measures(heard: Heard, sampled: dict[str, Sampled]) -> Iterator[Measure]:
    for name in ASSESSMENTS:
        if name not in sampled:
            reasons = heard.missing.get(name) or ["It was not asked for."]
            yield unmeasured(name, " ".join(dict.fromkeys(reasons)))
        elif name == ASSESSMENTS[0]:
            wanted, unwanted = _counts(heard)
            n = round(wanted.trials + unwanted.trials)
            yield measure(name, sampled[name], n, "Jeffreys over predicted prompts")
            yield _share("predicted_recall", wanted)
            yield _share("predicted_false_rate", unwanted)
        else:
            n = len(heard.verdicts[name])
            yield measure(name, sampled[name], n, _METHODS[name])
            yield _spread(name, list(heard.verdicts[name].values()))


def _share(name: str, sample: Sample) -> Measure:
    low, high = wilson(sample)
    n = round(sample.trials)
    return Measure(name, sample.successes / sample.trials, low, high, n, "Wilson")


def _spread(name: str, verdicts: Sequence[Verdict]) -> Measure:
    """The standard deviation between judges."""
    title = f"{name}_sd"
    if len(verdicts) < 2:
        return unmeasured(title, "One judge has no spread.")
    scores = [fmean(by_subject(verdict)) for verdict in verdicts]
    return Measure(
        title,
        stdev(scores),
        n=len(scores),
        reason="The spread itself: there is no interval for it.",
    )


def _agreement(heard: Heard, judges: int) -> Iterator[Measure]:
    """Cohen's kappa for two judges, Krippendorff's ordinal alpha for more."""
    if judges < 2:
        yield unmeasured(SELF_CONSISTENCY, "One judge has nobody to agree with.")
        return
    raters = _levels(heard)
    if len(raters) < 2:
        yield unmeasured(SELF_CONSISTENCY, "Fewer than two judges gave a verdict.")
        return
    if len(raters) == 2:
        pairs = [pair for pair in zip(*raters, strict=True) if None not in pair]
        value = cohen_kappa([a for a, _ in pairs if a], [b for _, b in pairs if b])
        method = "Cohen's kappa"
    else:
        value = krippendorff_alpha(raters, "ordinal")
        method = "Krippendorff's alpha, ordinal"
    n = len(raters[0])
    yield Measure(
        SELF_CONSISTENCY,
        value,
        n=n,
        method=f"{method}, one model asked {len(raters)} times",
        reason=_UNDEFINED if value is None else "Too few ratings for an interval.",
    )


def _levels(heard: Heard) -> list[list[float | None]]:
    """The levels of each judge for everything that was rated, None where a judge did not."""
    levels: dict[int, dict[tuple[str, Key], float]] = {}
    for name, by_judge in heard.verdicts.items():
        for judge, verdict in by_judge.items():
            for one in verdict.ratings:
                key = name, (one.subject, one.criterion)
                levels.setdefault(judge, {})[key] = float(one.level)
    units = sorted({unit for own in levels.values() for unit in own})
    return [[levels[judge].get(unit) for unit in units] for judge in sorted(levels)]


def _evidence(heard: Heard) -> Iterator[Evidence]:
    for name in ASSESSMENTS[1:]:
        for judge, verdict in sorted(heard.verdicts.get(name, {}).items()):
            for one in verdict.ratings:
                yield Evidence(
                    name, one.subject, one.criterion, judge, one.level, one.reasoning, one.quotes
                )


def _invented(heard: Heard) -> int:
    return sum(
        verdict.invented for by_judge in heard.verdicts.values() for verdict in by_judge.values()
    )
