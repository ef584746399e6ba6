"""`plugin-eval eval run`: let an agent work on the cases, record it, and grade it."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError, Namespace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plugineval_action.cli.common import folder, positive, tell
from plugineval_action.cli.evals.asking import Asked, add_asking, asked, check_asking
from plugineval_action.cli.evals.common import add_output, find_skill, new_step, write_results
from plugineval_action.cli.stopping import Stop
from plugineval_action.errors import UsageError
from plugineval_action.render.words import counted

if TYPE_CHECKING:
    from plugineval_action.evals.cases import Case
    from plugineval_action.evals.recordings import Seen
    from plugineval_action.evals.runner.plan import Planned

_ABOUT = (
    "Run an agent on every case in a fresh workspace, record it, and grade it. What is started is "
    "the harness command, and the commands of build and smoke checks: with your rights, outside of "
    "any sandbox but the harness's own. Run only skills and checks that you trust."
)


def add_parser(steps: Any) -> None:  # noqa: ANN401 - argparse keeps its type to itself
    """The options of `eval run`."""
    options = new_step(
        steps,
        "run",
        _ABOUT,
        "  plugin-eval eval run skills/csv-report --harness codex --repeats 3 --both-arms\n"
        "  plugin-eval eval run skills/csv-report --harness 'claude -p --output-format "
        "stream-json --verbose --allowedTools Skill,Bash'",
    )
    options.add_argument(
        "--harness",
        required=True,
        metavar="COMMAND",
        help="codex, claude, or a command with {workspace} and {prompt} (else it is on stdin)",
    )
    options.add_argument(
        "--case", action="append", metavar="ID", help="only this case; may be given again"
    )
    options.add_argument("--repeats", type=positive, default=1, metavar="N", help="runs a case")
    options.add_argument(
        "--both-arms", action="store_true", help="run implicit and contextual cases without it too"
    )
    options.add_argument(
        "--workspace", type=folder, metavar="DIR", help="what every workspace starts as a copy of"
    )
    options.add_argument(
        "--timeout", type=_seconds, default=600.0, metavar="S", help="seconds a run (600)"
    )
    options.add_argument(
        "--max-tokens", type=positive, metavar="N", help="begin no run once all have used N tokens"
    )
    options.add_argument(
        "--concurrency", type=positive, default=1, metavar="N", help="runs at once"
    )
    options.add_argument(
        "--pass-env", action="append", default=[], metavar="NAME", help="a variable for the harness"
    )
    options.add_argument(
        "--traces", type=folder, metavar="DIR", help="where runs are recorded (default: a new one)"
    )
    add_output(options)
    add_asking(options)


def run(args: Namespace) -> int:
    """Run, grade, print, gate."""
    from plugineval_action.evals.recorded import grade_recordings
    from plugineval_action.evals.recordings import recordings
    from plugineval_action.evals.runner.harness import harness
    from plugineval_action.evals.runner.plan import planned
    from plugineval_action.evals.runner.running import Setting, run_all
    from plugineval_action.evals.suite import read_suite

    skill = find_skill(args)
    suite = read_suite(skill.name, skill.evals, skill.folder.name)
    cases = _chosen(suite.cases, args.case)
    check_asking(args, skill, suite)
    plan = list(planned(cases, args.repeats, both_arms=args.both_arms))
    started = harness(args.harness, args.pass_env, os.environ)
    if args.workspace and not args.workspace.is_dir():
        raise UsageError(
            f"There is no folder {str(args.workspace)!r}.", "Name one, or leave it out."
        )
    target = _new_folder(args.traces or suite.folder / "traces" / skill.name / _stamp(), plan)
    setting = Setting(
        harness=started,
        skill=skill.folder,
        template=args.workspace,
        folder=target,
        seconds=args.timeout,
        tokens=args.max_tokens,
        concurrency=args.concurrency,
    )
    progress, stop = _Progress(len(plan)), Stop()
    with stop.listening():
        run_all(plan, suite, setting, progress.heard, stop)
    if stop() and not any(one.trace(target).exists() for one in plan):
        stop.finish()
    if progress.not_begun == len(plan):
        raise UsageError("No run was begun.", "Raise --max-tokens.")
    found = list(recordings(target))
    graded = grade_recordings(suite, found, run_commands=True)
    done = Asked(graded.trials) if stop() else asked(args, skill, suite, graded.trials, found)
    code = write_results(args, suite, done, progress.notes(interrupted=stop()))
    tell([f"The runs are recorded in {target}."])
    stop.finish()
    return code


class _Progress:
    """Says how far it is, on stderr, and counts what was not begun."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self.not_begun = 0

    def heard(self, planned: Planned, seen: Seen | None) -> None:
        self._done += 1
        if seen is None:
            self.not_begun += 1
            return
        ended = seen.exit_code is not None
        what = seen.stopped or (
            f"exit status {seen.exit_code}, {seen.seconds:.0f} s" if ended else "not started"
        )
        if seen.exit_code != 0 and seen.errors:
            what = f"{what}: {seen.errors.splitlines()[-1]}"
        name = f"{planned.case.id}.{planned.repeat} {planned.arm}"
        tell([f"{self._done}/{self._total} {name}: {what}"])

    def notes(self, *, interrupted: bool) -> list[str]:
        """What the result says of the runs as a whole."""
        if not self.not_begun:
            return []
        why = "It was interrupted" if interrupted else "The tokens were spent"
        return [f"{why} before {counted(self.not_begun, 'run')} could begin."]


def _chosen(cases: tuple[Case, ...], wanted: list[str] | None) -> tuple[Case, ...]:
    known = {case.id for case in cases}
    for name in wanted or ():
        if name not in known:
            raise UsageError(
                f"There is no case {name!r}.", f"Known are {', '.join(sorted(known))}."
            )
    return tuple(case for case in cases if wanted is None or case.id in wanted)


def _new_folder(target: Path, plan: list[Planned]) -> Path:
    for one in plan:
        if one.trace(target).exists():
            raise UsageError(f"{target} holds runs of these cases.", "Name another folder.")
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{target} cannot be made ({error.strerror}).",
            "Name a folder that can be written, with --traces.",
        ) from error
    return target


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 86_400:
        raise ArgumentTypeError("must be seconds, more than 0 and at most a day")
    return value
