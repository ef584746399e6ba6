"""The options of commands that may ask a model, and what they come to."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from plugineval_action.cli.common import DEPTHS, path, positive, tell
from plugineval_action.cli.stopping import Stop
from plugineval_action.cli.streams import inert
from plugineval_action.errors import UsageError

if TYPE_CHECKING:
    from rich.progress import TaskID

    from plugineval_action.assess import Settings
    from plugineval_action.deepen import Deep
    from plugineval_action.layers.outcome import Progress
    from plugineval_action.results import Failure, Result

API_KEY: Final = "ANTHROPIC_API_KEY"
BASE_URL: Final = "ANTHROPIC_BASE_URL"
MAX_USD: Final = 5.0
"""Dollars that a command may spend unless told otherwise."""

_MOST_JUDGES: Final = 5


def add_deep(options: ArgumentParser, default: str = "quick") -> None:
    """`--depth`, and what counts at the depths that ask a model.

    A key in the environment may be there for other tools: money is spent only if a depth is named.
    """
    options.add_argument(
        "--depth",
        choices=DEPTHS,
        default=default,
        help="how much is measured (default: %(default)s); all but quick ask a model, which costs",
    )
    _add_stopping(add_asking(options))


def add_asking(options: ArgumentParser) -> _ArgumentGroup:
    """Who is asked, what it may cost, and what is kept."""
    asking = options.add_argument_group(
        "asking a model", f"The key comes from {API_KEY}; plugin-eval estimate tells the cost."
    )
    asking.add_argument(
        "--model",
        default="sonnet",
        metavar="NAME",
        help="who judges and uses the skill: haiku, sonnet, opus or an id (default: %(default)s)",
    )
    asking.add_argument(
        "--judges",
        type=_judges,
        default=3,
        metavar="N",
        help="how often each verdict is asked for, 1 to 5 (default: %(default)s)",
    )
    asking.add_argument(
        "--max-usd",
        type=dollars,
        default=MAX_USD,
        metavar="USD",
        help="stop before this many dollars are spent, or none (default: %(default)s)",
    )
    _add_handling(asking)
    return asking


def _add_handling(asking: _ArgumentGroup) -> None:
    asking.add_argument(
        "--cache", type=path, metavar="DIR", help="keep verdicts here and use those that are there"
    )
    asking.add_argument(
        "--batch", action="store_true", help="send in batches: half the price, within a day"
    )
    asking.add_argument(
        "--resume-batch",
        action="append",
        default=[],
        metavar="ID",
        help="use the answers of an earlier batch (may be repeated; implies --batch)",
    )
    asking.add_argument(
        "--judge-max-chars",
        type=positive,
        default=30_000,
        metavar="N",
        help="how much of a SKILL.md models see (default: %(default)s)",
    )
    asking.add_argument(
        "--judge-anyway",
        action="store_true",
        help="ask the judge even if the text speaks to it",
    )


def _add_stopping(asking: _ArgumentGroup) -> None:
    asking.add_argument(
        "--all-runs", action="store_true", help="never stop early, however clear the result is"
    )
    asking.add_argument(
        "--ci-width",
        type=_points,
        default=6.0,
        metavar="POINTS",
        help="stop the runs once the interval is this narrow (default: %(default)g)",
    )
    asking.add_argument(
        "--methodology",
        choices=("measured", "reference"),
        default="measured",
        help="reference: the published measures, for comparison with old numbers",
    )


def deep_of(args: Namespace, stop: Stop) -> Deep | None:
    """What the options come to; None if no model is to be asked, which is said if one should be."""
    if args.depth == "quick":
        return None
    key = os.environ.get(API_KEY, "").strip()
    if not key:
        said = f"Depth {args.depth} needs an API key ({API_KEY}); no model was asked"
        tell([f"{said}, and scores are those of the static layer."])
        return None
    if not re.fullmatch("[!-~]+", key):
        what = f"{API_KEY} holds a sign that no key has."
        raise UsageError(what, "Copy the key again, without spaces and line breaks.")
    from pydantic import SecretStr

    from plugineval_action.deepen import Deep
    from plugineval_action.llm.asking import DAY, Limits
    from plugineval_action.llm.connect import Connection

    connection = Connection(
        api_key=SecretStr(key),
        base_url=_address(),
        max_usd=args.max_usd,
        store=args.cache,
        store_writable=True,
        batch=args.batch or bool(args.resume_batch),
        resume=tuple(args.resume_batch),
        # No job's time limit is near; whoever waits can stop it, and go on with --cache.
        limits=Limits(seconds=DAY),
    )
    return Deep(settings_of(args), connection, lambda line: tell([line]), stop)


def _address() -> str | None:
    """Where the service is, None for the usual place. It may hold a password: it is not shown."""
    address = os.environ.get(BASE_URL, "").strip()
    if not address:
        return None
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good or not re.fullmatch("[!-~]+", address):
        raise UsageError(f"{BASE_URL} is no web address.", "Use https://, a host and no blanks.")
    return address


def settings_of(args: Namespace) -> Settings:
    """How deep, by whom, and what is shown."""
    import secrets

    from plugineval_action.assess import Settings
    from plugineval_action.layers.judge.questions import Panel
    from plugineval_action.llm.models import model_id

    model = model_id(args.model)
    # What stands between marks that nobody can guess cannot pretend to have ended.
    panel = Panel(args.judges, model_id("haiku"), model, secrets.token_hex(16))
    return Settings(
        depth=args.depth,
        panel=panel,
        executor=model,
        ruleset=args.ruleset,
        max_chars=args.judge_max_chars,
        judge_anyway=args.judge_anyway,
        adaptive=not args.all_runs,
        width=args.ci_width,
        methodology=args.methodology,
    )


def tell_spending(scored: Iterable[Result | Failure | None], args: Namespace) -> None:
    """Say on stderr what the models took."""
    from plugineval_action.render.spending import spent
    from plugineval_action.results import Result

    results = [one for one in scored if isinstance(one, Result)]
    tell([spent(results, args.max_usd)])


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Bars on stderr, one for each thing that is done; nothing where no person looks on."""
    if not sys.stderr.isatty():
        from plugineval_action.layers.outcome import quiet

        yield quiet
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(inert(what), total=total)
            bars.update(tasks[what], completed=done, total=total, visible=done < total)

        yield show


def dollars(text: str) -> float | None:
    """An amount of dollars above 0, or none, for argparse."""
    if text == "none":
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1_000_000:
        raise ArgumentTypeError("must be an amount of dollars, more than 0, or none")
    return value


def _points(text: str) -> float:
    """A width in points of the composite, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 100:
        raise ArgumentTypeError("must be a number of points, more than 0 and at most 100")
    return value


def _judges(text: str) -> int:
    count = positive(text)
    if count > _MOST_JUDGES:
        raise ArgumentTypeError(f"must be 1 to {_MOST_JUDGES}")
    return count
