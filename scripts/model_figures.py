"""Measure the layers that ask models, on simulated models whose true rates are known.

Usage: python scripts/model_figures.py [REPEATS]. Prints the tables of docs/validity.md: how often
95 % intervals hold, how far estimates are off, what early stopping saves, which attacks succeed,
and what a deep score costs. Seeds are fixed.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from attacked import GullibleClient, attacks  # noqa: E402
from memory_tree import MemoryTree  # noqa: E402
from model_client import Clock  # noqa: E402
from model_server import ModelServer  # noqa: E402
from plugineval_action.assess import Depth, Settings, assess_skill  # noqa: E402
from plugineval_action.evaluate import score_skill  # noqa: E402
from plugineval_action.layers.judge.prescreen import aimed_at_judge  # noqa: E402
from plugineval_action.layers.judge.questions import Panel  # noqa: E402
from plugineval_action.layers.static.antipatterns import penalty  # noqa: E402
from plugineval_action.layers.triggering import f1, precision  # noqa: E402
from plugineval_action.llm.anthropic_client import AnthropicTransport, sdk  # noqa: E402
from plugineval_action.llm.asking import Asker, Limits  # noqa: E402
from plugineval_action.llm.budget import Budget  # noqa: E402
from plugineval_action.llm.client import Client, Message, Request, Text  # noqa: E402
from plugineval_action.results import Composite, Result  # noqa: E402
from plugineval_action.scoring.composite import Deeper, skill_composite  # noqa: E402
from plugineval_action.stats.resampling import Sampled  # noqa: E402
from simulated_client import Levels, Rate, SimulatedClient, World  # noqa: E402
from simulated_model import world_model  # noqa: E402

REPEATS: Final = 200
TREE: Final = MemoryTree(
    {
        "s/SKILL.md": "---\nname: s\ndescription: Simulated. Reads bills. Use when one arrives.\n"
        "---\n# Bills\n\nRead it.\n"
    }
)
WORLDS: Final = {
    "middling": World(),
    "good": World(
        recall=Rate(0.95),
        false=Rate(0.04),
        predicted_recall=Rate(0.95),
        predicted_false=Rate(0.05),
        orchestration=Levels(4.6, 0.4, 0.0),
        scope=Levels(4.4, 0.4, 0.0),
        output=Levels(4.5, 0.4, 0.3),
        reply=Levels(4.5, 0.4, 0.4),
        failing=0.01,
        tokens=1_500,
    ),
    "poor": World(
        recall=Rate(0.5, 3),
        false=Rate(0.4, 3),
        predicted_recall=Rate(0.6, 3),
        predicted_false=Rate(0.4, 3),
        orchestration=Levels(2.2, 0.7, 0.0),
        scope=Levels(2.6, 0.7, 0.0),
        output=Levels(2.5, 0.7, 0.7),
        reply=Levels(2.8, 0.7, 0.7),
        failing=0.15,
        tokens=5_000,
    ),
}
MODES: Final[dict[str, tuple[Depth, bool]]] = {
    "standard": ("standard", False),
    "deep, all runs": ("deep", False),
    "deep, stopping early": ("deep", True),
    "thorough, stopping early": ("thorough", True),
}
CHARACTERS: Final = 12_000
"""Length of the skill whose cost is measured: about the median of long ones."""

REPLY_TOKENS: Final = 800
_PAID: Final[tuple[Depth, ...]] = ("standard", "deep", "thorough")


class Tried(NamedTuple):
    """One scored skill: (value, low, high) of each measure, and how many runs."""

    measures: Mapping[str, tuple[float, float, float]]
    runs: int


def main() -> None:
    """Print all tables."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS
    jobs = [(world, mode) for world in WORLDS for mode in MODES]
    with ProcessPoolExecutor(2) as pool:
        tables = pool.map(_sweep, *zip(*[(*job, repeats) for job in jobs], strict=True))
        for (world, mode), table in zip(jobs, tables, strict=True):
            print(f"\n{world}, {mode} ({repeats} times)\n")
            print(table, flush=True)
    print(_attack_table())
    print(_cost_table())


def _sweep(world: str, mode: str, repeats: int) -> str:
    tried = [_try(WORLDS[world], mode, seed) for seed in range(repeats)]
    truth = _truth(WORLDS[world], MODES[mode][0])
    lines = ["| Measure | Truth | Bias | Mean width | Intervals that hold |"]
    lines.append("| --- | --: | --: | --: | --: |")
    found: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for one in tried:
        for name, values in one.measures.items():
            found[name].append(values)
    for name, seen in found.items():
        true = truth[name]
        held = fmean(each[1] - 1e-12 <= true <= each[2] + 1e-12 for each in seen)
        bias = fmean(each[0] for each in seen) - true
        width = fmean(each[2] - each[1] for each in seen)
        lines.append(f"| {name} | {true:.4g} | {bias:+.3g} | {width:.3g} | {100 * held:.1f} % |")
    lines.append(f"\nmean runs {fmean(one.runs for one in tried):.1f}")
    return "\n".join(lines)


