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
from plugineval_action.cli.place import enclosing_plugin, locate
from plugineval_action.content.plugin import read_plugin
from plugineval_action.errors import PluginEvalError, UsageError
from plugineval_action.evaluate import score_plugin, score_skill
from plugineval_action.results import Result
from plugineval_action.rulesets import Ruleset


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
    from plugineval_action.render.comparison import render

    a, b = _score(args.a, args.ruleset), _score(args.b, args.ruleset)
    tell(depth_that_runs(args.depth)[1])
    sys.stdout.write(render(a, b))
    return 0


def _score(argument: str, ruleset: Ruleset) -> Result:
    place = locate(argument)
    if place.kind == "folder":
        raise UsageError(f"{argument!r} is neither a skill nor a plugin.", "Name one of each side.")
    if place.kind == "plugin":
        result = score_plugin(
            place.tree, read_plugin(place.tree, place.path, ruleset=ruleset), ruleset=ruleset
        )
    else:
        plugin = enclosing_plugin(place.tree, place.path)
        result = score_skill(place.tree, place.path, plugin=plugin, ruleset=ruleset)
    if result.composite is None:
        raise PluginEvalError(f"{argument!r} is not scored.", result.unscored or "")
    return result
