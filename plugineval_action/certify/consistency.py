"""Whether a certificate says one thing throughout. Pure.

A checksum finds a slip of the hand, and whoever forges a number can compute it anew. So whatever
follows from other numbers of a certificate is computed again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum
from typing import Any, Final

from plugineval_action.certify.outcome import surroundings, too_wide
from plugineval_action.layers.static.antipatterns import penalty
from plugineval_action.scoring import bands

_EXACT: Final = 1e-9

Data = Mapping[str, Any]


def contradictions(predicate: Data) -> Iterator[str]:
    """What does not follow from what, in sentences; `predicate` fits the schema."""
    score = predicate["score"]
    if score and not _is_possible(score, predicate["badge"]["by_score"]):
        yield "Its interval is not one of its score, or it is wider or elsewhere than it says."
    if score and not _near(score["value"], _composite(predicate)):
        yield "Its score is not the one that its dimensions and anti-patterns give."
    if not _counts(predicate):
        yield "Its numbers of games contradict each other."
    if not all(map(_is_rate, (predicate["evals"] or {"results": ()})["results"])):
        yield "Its results of evals contradict each other."
    yield from _badges(predicate)


def _is_rate(one: Data) -> bool:
    inside = one["ci_lower"] - _EXACT <= one["share"] <= one["ci_upper"] + _EXACT
    return bool(
        inside and one["cases"] <= one["runs"] and _near(one["share"], one["passed"] / one["runs"])
    )


def _is_possible(score: Data, badge: Any) -> bool:  # noqa: ANN401 - one of a few words
    """Whether a score lies in its interval, and is told to lie where it does."""
    value, low, high = score["value"], score["ci_lower"], score["ci_upper"]
    inside = low is None or high is None or low - _EXACT <= value <= high + _EXACT
    expected = surroundings(value, badge, low, high)
    return inside and expected == {key: score[key] for key in expected}


def _composite(predicate: Data) -> float | None:
    """The weighted mean of the dimensions that were measured, on 0 to 100; None without one."""
    measured = [one for one in predicate["dimensions"] if one["score"] is not None]
    total = fsum(one["weight"] for one in measured)
    if not total:
        return None
    mean = fsum(one["weight"] / total * one["score"] for one in measured)
    return min(100.0, max(0.0, mean * 100 * penalty(len(predicate["static"]["flags"]))))


def _counts(predicate: Data) -> bool:
    games, elo = predicate["games"], predicate["elo"]
    played, flips = games["played"], games["flips"]
    rate = flips / played if played else None
    return bool(
        flips <= played
        and (rate is games["flip_rate"] or _near(games["flip_rate"], rate))
        and (elo["matches"] if elo else 0) == played
        and all(
            elo["dimensional_wins"][name] + elo["dimensional_losses"][name] <= played
            for name in (elo["dimensional_wins"] if elo else ())
        )
    )


def _badges(predicate: Data) -> Iterator[str]:
    """Badges that score and rating do not carry."""
    badge, score, elo = predicate["badge"], predicate["score"], predicate["elo"]
    by_score = bands.badge(round(score["value"], 9)) if score else "no_badge"
    if badge["by_score"] == "withheld":  # which takes a badge and gives none
        by_score = "withheld"
    by_rating = bands.rating_badge(elo["rating"]) if elo else None
    certified = predicate["outcome"] == "certified"
    earned = bands.both(by_score, by_rating) if certified and by_rating else "no_badge"
    if badge != {"name": earned, "by_score": by_score, "by_rating": by_rating}:
        yield "Its badge is not the one that its score and rating give."
    if certified == bool(predicate["reasons"]) or (certified and not _is_sure(predicate)):
        yield "Its outcome and the reasons that it gives contradict each other."


def _is_sure(predicate: Data) -> bool:
    score = predicate["score"]
    if not score or not predicate["elo"]:
        return False
    low, high = score["ci_lower"], score["ci_upper"]
    return not too_wide(None if low is None or high is None else high - low)


def _near(told: float | None, computed: float | None) -> bool:
    return told is not None and computed is not None and abs(told - computed) < _EXACT
