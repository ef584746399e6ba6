"""From what the judges said to the layer's result. Pure: averages, spread, agreement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from plugineval_action.stats.resampling import Sampled, mean_draws
from plugineval_action.stats.seeds import seeded

ASSESSMENTS: Final = (
    "triggering_accuracy",
    "orchestration_fitness",
    "output_quality",
    "scope_calibration",
)
SELF_CONSISTENCY: Final = "self_consistency"
"""Agreement of one model with itself: it says nothing about whether the model is right."""

_UNDEFINED: Final = "Not defined: every rating is of one level."


class Heard(NamedTuple):
    """All that judges said of one skill, by number of the judge; `missing` has reasons."""

    predicted: dict[int, Predicted]
    verdicts: dict[str, dict[int, Verdict]]
    missing: dict[str, list[str]]


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
    for name in ASSESSMENTS[1:]:
        by_judge = heard.verdicts.get(name)
        if by_judge:
            yield name, _rated(list(by_judge.values()), seeded(name, digest))


def _counts(heard: Heard) -> tuple[Sample, Sample]:
    """Predicted activations, and prompts of each kind, over all judges."""
    wanted = [loads for one in heard.predicted.values() for loads in one.should]
    unwanted = [loads for one in heard.predicted.values() for loads in one.should_not]
    return Sample(sum(wanted), len(wanted)), Sample(sum(unwanted), len(unwanted))


def _rated(verdicts: Sequence[Verdict], rng: Random) -> Sampled:
    """The mean over judges and, if there are several, over tasks; both are resampled.

    What the two have in common then counts twice, so the interval is rather too wide.
    """
    table = [_by_subject(verdict) for verdict in verdicts]
    judges = [fmean(row) for row in table]
    tasks = [fmean(column) for column in zip(*table, strict=True)]
    value = fmean(judges)
    by_judge = mean_draws(judges, rng, resolution=STEP / len(tasks))
    by_task = mean_draws(tasks, rng, resolution=STEP / len(CRITERIA))
    if not by_judge or not by_task:
        return Sampled(value, _inside(by_judge or by_task))
    both = zip(by_judge, by_task, strict=True)
    return Sampled(value, _inside(one + other - value for one, other in both))


def _inside(draws: Iterable[float]) -> tuple[float, ...]:
    return tuple(min(1.0, max(0.0, draw)) for draw in draws)


def _by_subject(verdict: Verdict) -> list[float]:
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
            yield measure(name, sampled[name], n, "bootstrap over judges and tasks")
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
    scores = [fmean(_by_subject(verdict)) for verdict in verdicts]
    return Measure(title, stdev(scores), n=len(scores), reason="A spread is shown as it is.")


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
