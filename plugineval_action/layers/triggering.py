"""Precision, recall and F1 of triggering, from the rates of two kinds of prompts.

As many near misses as wanted requests are assumed, whatever was run, so that the figures do not
depend on how many of each kind there happened to be.
"""

from __future__ import annotations

from random import Random

from plugineval_action.stats.proportions import Sample
from plugineval_action.stats.resampling import Sampled, rate_draws


def f1(recall: float, false_rate: float) -> float:
    """The harmonic mean of precision and recall; 0 if the skill never triggers."""
    return 2 * recall / (1 + recall + false_rate)


def precision(recall: float, false_rate: float) -> float | None:
    """The share of activations that were wanted; None if there was none."""
    return recall / (recall + false_rate) if recall + false_rate else None


def sampled_f1(wanted: Sample, unwanted: Sample, rng: Random) -> Sampled:
    """F1 from activations among wanted requests and among near misses."""
    value = f1(wanted.successes / wanted.trials, unwanted.successes / unwanted.trials)
    pairs = zip(rate_draws(wanted, rng), rate_draws(unwanted, rng), strict=True)
    return Sampled(value, tuple(f1(recall, false_rate) for recall, false_rate in pairs))


def sampled_precision(wanted: Sample, unwanted: Sample, rng: Random) -> Sampled | None:
    """Precision from the same; None if nothing was activated."""
    if not wanted.trials or not unwanted.trials:
        return None
    value = precision(wanted.successes / wanted.trials, unwanted.successes / unwanted.trials)
    if value is None:
        return None
    pairs = zip(rate_draws(wanted, rng), rate_draws(unwanted, rng), strict=True)
    return Sampled(value, tuple(recall / (recall + false_rate) for recall, false_rate in pairs))
