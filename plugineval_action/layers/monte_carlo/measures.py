"""From runs to the layer's numbers, each with its interval. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import fsum
from statistics import fmean, median
from typing import Final, NamedTuple

from plugineval_action.layers.judge.rubrics import CRITERIA, STEP
from plugineval_action.layers.monte_carlo.runs import Run
from plugineval_action.layers.outcome import measure, unmeasured
from plugineval_action.layers.triggering import sampled_f1, sampled_precision
from plugineval_action.results import LayerResult, Measure, SubScore
from plugineval_action.stats.proportions import (
    LEVEL,
    Sample,
    clopper_pearson,
    effective,
    wilson,
)
from plugineval_action.stats.resampling import (
    Draws,
    Sampled,
    mean_draws,
    rate_draws,
    statistic_draws,
)
from plugineval_action.stats.seeds import seeded
from plugineval_action.stats.spread import spread, variation

TOKENS: Final = 8_000
"""Tokens of a run at which nothing is left of the efficiency term (published methodology)."""

WEIGHTS: Final = {"activation": 0.40, "consistency": 0.30, "robustness": 0.20, "efficiency": 0.10}
"""Of the layer's own score (published methodology)."""

_FEWEST: Final = 8
"""Prompts below which a median of tokens has no interval: measured, it would not hold."""

BOOTSTRAP: Final = "bootstrap over prompts"
JEFFREYS: Final = "Jeffreys' prior, over prompts"

DIMENSIONS: Final = {
    "activation": "triggering_accuracy",
    "quality": "output_quality",
    "robustness": "robustness",
    "efficiency": "token_efficiency",
}


class Ran(NamedTuple):
    """Runs that came to an end, and the quality of some replies by the number of their run.

    `lost` counts runs that ended in an error, `unrated` replies that could not be rated.
    """

    runs: tuple[Run, ...]
    quality: Mapping[int, float]
    lost: int = 0
    unrated: int = 0


class Reading(NamedTuple):
    """The layer's result (None if not a single run came to an end), and its dimensions."""

    result: LayerResult | None
    dimensions: dict[str, Sampled]


def dimensions(ran: Ran, digest: str) -> dict[str, Sampled]:
    """What the runs say of the composite's dimensions. `digest` seeds the resampling."""
    return {DIMENSIONS[name]: one for name, one in _terms(ran, digest).items()}


def reading(
    ran: Ran, digest: str, planned: int, notes: tuple[str, ...], level: float = LEVEL
) -> Reading:
    """The layer's result, and the `dimensions` that it was made from.

    `level` is that of the intervals: higher where the runs were looked at several times.
    """
    terms = _terms(ran, digest)
    if not terms:
        return Reading(None, {})
    measured = {DIMENSIONS[name]: one for name, one in terms.items()}
    terms |= _consistency_term(ran, digest)
    weights = {name: WEIGHTS[name] for name in terms if name in WEIGHTS}
    total = fsum(weights.values())
    result = LayerResult(
        layer="monte_carlo",
        score=fsum(weight * terms[name].value for name, weight in weights.items()) / total,
        sub_scores=tuple(SubScore(name, one.value) for name, one in terms.items()),
        anti_patterns=(),
        metadata={
            "runs_planned": planned,
            "runs": len(ran.runs),
            "runs_lost": ran.lost,
            "replies_rated": len(ran.quality),
            "replies_not_rated": ran.unrated,
        },
        measures=tuple(_measures(ran, terms, digest, level)),
        notes=notes,
    )
    return Reading(result, measured)


def _terms(ran: Ran, digest: str) -> dict[str, Sampled]:
    """The terms that were measured, as shares in [0, 1]."""
    wanted = _activations(ran, wanted=True)
    found: dict[str, Sampled] = {}
    if wanted.trials:
        draws = rate_draws(wanted, seeded("activation", digest))
        found["activation"] = Sampled(wanted.successes / wanted.trials, draws)
    qualities = [fmean(unit) for unit in _by_prompt(ran, quality_of)]
    if qualities:
        rng = seeded("quality", digest)
        draws = mean_draws(qualities, rng, resolution=STEP / len(CRITERIA))
        found["quality"] = Sampled(fmean(qualities), inside(draws))
    failures, tried = _failures(ran)
    if tried:
        draws = rate_draws(Sample(failures, tried), seeded("failure", digest))
        found["robustness"] = Sampled(1 - failures / tried, tuple(1 - draw for draw in draws))
    tokens = _by_prompt(ran, tokens_of)
    if tokens:
        value = efficiency([each for unit in tokens for each in unit])
        draws = statistic_draws(tokens, efficiency, seeded("tokens", digest))
        found["efficiency"] = Sampled(value, draws)
    return found


def _consistency_term(ran: Ran, digest: str) -> dict[str, Sampled]:
    """How alike the qualities of the prompts are; it counts in the layer's score alone."""
    units = [[fmean(unit)] for unit in _by_prompt(ran, quality_of)]
    value = _consistency([one for (one,) in units])
    if value is None:
        return {}
    draws = statistic_draws(units, _consistency_or_none_at_all, seeded("cv", digest))
    return {"consistency": Sampled(value, draws)}


