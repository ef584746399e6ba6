"""`plugin-eval score`: skills, plugins, marketplaces, or folders that hold some."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib import import_module

from plugineval_action.cli.common import (
    DEPTHS,
    Place,
    add_ruleset,
    depth_that_runs,
    enclosing_plugin,
    locate,
    new_parser,
    now,
    positive,
    score_line,
    tell,
    with_progress,
)
from plugineval_action.content.discovery import discover
from plugineval_action.content.plugin import read_plugin
from plugineval_action.errors import UsageError
from plugineval_action.render.view import ScoreRun, below_threshold
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import Ruleset, versioned
from plugineval_action.survey import Target, plugin_targets, score_directory, skill_targets

WRITERS = {
    "markdown": "score_markdown",
    "json": "score_json",
    "jsonl": "score_json",
    "html": "score_html",
    "sarif": "sarif",
    "github": "workflow_commands",
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
    options.add_argument(
        "paths", nargs="+", metavar="PATH", help="a skill, a plugin, a marketplace or a folder"
    )
    options.add_argument(
        "--each",
        choices=("skill", "plugin"),
        help="what is scored in a marketplace or folder (default: skill)",
    )
    options.add_argument(
        "--depth",
        choices=DEPTHS,
        default="standard",
        help="how much is measured (default: %(default)s)",
    )
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
        default=4,
        metavar="N",
        help="processes for long runs (default: %(default)s)",
    )
    options.add_argument("--verbose", action="store_true", help="every detail of every result")
    return options


def run(args: Namespace) -> int:
    """Score, print, and gate."""
    started = time.perf_counter()
    depth, notes = depth_that_runs(args.depth)
    tell(notes)
    scored = [one for path in args.paths for one in _score(path, args)]
    results = tuple(one for one in scored if isinstance(one, Result))
    failures = tuple(one for one in scored if isinstance(one, Failure))
    score_run = ScoreRun(
        results=results,
        failures=failures,
        depth_asked=args.depth,
        depth_run=depth,
        ruleset=versioned(args.ruleset),
        threshold=args.threshold,
        timestamp=now(),
        concurrency=args.concurrency,
        verbose=args.verbose,
        output_format=args.output or "markdown",
        duration_ms=round((time.perf_counter() - started) * 1000, 3),
        notes=notes,
    )
    _write(score_run, args.output)
    return _exit_code(score_run)


def _score(argument: str, args: Namespace) -> Iterator[Result | Failure]:
    place = locate(argument)
    targets = _targets(place, args.each, args.ruleset)
    if not targets:
        what = "plugins" if args.each == "plugin" else "skills"
        raise UsageError(
            f"{argument!r} holds no {what}.",
            "A skill is a folder with SKILL.md, a plugin one with .claude-plugin/.",
        )
    scored = score_directory(place.tree, targets, args.ruleset, args.concurrency)
    yield from with_progress(scored, len(targets), "Scoring")


def _targets(place: Place, each: str | None, ruleset: Ruleset) -> list[Target]:
    if place.kind == "skill" and each is None:
        return [Target(place.path, skill_of=enclosing_plugin(place.tree, place.path))]
    if place.kind == "plugin" and each is None:
        return [Target(place.path, plugin=read_plugin(place.tree, place.path, ruleset=ruleset))]
    found = discover(place.tree, place.path, ruleset=ruleset)
    return plugin_targets(found) if each == "plugin" else skill_targets(found)


def _write(score_run: ScoreRun, output: str | None) -> None:
    if output is None and sys.stdout.isatty():
        from rich.console import Console

        from plugineval_action.render.terminal import render

        render(score_run, Console())
        return
    # Each writer is imported alone: the others would double a cold start.
    writer = import_module(f"plugineval_action.render.{WRITERS[output or 'markdown']}")
    sys.stdout.write(writer.render(score_run))


def _exit_code(score_run: ScoreRun) -> int:
    """A gate fails closed: what could not be read counts as below the line."""
    if score_run.threshold is None:
        return UNSCORED if score_run.failures and not score_run.results else 0
    below = any(below_threshold(result, score_run.threshold) for result in score_run.results)
    return GATE_FAILED if below or score_run.failures else 0
