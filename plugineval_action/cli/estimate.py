"""`plugin-eval estimate`: what scoring would send and cost, before anything is sent."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from math import fsum
from typing import TYPE_CHECKING

from plugineval_action.cli.common import add_ruleset, new_parser
from plugineval_action.cli.deep import add_deep, settings_of
from plugineval_action.cli.targets import add_targets, work_of
from plugineval_action.escape import printable

if TYPE_CHECKING:
    from plugineval_action.llm.estimate import Planned

_HEAD = ("Purpose", "Model", "Calls", "Input", "Output", "Dollars", "At most")


def parser() -> ArgumentParser:
    """The options of `estimate`: those of `score` that count for the cost."""
    options = new_parser(
        "estimate",
        "Tell what score would send and cost at a depth, without sending anything.",
        "  plugin-eval estimate skills/my-skill --depth deep\n"
        "  plugin-eval estimate . --depth standard --model haiku --batch",
    )
    add_targets(options)
    add_ruleset(options)
    add_deep(options, default="standard")
    return options


def run(args: Namespace) -> int:
    """Rehearse the run, and print calls, tokens and dollars."""
    work = list(work_of(args))
    if args.depth == "quick":
        sys.stdout.write("Depth quick asks no model and costs nothing.\n")
        return 0
    from plugineval_action.deepen import Side, rehearse
    from plugineval_action.llm.cache import Store

    batch = args.batch or bool(args.resume_batch)
    sides = [Side(place.tree, targets) for place, targets in work]
    store = Store(args.cache, writable=False) if args.cache else None
    plan = rehearse(sides, settings_of(args), store, batch=batch)
    skills = sum(target.plugin is None for side in sides for target in side.targets)
    sys.stdout.write(rendered(plan, skills, args))
    return 0


def rendered(plan: Sequence[Planned], skills: int, args: Namespace) -> str:
    """The plan as a table for people, with what it rests on."""
    rows = [_HEAD, *map(_row, plan), _row(_total(plan))]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_HEAD))]
    table = "\n".join(_line(row, widths) for row in rows)
    counted = f"{skills} {'skill' if skills == 1 else 'skills'}"
    return f"{counted} at depth {args.depth}\n\n{table}\n\n{_words(plan, args)}\n"


def _words(plan: Sequence[Planned], args: Namespace) -> str:
    from plugineval_action.llm.models import price_date

    sentences = [
        f"Prices of {price_date()}{', halved for batches' if args.batch else ''}.",
        "Calls are counted with nothing left out; runs that end early make fewer.",
        "Tokens, and so dollars, are estimated from the length of texts and usual answers.",
        "At most is what every answer at its full length would cost, each once.",
        _capped(_total(plan).most_usd, args.max_usd),
    ]
    return "\n".join(sentences)


def _capped(most: float | None, cap: float | None) -> str:
    if cap is None:
        return "No cap is set."
    if most is None:
        return "A model without a known price is not asked under a cap; --max-usd none lifts it."
    within = "which is enough" if most <= cap else "where the run would end"
    return f"The cap is ${cap:g} (--max-usd), {within}."


def _total(plan: Iterable[Planned]) -> Planned:
    from plugineval_action.llm.estimate import Planned

    rows = list(plan)
    return Planned(
        "All",
        "",
        sum(row.calls for row in rows),
        sum(row.input_tokens for row in rows),
        sum(row.output_tokens for row in rows),
        _sum(row.usd for row in rows),
        _sum(row.most_usd for row in rows),
    )


def _sum(dollars: Iterable[float | None]) -> float | None:
    amounts = list(dollars)
    return None if None in amounts else fsum(amount for amount in amounts if amount is not None)


def _row(planned: Planned) -> tuple[str, ...]:
    return (
        planned.purpose,
        printable(planned.model),
        f"{planned.calls:,}",
        f"{planned.input_tokens:,}",
        f"{planned.output_tokens:,}",
        _dollars(planned.usd),
        _dollars(planned.most_usd),
    )


def _dollars(amount: float | None) -> str:
    return "unknown" if amount is None else f"{amount:.3f}"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    texts = [text.ljust(width) for text, width in zip(row[:2], widths[:2], strict=True)]
    numbers = [text.rjust(width) for text, width in zip(row[2:], widths[2:], strict=True)]
    return "  ".join([*texts, *numbers]).rstrip()
