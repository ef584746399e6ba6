"""`plugin-eval compare`: two skills or plugins side by side."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from plugineval_action.cli.common import add_ruleset, new_parser, path
from plugineval_action.cli.deep import add_deep, deep_of, progress_bar, tell_spending
from plugineval_action.cli.place import Place, locate, own_target
from plugineval_action.cli.stopping import Stop
from plugineval_action.errors import PluginEvalError, UsageError
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import Ruleset
from plugineval_action.survey import Target, score_target

if TYPE_CHECKING:
    from plugineval_action.render.score.comparison import Compared


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
        "--same-job",
        action="store_true",
        help="ask both for the same requests, half of them written for each; always so for two "
        "skills of one name",
    )
    add_ruleset(options)
    add_deep(options)
    return options


def run(args: Namespace) -> int:
    """Score both and print the table."""
    from plugineval_action.render.score.comparison import render

    named = [_find(argument, args.ruleset) for argument in (args.a, args.b)]
    stop = Stop()
    sys.stdout.write(render(_compared(named, args, stop)))
    sys.stdout.flush()
    stop.finish()
    return 0


def _find(argument: str, ruleset: Ruleset) -> tuple[Place, Target]:
    place = locate(argument)
    target = own_target(place, ruleset)
    if target is None:
        raise UsageError(f"{argument!r} is neither a skill nor a plugin.", "Name one of each side.")
    return place, target


def _compared(named: list[tuple[Place, Target]], args: Namespace, stop: Stop) -> Compared:
    from plugineval_action.render.score.comparison import Compared

    static = [score_target(place.tree, target, args.ruleset) for place, target in named]
    a, b = map(_scored, (args.a, args.b), static)
    deep = deep_of(args, stop)
    if deep is None:
        return Compared(a, b)
    from plugineval_action.contrast import differences
    from plugineval_action.deepen import Side, assess_sides

    same_job = "plugin" not in (a.kind, b.kind) and (args.same_job or a.name == b.name)
    with stop.listening(), progress_bar() as progress:
        sides = [
            Side(
                place.tree,
                [target],
                beside={target.path: (other.tree, its)} if same_job else {},
            )
            for (place, target), (other, its) in zip(named, reversed(named), strict=True)
        ]
        ((one,), (another,)) = assess_sides(sides, deep, progress)
    results = [each if isinstance(each, Failure) else each.result for each in (one, another)]
    tell_spending(results, args)
    a, b = map(_scored, (args.a, args.b), results)
    if isinstance(one, Failure) or isinstance(another, Failure):
        return Compared(a, b)
    return Compared(a, b, differences(one, another), same_job)


def _scored(argument: str, result: Result | Failure) -> Result:
    if isinstance(result, Failure):
        raise PluginEvalError(result.message, result.remedy)
    if result.composite is None:
        raise PluginEvalError(f"{argument!r} is not scored.", result.unscored or "")
    return result
