"""What shows only over many skills: the room that descriptions take, and names that collide.

A harness shows the model a list of skills, and the list has a budget. Claude Code gives it 1 % of
the context, 8,000 characters where the context is not known, and cuts one entry at 1,536; over
budget it drops the descriptions of the skills that are used least and keeps their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from plugineval_action.findings.profiles import LISTING_LIMIT
from plugineval_action.report_values import Listing

BUDGET: Final = 8_000
"""Characters of all entries together, where the harness does not know its context."""


def room(listing: Listing) -> int:
    """The characters that the description of a skill takes in the list."""
    return min(len(listing.text), LISTING_LIMIT)


def least_dropped(sizes: Iterable[int]) -> int:
    """How many descriptions have to go at least, if the shortest stay."""
    ordered = sorted(sizes)
    return sum(total > BUDGET for total in accumulate(ordered))


def same_name(listings: Iterable[Listing]) -> Iterator[tuple[Listing, ...]]:
    """Groups of skills that have one name."""
    yield from _alike(listings, lambda listing: listing.name)


def near_names(listings: Sequence[Listing]) -> Iterator[tuple[Listing, ...]]:
    """Names that a person, and a model, would take for one another; equal ones aside."""
    seen = set[frozenset[str]]()
    for trait in (_squashed, _in_any_order):
        for group in _alike(listings, trait):
            names = frozenset(listing.name for listing in group)
            if len(names) > 1 and names not in seen:
                seen.add(names)
                yield tuple({listing.name: listing for listing in group}.values())


def _alike(
    listings: Iterable[Listing], trait: Callable[[Listing], Hashable]
) -> Iterator[tuple[Listing, ...]]:
    groups: dict[Hashable, list[Listing]] = {}
    for listing in listings:
        groups.setdefault(trait(listing), []).append(listing)
    yield from (tuple(group) for group in groups.values() if len(group) > 1)


def _squashed(listing: Listing) -> str:
    return re.sub(r"[\W_]+", "", listing.name.casefold())


def _in_any_order(listing: Listing) -> tuple[str, ...]:
    return tuple(sorted(re.findall(r"[^\W_]+", listing.name.casefold())))
