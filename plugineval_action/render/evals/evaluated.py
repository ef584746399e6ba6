"""Evaluations of answers by weighted metrics: one a row, or all of a skill in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import fsum
from typing import NamedTuple

from plugineval_action.evals.reviewing.applying import Evaluated
from plugineval_action.evaluation_values import Evaluation, Scored
from plugineval_action.render.words import NOTHING, counted


class EvaluatedRow(NamedTuple):
    """An evaluation in its table: the run, the overall score, the metrics, and the verdict."""

    run: str
    overall: str
    metrics: str
    verdict: str


def evaluated_row(one: Evaluated) -> EvaluatedRow:
    """The evaluation of one run's answer."""
    evaluation, ruling = one.evaluation, one.evaluation.ruling
    overall = NOTHING if evaluation.overall is None else f"{evaluation.overall:.2f}"
    said = "not asked" if ruling is None else "none"
    if ruling and ruling.verdict and ruling.confidence is not None:
        said = f"{ruling.verdict}, confidence {ruling.confidence:.2f}"
    metrics = ", ".join(map(_metric, evaluation.scored))
    return EvaluatedRow(f"{one.case}.{one.repeat}", overall, metrics, said)


def _metric(one: Scored) -> str:
    """`Coverage 71.5 ± 2.1 (n = 2, 1 failed)`."""
    if one.mean is None:
        return f"{one.id} not measured ({'; '.join(one.failures)})"
    spread = "" if one.spread is None else f" ± {one.spread:.1f}"
    failed = f", {len(one.failures)} failed" if one.failures else ""
    return f"{one.id} {one.mean:.1f}{spread} (n = {len(one.given)}{failed})"


def evaluated_sentence(found: Sequence[Evaluation]) -> str:
    """What the evaluations of a skill's answers come to; "" without any.

    `2 answers evaluated: 82.50 of 100 on average (80.00–85.00); 1 not measured; 2 accept
    (confidence 0.90).`
    """
    if not found:
        return ""
    return f"{counted(len(found), 'answer')} evaluated: {'; '.join(_said(found))}."


def _said(found: Sequence[Evaluation]) -> Iterator[str]:
    measured = sorted(one.overall for one in found if one.overall is not None)
    if measured:
        mean = fsum(measured) / len(measured)
        ends = f" ({measured[0]:.2f}–{measured[-1]:.2f})" if len(measured) > 1 else ""
        yield f"{mean:.2f} of 100{' on average' if ends else ''}{ends}"
    if lacking := len(found) - len(measured):
        yield f"{lacking} not measured"
    rulings = [one.ruling for one in found if one.ruling]
    verdicts = Counter(one.verdict or "without a verdict" for one in rulings)
    for verdict, count in verdicts.most_common():
        sure = [
            one.confidence
            for one in rulings
            if one.verdict == verdict and one.confidence is not None
        ]
        yield f"{count} {verdict}" + (f" (confidence {fsum(sure) / len(sure):.2f})" if sure else "")