def _try(world: World, mode: str, seed: int) -> Tried:
    depth, adaptive = MODES[mode]
    settings = Settings(depth, Panel(3, "w", "j", "00"), "e", adaptive=adaptive)
    client = SimulatedClient(world, seed)
    result = asyncio.run(assess_skill(client, TREE, "s", settings))
    assert result.composite
    runs = [layer.metadata["runs"] for layer in result.layers if layer.layer == "monte_carlo"]
    return Tried(dict(_seen(result, result.composite)), int(runs[0]) if runs else 0)


def _seen(result: Result, one: Composite) -> Iterator[tuple[str, tuple[float, float, float]]]:
    if one.ci_lower is not None and one.ci_upper is not None:
        yield "composite", (one.score, one.ci_lower, one.ci_upper)
    for layer in result.layers:
        for each in layer.measures:
            name = f"{layer.layer} {each.name}"
            if None not in (each.value, each.ci_lower, each.ci_upper) and name in _NAMES:
                yield name, (each.value, each.ci_lower, each.ci_upper)  # type: ignore[misc]


_NAMES: Final = {
    *(
        f"judge {name}"
        for name in (
            "triggering_accuracy",
            "orchestration_fitness",
            "scope_calibration",
            "output_quality",
        )
    ),
    *(
        f"monte_carlo {name}"
        for name in (
            "activation_rate",
            "false_activation_rate",
            "precision",
            "f1",
            "output_quality",
            "failure_rate",
            "tokens_median",
        )
    ),
}


def _truth(world: World, depth: Depth) -> dict[str, float]:
    judge, ran = world.true_dimensions
    static = score_skill(TREE, "s").layers[0]
    deeper = Deeper(_exact(judge), _exact(ran) if depth != "standard" else {})
    composite = skill_composite(
        {sub.name: sub.score for sub in static.sub_scores},
        penalty(len(static.anti_patterns)),
        "plugineval",
        deeper,
    )
    recall, false = world.recall.mean, world.false.mean
    return {
        "composite": composite.score,
        **{f"judge {name}": value for name, value in judge.items()},
        "monte_carlo activation_rate": recall,
        "monte_carlo false_activation_rate": false,
        "monte_carlo precision": precision(recall, false) or 0.0,
        "monte_carlo f1": f1(recall, false),
        "monte_carlo output_quality": ran["output_quality"],
        "monte_carlo failure_rate": 1 - ran["robustness"],
        "monte_carlo tokens_median": world.tokens,
    }


def _exact(values: Mapping[str, float]) -> dict[str, Sampled]:
    return {name: Sampled(value) for name, value in values.items()}


def _attack_table() -> str:
    every = attacks()
    found = [one for one in every if aimed_at_judge(one.file())]
    free = Settings("standard", Panel(1, "w", "j", "00"), "e", judge_anyway=True)
    closed = free._replace(judge_anyway=False)
    past_control = [one.name for one in every if _raised(one.tree(), free)]
    past_both = [one.name for one in every if _raised(one.tree(), closed)]
    return (
        f"\n{len(every)} attacks: {len(found)} found by the pre-screen, "
        f"{len(every) - len(past_control)} voided by the control alone, "
        f"{len(past_both)} past both: {', '.join(past_both)}"
    )


def _raised(tree: MemoryTree, settings: Settings) -> bool:
    result = asyncio.run(assess_skill(GullibleClient(), tree, "s", settings))
    return any(sub.score == 1 for layer in result.layers[1:] for sub in layer.sub_scores)


def _cost_table() -> str:
    body = "Read the bill, and check its total. " * (CHARACTERS // 36)
    text = f"---\nname: s\ndescription: Simulated. Reads bills.\n---\n# Bills\n\n{body}\n"
    plain = _billed(text, None)
    lines = ["\n| What | Dollars | Of 54 plain calls |", "| --- | --: | --: |"]
    lines.append(f"| 54 plain calls with the whole text | {plain:.3f} | 100 % |")
    for judges in (1, 3):
        for depth in _PAID:
            settings = Settings(
                depth,
                Panel(judges, "claude-haiku-5-5", "claude-sonnet-5-5", "00"),
                "claude-sonnet-5-5",
            )
            dollars = _billed(text, settings)
            share = f"{100 * dollars / plain:.0f} %"
            lines.append(f"| {depth}, judges: {judges} | {dollars:.3f} | {share} |")
    return "\n".join(lines)


def _billed(text: str, settings: Settings | None) -> float:
    """What the loopback service charges; without settings, for 54 plain calls."""
    model = world_model(WORLDS["middling"]._replace(tokens=REPLY_TOKENS), seed=5)
    with ModelServer(model, seed=7) as server:
        asyncio.run(_ask(server, text, settings))
        return float(server.billed)


async def _ask(server: ModelServer, text: str, settings: Settings | None) -> None:
    async with sdk(server.key, server.url) as service:
        asker = Asker(AnthropicTransport(service), Budget(None), Clock().timing(), Limits())
        if settings is None:
            await asyncio.gather(*(_plain(asker, text, number) for number in range(54)))
        else:
            await assess_skill(asker, MemoryTree({"s/SKILL.md": text}), "s", settings)


async def _plain(client: Client, text: str, number: int) -> None:
    await client.ask(
        Request(
            model="claude-sonnet-5-5",
            system=(Text(text),),
            messages=(Message("user", (Text(f"wanted request {number}"),)),),
            purpose="plain",
            version="1",
            identity=str(number),
            max_tokens=6_000,
            effort="low",
        )
    )


if __name__ == "__main__":
    main()
