"""Measure certification on simulated judges whose true strengths are known.

Usage: python scripts/certify_figures.py [REPEATS]. Prints the tables of docs/validity.md: whether
skills come out in their true order, how often intervals of ratings hold, and what a judge that
prefers who is shown first does to ratings. Seeds are fixed.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from memory_tree import MemoryTree  # noqa: E402
from plugineval_action.certify.corpus import (  # noqa: E402
    Corpus,
    Entry,
    references,
    with_games,
)
from plugineval_action.certify.games import Game, Player, bias  # noqa: E402
from plugineval_action.certify.playing import play  # noqa: E402
from plugineval_action.certify.standing import elo_result, ranking, rated  # noqa: E402
from plugineval_action.content.skill import read_skill  # noqa: E402
from plugineval_action.layers.judge.questions import Panel  # noqa: E402
from plugineval_action.layers.judge.shown import show  # noqa: E402
from plugineval_action.stats.ratings import rating_of  # noqa: E402
from simulated_client import SimulatedClient, World  # noqa: E402

REPEATS: Final = 100
SKILLS: Final = 30
SPREAD: Final = 200 / (400 / log(10))
"""The standard deviation of true strengths: 200 points of the scale."""

SEVENTY: Final = log(0.7 / 0.3)
"""What place is worth to a judge that prefers the first of two equals in 70 % of cases."""

PANEL: Final = Panel(1, "w", "j", "00")


class Season(NamedTuple):
    """One simulated world: true and estimated ratings by name, intervals, Elo, flips."""

    true: Mapping[str, float]
    found: Mapping[str, float]
    held: Mapping[str, bool]
    elo: Mapping[str, float]
    flips: float


def main() -> None:
    """Print all tables."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS
    with ProcessPoolExecutor(2) as pool:
        fair = list(pool.map(_season, range(repeats), [0.0] * repeats))
        biased = list(pool.map(_season, range(repeats), [SEVENTY] * repeats))
        alone = list(pool.map(_alone, range(4 * repeats)))
    print(f"{repeats} seasons of {SKILLS} skills\n")
    print(
        "| Judge | Rank correlation, mean (least) | Elo's | Intervals that hold | Ties by order |"
    )
    print("| --- | --: | --: | --: | --: |")
    for name, seasons in (("fair", fair), ("prefers the first, 70 to 30", biased)):
        print(_row(name, seasons))
    print(f"\none skill against 12: intervals hold {100 * fmean(alone):.1f} % of {len(alone)}")
    print("\nwhat the preference moves, in points: mean shift of a skill at this true rating\n")
    print("| True rating | Rating among all games | Elo |")
    print("| --- | --: | --: |")
    for line in _shifts(fair, biased):
        print(line)


def _row(name: str, seasons: Sequence[Season]) -> str:
    orders = [_spearman(one.true, one.found) for one in seasons]
    elos = [_spearman(one.true, one.elo) for one in seasons]
    held = [held for one in seasons for held in one.held.values()]
    flips = fmean(one.flips for one in seasons)
    return (
        f"| {name} | {fmean(orders):.3f} ({min(orders):.3f}) | {fmean(elos):.3f} | "
        f"{100 * fmean(held):.1f} % of {len(held)} | {100 * flips:.0f} % |"
    )


def _season(seed: int, place: float) -> Season:
    """Every skill is certified once, against the references that the default chooses."""
    true = _strengths(seed)
    players = {name: _player(name) for name in true}
    corpus = Corpus("r/1", ".", tuple(_entry(name) for name in true))
    client = SimulatedClient(World(strengths=true, place=place), seed)
    games: dict[str, tuple[Game, ...]] = {}
    for entry in corpus.skills:
        others = [players[one.name] for one in references(corpus.skills, entry).chosen]
        own = asyncio.run(play(client, players[entry.name], others, PANEL))
        games[entry.name] = own.games
    every = with_games(corpus, [game for own in games.values() for game in own])
    ranked = ranking(every.games)
    after = rated(every)
    elo = {
        name: result.rating
        for name, own in games.items()
        if (result := elo_result(name, own, {}, after))
    }
    found = bias(every.games)
    return Season(
        {name: rating_of(strength) for name, strength in true.items()},
        {name: one.rating.value for name, one in ranked.items()},
        {
            name: (one.rating.ci_lower or 0.0)
            <= rating_of(true[name])
            <= (one.rating.ci_upper or 0.0)
            for name, one in ranked.items()
        },
        elo,
        found.flips / found.games,
    )


def _alone(seed: int) -> bool:
    """Whether the interval of one skill holds that met twelve which met nobody else."""
    true = dict(list(_strengths(seed).items())[:13])
    centre = fmean(true.values())
    players = [_player(name) for name in true]
    client = SimulatedClient(World(strengths=true), seed)
    games = asyncio.run(play(client, players[0], players[1:], PANEL)).games
    rating = ranking(games)[players[0].digest].rating
    return (
        (rating.ci_lower or 0.0)
        <= rating_of(true[players[0].name] - centre)
        <= (rating.ci_upper or 0.0)
    )


def _strengths(seed: int) -> dict[str, float]:
    rng = Random(f"strengths {seed}")
    drawn = [rng.gauss(0, SPREAD) for _ in range(SKILLS)]
    return {f"s{number:02}": one - fmean(drawn) for number, one in enumerate(drawn)}


def _entry(name: str) -> Entry:
    return Entry(name, name, "all", 100, name)


def _player(name: str) -> Player:
    text = f"---\nname: {name}\ndescription: Reads bills.\n---\n# Bills of {name}\n\nRead.\n"
    skill = read_skill(MemoryTree({f"{name}/SKILL.md": text}), name)
    return Player(name, name, show(skill, "plugineval"))


def _shifts(fair: Sequence[Season], biased: Sequence[Season]) -> Iterator[str]:
    """Skills in bands of their true rating, so that a mean shift is not chance."""
    bands: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for one, other in zip(fair, biased, strict=True):
        for name, true in one.true.items():
            moved = other.found[name] - one.found[name], other.elo[name] - one.elo[name]
            bands[max(1200, min(1800, 100 * round(true / 100)))].append(moved)
    for band in sorted(bands):
        cells = []
        for at in range(2):
            moves = [one[at] for one in bands[band]]
            cells.append(f"{fmean(moves):+.1f} ± {1.96 * stdev(moves) / sqrt(len(moves)):.1f}")
        yield f"| about {band} | {' | '.join(cells)} |"


def _spearman(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    ranks = [
        {name: at for at, name in enumerate(sorted(each, key=lambda key: each[key]))}
        for each in (one, other)
    ]
    squares = sum((ranks[0][name] - ranks[1][name]) ** 2 for name in one)
    return 1 - 6 * squares / (len(one) * (len(one) ** 2 - 1))


if __name__ == "__main__":
    main()
