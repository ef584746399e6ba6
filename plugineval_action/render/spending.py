"""What models took, in words."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from plugineval_action.results import Result


def spent(results: Iterable[Result], cap: float | None) -> str:
    """What the models took, in a sentence."""
    usages = [usage for result in results for usage in result.model_usage]
    calls = sum(usage.calls for usage in usages)
    known = [usage.usd for usage in usages if usage.usd is not None]
    sum_of = f"${fsum(known):.4f}" if len(known) == len(usages) else "an unknown sum"
    lost = fsum(usage.lost_usd for usage in usages)
    at_most = f", and at most ${lost:.4f} for answers that were lost" if lost else ""
    under = "" if cap is None else f" under a cap of ${cap:g}"
    return f"{calls} calls cost {sum_of}{under}{at_most}."
