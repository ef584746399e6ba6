"""Looking at a growing sample several times, with intervals that hold whenever it is stopped.

Repeated confidence intervals (Jennison and Turnbull 1989) with Pocock's constants (1977): at each
of K equally spaced looks the interval is estimate ± c standard errors, c so that with probability
95 % *all* K intervals hold. Then the one at which the run stopped holds too, whatever the reason.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Final

_POCOCK: Final = {1: 1.960, 2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413}
"""Number of looks → c at 95 %, from Jennison and Turnbull, Group Sequential Methods, table 2.1."""


def looks(runs: int, count: int) -> tuple[int, ...]:
    """After how many runs to look: `count` equal steps, the last one after all of them."""
    return tuple(round(runs * step / count) for step in range(1, count + 1))


def level_of_each(count: int) -> float:
    """The level of the single intervals, so that all of them hold together at 95 %."""
    return 2 * NormalDist().cdf(_POCOCK[count]) - 1
