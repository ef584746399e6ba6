"""The badge of a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plugineval_action.render.report.badge import COLOURS, picture

LABEL: Final = "plugin eval"


def badge_svg(predicate: Mapping[str, Any]) -> str:
    """The badge of a certificate's predicate: it says certified only of what is."""
    if predicate["outcome"] != "certified":
        return picture(LABEL, "not certified", COLOURS[None])
    name = predicate["badge"]["name"]
    return picture(LABEL, f"certified {name.replace('_', ' ')}", COLOURS[name])
