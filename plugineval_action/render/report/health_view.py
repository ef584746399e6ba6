"""The marketplace's health in words: the listing budget, and skills that are taken for others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from plugineval_action.escape import code, shorten
from plugineval_action.findings.listings import BUDGET
from plugineval_action.findings.profiles import LISTING_LIMIT
from plugineval_action.findings.similar import Pair
from plugineval_action.render.links import NAME_LIMIT, Links, Markdown
from plugineval_action.render.report.model import Model
from plugineval_action.render.words import counted
from plugineval_action.report.health import Budget, Share
from plugineval_action.report_values import Listing

MOST_SHARES: Final = 5
MOST_CUT: Final = 10
MOST_WORDS: Final = 12


class ShareRow(NamedTuple):
    """The room that a plugin's descriptions take."""

    plugin: Markdown
    skills: int
    characters: str
    percent: str


class PairRow(NamedTuple):
    """Two skills that say nearly the same."""

    first: Markdown
    second: Markdown
    alike: str
    words: str
    more: str


class HealthView(NamedTuple):
    """What to say of all skills together; `cut` and groups are lists of names."""

    budget: str
    dropped: str
    shares: tuple[ShareRow, ...]
    cut: tuple[Markdown, ...]
    pairs: tuple[PairRow, ...]
    collisions: tuple[Markdown, ...]
    duplicates: tuple[Markdown, ...]


def health_view(model: Model) -> HealthView:
    """The view; long lists are for the template to fold."""
    found, links = model.health, model.links
    return HealthView(
        _budget(found.budget),
        _dropped(found.budget),
        tuple(map(_share, found.budget.shares[:MOST_SHARES])),
        tuple(_cut(found.budget, links)),
        tuple(_pair(pair, links) for pair in found.pairs),
        tuple(_names(group, links) for group in found.collisions),
        tuple(_names(group, links) for group in found.duplicates),
    )


def _budget(found: Budget) -> str:
    """How much of the room all descriptions take."""
    percent = f"{100 * found.characters / BUDGET:,.0f}%"
    return (
        f"A harness lists the skills that it has by their descriptions, and the list has a budget:"
        f" in Claude Code 1% of the context, {BUDGET:,} characters where that is not known. With"
        f" everything here installed, {counted(found.skills, 'skill')} would take"
        f" {found.characters:,} characters, {percent} of that."
    )


def _dropped(found: Budget) -> str:
    if not found.dropped:
        return "All descriptions fit."
    alone = counted(len(found.over), "plugin")
    goes = "is" if len(found.over) == 1 else "are"
    over = f" {alone} {goes} over the budget alone." if found.over else ""
    return (
        f"At least {found.dropped:,} of {counted(found.skills, 'description')} would be dropped,"
        " those of the skills used least first; their names stay." + over
    )


def _share(share: Share) -> ShareRow:
    return ShareRow(
        Markdown(code(share.plugin, NAME_LIMIT)),
        share.skills,
        f"{share.characters:,}",
        f"{100 * share.characters / BUDGET:,.0f}%",
    )


def _cut(found: Budget, links: Links) -> Iterator[Markdown]:
    """Entries of which the model never sees the end."""
    for listing in found.cut[:MOST_CUT]:
        length = f"{len(listing.text):,} of at most {LISTING_LIMIT:,} characters"
        yield Markdown(f"{_listed(listing, links)}: {length}")


def _pair(pair: Pair, links: Links) -> PairRow:
    words = ", ".join(pair.words[:MOST_WORDS])
    more = len(pair.words) - MOST_WORDS
    return PairRow(
        _listed(pair.first, links),
        _listed(pair.second, links),
        f"{100 * pair.alike:.0f}%",
        shorten(words, 200) + (f" and {more} more" if more > 0 else ""),
        f"and {pair.others:,} more with the same words" if pair.others else "",
    )


def _names(group: Iterable[Listing], links: Links) -> Markdown:
    listings = list(group)
    shown = ", ".join(_listed(listing, links) for listing in listings[:5])
    more = f" and {len(listings) - 5:,} more" if len(listings) > 5 else ""
    return Markdown(shown + more)


def _listed(listing: Listing, links: Links) -> Markdown:
    """A skill as people call it, `plugin:skill`, leading to its file; with its path if need be."""
    name = f"{listing.plugin}:{listing.name}" if listing.plugin else listing.path or listing.name
    return links.file(name, f"{listing.path}/SKILL.md".lstrip("/"))
