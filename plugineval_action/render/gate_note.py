"""Why a gate failed, as the alert that stands below a heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from plugineval_action.escape import markdown
from plugineval_action.render.links import Markdown

REASONS: Final = 5
REASON_LIMIT: Final = 300


def gate_note(reasons: Sequence[str]) -> Markdown:
    """The first reasons, which are foreign text, and how many there are besides; "" for none."""
    return Markdown("".join(f"{line}\n" for line in _lines(reasons)))


def _lines(reasons: Sequence[str]) -> Iterator[str]:
    if not reasons:
        return
    yield "> [!CAUTION]"
    yield "> **The gate failed.**"
    yield ">"
    yield from (f"> - {markdown(reason, REASON_LIMIT)}" for reason in reasons[:REASONS])
    if len(reasons) > REASONS:
        yield f"> - … and {len(reasons) - REASONS:,} more"
