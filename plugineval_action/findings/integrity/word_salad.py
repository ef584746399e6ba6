"""IN003: words that make no sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.integrity.english import (
    BINDING,
    is_english,
    is_known,
    is_oddly_spelt,
)
from plugineval_action.findings.integrity.example_skill import GOOD, filled
from plugineval_action.findings.integrity.prose import Prose, prose
from plugineval_action.findings.subject import Skill

_BINDING_TEXT: Final = """
the of to a an and in is for on with that this it as be are by or from at if not you
your when can will into which what how do all any each but than then has have may must
only no before after der die das und ist zu mit den ein eine nicht auf im von sich wird
oder le la les de des et est un une pour dans que qui pas sur el los y en por con para
una se del o os e um uma com il di che per non sono nel het een van voor niet och att
det som i na z nie do ve bir bu ile için olan veya olarak gibi dan yang untuk dengan
"""
_BINDING: Final = frozenset(_BINDING_TEXT.split())
LEAST_WORDS: Final = 90
LEAST_BINDING: Final = 3

LEAST_ARTICLES: Final = 8
MOST_STRAY: Final = 0.3
_READ: Final = 800
"""Words whose order is looked at."""

_ARTICLES: Final = frozenset(("the", "a", "an", "The", "A", "An"))
_NEVER_NEXT_TEXT: Final = """
the a an of and to is in for it with are by or from at as be this that its if when on which
into was were than then has have will must you they
"""
_NEVER_NEXT: Final = frozenset(_NEVER_NEXT_TEXT.split())
"""What follows no article in a sentence."""

LEAST_JUDGED: Final = 20
LEAST_KNOWN: Final = 0.55
MOST_ODD: Final = 0.22
_SAMPLE: Final = 120
_LEAST_LETTERS: Final = 4


def find(subject: Skill) -> Iterator[Hit]:
    """Words without the small ones, in an order that no sentence has, or that do not exist."""
    text = prose(subject)
    message = _unbound(text) or _out_of_order(text.words) or _invented(text.words)
    if message:
        yield Hit(subject.body.first_line, message)


def _unbound(text: Prose) -> str:
    """How few of the small words there are that every sentence needs."""
    found = len(text.different & _BINDING)
    if len(text.words) < LEAST_WORDS or found >= LEAST_BINDING or not text.latin:
        return ""
    return f"{len(text.words)} words hold {found} of the small words that make sentences."


def _out_of_order(words: list[str]) -> str:
    stray, total = stray_articles(words)
    if total < LEAST_ARTICLES or stray < MOST_STRAY * total:
        return ""
    return f"{stray} of {total} articles stand before a word that no article stands before."


def stray_articles(words: list[str]) -> tuple[int, int]:
    """How many articles stand before a word that follows none, and how many there are."""
    after = [word for article, word in pairwise(words[:_READ]) if article in _ARTICLES]
    return sum(word.rstrip(".,;:").lower() in _NEVER_NEXT for word in after), len(after)


def _invented(words: list[str]) -> str:
    for step in dict.fromkeys((max(1, len(words) // _SAMPLE), 1)):  # a sample first, then all
        known, total = known_words(words[::step])
        if total < LEAST_JUDGED or known > LEAST_KNOWN * total:
            return ""
    odd, different = oddly_spelt(words)
    if odd < MOST_ODD * different:
        return ""
    return f"{odd} of {different} words are spelt as no English word is."


def known_words(words: list[str]) -> tuple[int, int]:
    """How many words are near common ones, of those of an English text; of others, of none."""
    plain = [word for word in words if word.isalpha() and word.islower()]
    if not is_english(plain):
        return 0, 0
    judged = _judged(plain)
    return sum(map(is_known, judged)), len(judged)


def oddly_spelt(words: list[str]) -> tuple[int, int]:
    """How many different words hold what no common word holds, and how many are looked at.

    Words of a trade are in no short list either, but are spelt as others are.
    """
    judged = set(_judged([word for word in words if word.isalpha() and word.islower()]))
    return sum(map(is_oddly_spelt, judged)), len(judged)


def _judged(plain: list[str]) -> list[str]:
    return [word for word in plain if len(word) >= _LEAST_LETTERS and word not in BINDING]


_KEYWORDS: Final = (
    "input output returns parameters agent orchestrate dispatch workflow "
    "pipeline example usage error handling format schema json result"
)

CHECK = Check(
    code="IN003",
    id="WORD_SALAD",
    family="integrity",
    level="warning",
    title="Words without sentences",
    why="Words that are looked for or invented, set in a row, feed a counter and tell a reader "
    "nothing.",
    source="https://en.wikipedia.org/wiki/Function_word",
    remedy="Write sentences that say what to do.",
    bad=filled(*((f"Part {at}", _KEYWORDS) for at in range(6))),
    good=GOOD,
    find=find,
    withholds=True,
)
