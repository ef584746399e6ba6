"""When enough has been seen. The intervals used here hold at every look (`stats/sequential.py`)."""

from __future__ import annotations

from typing import Final

from plugineval_action.results import Composite
from plugineval_action.scoring.bands import BADGES

WIDTH: Final = 6.0
"""Points of the composite; a narrower interval is not waited for, unless told otherwise."""


def enough(composite: Composite, width: float = WIDTH) -> str | None:
    """Why no further run is needed, None if one is."""
    low, high = composite.ci_lower, composite.ci_upper
    if low is None or high is None:
        return None
    if high - low <= width:
        return f"the interval is {high - low:.1f} points wide, {width:g} were asked for"
    if not any(low < line <= high for _, line in BADGES):
        return "the interval holds no badge's line"
    return None
