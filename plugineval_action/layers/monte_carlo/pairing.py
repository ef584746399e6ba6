"""The runs of two skills that met the same prompts, taken together. Pure."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from plugineval_action.layers.judge.rubrics import CRITERIA, STEP
from plugineval_action.layers.monte_carlo.measures import (
    DIMENSIONS,
    Ran,
    efficiency,
    inside,
    quality_of,
    tokens_of,
    units,
)
from plugineval_action.layers.monte_carlo.runs import Run
from plugineval_action.stats.pairing import (
    Pair,
    Tried,
    paired_means,
    paired_rates,
    paired_statistic,
)
from plugineval_action.stats.seeds import seeded


def paired(one: Ran, other: Ran, key: str) -> dict[str, Pair]:
    """Draws of the dimensions on both sides where they met the same prompts; `key` seeds them."""
    rates = [
        paired_rates(_clusters(one, other, value), seeded("paired", name, key))
        for name, value in (("activation", _loaded), ("failure", _held))
    ]
    quality = paired_means(
        _means(one),
        _means(other),
        seeded("paired", "quality", key),
        resolution=STEP / len(CRITERIA),
    )
    tokens = units(one, tokens_of), units(other, tokens_of)
    found = {
        "activation": rates[0],
        "robustness": rates[1],
        "quality": quality and Pair(*map(inside, quality)),
        "efficiency": paired_statistic(*tokens, efficiency, seeded("paired", "tokens", key)),
    }
    return {DIMENSIONS[name]: pair for name, pair in found.items() if pair}


def _means(ran: Ran) -> dict[str, float]:
    """The mean quality of the replies to each prompt."""
    return {prompt: fmean(unit) for prompt, unit in units(ran, quality_of).items()}


def _clusters(one: Ran, other: Ran, value: Callable[[Run], bool | None]) -> list[list[Tried]]:
    """What came of runs with the same prompt on both sides, in their order, by prompt."""
    sides: list[dict[str, list[bool]]] = []
    for ran in (one, other):
        found: dict[str, list[bool]] = {}
        for run in ran.runs:
            seen = value(run)
            if seen is not None:
                found.setdefault(run.case.prompt, []).append(seen)
        sides.append(found)
    return [
        list(zip(sides[0][prompt], sides[1][prompt], strict=False))
        for prompt in sides[0]
        if prompt in sides[1]
    ]


def _loaded(run: Run) -> bool | None:
    return run.activated if run.case.wanted else None


def _held(run: Run) -> bool | None:
    """Whether a reply did not fail, None where there is none."""
    return None if run.reply is None else not run.failed
