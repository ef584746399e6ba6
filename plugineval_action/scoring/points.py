"""The one number of a result that everything is ordered and compared by."""

from __future__ import annotations

from plugineval_action.results import Result


def points_of(result: Result) -> float | None:
    """The composite, or an agent's score, from 0 to 100; None if there is neither."""
    if result.composite is not None:
        return result.composite.score
    return None if result.agent_score is None else 100 * result.agent_score
