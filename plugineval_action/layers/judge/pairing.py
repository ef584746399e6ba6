"""What the judges said of two skills that met the same prompts and tasks, taken together. Pure."""

from __future__ import annotations

from statistics import fmean
from typing import Final

from plugineval_action.layers.judge.reading import ASSESSMENTS, Heard, by_subject, inside
from plugineval_action.layers.judge.rubrics import CRITERIA, STEP
from plugineval_action.layers.triggering import f1
from plugineval_action.stats.pairing import Pair, paired_means, paired_rates
from plugineval_action.stats.seeds import seeded

_OUTPUT: Final = "output_quality"


def paired(one: Heard, other: Heard, key: str) -> dict[str, Pair]:
    """Draws of both sides where they met the same prompts and tasks; `key` seeds them.

    What judges make of a whole skill is not paired: each reads one skill in a call of its own.
    """
    judges = [
        judge
        for judge in sorted(one.predicted.keys() & other.predicted.keys())
        if one.predicted[judge].prompts == other.predicted[judge].prompts
    ]
    wanted, unwanted = (
        paired_rates(
            [
                [pair]
                for judge in judges
                for pair in zip(
                    getattr(one.predicted[judge], kind),
                    getattr(other.predicted[judge], kind),
                    strict=True,
                )
            ],
            seeded("paired", kind, key),
        )
        for kind in ("should", "should_not")
    )
    found = {}
    if wanted and unwanted:
        found[ASSESSMENTS[0]] = Pair(
            *(
                tuple(f1(*rates) for rates in zip(recall, false, strict=True))
                for recall, false in zip(wanted, unwanted, strict=True)
            )
        )
    if one.tasks != other.tasks:
        return found
    rng = seeded("paired", "tasks", key)
    outputs = paired_means(_by_task(one), _by_task(other), rng, resolution=STEP / len(CRITERIA))
    if outputs:
        found[_OUTPUT] = Pair(*map(inside, outputs))
    return found


def _by_task(heard: Heard) -> dict[str, float]:
    """The mean over judges of each imagined task."""
    verdicts = list(heard.verdicts.get(_OUTPUT, {}).values())
    if not verdicts:
        return {}
    names = sorted({one.subject for one in verdicts[0].ratings})
    columns = zip(*map(by_subject, verdicts), strict=True)
    return {name: fmean(column) for name, column in zip(names, columns, strict=True)}
