"""`plugin-eval compare`: two skills or plugins side by side."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from plugineval_action.cli.common import (
    DEPTHS,
    add_ruleset,
    depth_that_runs,
    new_parser,
    path,
    tell,
)
from plugineval_action.cli.place import locate, own_target
from plugineval_action.errors import PluginEvalError, UsageError
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import Ruleset
from plugineval_action.survey import score_target


def parser() -> ArgumentParser:
    """The options of `compare`."""
    options = new_parser(
        "compare",
        "Score two skills or plugins side by side.",
        "  plugin-eval compare skills/one skills/two",
    )
    options.add_argument("a", type=path, metavar="A", help="a skill or plugin")
    options.add_argument("b", type=path, metavar="B", help="the one to compare it with")
    options.add_argument(
        "--depth",
        choices=DEPTHS,
        default="quick",
        help="how much is measured (default: %(default)s)",
    )
    add_ruleset(options)
    return options


def run(args: Namespace) -> int:
    """Score both and print the table."""
    from plugineval_action.render.score.comparison import render

    a, b = _score(args.a, args.ruleset), _score(args.b, args.ruleset)
    tell(depth_that_runs(args.depth)[1])
    sys.stdout.write(render(a, b))
    return 0


def _score(argument: str, ruleset: Ruleset) -> Result:
    place = locate(argument)
    target = own_target(place, ruleset)
    if target is None:
        raise UsageError(f"{argument!r} is neither a skill nor a plugin.", "Name one of each side.")
    result = score_target(place.tree, target, ruleset)
    if isinstance(result, Failure):
        raise PluginEvalError(result.message, result.remedy)
    if result.composite is None:
        raise PluginEvalError(f"{argument!r} is not scored.", result.unscored or "")
    return result
