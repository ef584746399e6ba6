"""The prompts that descriptions quote as theirs, such as `Use when asked "who can reach me"`."""

from __future__ import annotations

import re
from typing import Final

_QUOTED: Final = re.compile(r"[\"“«「]([^\"“”«»「」\n]{4,80})[\"”»」]")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s")
_REFUSING: Final = re.compile(
    r"\b(?:do(?:es)?(?: not|n[’']t)|not (?:for|if|to|when)"
    r"|never|instead|rather than|unlike|except)\b",
    re.IGNORECASE,
)
_SIGNS: Final = re.compile(r"[\W_]+")

_MOST_CHARACTERS: Final = 4_096


def quoted_prompts(text: str) -> dict[str, str]:
    """The quoted runs of two words and more, as written, by their words in small letters.

    What a sentence quotes that says what the skill is *not* for is left out.
    """
    head = text[:_MOST_CHARACTERS]
    if not _QUOTED.search(head):
        return {}
    return {
        prompt: found
        for sentence in _SENTENCE.split(head)
        if not _REFUSING.search(_QUOTED.sub("", sentence))
        for found in _QUOTED.findall(sentence)
        if " " in (prompt := _SIGNS.sub(" ", found.casefold()).strip())
    }
