"""The command line: find the command, run it, turn expected errors into one short paragraph.

Exit codes: 0 done, 1 a gate failed, 2 wrong usage or an error, 130 stopped from the keyboard.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Final, Protocol, cast

from plugineval_action import PROJECT_URL, __version__
from plugineval_action.cli.streams import drop_output, inert, open_streams
from plugineval_action.errors import PluginEvalError

USAGE_ERROR: Final = 2
STOPPED: Final = 130

ISSUES: Final = f"{PROJECT_URL}/issues"

COMMANDS: Final = {
    "score": "score skills, plugins, marketplaces or folders that hold some",
    "estimate": "tell what score would cost at a depth that asks a model",
    "compare": "score two skills or plugins side by side",
    "review": "show what a change made better or worse",
    "report": "write a report over every plugin of a marketplace",
    "explain": "explain a rule: why it is there and how to fix it",
    "rules": "list all rules",
    "fix": "put right what is mechanical",
    "baseline": "write down the findings that there are, so that only new ones count",
    "init": "index the skills of a folder as a corpus",
    "corpus": "list the skills of a corpus and how they are rated",
    "certify": "certify skills: assess them, and rate them against a corpus",
    "verify": "check a certificate against the skill that it is about",
    "config": "write and check the files of an evaluator",
    "eval": "plan, run, grade and export evals: what an agent does with a skill",
}

_OVERVIEW: Final = """\
usage: plugin-eval COMMAND [OPTIONS]

Scores agent skills, plugins and marketplaces, and reviews what a change did to them.

commands:
{commands}

examples:
  plugin-eval score path/to/skill
  plugin-eval score . --each plugin --threshold 70
  plugin-eval estimate path/to/skill --depth deep
  plugin-eval review --base main --worktree

plugin-eval COMMAND --help says more about a command; --version shows the version.
"""


class Command(Protocol):
    """What each module of a command offers."""

    def parser(self) -> ArgumentParser:
        """The options, with examples."""

    def run(self, args: Namespace) -> int:
        """Do it, and return the exit code. Raises PluginEvalError."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command of the command line and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words == ["action"]:
        # The container's entry, not a command for people: it takes everything from a runner.
        from plugineval_action.action.app import main as run_action

        return run_action(os.environ)
    open_streams()
    try:
        code = _find_and_run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _ended("stopped.", STOPPED)
    except BrokenPipeError:
        # The reader of our output has gone, as `| head` does: nothing is left to say.
        drop_output()
        return 0
    except OSError as error:
        what = f"{error.filename!r} cannot be used" if error.filename else "cannot write the output"
        return _ended(f"{what} ({error.strerror or error}).", USAGE_ERROR)
    except Exception as error:  # noqa: BLE001 - exit 1 would say that a gate failed
        import traceback

        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {os.path.basename(place.filename)}:{place.lineno}"
        return _ended(f"a mistake of ours, {where}. Please report it: {ISSUES}", USAGE_ERROR)
    return code


def _ended(message: str, code: int) -> int:
    drop_output()
    with suppress(OSError):
        sys.stderr.write(f"plugin-eval: {inert(message)}\n")
    return code


def _find_and_run(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        sys.stdout.write(_overview())
        return 0 if words else USAGE_ERROR
    if words[0] == "--version":
        sys.stdout.write(f"plugin-eval {__version__}\n")
        return 0
    if words[0] not in COMMANDS:
        from difflib import get_close_matches

        close = get_close_matches(words[0], COMMANDS, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        sys.stderr.write(f"{_overview()}\nplugin-eval: there is no command {words[0]!r}.{hint}\n")
        return USAGE_ERROR
    return _run(cast("Command", import_module(f"plugineval_action.cli.{words[0]}")), words[1:])


def _run(command: Command, words: list[str]) -> int:
    try:
        args = command.parser().parse_args(words)
    except SystemExit as end:
        # How argparse leaves after --help and wrong usage; what it printed is not flushed yet.
        return USAGE_ERROR if end.code else 0
    try:
        return command.run(args)
    except PluginEvalError as error:
        sys.stderr.write(f"plugin-eval: {inert(str(error))}\n")
        return USAGE_ERROR


def _overview() -> str:
    commands = "\n".join(f"  {name:<8} {about}" for name, about in COMMANDS.items())
    return _OVERVIEW.format(commands=commands)
