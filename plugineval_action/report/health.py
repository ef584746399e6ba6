"""What only shows over many skills: the room that all descriptions take, and names that collide.

A harness shows the model a list of skills, and the list has a budget. Claude Code gives it 1 % of
the context, 8,000 characters where the context is not known, and cuts one entry at 1,536; over
budget it drops the descriptions of the skills that are used least and keeps their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from plugineval_action.report.similar import Pair, similar_pairs
from plugineval_action.results import Listing, MarketplaceReport

BUDGET: Final = 8_000
"""Characters of all entries together, where the harness does not know its context."""

ENTRY_LIMIT: Final = 1_536
"""Characters after which the description of one skill is cut."""


class Share(NamedTuple):
    """The room that one plugin's skills take in the list, in characters."""

    plugin: str
    skills: int
    characters: int


class Budget(NamedTuple):
    """The list with every skill of the marketplace in it.

    `characters` counts each entry up to ENTRY_LIMIT; `dropped` is how many descriptions have to go
    at least, if the shortest stay; `cut` are the entries over ENTRY_LIMIT, `shares` the plugins,
    the largest first.
    """

    skills: int
    characters: int
    dropped: int
    cut: tuple[Listing, ...]
    shares: tuple[Share, ...]

    @property
    def over(self) -> tuple[Share, ...]:
        """The plugins that are over the budget by themselves."""
        return tuple(share for share in self.shares if share.characters > BUDGET)


class Health(NamedTuple):
    """The whole marketplace in one harness.

    `duplicates` are skills with the same name, `collisions` skills whose names differ only in case,
    separators or the order of words.
    """

    budget: Budget
    pairs: tuple[Pair, ...]
    duplicates: tuple[tuple[Listing, ...], ...]
    collisions: tuple[tuple[Listing, ...], ...]


def health(report: MarketplaceReport) -> Health:
    """Look at all skills of a report together; what two plugins share counts once."""
    every = (listing for scored in (*report.plugins, *report.loose) for listing in scored.listings)
    listings = list({listing.path: listing for listing in every}.values())
    listed = [listing for listing in listings if not listing.hidden]
    return Health(
        _budget(listed),
        tuple(similar_pairs(listed)),
        tuple(_alike(listings, lambda listing: listing.name)),
        tuple(_collisions(listings)),
    )


def room(listing: Listing) -> int:
    """The characters that the description of a skill takes in the list."""
    return min(len(listing.text), ENTRY_LIMIT)


def _budget(listed: Sequence[Listing]) -> Budget:
    sizes = sorted(map(room, listed))
    kept = sum(total <= BUDGET for total in accumulate(sizes))
    cut = sorted((each for each in listed if len(each.text) > ENTRY_LIMIT), key=_longest_first)
    return Budget(len(listed), sum(sizes), len(sizes) - kept, tuple(cut), tuple(_shares(listed)))


def _shares(listed: Iterable[Listing]) -> list[Share]:
    found: dict[str, list[int]] = {}
    for listing in listed:
        found.setdefault(listing.plugin, []).append(room(listing))
    shares = [Share(plugin, len(sizes), sum(sizes)) for plugin, sizes in found.items() if plugin]
    return sorted(shares, key=lambda share: (-share.characters, share.plugin))


def _collisions(listings: Sequence[Listing]) -> Iterator[tuple[Listing, ...]]:
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


def _longest_first(listing: Listing) -> tuple[int, str]:
    return -len(listing.text), listing.path
