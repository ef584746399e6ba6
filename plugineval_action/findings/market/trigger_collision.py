"""MK004: descriptions that ask for the same prompts."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.market.example import skills
from plugineval_action.findings.shelf import Shelf
from plugineval_action.findings.similar import similar_pairs, words
from plugineval_action.report_values import Listing

_WORDS = 6


def find(subject: Shelf) -> Iterator[Hit]:
    """Both skills of each pair whose descriptions share at least half of their words."""
    places = {one.listing.path: (one.line, one.file) for one in subject.skills}
    listed = (one.listing for one in subject.skills if not one.listing.hidden)
    for first, second, alike, shared, _ in similar_pairs(listed):
        if _is_named(first, second) and _is_named(second, first):
            continue
        for one, other in ((first, second), (second, first)):
            line, path = places[one.path]
            said = (
                f"The description shares {alike:.0%} of its words with that of "
                f"{shown(other.name, 64)} in {shown(other.path)}: "
                f"{', '.join(shown(word, 20) for word in shared[:_WORDS])}."
            )
            yield Hit(line, said, path)


def _is_named(one: Listing, other: Listing) -> bool:
    """Whether a description tells the skill from the other by a word of its own name or plugin's.

    `Set up the Discord channel` and `Set up the Telegram channel` ask for different prompts.
    """
    own = words(f"{posixpath.basename(one.plugin)} {one.name}".replace("_", " "))
    return not own.isdisjoint(words(one.text) - words(other.text))


_SAME = "Writes release notes from merged pull requests of a repository"

CHECK = Check(
    code="MK004",
    id="TRIGGER_COLLISION",
    family="marketplace",
    level="note",
    title="Descriptions of two skills ask for the same prompts",
    why="A model chooses by the description alone; between two that say the same, it guesses.",
    source="https://arxiv.org/abs/2608.12610",
    remedy="Say in each what only that skill does, or make one of the two.",
    bad=skills(("notes", f"{_SAME}, for users."), ("changes", f"{_SAME}, for developers.")),
    good=skills(("notes", f"{_SAME}."), ("tags", "Moves tags after a failed build.")),
    find=find,
    ignore="If the two are never installed together.",
)
