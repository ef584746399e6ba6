"""Where skills stand, from the games that were played. Pure.

The running Elo is what badges ask for. Who stands above whom is read from strengths that were
fitted to all games at once, within a group of skills that games connect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from plugineval_action.certify.corpus import Corpus, Entry
from plugineval_action.certify.games import ASPECTS, OVERALL, Game, played_by
from plugineval_action.stats.bradley_terry import Fit, components, fit
from plugineval_action.stats.ratings import START, Match, Rating, elo_rating, rating_of
from plugineval_action.stats.seeds import seeded


class Ranked(NamedTuple):
    """A rating from strengths, and the number of the group within which it counts."""

    rating: Rating
    group: int


class EloResult(NamedTuple):
    """The running Elo of a skill and what stands around it.

    `corpus_percentile` is the share, in percent, of the other rated skills of its group that are
    rated lower, None if there are none; `closest_comparable` names the one whose rating is nearest.
    """

    rating: float
    ci_lower: float | None
    ci_upper: float | None
    corpus_percentile: float | None
    matches: int
    closest_comparable: str | None
    dimensional_wins: Mapping[str, int]
    dimensional_losses: Mapping[str, int]


def ranking(games: Sequence[Game]) -> dict[str, Ranked]:
    """Everybody who has played, by digest; groups count from 1, the largest first."""
    cases = [game.case for game in games]
    ranked: dict[str, Ranked] = {}
    for number, group in enumerate(components(cases), start=1):
        own = [case for case in cases if case[0].first in group]
        found = fit(own, seeded("ranking", *sorted(group)))
        ranked |= {name: Ranked(_rating(found, name), number) for name in found.strengths}
    return ranked


def _rating(found: Fit, name: str) -> Rating:
    value = rating_of(found.strengths[name])
    interval = found.intervals.get(name)
    if interval is None:
        return Rating(value)
    return Rating(value, rating_of(interval.low), rating_of(interval.high))


def rated(corpus: Corpus) -> Corpus:
    """The corpus with the ratings that its games give."""
    ranked = ranking(corpus.games)
    return corpus._replace(
        skills=tuple(_rated(entry, ranked.get(entry.digest), corpus) for entry in corpus.skills)
    )


def _rated(entry: Entry, found: Ranked | None, corpus: Corpus) -> Entry:
    value, low, high = found.rating if found else (None, None, None)
    return entry._replace(
        rating=value,
        ci_lower=low,
        ci_upper=high,
        games=len(played_by(corpus.games, entry.digest)),
        group=found.group if found else None,
    )


def elo_result(
    digest: str, games: Sequence[Game], before: Mapping[str, float], after: Corpus
) -> EloResult | None:
    """The standing of one skill; None without a game.

    `before` has the ratings that the opponents came with (others start at START), `after` the
    corpus with all games.
    """
    own = played_by(games, digest)
    if not own:
        return None
    matches = [
        Match(before.get(_opponent(game, digest), START), game.outcome(digest)) for game in own
    ]
    value, low, high = elo_rating(matches, seeded("elo", digest))
    others = _comparable(digest, after)
    own_rating = next((one.rating for one in after.skills if one.digest == digest), None)
    return EloResult(
        rating=value,
        ci_lower=low,
        ci_upper=high,
        corpus_percentile=_percentile(own_rating, others),
        matches=len(own),
        closest_comparable=_closest(own_rating, others),
        dimensional_wins=_count(own, digest, 1.0),
        dimensional_losses=_count(own, digest, 0.0),
    )


def _opponent(game: Game, digest: str) -> str:
    return game.other if game.one == digest else game.one


def _comparable(digest: str, corpus: Corpus) -> list[Entry]:
    group = next((one.group for one in corpus.skills if one.digest == digest), None)
    return [
        one
        for one in corpus.skills
        if one.digest != digest and one.group == group and one.rating is not None
    ]


def _percentile(own: float | None, others: Sequence[Entry]) -> float | None:
    if own is None or not others:
        return None
    below = sum((one.rating or 0.0) < own for one in others)
    return 100 * below / len(others)


def _closest(own: float | None, others: Iterable[Entry]) -> str | None:
    if own is None:
        return None
    nearest = min(others, key=lambda one: abs((one.rating or 0.0) - own), default=None)
    return nearest.name if nearest else None


def _count(games: Iterable[Game], digest: str, outcome: float) -> dict[str, int]:
    """Games with this outcome, for each dimension."""
    games = list(games)
    return {
        aspect: sum(game.outcome(digest, aspect) == outcome for game in games)
        for aspect in ASPECTS
        if aspect != OVERALL
    }
