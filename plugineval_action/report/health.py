"""What only shows over many skills: the room that all descriptions take, and names that collide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plugineval_action.findings.listings import (
    BUDGET,
    least_dropped,
    near_names,
    room,
    same_name,
)
from plugineval_action.findings.profiles import LISTING_LIMIT
from plugineval_action.findings.similar import Pair, similar_pairs
from plugineval_action.report_values import Listing, MarketplaceReport


class Share(NamedTuple):
    """The room that one plugin's skills take in the list, in characters."""

    plugin: str
    skills: int
    characters: int


class Budget(NamedTuple):
    """The list with every skill of the marketplace in it.

    `characters` counts each entry up to LISTING_LIMIT; `dropped` is how many descriptions have to
    go at least, if the shortest stay; `cut` are the entries over LISTING_LIMIT, `shares` the
    plugins, the largest first.
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
        tuple(same_name(listings)),
        tuple(near_names(listings)),
    )


def _budget(listed: Sequence[Listing]) -> Budget:
    sizes = list(map(room, listed))
    cut = sorted((each for each in listed if len(each.text) > LISTING_LIMIT), key=_longest_first)
    return Budget(len(listed), sum(sizes), least_dropped(sizes), tuple(cut), tuple(_shares(listed)))


def _shares(listed: Iterable[Listing]) -> list[Share]:
    found: dict[str, list[int]] = {}
    for listing in listed:
        found.setdefault(listing.plugin, []).append(room(listing))
    shares = [Share(plugin, len(sizes), sum(sizes)) for plugin, sizes in found.items() if plugin]
    return sorted(shares, key=lambda share: (-share.characters, share.plugin))


def _longest_first(listing: Listing) -> tuple[int, str]:
    return -len(listing.text), listing.path
