"""Pairs of outcomes on the same prompts, and what repeats of a prompt say."""

from __future__ import annotations

from math import comb


def mcnemar_exact(won: int, lost: int) -> float:
    """The two-sided p of McNemar's exact test; pairs that agree do not count.

    `won` pairs changed for the better, `lost` for the worse. Without any, nothing speaks against
    chance, and p is 1. Raises ValueError for negative counts.
    """
    if won < 0 or lost < 0:
        raise ValueError(f"{won} won, {lost} lost")
    pairs = won + lost
    tail = sum(comb(pairs, count) for count in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / float(2**pairs))


def pass_at_k(trials: int, passes: int, k: int) -> float:
    """The chance that one of k trials, drawn of those made, passes (Chen et al. 2021).

    Raises ValueError unless 1 <= k <= trials and 0 <= passes <= trials.
    """
    if not (1 <= k <= trials and 0 <= passes <= trials):
        raise ValueError(f"{passes} passes of {trials} trials, k = {k}")
    return 1 - comb(trials - passes, k) / comb(trials, k)
