"""What a layer that asks a model hands on: its result, and its numbers with their spread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from plugineval_action.llm.client import Usage
from plugineval_action.results import LayerResult, Measure
from plugineval_action.stats.proportions import LEVEL
from plugineval_action.stats.resampling import Sampled

if TYPE_CHECKING:
    from plugineval_action.layers.judge.reading import Heard
    from plugineval_action.layers.monte_carlo.measures import Ran

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are, and how many there will be at most."""


class Outcome(NamedTuple):
    """`result` is None if nothing at all was measured; `complete` if everything was.

    `dimensions` has each dimension that the layer speaks for. `judges` counts the judges whose
    spread is in the draws: 1 means that it is not. `level` is that of intervals from the draws.
    `raw` is what they were drawn from, to be paired with another side's.
    """

    result: LayerResult | None
    dimensions: Mapping[str, Sampled]
    usage: tuple[Usage, ...]
    notes: tuple[str, ...]
    complete: bool
    judges: int = 1
    level: float = LEVEL
    raw: Heard | Ran | None = None


def measure(
    name: str, sampled: Sampled | None, n: int, method: str, level: float = LEVEL
) -> Measure:
    """A number from draws, with the interval they give; None if there was nothing to measure."""
    if sampled is None:
        return unmeasured(name, "There is nothing to measure it on.")
    interval = sampled.interval(level)
    if interval is None:
        return Measure(name, sampled.value, n=n, reason="One reading has no spread.")
    return Measure(name, sampled.value, interval.low, interval.high, n, method)


def unmeasured(name: str, reason: str) -> Measure:
    """A number that there is not."""
    return Measure(name, None, reason=reason)


def quiet(_what: str, _done: int, _total: int) -> None:
    """Progress that nobody watches."""
