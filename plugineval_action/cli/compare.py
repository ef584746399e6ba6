"""`plugin-eval compare`: two skills or plugins side by side."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from plugineval_action.cli.common import add_ruleset, new_parser, path
from plugineval_action.cli.deep import add_deep, deep_of, progress_bar, tell_spending
from plugineval_action.cli.place import Place, locate, own_target
from plugineval_action.cli.stopping import Stop
from plugineval_action.errors import PluginEvalError, UsageError
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import Ruleset
from plugineval_action.survey import Target, score_target


def parser() -> ArgumentParser:
    """The options of `compare`."""
    options = new_parser(
        "compare",
        "Score two skills or plugins side by side.",
        "  plugin-eval compare skills/one skills/two",
    )
    options.add_argument("a", type=path, metavar="A", help="a skill or plugin")
    options.add_argument("b", type=path, metavar="B", help="the one to compare it with")
    add_ruleset(options)
    add_deep(options)
    return options


def run(args: Namespace) -> int:
    """Score both and print the table."""
    from plugineval_action.render.score.comparison import render

    named = [_find(argument, args.ruleset) for argument in (args.a, args.b)]
    stop = Stop()
    a, b = map(_scored, (args.a, args.b), _results(named, args, stop))
    sys.stdout.write(render(a, b))
    sys.stdout.flush()
    stop.finish()
    return 0


def _find(argument: str, ruleset: Ruleset) -> tuple[Place, Target]:
    place = locate(argument)
    target = own_target(place, ruleset)
    if target is None:
        raise UsageError(f"{argument!r} is neither a skill nor a plugin.", "Name one of each side.")
    return place, target


def _results(
    named: list[tuple[Place, Target]], args: Namespace, stop: Stop
) -> list[Result | Failure]:
    deep = deep_of(args, stop)
    if deep is None:
        return [score_target(place.tree, target, args.ruleset) for place, target in named]
    from plugineval_action.deepen import Side, assess_targets

    with stop.listening(), progress_bar() as progress:
        sides = [Side(place.tree, [target]) for place, target in named]
        both = [one for side in assess_targets(sides, deep, progress) for one in side]
    tell_spending(both, args)
    return both


def _scored(argument: str, result: Result | Failure) -> Result:
    if isinstance(result, Failure):
        raise PluginEvalError(result.message, result.remedy)
    if result.composite is None:
        raise PluginEvalError(f"{argument!r} is not scored.", result.unscored or "")
    return result
