"""The badge of a certificate, drawn by us: no host is asked, and nobody can swap it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from plugineval_action.render.templates import environment

LABEL: Final = "plugin eval"

COLOURS: Final[Mapping[str, str]] = {
    "platinum": "#3f5f8a",
    "gold": "#8a6100",
    "silver": "#59636e",
    "bronze": "#8f4a1e",
    "no_badge": "#6b4a52",
}
"""White text on each has a contrast of 4.5 at least."""

NOT_CERTIFIED: Final = "#6e7781"

# Widths of Verdana's characters in 2048ths of its size. Where another font stands in, textLength
# makes its text as wide.
_WIDTHS: Final = {
    **dict.fromkeys("0123456789", 1302),
    **dict.fromkeys("bdgp", 1276),
    **dict.fromkeys("cs", 1067),
    **dict.fromkeys("nu", 1296),
    **dict.fromkeys("il", 562),
    **dict.fromkeys("()", 930),
    **dict.fromkeys(" f", 720),
    **dict(
        zip(
            "aemortvz.wyE",
            (1230, 1220, 1992, 1243, 874, 807, 1212, 1076, 745, 1676, 1212, 1295),
            strict=True,
        )
    ),
}
_SIZE: Final = 11
_PADDING: Final = 12


class _Side(NamedTuple):
    text: str
    width: int


def badge_svg(predicate: Mapping[str, Any]) -> str:
    """The badge of a certificate's predicate."""
    certified = predicate["outcome"] == "certified"
    message, colour = "not certified", NOT_CERTIFIED
    if certified:
        name = predicate["badge"]["name"]
        message, colour = f"certified {name.replace('_', ' ')}", COLOURS[name]
    return (
        environment()
        .get_template("badge.svg.j2")
        .render(
            label=_side(LABEL),
            message=_side(message),
            colour=colour,
            title=f"{LABEL}: {message}",
        )
    )


def _side(text: str) -> _Side:
    width = sum(_WIDTHS[character] for character in text) * _SIZE / 2048
    return _Side(text, round(width) + _PADDING)
