"""The prose of a skill as words and sections, made once for all signs."""

from __future__ import annotations

import math
from typing import NamedTuple

from plugineval_action.findings.subject import Skill


class Prose(NamedTuple):
    """Words of the body as they stand, code left out, and the different ones among them."""

    text: str
    words: list[str]
    different: frozenset[str]

    @property
    def latin(self) -> bool:
        """Whether nearly all of it is in Latin letters without marks, as English is."""
        return len(self.text.encode("utf-8", "replace")) < 1.06 * len(self.text)

    @property
    def richness(self) -> float:
        """Guiraud's index: different words by the root of all; 7 to 20 for what people write."""
        return len(self.different) / math.sqrt(len(self.words)) if self.words else 0.0


def prose(subject: Skill) -> Prose:
    """The words of a skill."""
    return subject.once(_prose)


def _prose(subject: Skill) -> Prose:
    text = subject.body.prose
    words = text.split()
    return Prose(text, words, frozenset(words))


class Section(NamedTuple):
    """What stands below one heading, from its line to the last one before the next heading."""

    level: int
    line: int
    last: int
    next_level: int

    def text(self, subject: Skill) -> str:
        """The text below the heading, code and all."""
        return "\n".join(subject.lines[self.line : self.last])


def sections(subject: Skill) -> tuple[Section, ...]:
    """The sections of the body below its first heading."""
    return subject.once(_sections)


def _sections(subject: Skill) -> tuple[Section, ...]:
    levels = [one.level for one in subject.body.headings]
    lines = [one.line for one in subject.body.headings]
    last = [line - 1 for line in lines[1:]] + [len(subject.lines)]
    return tuple(map(Section, levels, lines, last, [*levels[1:], 0]))
