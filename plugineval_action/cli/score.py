"""`plugin-eval score`: skills, plugins, marketplaces, or folders that hold some."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain
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
from plugineval_action.cli.deep import add_deep, deep_of, progress_bar, tell_spending
from plugineval_action.cli.gate import Gate
from plugineval_action.cli.policy import Holder, add_profile
from plugineval_action.cli.roots import below, prefixes
from plugineval_action.cli.scanners import add_sarif_in, runs_of, with_reports
from plugineval_action.cli.stopping import Stop
from plugineval_action.cli.streams import drop_output
from plugineval_action.cli.targets import Work, add_targets, profile_of, told_beside, work_of
from plugineval_action.findings.problems import strictest
from plugineval_action.findings.run import asides, check_shelf
from plugineval_action.render.view import ScoreRun
from plugineval_action.results import Failure, Finding, Result
from plugineval_action.rulesets import versioned
from plugineval_action.survey import (
    PROCESSES,
    around_skills,
    score_directory,
    unlisted,
    with_beside,
)

if TYPE_CHECKING:
    from plugineval_action.content.discovery import Discovery
    from plugineval_action.deepen import Deep

WRITERS = {
    "markdown": "to_markdown",
    "json": "to_json",
    "jsonl": "to_json",
    "html": "to_html",
    "sarif": "to_sarif",
    "github": "to_commands",
}


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
    add_profile(options)
    add_sarif_in(options)
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
    add_deep(options)
    return options


def run(args: Namespace) -> int:
    """Score, print, and gate."""
    started = time.perf_counter()
    work = list(work_of(args))
    stop = Stop()
    deep = deep_of(args, stop)
    score_run = ScoreRun(
        results=(),
        failures=(),
        depth_asked=args.depth,
        depth_run=args.depth if deep else "quick",
        ruleset=versioned(args.ruleset),
        threshold=args.threshold,
        timestamp=now(),
        concurrency=args.concurrency,
        verbose=args.verbose,
        output_format=args.output or "markdown",
        duration_ms=None,
        notes=(),
        fail_on=strictest(one.policy.fail_on for one in work if one.policy),
    )
    gate = Gate(args.threshold, score_run.fail_on)
    scored = map(gate.passed_through, _scored(work, args, deep, stop))
    if args.output == "jsonl":
        _print(_lines(scored, score_run, started))
        # Who reads only the first lines still wants to know whether the gate failed.
        deque(scored, maxlen=0)
    else:
        everything = list(scored)
        score_run = score_run._replace(
            results=tuple(one for one in everything if isinstance(one, Result)),
            failures=tuple(one for one in everything if isinstance(one, Failure)),
            findings=tuple(one for one in everything if isinstance(one, Finding)),
            duration_ms=_milliseconds(started),
        )
        _print(_text(score_run, args.output))
    stop.finish()
    tell(gate.reasons())
    return gate.code


def _scored(
    work: list[Work], args: Namespace, deep: Deep | None, stop: Stop
) -> Iterator[Result | Failure | Finding]:
    """Of each path what lies beside its results, and these; then what could not be looked into."""
    prefix = prefixes(one.place.tree.root for one in work)
    runs = runs_of(args)
    each = _assessed(work, deep, args, stop) if deep else _static(work, args)
    for one, scored in zip(work, each, strict=True):
        tree, hold = one.place.tree, Holder(one.policy, one.place.tree)
        shelf = _shelf(one, args)
        if one.found:
            beside = hold.beside(_around(one, one.found, args, shelf))
            around = [below(prefix[tree.root], note) for note in beside]
            tell(told_beside(around))
            yield from around
        together = (with_beside(result, shelf, args.ruleset) for result in scored)
        for result in with_reports(hold.results(together), runs, tree):
            yield below(prefix[tree.root], result)
    unread = [
        below(prefix[one.place.tree.root], failure)
        for one in work
        for failure in unlisted(one.place.tree, one.place.path)
    ]
    yield from dict.fromkeys(unread)


def _shelf(one: Work, args: Namespace) -> dict[str, tuple[Finding, ...]]:
    """What all skills of a place say together."""
    if one.found is None:
        return {}
    return check_shelf(one.place.tree, one.found, profile_of(one, args))


def _around(
    one: Work, found: Discovery, args: Namespace, shelf: dict[str, tuple[Finding, ...]]
) -> tuple[Finding, ...]:
    """What stands beside the results of a place: of plugins and agents too, if only skills are."""
    tree, profile = one.place.tree, profile_of(one, args)
    beside = asides(tree, found, profile)
    if args.each == "plugin":
        return beside
    return (*beside, *around_skills(tree, found, shelf, args.ruleset, profile))


def _static(work: list[Work], args: Namespace) -> Iterator[Iterable[Result | Failure]]:
    for one in work:
        scored = score_directory(
            one.place.tree, one.targets, args.ruleset, args.concurrency, profile_of(one, args)
        )
        yield with_progress(scored, len(one.targets), "Scoring")


def _assessed(
    work: list[Work], deep: Deep, args: Namespace, stop: Stop
) -> Iterable[Iterable[Result | Failure]]:
    """All at once: questions about many skills share their wait, and the cap."""
    from plugineval_action.deepen import Side, assess_targets

    with stop.listening(), progress_bar() as progress:
        sides = [Side(one.place.tree, one.targets, profile_of(one, args)) for one in work]
        every = assess_targets(sides, deep, progress)
    tell_spending(chain.from_iterable(every), args)
    return every


def _lines(
    scored: Iterable[Result | Failure | Finding], score_run: ScoreRun, started: float
) -> Iterator[str]:
    from plugineval_action.render.score.to_json import line

    for one in scored:
        if not isinstance(one, Finding):
            yield line(one, score_run._replace(duration_ms=_milliseconds(started)))


def _text(score_run: ScoreRun, output: str | None) -> Iterator[str]:
    if output is None and sys.stdout.isatty():
        from rich.console import Console

        from plugineval_action.render.score.to_terminal import render

        render(score_run, Console())
        return
    # Each writer is imported alone: the others would double a cold start.
    writer = import_module(f"plugineval_action.render.score.{WRITERS[output or 'markdown']}")
    if output in ("json", "sarif"):
        yield from writer.pieces(score_run)
    else:
        yield writer.render(score_run)


def _print(texts: Iterable[str]) -> None:
    try:
        for text in texts:
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
