"""How a phrase of the data file is written, and how it is found in a text.

In a phrase, in lower case,

    space   is white space with or without a comma; Chinese and Japanese need nothing at all
    a|b     is either word
    *       is the rest of a word; on its own any one word
    …       is up to 40 characters of the same sentence
    ,       is any list separator; at the start of a phrase a short word such as "or" may follow it
    :       is a colon
    。      is the end of a sentence or of the text

A phrase that starts or ends with a letter matches whole words, except in Chinese and Japanese,
which write no spaces between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from unicodedata import category

# Vowel signs of Arabic and Hindi, and joiners, belong to a word although \w leaves them out.
_LETTER = r"[\w\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u200c\u200d]"
_SIGNS = {
    ",": "[,，、;；،]",
    ":": "[:：]",
    "。": r"(?:[.!?;。！？；।؟]|\Z)",
    "…": r"(?:[^.!?;:。！？；：।؟]|[.:](?=\S)){0,40}?",
    "*": f"{_LETTER}{{1,40}}",
}
# All white space or none, as no word starts with any: given back piece by piece, a page of it would
# be tried in every split between two words and the gap that may stand between them.
_SPACE = r"\s*+"
_SHORT_WORD = rf"{_SPACE}(?:{_LETTER}{{1,4}}\s++)?"


def fold(text: str) -> str:
    """The text in lower case with plain apostrophes; every character keeps its place.

    Dotted and dotless i are one letter here: a capital I does not tell in which language it stands.
    """
    return text.replace("İ", "i").lower().replace("ı", "i").replace("’", "'")


class Phrase:
    """A phrase; its pattern is built when a text first holds a piece of each of its words."""

    def __init__(self, phrase: str) -> None:
        self.text = fold(phrase)
        words = (word.split("|") for word in self.text.split())
        self._hints = [_pieces(word) for word in words if _SIGNS.keys().isdisjoint(word)]

    @property
    def hints(self) -> list[str]:
        """Pieces of text, few and long, one of which is in every text that holds the phrase."""
        return min(self._hints, key=lambda pieces: len(pieces) / min(map(len, pieces)))

    @property
    def has_gap(self) -> bool:
        return "…" in self.text

    @cached_property
    def expression(self) -> str:
        """The source of its pattern."""
        words = self.text.split()
        listed = words[0] == ","
        start = _SIGNS[","] + _SHORT_WORD if listed else ""
        # One way only to match white space: two of them side by side are tried in every split.
        return start + rf"{_SPACE}(?:,{_SPACE})?".join(map(_word, words[listed:]))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.expression)

    def places(self, folded: str) -> Iterator[re.Match[str]]:
        """Every place in a folded text, also those that overlap."""
        if not all(any(piece in folded for piece in pieces) for pieces in self._hints):
            return
        found = self._pattern.search(folded)
        while found:
            yield found
            found = self._pattern.search(folded, found.start() + 1)


def _pieces(forms: list[str]) -> list[str]:
    return [max(form.split("*"), key=len) if "*" in form else form for form in forms]


def _word(word: str) -> str:
    """One boundary around all forms where they share it: far cheaper to compile than one each."""
    forms = word.split("|")
    edges = {(_is_spaced(form[0]), _is_spaced(form[-1])) for form in forms}
    if len(edges) > 1:
        return f"(?:{'|'.join(map(_word, forms))})"
    [(spaced_start, spaced_end)] = edges
    start = f"(?<!{_LETTER})" if spaced_start else ""
    end = f"(?!{_LETTER})" if spaced_end else ""
    return f"{start}(?:{'|'.join(map(_form, forms))}){end}"


def _form(form: str) -> str:
    return _SIGNS.get(form) or re.escape(form).replace(r"\*", f"{_LETTER}{{0,40}}")


def _is_spaced(character: str) -> bool:
    """Whether it is, or stands for, a letter of a script that writes spaces between words."""
    unspaced = "\u3005" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff"
    return character == "*" or (not unspaced and category(character)[0] in "LMN")
