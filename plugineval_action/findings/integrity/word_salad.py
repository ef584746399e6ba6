"""IN003: words that make no sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.integrity.example_skill import GOOD, filled
from plugineval_action.findings.integrity.prose import prose
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


def find(subject: Skill) -> Iterator[Hit]:
    """How few of the small words there are that every sentence needs."""
    text = prose(subject)
    found = len(text.different & _BINDING)
    if len(text.words) >= LEAST_WORDS and found < LEAST_BINDING and text.latin:
        message = f"{len(text.words)} words hold {found} of the small words that make sentences."
        yield Hit(subject.body.first_line, message)


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
    why="Words that are looked for, set in a row, feed a counter and tell a reader nothing.",
    source="https://en.wikipedia.org/wiki/Function_word",
    remedy="Write sentences that say what to do.",
    bad=filled(*((f"Part {at}", _KEYWORDS) for at in range(6))),
    good=GOOD,
    find=find,
    withholds=True,
)
