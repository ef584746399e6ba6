"""The comment in other clothes: with the gate's verdict in it, and as text for other places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from plugineval_action.render.escape import markdown
from plugineval_action.render.fit import size
from plugineval_action.render.links import Links
from plugineval_action.render.review.comment import MARKER, render_comment
from plugineval_action.results import Review

REASONS: Final = 5
REASON_LIMIT: Final = 300


def with_verdict(review: Review, reasons: Sequence[str], links: Links, budget: int) -> str:
    """The comment, with why the gate failed below its heading; at most `budget` UTF-8 bytes.

    `reasons` are sentences of foreign text, none if it did not fail; `budget` is 30,000 or more.
    """
    note = "".join(f"{line}\n" for line in _note(reasons))
    comment = render_comment(review, budget - size(note), links)
    marker, heading, rest = comment.split("\n", 2)
    return f"{marker}\n{heading}\n{note}{rest}"


def headline(comment: str) -> str:
    """The verdict of a comment in a few words, as plain text."""
    return comment.split("\n", 2)[1].lstrip("# ")


def without_marker(comment: str) -> str:
    """A comment as Markdown for a place where nobody looks for it again."""
    return comment.removeprefix(f"{MARKER}\n")


def _note(reasons: Sequence[str]) -> Iterator[str]:
    if not reasons:
        return
    yield ""
    yield "> [!CAUTION]"
    yield "> **The gate failed.**"
    yield ">"
    yield from (f"> - {markdown(reason, REASON_LIMIT)}" for reason in reasons[:REASONS])
    if len(reasons) > REASONS:
        yield f"> - … and {len(reasons) - REASONS:,} more"