def _measures(
    ran: Ran, terms: Mapping[str, Sampled], digest: str, level: float
) -> Iterator[Measure]:
    wanted, unwanted = _activations(ran, wanted=True), _activations(ran, wanted=False)
    yield _rate("activation_rate", ran, wanted, level, wanted_kind=True)
    yield _rate("false_activation_rate", ran, unwanted, level, wanted_kind=False)
    prompts = len({run.case.prompt for run in ran.runs})
    rated = len(_by_prompt(ran, quality_of))
    precise = sampled_precision(wanted, unwanted, seeded("precision", digest))
    yield measure("precision", precise, prompts, JEFFREYS, level)
    # Recall is the activation rate under its other name.
    yield _rate("recall", ran, wanted, level, wanted_kind=True)
    yield measure("f1", _f1(wanted, unwanted, digest), prompts, JEFFREYS, level)
    yield measure("output_quality", terms.get("quality"), rated, BOOTSTRAP, level)
    yield _variation(terms.get("consistency"), rated, level)
    failures, tried = _failures(ran)
    if tried:
        low, high = clopper_pearson(failures, tried, level)
        yield Measure("failure_rate", failures / tried, low, high, tried, "Clopper–Pearson")
    else:
        yield unmeasured("failure_rate", "The skill was never loaded.")
    yield from _token_measures(ran, digest, level)


def _f1(wanted: Sample, unwanted: Sample, digest: str) -> Sampled | None:
    both = wanted.trials and unwanted.trials
    return sampled_f1(wanted, unwanted, seeded("f1", digest)) if both else None


def _rate(name: str, ran: Ran, sample: Sample, level: float, *, wanted_kind: bool) -> Measure:
    if not sample.trials:
        return unmeasured(name, "No such run ended.")
    low, high = wilson(sample, level)
    n = sum(run.case.wanted is wanted_kind for run in ran.runs)
    return Measure(name, sample.successes / sample.trials, low, high, n, "Wilson")


def _variation(consistency: Sampled | None, n: int, level: float) -> Measure:
    name = "quality_variation"
    if consistency is None:
        return measure(name, None, n, BOOTSTRAP)
    flipped = Sampled(1 - consistency.value, tuple(1 - draw for draw in consistency.draws))
    return measure(name, flipped, n, BOOTSTRAP, level)


def _token_measures(ran: Ran, digest: str, level: float) -> Iterator[Measure]:
    """Median with its interval; quartiles and the number of outliers describe the same runs."""
    units = _by_prompt(ran, tokens_of)
    values = [each for unit in units for each in unit]
    described = spread(values)
    if described is None:
        for name in ("tokens_median", "tokens_quartile_range", "tokens_outliers"):
            yield unmeasured(name, "The skill was never loaded.")
        return
    width = described.upper_quartile - described.lower_quartile
    for name, value, statistic in (
        ("tokens_median", described.median, median),
        ("tokens_quartile_range", width, _iqr),
    ):
        if len(units) < _FEWEST:
            few = f"Fewer than {_FEWEST} prompts are too few for an interval."
            yield Measure(name, value, n=len(units), reason=few)
        else:
            sampled = Sampled(value, statistic_draws(units, statistic, seeded(name, digest)))
            yield measure(name, sampled, len(units), BOOTSTRAP, level)
    outliers = len(described.outliers)
    low, high = clopper_pearson(outliers, len(values), level)
    n = len(values)
    yield Measure("tokens_outliers", outliers / n, low, high, n, "Clopper–Pearson")


def _activations(ran: Ran, *, wanted: bool) -> Sample:
    """Activations and runs of one kind, with runs of one prompt counted as what they are worth."""
    by_prompt: dict[str, list[bool]] = {}
    for run in ran.runs:
        if run.case.wanted is wanted:
            by_prompt.setdefault(run.case.prompt, []).append(run.activated)
    return effective(list(by_prompt.values()))


def _failures(ran: Ran) -> tuple[int, int]:
    """Replies that failed, and all that were asked for."""
    replies = [run for run in ran.runs if run.reply is not None]
    return sum(bool(run.failed) for run in replies), len(replies)


def _by_prompt(ran: Ran, value: Callable[[Ran, Run], float | None]) -> list[list[float]]:
    """A value of the runs, those of one prompt together."""
    return list(units(ran, value).values())


def units(ran: Ran, value: Callable[[Ran, Run], float | None]) -> dict[str, list[float]]:
    """A value of the runs by prompt; runs without it are left out."""
    found: dict[str, list[float]] = {}
    for run in ran.runs:
        seen = value(ran, run)
        if seen is not None:
            found.setdefault(run.case.prompt, []).append(seen)
    return found


def quality_of(ran: Ran, run: Run) -> float | None:
    """The quality of a run's reply, a share; None if it was not rated."""
    return ran.quality.get(run.case.number)


def tokens_of(_: Ran, run: Run) -> float | None:
    """The tokens of a run's reply; None if there was none."""
    return run.tokens


def efficiency(tokens: Sequence[float]) -> float:
    """What is left of the efficiency term, a share."""
    return max(0.0, 1 - median(tokens) / TOKENS)


def _iqr(tokens: Sequence[float]) -> float:
    found = spread(tokens)
    assert found
    return found.upper_quartile - found.lower_quartile


def _consistency(qualities: Sequence[float]) -> float | None:
    varied = variation(qualities)
    return None if varied is None else 1 - min(1.0, varied)


def _consistency_or_none_at_all(qualities: Sequence[float]) -> float:
    """Resampled replies that are all worth nothing are as inconsistent as can be."""
    return _consistency(qualities) or 0.0


def inside(draws: Iterable[float]) -> Draws:
    """Draws of a share."""
    return tuple(min(1.0, max(0.0, draw)) for draw in draws)
