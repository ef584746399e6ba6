"""`plugin-eval score`: skills, plugins, marketplaces, or folders that hold some."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from plugineval_action.cli.common import (
    DEPTHS,
    add_ruleset,
    depth_that_runs,
    new_parser,
    now,
    path,
    positive,
    score_line,
    tell,
    with_progress,
)
from plugineval_action.cli.place import Place, locate, no_agents_alone, own_target
from plugineval_action.cli.policy import add_profile, held, policy_of
from plugineval_action.cli.streams import drop_output
from plugineval_action.content.discovery import Discovery, discover
from plugineval_action.errors import UsageError
from plugineval_action.findings.profiles import DEFAULT_PROFILE
from plugineval_action.findings.run import asides
from plugineval_action.render.escape import printable
from plugineval_action.render.problems import LEVELS
from plugineval_action.render.view import ScoreRun, below_threshold
from plugineval_action.results import Failure, Finding, Result, findings_of
from plugineval_action.rulesets import Ruleset, versioned
from plugineval_action.survey import (
    PROCESSES,
    Target,
    plugin_targets,
    score_directory,
    skill_targets,
)

if TYPE_CHECKING:
    from plugineval_action.policy.model import Policy

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
MOST_NEAR = 3


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
        "paths",
        type=path,
        nargs="+",
        metavar="PATH",
        help="a skill, a plugin, a marketplace or a folder",
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
    add_profile(options)
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
    return options


def run(args: Namespace) -> int:
    """Score, print, and gate."""
    started = time.perf_counter()
    depth, notes = depth_that_runs(args.depth)
    work = list(_work(args))
    tell(notes)
    policies = {place.tree.root: policy_of(place.tree) for place, _ in work}
    scored = [
        one
        for place, targets in work
        for one in _score(place, targets, args, policies[place.tree.root])
    ]
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
        notes=(),
    )
    code = _exit_code(score_run) or _gate(results, policies.values())
    try:
        _write(score_run, args.output)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads only the first lines still wants to know whether the gate failed.
        drop_output()
    return code


def _work(args: Namespace) -> Iterator[tuple[Place, list[Target]]]:
    """What there is to score for each path, each target once. Raises UsageError if a path is wrong.

    What lies at one path may be two targets: entries of marketplaces may share a directory.
    """
    met: set[tuple[Path, str | None]] = set()
    for argument in dict.fromkeys(args.paths):
        place = locate(argument)
        named = {
            (place.tree.root / target.path, target.plugin.name if target.plugin else None): target
            for target in _targets(place, args.each, args.ruleset)
        }
        yield place, [target for key, target in named.items() if key not in met]
        met |= named.keys()


def _score(
    place: Place, targets: list[Target], args: Namespace, policy: Policy | None
) -> Iterable[Result | Failure]:
    profile = args.profile or (policy.profile if policy else DEFAULT_PROFILE)
    scored = score_directory(place.tree, targets, args.ruleset, args.concurrency, profile)
    return held(with_progress(scored, len(targets), "Scoring"), policy, place.tree)


def _gate(results: tuple[Result, ...], policies: Iterable[Policy | None]) -> int:
    """Whether a finding is as loud as a policy's fail-on, or louder."""
    least = [LEVELS.index(one.fail_on) for one in policies if one and one.fail_on != "never"]
    loud = [LEVELS.index(note.level) for result in results for note in findings_of(result)]
    return GATE_FAILED if least and loud and min(loud) <= max(least) else 0


def _targets(place: Place, each: str | None, ruleset: Ruleset) -> list[Target]:
    own = own_target(place, ruleset) if each is None else None
    if own:
        return [own]
    found = discover(place.tree, place.path, ruleset=ruleset)
    targets = plugin_targets(found) if each == "plugin" else skill_targets(found)
    if not targets:
        raise _nothing(place, "plugins" if each == "plugin" else "skills", found)
    tell(_asides(asides(place.tree, found)))
    return targets


def _asides(notes: tuple[Finding, ...]) -> Iterator[str]:
    """What no score shows, such as a marketplace.json that is broken."""
    yield from map(_told, notes[:MOST_NEAR])
    if len(notes) > MOST_NEAR:
        more = len(notes) - MOST_NEAR
        yield f"{more} more findings beside the skills; plugin-eval report lists them."


def _told(note: Finding) -> str:
    return f"{printable(note.path)}:{note.line}: {printable(note.message)} ({note.rule})"


def _nothing(place: Place, what: str, found: Discovery) -> UsageError:
    """The error for a folder that holds nothing to score, and what comes close to it."""
    if f"/{place.path}".endswith("/agents") or (found.agents and not found.plugins):
        return no_agents_alone(place.argument, place.tree.root / place.path)
    near = "".join(f"\n  {_told(note)}" for note in found.asides[:MOST_NEAR])
    return UsageError(
        f"{place.argument!r} holds no {what}.",
        "A skill is a folder with SKILL.md, a plugin one with .claude-plugin/."
        + (f" What comes close:{near}" if near else ""),
    )


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
