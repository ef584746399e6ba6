"""What the steps of `eval` share: where a skill and its evals lie, and how results are written."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plugineval_action.cli.common import folder, now, path, tell
from plugineval_action.cli.place import locate
from plugineval_action.content.frontmatter import split_lines
from plugineval_action.content.repository import repository_root
from plugineval_action.content.skill import SKILL_FILE, SkillSource, read_skill
from plugineval_action.content.tree import join
from plugineval_action.errors import UsageError
from plugineval_action.evals.suite import find_folder

if TYPE_CHECKING:
    from plugineval_action.cli.evals.asking import Asked
    from plugineval_action.evals.suite import Suite
    from plugineval_action.render.evals.view import EvalRun

WRITERS = {"markdown": "to_markdown", "json": "to_json", "junit": "to_junit"}
ELSEWHERE = "Name a folder that can be written, with --evals."
GATE_FAILED = 1
NOT_GRADED = 2
NOTHING_GRADED = (
    "No run could be graded, so nothing is known of the skill. Mend what the result says of each "
    "case: a run counts if its harness ended it and every check that must pass can be told; those "
    "of files need the folder <case>.<repeat>.files beside the trace."
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class Skill(NamedTuple):
    """The skill that evals are about: its name, its folder, its source, and where evals lie."""

    name: str
    folder: Path
    source: SkillSource
    evals: Path


class StepParser(ArgumentParser):
    """Options may stand before, between and after the arguments without a name."""

    _begun = False  # parse_known_intermixed_args asks parse_known_args up to Python 3.11

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:  # noqa: ANN401 - as argparse
        """What sub-parsers are asked; older versions of argparse come back here from within."""
        if self._begun:
            return super().parse_known_args(args, namespace)
        self._begun = True
        return self.parse_known_intermixed_args(args, namespace)


def new_step(steps: Any, name: str, about: str, examples: str) -> ArgumentParser:  # noqa: ANN401 - argparse keeps its type to itself
    """A step with a help of its own."""
    options: ArgumentParser = steps.add_parser(
        name,
        help=about[0].lower() + about[1:].rstrip("."),
        description=about,
        epilog=f"examples:\n{examples}",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    options.add_argument("skill", type=path, metavar="SKILL", help="the folder of the skill")
    options.add_argument(
        "--evals",
        type=folder,
        metavar="DIR",
        help="the folder of the cases (default: the nearest evals/ from the skill upwards)",
    )
    return options


def add_output(options: ArgumentParser) -> None:
    """How results are written, compared and gated."""
    options.add_argument(
        "--output",
        choices=tuple(WRITERS),
        help="how the result is written (default: a view for terminals, else markdown)",
    )
    options.add_argument(
        "--baseline",
        type=folder,
        metavar="FILE",
        help="what to compare with (default: baseline.json beside the cases)",
    )
    options.add_argument(
        "--save-baseline", action="store_true", help="write the baseline anew, as things stand now"
    )
    options.add_argument(
        "--fail-on",
        choices=("broken", "failed", "never"),
        default="never",
        help="exit 1 if a case broke since the baseline, or if any failed (default: %(default)s)",
    )


def find_skill(args: Namespace) -> Skill:
    """The skill that was named. Raises UsageError if there is none."""
    place = locate(args.skill)
    if not place.tree.is_file(join(place.path, SKILL_FILE)):
        remedy = f"Name the folder that holds {SKILL_FILE}."
        raise UsageError(f"{args.skill!r} is no skill.", remedy)
    source = read_skill(place.tree, place.path)
    name = split_lines(source.text.content).text("name") or source.directory_name
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"The skill is called {name!r}, and its evals cannot be called so.",
            "Give it a name of letters, digits and hyphens.",
        )
    where = place.tree.root / place.path
    evals = args.evals or find_folder(where, repository_root(where), name)
    return Skill(name, where, source, evals)


def refuse_existing(
    folder: Path,
    names: Iterable[str],
    remedy: str = "Move it away, or name another --evals folder.",
) -> None:
    """People write these files on; none is ever replaced."""
    for name in names:
        if (folder / name).exists() or (folder / name).is_symlink():
            raise UsageError(
                f"{folder / name} is there already.",
                remedy,
            )


def write_results(args: Namespace, suite: Suite, asked: Asked, notes: Sequence[str]) -> int:
    """Put the runs together, compare, print, keep the baseline; returns the exit code.

    Where nothing could be graded that is said, and the baseline stays as it is.
    """
    from plugineval_action.cli.output import write_files
    from plugineval_action.evals.baseline import FILE, changes, read_baseline, with_summary
    from plugineval_action.evals.outcomes import summarise
    from plugineval_action.evals.suite import idle
    from plugineval_action.render.evals.view import EvalRun

    file: Path = args.baseline or suite.folder / FILE
    before = read_baseline(file)
    if args.baseline and before is None and not args.save_baseline:
        raise UsageError(f"There is no baseline {str(file)!r}.", "Write it with --save-baseline.")
    summary = summarise(suite.skill, suite.cases, asked.trials)
    changed = changes(before, summary)
    told = (*notes, *idle(suite))
    _print(EvalRun(summary, changed, now(), told, asked.evaluated), args.output)
    if all(one.state == "ungraded" for one in summary.cases):
        tell([NOTHING_GRADED])
        return NOT_GRADED
    if args.save_baseline:
        kept = {file.name: with_summary(before, summary)}
        write_files(file.parent, kept, "Name a file elsewhere, with --baseline.")
        tell([f"The baseline is written to {file}."])
    failed = any(one.state in ("failed", "flaky") for one in summary.cases)
    if args.fail_on == "failed":
        # What could not be graded has not passed: a gate fails closed.
        return GATE_FAILED if failed or summary.ungraded or summary.not_run else 0
    return GATE_FAILED if args.fail_on == "broken" and changed and changed.broken else 0


def _print(run: EvalRun, output: str | None) -> None:
    if output is None and sys.stdout.isatty():
        from rich.console import Console

        from plugineval_action.render.evals.to_terminal import render

        render([run], Console())
        return
    writer = import_module(f"plugineval_action.render.evals.{WRITERS[output or 'markdown']}")
    sys.stdout.write(writer.render([run]))
