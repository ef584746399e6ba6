"""Make a text fit a byte budget by leaving out whole items in a fixed order.

The text is rendered again with fewer items rather than cut, so it stays valid whatever its
format.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple


class Section(NamedTuple):
    """A list in the text: its key, its name in words, its length, and how much of it is shown."""

    key: str
    name: str
    items: int
    shown: int


def fit(
    render: Callable[[Mapping[str, int]], str], sections: Sequence[Section], budget: int
) -> str:
    """The fullest text of at most `budget` UTF-8 bytes.

    `render` takes the number of leading items to show of each section. Sections come in the order
    in which they are given up, each from its last item upwards; the next one is touched only when
    the one before is gone. If even that is too long, the text without any item is returned: what
    `render` always writes is the caller's to keep short.
    """
    counts = {section.key: section.shown for section in sections}

    def too_long(key: str, items: int) -> bool:
        return size(render({**counts, key: items})) > budget

    for section in sections:
        if not too_long(section.key, section.shown):
            break
        too_many = partial(too_long, section.key)
        first_too_long = bisect_left(range(section.shown), x=True, key=too_many)
        counts[section.key] = max(0, first_too_long - 1)
    return render(counts)


def left_out(sections: Sequence[Section], counts: Mapping[str, int]) -> list[str]:
    """What is not shown, in words, in the order in which it was given up."""
    return [
        f"{section.name} ({section.items - counts[section.key]:,} of {section.items:,})"
        for section in sections
        if counts[section.key] < section.items
    ]


def size(text: str) -> int:
    """Bytes in UTF-8."""
    return len(text.encode())
