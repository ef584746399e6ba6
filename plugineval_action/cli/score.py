"""`plugin-eval score`: skills, plugins, marketplaces, or folders that hold some."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from plugineval_action.cli.common import (
    add_ruleset,
    new_parser,
    now,
    positive,
    score_line,
    tell,
    with_progress,
)
from plugineval_action.cli.deep import add_deep, deep_of, progress_bar
from plugineval_action.cli.streams import drop_output
from plugineval_action.cli.targets import Work, add_targets, work_of
from plugineval_action.render.view import ScoreRun, below_threshold
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import versioned
from plugineval_action.survey import PROCESSES, score_directory

if TYPE_CHECKING:
    from plugineval_action.deepen import Deep

WRITERS = {
    "markdown": "to_markdown",
    "json": "to_json",
    "jsonl": "to_json",
    "html": "to_html",
    "sarif": "to_sarif",
    "github": "to_commands",
}
GATE_FAILED = 1
UNSCORED = 2


def parser() -> ArgumentParser:
    """The options of `score`."""
    options = new_parser(
        "score",
        "Score skills, plugins, a marketplace, or any folder that holds some.",
        "  plugin-eval score skills/my-skill\n"
        "  plugin-eval score . --each plugin --threshold 70\n"
        "  plugin-eval score . --output sarif > skills.sarif",
    )
    add_targets(options)
    add_ruleset(options)
    options.add_argument(
        "--output",
        choices=tuple(WRITERS),
        help="how the result is written (default: a view for terminals, else markdown)",
    )
    options.add_argument(
        "--threshold", type=score_line, metavar="N", help="exit 1 if anything scores below N"
    )
    options.add_argument(
        "--concurrency",
        type=positive,
        default=PROCESSES,
        metavar="N",
        help="processes for long runs (default: %(default)s)",
    )
    options.add_argument("--verbose", action="store_true", help="every detail of every result")
    add_deep(options, default="standard")
    return options


def run(args: Namespace) -> int:
    """Score, print, and gate."""
    started = time.perf_counter()
    work = list(work_of(args))
    deep = deep_of(args)
    scored = _assess(work, deep) if deep else [*_static(work, args)]
    results = tuple(one for one in scored if isinstance(one, Result))
    failures = tuple(one for one in scored if isinstance(one, Failure))
    if deep:
        from plugineval_action.render.spending import spent

        tell([spent(results, args.max_usd)])
    score_run = ScoreRun(
        results=results,
        failures=failures,
        depth_asked=args.depth,
        depth_run=args.depth if deep else "quick",
        ruleset=versioned(args.ruleset),
        threshold=args.threshold,
        timestamp=now(),
        concurrency=args.concurrency,
        verbose=args.verbose,
        output_format=args.output or "markdown",
        duration_ms=round((time.perf_counter() - started) * 1000, 3),
        notes=(),
    )
    code = _exit_code(score_run)
    try:
        _write(score_run, args.output)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads only the first lines still wants to know whether the gate failed.
        drop_output()
    return code


def _static(work: list[Work], args: Namespace) -> Iterator[Result | Failure]:
    for place, targets in work:
        scored = score_directory(place.tree, targets, args.ruleset, args.concurrency)
        yield from with_progress(scored, len(targets), "Scoring")


def _assess(work: list[Work], deep: Deep) -> list[Result | Failure]:
    from plugineval_action.deepen import Side, assess_targets

    with progress_bar() as progress:
        sides = [Side(place.tree, targets) for place, targets in work]
        return [one for side in assess_targets(sides, deep, progress) for one in side]


def _write(score_run: ScoreRun, output: str | None) -> None:
    if output is None and sys.stdout.isatty():
        from rich.console import Console

        from plugineval_action.render.score.to_terminal import render

        render(score_run, Console())
        return
    # Each writer is imported alone: the others would double a cold start.
    writer = import_module(f"plugineval_action.render.score.{WRITERS[output or 'markdown']}")
    sys.stdout.write(writer.render(score_run))


def _exit_code(score_run: ScoreRun) -> int:
    """A gate fails closed: what could not be read counts as below the line."""
    if score_run.threshold is None:
        return UNSCORED if score_run.failures and not score_run.results else 0
    below = any(
        below_threshold(result, score_run.threshold) or _has_unreadable(result)
        for result in score_run.results
    )
    return GATE_FAILED if below or score_run.failures else 0


def _has_unreadable(result: Result) -> bool:
    return any(finding.rule == "UNREADABLE_FILE" for finding in result.findings)
