"""Measure comparisons of two skills, on simulated models whose true rates are known.

Usage: python scripts/compare_figures.py [PAIRS]. Prints the tables of docs/validity.md: how often
two skills that are equally good are within noise, and how often a difference of 5 points is found,
with the same requests for both and with those of each skill its own. Of depth deep there are half
as many pairs. Seeds are fixed.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from memory_tree import MemoryTree  # noqa: E402
from plugineval_action.assess import Assessed, Depth, Settings, assess  # noqa: E402
from plugineval_action.content.skill import read_skill  # noqa: E402
from plugineval_action.contrast import differences  # noqa: E402
from plugineval_action.deepen import WrittenOnce  # noqa: E402
from plugineval_action.evaluate import score_skill  # noqa: E402
from plugineval_action.layers.judge.questions import Panel  # noqa: E402
from plugineval_action.layers.judge.shown import Shown, show  # noqa: E402
from plugineval_action.layers.static.antipatterns import penalty  # noqa: E402
from plugineval_action.llm.client import Reply, Request, Text, Unmeasured  # noqa: E402
from plugineval_action.review_values import Difference  # noqa: E402
from plugineval_action.scoring import delta  # noqa: E402
from plugineval_action.scoring.composite import Deeper, skill_composite  # noqa: E402
from plugineval_action.stats.resampling import Sampled  # noqa: E402
from simulated_client import Levels, Rate, SimulatedClient, World  # noqa: E402

PAIRS: Final = 200
POINTS: Final = 5.0
"""The true difference that is looked for."""

_AGAIN: Final = "again"
_SIDES: Final = ("one", "other")
_HALVINGS: Final = 30


class Nature(NamedTuple):
    """How much requests and tasks differ: see `Rate.alike` and `Levels.apart`."""

    alike: float
    apart: float


NATURES: Final = {"differ somewhat": Nature(8, 0.5), "decide almost all": Nature(0.5, 1.0)}
COST: Final[dict[Depth, int]] = {"standard": 1, "deep": 2}
"""Depths, and by how much fewer pairs there are of each."""


class Tried(NamedTuple):
    """What came of one pair: the difference of composites, the truth, verdicts of dimensions."""

    found: Difference
    true: float
    words: tuple[str, ...]


def world(nature: Nature, better: float = 0.0) -> World:
    """A middling skill, made better in everything by a share of a level."""
    alike, apart = nature
    return World(
        recall=Rate(0.80 + 0.1 * better, alike),
        false=Rate(0.15, alike),
        predicted_recall=Rate(0.80 + 0.1 * better, alike),
        predicted_false=Rate(0.2, alike),
        orchestration=Levels(3.4 + better, apart=0.0),
        scope=Levels(3.4 + better, apart=0.0),
        output=Levels(3.4 + better, 0.6, apart),
        reply=Levels(3.4 + better, 0.6, apart),
    )


class Two:
    """A Client of two worlds: the other skill, and what it says, is known by a word."""

    def __init__(self, one: World, other: World, seed: int) -> None:
        self._clients = SimulatedClient(one, seed), SimulatedClient(other, seed)

    async def ask(self, request: Request) -> Reply | Unmeasured:
        """Ask the model that plays the skill in question."""
        blocks = (*request.system, *(each for turn in request.messages for each in turn.blocks))
        is_other = any(isinstance(each, Text) and _AGAIN in each.text for each in blocks)
        answer = await self._clients[is_other].ask(request)
        if is_other and isinstance(answer, Reply) and request.purpose == "monte_carlo.reply":
            return answer._replace(text=f"{answer.text} Once {_AGAIN}.")
        return answer


def _tree(word: str) -> MemoryTree:
    text = (
        f"---\nname: s\ndescription: Simulated. Reads bills{word}. Use when one arrives.\n---\n"
        "# Bills\n\nRead it.\n"
    )
    return MemoryTree({"s/SKILL.md": text})


TREES: Final = _tree(""), _tree(f" {_AGAIN}")


def main() -> None:
    """Print all tables."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    print(
        "| Requests | Depth | Asked for | Equal ones within noise | Mean half of the interval | "
        f"{POINTS:g} points found | Intervals that hold | Dimensions within noise |"
    )
    print("| --- | --- | --- | --: | --: | --: | --: | --: |")
    with ProcessPoolExecutor(2) as pool:
        for depth in COST:
            for name, nature in NATURES.items():
                better = _better(nature, depth)
                for same in (True, False):
                    jobs = [
                        [(nature, depth, more, same, seed) for seed in range(pairs // COST[depth])]
                        for more in (0.0, better)
                    ]
                    equal, apart = (list(pool.map(_try, *zip(*job, strict=True))) for job in jobs)
                    asked = "the same" if same else "their own"
                    print(f"| {name} | {depth} | {asked} | {_row(equal, apart)} |", flush=True)


def _row(equal: list[Tried], apart: list[Tried]) -> str:
    words = [delta.judged(one.found) for one in equal]
    found = [delta.judged(one.found) for one in apart]
    held = [_holds(one) for one in (*equal, *apart)]
    half = fmean((_end(one.found.ci_upper) - _end(one.found.ci_lower)) / 2 for one in equal)
    every = [word == "within noise" for one in equal for word in one.words]
    return (
        f"{100 * words.count('within noise') / len(words):.1f} % | {half:.1f} | "
        f"{100 * found.count('better') / len(found):.0f} % | {100 * fmean(held):.1f} % | "
        f"{100 * fmean(every):.1f} %"
    )


def _holds(one: Tried) -> bool:
    return _end(one.found.ci_lower) <= one.true <= _end(one.found.ci_upper)


def _end(value: float | None) -> float:
    assert value is not None
    return value


def _try(nature: Nature, depth: Depth, better: float, same: bool, seed: int) -> Tried:  # noqa: FBT001
    worlds = world(nature), world(nature, better)
    one, other = asyncio.run(_both(Two(*worlds, seed), depth, same=same))
    found = differences(one, other)
    true = _truth(worlds[1], depth) - _truth(worlds[0], depth)
    words = tuple(delta.judged(each) for each in found[1:] if not each.exact)
    return Tried(found[0], true, words)


async def _both(client: Two, depth: Depth, *, same: bool) -> tuple[Assessed, Assessed]:
    settings = Settings(depth, Panel(3, "w", "j", "00"), "e", adaptive=False)
    once = WrittenOnce(client)
    shown = [show(read_skill(tree, "s"), "plugineval") for tree in TREES]
    sides = [
        await assess(once, tree, "s", settings, beside=beside)
        for tree, beside in zip(TREES, _beside(shown, same=same), strict=True)
    ]
    return sides[0], sides[1]


def _beside(shown: list[Shown], *, same: bool) -> Iterator[Shown | None]:
    yield from reversed(shown) if same else (None, None)


def _truth(one: World, depth: Depth) -> float:
    judge, ran = one.true_dimensions
    static = score_skill(TREES[0], "s").layers[0]
    deeper = [{name: Sampled(value) for name, value in each.items()} for each in (judge, ran)]
    return skill_composite(
        {sub.name: sub.score for sub in static.sub_scores},
        penalty(len(static.anti_patterns)),
        "plugineval",
        Deeper(deeper[0], deeper[1] if depth != "standard" else {}),
    ).score


def _better(nature: Nature, depth: Depth) -> float:
    """How much better a skill has to be in everything to be POINTS ahead."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        ahead = _truth(world(nature, middle), depth) - _truth(world(nature), depth)
        low, high = (middle, high) if ahead < POINTS else (low, middle)
    return low


if __name__ == "__main__":
    main()
