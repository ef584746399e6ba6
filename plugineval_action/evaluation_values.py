"""What an evaluation found: the scores of its metrics, the whole, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Literal, NamedTuple

Verdict = Literal["accept", "revise", "reject"]


class Given(NamedTuple):
    """What a metric said in one round."""

    score: float
    comment: str


class Scored(NamedTuple):
    """A metric over all rounds: what it said, and why it said nothing where it did not."""

    id: str
    weight: float
    given: tuple[Given, ...] = ()
    failures: tuple[str, ...] = ()

    @property
    def mean(self) -> float | None:
        """Of all rounds that gave a score, None if none did."""
        return fsum(one.score for one in self.given) / len(self.given) if self.given else None

    @property
    def spread(self) -> float | None:
        """The standard deviation over rounds, None below two."""
        if len(self.given) < 2:
            return None

        from statistics import stdev

        return stdev(one.score for one in self.given)


class Ruling(NamedTuple):
    """What the judgment said. Without an answer there is no verdict, and no further round."""

    should_continue: bool
    verdict: Verdict | None
    confidence: float | None
    reasoning: str


class Evaluation(NamedTuple):
    """The whole: Σ mean × weight to two decimals, or None and why not; the ruling, if one came."""

    scored: tuple[Scored, ...]
    overall: float | None
    why: str
    rounds: int
    ruling: Ruling | None


def evaluation_of(scored: Sequence[Scored], rounds: int, ruling: Ruling | None) -> Evaluation:
    """The whole of what the metrics said; not measured if one of them never gave a score."""
    lacking = [one.id for one in scored if one.mean is None]
    if lacking:
        why = f"Not measured: {', '.join(lacking)} gave no score."
        return Evaluation(tuple(scored), None, why, rounds, ruling)
    overall = round(fsum((one.mean or 0.0) * one.weight for one in scored), 2)
    return Evaluation(tuple(scored), overall, "", rounds, ruling)
