"""`plugin-eval eval`: plan, import, run, grade and export evals of a skill."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any, Protocol

from plugineval_action.cli.common import new_parser
from plugineval_action.cli.evals import exporting, grade, importing, plan
from plugineval_action.cli.evals import run as running
from plugineval_action.cli.evals.common import StepParser


class Step(Protocol):
    """What each module of a step offers."""

    def add_parser(self, steps: Any) -> None:  # noqa: ANN401 - argparse keeps its type to itself
        """Its options."""

    def run(self, args: Namespace) -> int:
        """Do it, and return the exit code. Raises PluginEvalError."""


_STEPS: dict[str, Step] = {
    "plan": plan,
    "import": importing,
    "run": running,
    "grade": grade,
    "export": exporting,
}


def parser() -> ArgumentParser:
    """The options of `eval` and of its steps."""
    options = new_parser(
        "eval",
        "Give an agent prompts, and grade what it does from its trace and the files it leaves.",
        "  plugin-eval eval plan skills/csv-report\n"
        "  plugin-eval eval run skills/csv-report --harness codex\n"
        "  plugin-eval eval grade skills/csv-report --traces evals/traces/csv-report",
    )
    steps = options.add_subparsers(
        dest="step", required=True, metavar="STEP", parser_class=StepParser
    )
    for step in _STEPS.values():
        step.add_parser(steps)
    return options


def run(args: Namespace) -> int:
    """Do the step that was asked for."""
    step: Step = _STEPS[args.step]
    return step.run(args)
