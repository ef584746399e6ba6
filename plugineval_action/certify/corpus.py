"""The skills that others are compared with, and which of them a skill meets. Pure.

A reference is worth most if it does the same kind of work at about the same length; of those, the
ones whose rating is near tell most about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from plugineval_action.certify.games import Game
from plugineval_action.results import Badge
from plugineval_action.stats.ratings import START
from plugineval_action.stats.seeds import seeded

OPPONENTS: Final = 12
"""References that a skill meets, unless told otherwise."""

MOST_OPPONENTS: Final = 100
"""More would cost far more than they tell."""

SIZE: Final = 0.3
"""By which share of its lines another skill may be longer or shorter, and still count as alike."""


class Entry(NamedTuple):
    """A skill of the corpus.

    `path` is relative to the corpus' source, `category` the plugin around the skill. `digest` is
    that of all its files. The rating is None before a game, and its interval below two cases.
    `group` numbers the skills that games connect: ratings of two groups are never compared.
    """

    name: str
    path: str
    category: str | None
    lines: int
    digest: str
    score: float | None = None
    badge: Badge | None = None
    rating: float | None = None
    ci_lower: float | None = None
    ci_upper: float | None = None
    games: int = 0
    group: int | None = None


class Corpus(NamedTuple):
    """`source` is the folder of the skills, relative to that of the corpus."""

    ruleset: str
    source: str
    skills: tuple[Entry, ...] = ()
    games: tuple[Game, ...] = ()


class References(NamedTuple):
    """Who is met, and how many of them are of the same category and of about the same length."""

    chosen: tuple[Entry, ...]
    same_category: int
    same_size: int


def references(corpus: Iterable[Entry], subject: Entry, count: int = OPPONENTS) -> References:
    """Choose references: by category and size, then by rating, equal ones by a fixed lot."""
    others = {
        entry.digest: entry
        for entry in corpus
        if entry.digest != subject.digest and entry.path != subject.path
    }
    lots = {digest: seeded("lot", subject.digest, digest).random() for digest in others}

    def order(entry: Entry) -> tuple[bool, bool, float, float]:
        far = abs((entry.rating or START) - (subject.rating or START))
        return (
            not _same_category(entry, subject),
            not _same_size(entry, subject),
            far,
            lots[entry.digest],
        )

    chosen = tuple(sorted(others.values(), key=order)[:count])
    return References(
        chosen,
        sum(_same_category(entry, subject) for entry in chosen),
        sum(_same_size(entry, subject) for entry in chosen),
    )


def _same_category(entry: Entry, subject: Entry) -> bool:
    return entry.category is not None and entry.category == subject.category


def _same_size(entry: Entry, subject: Entry) -> bool:
    return abs(entry.lines - subject.lines) <= SIZE * subject.lines


def with_games(corpus: Corpus, games: Sequence[Game]) -> Corpus:
    """The corpus with further games; a game that was played again replaces the old one."""
    known = {game.key: game for game in (*corpus.games, *games)}
    return corpus._replace(games=tuple(known[key] for key in sorted(known)))


def joined(now: Corpus, done: Corpus, paths: Iterable[str]) -> Corpus:
    """A corpus as it is now, with what a run brought: its games, and its skills at some paths.

    Others may have written since the run read it: what they brought stays. Ratings are the old
    ones.
    """
    there = {entry.path for entry in now.skills}
    measured = {entry.path: entry for entry in done.skills}
    whole = with_games(now, done.games)
    for path in there.intersection(paths, measured):
        whole = with_subject(whole, measured[path])
    return whole


def with_subject(corpus: Corpus, subject: Entry) -> Corpus:
    """The corpus with a skill in it; what stood at its path before is replaced."""
    others = [entry for entry in corpus.skills if entry.path != subject.path]
    return corpus._replace(skills=tuple(sorted((*others, subject), key=lambda one: one.path)))
