"""MK004: descriptions that ask for the same prompts."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.market.example import skills
from plugineval_action.findings.prompts import quoted_prompts
from plugineval_action.findings.shelf import Shelf
from plugineval_action.findings.similar import similar_pairs, words
from plugineval_action.report_values import Listing

_WORDS: Final = 6
_PROMPTS: Final = 3
_MOST_OTHERS: Final = 8
"""Skills that quote a prompt which are looked at for each of them."""


def find(subject: Shelf) -> Iterator[Hit]:
    """Each skill that quotes a prompt of another, or shares half of its words with it."""
    places = {one.listing.path: (one.line, one.file) for one in subject.skills}
    listed = [one.listing for one in subject.skills if not one.listing.hidden]
    told = set[tuple[str, str]]()
    for one, other, said in (*_quoting(listed), *_alike(listed)):
        pair = one.path, other.path
        if pair not in told and not _is_sent_on(one, other):
            told.add(pair)
            line, path = places[one.path]
            yield Hit(line, said, path)


def _quoting(listed: Sequence[Listing]) -> Iterator[tuple[Listing, Listing, str]]:
    """Each skill with others that quote one of its prompts."""
    quoted = {one.path: quoted_prompts(one.text) for one in listed}
    holders: dict[str, list[Listing]] = {}
    for one in listed:
        for prompt in quoted[one.path]:
            holders.setdefault(prompt, []).append(one)
    for one in listed:
        own = quoted[one.path]
        others = (other for prompt in own for other in holders[prompt][:_MOST_OTHERS])
        for other in islice((each for each in others if each is not one), 1):
            both = [text for prompt, text in own.items() if prompt in quoted[other.path]]
            said = ", ".join(f'"{shown(text.strip(" ,.;:"), 40)}"' for text in both[:_PROMPTS])
            yield one, other, f"This description and that of {_named(other)} both quote {said}."


def _alike(listed: Sequence[Listing]) -> Iterator[tuple[Listing, Listing, str]]:
    """Both skills of each pair whose descriptions share at least half of their words."""
    for first, second, alike, shared, _ in similar_pairs(listed):
        if _is_named(first, second) and _is_named(second, first):
            continue
        for one, other in ((first, second), (second, first)):
            said = (
                f"This description and that of {_named(other)} share {alike:.0%} of their words: "
                f"{', '.join(shown(word, 20) for word in shared[:_WORDS])}."
            )
            yield one, other, said


def _named(other: Listing) -> str:
    return f"{shown(other.name, 64)} in {shown(other.path)}"


def _is_sent_on(one: Listing, other: Listing) -> bool:
    """Whether one of two descriptions sends prompts on to the other skill, by its name.

    A name of a single word may stand in a text by chance.
    """
    return _names(one.text, other.name) or _names(other.text, one.name)


def _names(text: str, name: str) -> bool:
    pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    return re.search(r"\w[-_]\w", name) is not None and re.search(pattern, text) is not None


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
    why="A model chooses by the description alone. Between two that say the same, or quote the "
    "same prompt, it guesses.",
    source="https://arxiv.org/abs/2608.12610",
    remedy="Say in each description what only that skill does, and name the other skill for the "
    "rest; or make one skill of the two.",
    bad=skills(("notes", f"{_SAME}, for users."), ("changes", f"{_SAME}, for developers.")),
    good=skills(("notes", f"{_SAME}."), ("tags", "Moves tags after a failed build.")),
    find=find,
    ignore="If the two are never installed together.",
)
