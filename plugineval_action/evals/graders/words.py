"""Commands as people write them in a checks file, and whether a simple command is one of them."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Annotated, Final, NamedTuple

from pydantic import AfterValidator

from plugineval_action.evals.traces.events import Command
from plugineval_action.evals.traces.shell import Simple, parse
from plugineval_action.inputs.mistakes import problem, quoted

_WILD: Final = frozenset("*?[")
_MOST_WORDS: Final = 20


class Pattern(NamedTuple):
    """The words that a command starts with; `*` stands for any part of a word."""

    words: tuple[str, ...]
    wild: bool

    def found_in(self, command: Command) -> list[Simple]:
        """The parts of a command that start with these words."""
        if not self.wild and not command.may_name(self.words[0]):
            return []
        return [part for part in command.parts if self.matches(part)]

    def matches(self, simple: Simple) -> bool:
        """Whether the command starts with these words; options in between do not matter.

        `npm install` is found in `npm --silent install x`, and not in `npm run install`.
        """
        first, *rest = self.words
        if not (self._same(simple.program, first) or self._same(simple.words[0], first)):
            return False
        at = 1
        for wanted in rest:
            while at < len(simple.words) and not self._same(simple.words[at], wanted):
                if not simple.words[at].startswith("-"):
                    return False
                at += 1
            if at == len(simple.words):
                return False
            at += 1
        return True

    def _same(self, word: str, wanted: str) -> bool:
        return word == wanted or (self.wild and fnmatchcase(word, wanted))


def pattern(text: str) -> Pattern:
    """The pattern of a command, for one that `checked_command` let through."""
    return Pattern(parse(text).joined[0].words, not _WILD.isdisjoint(text))


def checked_command(text: str) -> str:
    """A text that names one command; for validators."""
    joined = parse(text).joined
    if len(joined) != 1:
        raise problem(
            f"{quoted(text)} is not one command.",
            "Name one command as it starts, such as npm install; use one check for each.",
        )
    if len(joined[0].words) > _MOST_WORDS:
        raise problem("it has over 20 words.", "Name only the words it starts with.")
    return text


CommandWords = Annotated[str, AfterValidator(checked_command)]
