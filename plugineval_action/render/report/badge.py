"""Badges: a picture of our own, the same for shields.io, and what to copy to show one.

Those of scores name the layer that a score comes from, so that nobody takes it for a certificate.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from plugineval_action.certify.register import State
from plugineval_action.escape import image_link
from plugineval_action.render.templates import environment
from plugineval_action.results import Badge
from plugineval_action.scoring.bands import badge_name, shown

LABEL: Final = "plugin eval (static)"
CERTIFICATE: Final = "plugin eval"

COLOURS: Final[Mapping[Badge | None, str]] = {
    "platinum": "#3f5f8a",
    "gold": "#8a6100",
    "silver": "#59636e",
    "bronze": "#8f4a1e",
    "no_badge": "#6b4a52",
    "withheld": "#a3262e",
    None: "#6e7781",
}
"""White text on each has a contrast of 4.5 at least."""

# Widths of Verdana's characters in 2048ths of its size. Where another font stands in, textLength
# makes its text as wide.
_WIDTHS: Final = {
    **dict.fromkeys("0123456789", 1302),
    **dict.fromkeys("bdgp", 1276),
    **dict.fromkeys("cs", 1067),
    **dict.fromkeys("hnu", 1296),
    **dict.fromkeys("il", 562),
    **dict.fromkeys("()", 930),
    **dict.fromkeys(" f", 720),
    **dict(
        zip(
            "aemortvwyz.",
            (1230, 1220, 1992, 1243, 874, 807, 1212, 1676, 1212, 1076, 745),
            strict=True,
        )
    ),
}
_SIZE: Final = 11
_PADDING: Final = 12


class _Side(NamedTuple):
    text: str
    width: int


def badge_svg(badge: Badge | None, score: float | None) -> str:
    """The badge of a plugin or a marketplace (0 to 100); None if it has no score."""
    return picture(LABEL, _message(badge, score), COLOURS[badge])


def picture(label: str, message: str, colour: str) -> str:
    """A badge of our own: no host is asked for it. Its words may hold letters of `_WIDTHS` only."""
    return (
        environment()
        .get_template("badge.svg.j2")
        .render(
            label=_side(label),
            message=_side(message),
            colour=colour,
            title=f"{label}: {message}",
        )
    )


def certificate_badge(badge: Badge, state: State) -> str:
    """The badge of a certificate, as long as it holds that of what it certifies."""
    if state != "certified":
        return picture(CERTIFICATE, state, COLOURS[None])
    return picture(CERTIFICATE, f"certified {badge.replace('_', ' ')}", COLOURS[badge])


def shields_json(badge: Badge | None, score: float | None) -> str:
    """The same for shields.io's endpoint badge; it shows it for public repositories only."""
    data = {
        "schemaVersion": 1,
        "label": LABEL,
        "message": _message(badge, score),
        "color": COLOURS[badge].removeprefix("#"),
    }
    return f"{json.dumps(data, indent=2)}\n"


def snippet(name: str, image: str, page: str) -> str:
    """Markdown to copy: the badge at an address, which leads to a page about `name`."""
    return image_link(f"{name}, {LABEL}", image, page)


def _message(badge: Badge | None, score: float | None) -> str:
    if badge is None or score is None:
        return "not scored"
    return f"{shown(score)} {badge_name(badge).lower()}"


def _side(text: str) -> _Side:
    width = sum(_WIDTHS[character] for character in text) * _SIZE / 2048
    return _Side(text, round(width) + _PADDING)
