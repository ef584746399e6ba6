"""`plugin-eval eval grade`: grade traces that were recorded before, here or elsewhere."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from plugineval_action.cli.common import folder
from plugineval_action.cli.evals.asking import add_asking, asked, check_asking
from plugineval_action.cli.evals.common import add_output, find_skill, new_step, write_results
from plugineval_action.errors import UsageError


def add_parser(steps: Any) -> None:  # noqa: ANN401 - argparse keeps its type to itself
    """The options of `eval grade`."""
    options = new_step(
        steps,
        "grade",
        "Grade recorded traces; runs nothing, unless you ask for --run-commands.",
        "  plugin-eval eval grade skills/csv-report --traces evals/traces/csv-report/RUN",
    )
    options.add_argument(
        "--traces",
        type=folder,
        required=True,
        metavar="DIR",
        help="traces as CASE.jsonl or CASE.REPEAT.jsonl, in with/ and without/ if there are both",
    )
    options.add_argument(
        "--run-commands",
        action="store_true",
        help="run the commands of build and smoke checks, in a copy of the files that a run left",
    )
    add_output(options)
    add_asking(options)


def run(args: Namespace) -> int:
    """Grade, print, gate."""
    from plugineval_action.evals.recorded import grade_recordings
    from plugineval_action.evals.recordings import recordings
    from plugineval_action.evals.suite import read_suite

    skill = find_skill(args)
    suite = read_suite(skill.name, skill.evals, skill.folder.name)
    check_asking(args, skill, suite)
    found = list(recordings(args.traces))
    graded = grade_recordings(suite, found, run_commands=args.run_commands)
    if not graded.trials:
        raise UsageError(
            f"No trace in {args.traces} is of a case of {skill.name}.",
            f"Call them by the ids of the cases, such as {suite.cases[0].id}.jsonl.",
        )
    notes = [f"{name} belongs to no case and was not graded." for name in graded.strangers[:10]]
    return write_results(args, suite, asked(args, skill, suite, graded.trials, found), notes)
