"""What the commands share: options, which depth can run, how progress is shown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from plugineval_action.cli.streams import inert
from plugineval_action.rulesets import DEFAULT, VERSIONS

T = TypeVar("T")

DEPTHS = ("quick", "standard", "deep", "thorough")

_WORTH_A_BAR = 200
"""Targets under which a run is over before a progress bar could be read."""


def add_ruleset(parser: argparse.ArgumentParser) -> None:
    """The option that every scoring command has."""
    parser.add_argument(
        "--ruleset",
        choices=tuple(VERSIONS),
        default=DEFAULT,
        help="how the text is measured (default: %(default)s)",
    )


def new_parser(name: str, about: str, examples: str) -> argparse.ArgumentParser:
    """A parser whose help ends with examples."""
    return argparse.ArgumentParser(
        prog=f"plugin-eval {name}",
        description=about,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def with_progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Pass items through, with a bar on stderr if it is a terminal and the work is long."""
    if total < _WORTH_A_BAR or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(
        items, description=what, total=total, console=Console(stderr=True), transient=True
    )


def tell(notes: Iterable[str]) -> None:
    """Say something beside the result, on stderr."""
    for note in notes:
        sys.stderr.write(f"plugin-eval: {inert(note)}\n")


def now() -> str:
    """The time of the run, ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def positive(text: str) -> int:
    """A whole number of at least 1, for argparse."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text)):
        raise argparse.ArgumentTypeError("must be a whole number, 1 or more")
    return int(text)


def up_to(most: int) -> Callable[[str], int]:
    """A whole number from 1 to a limit, for argparse."""

    def number(text: str) -> int:
        value = positive(text)
        if value > most:
            raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {most}")
        return value

    return number


def score_line(text: str) -> float:
    """A score from 0 to 100, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError("must be a number from 0 to 100")
    return value


def path(text: str) -> str:
    """A path, for argparse. An empty one is an unset variable, never meant as this folder."""
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def folder(text: str) -> Path:
    """A path of a folder to write to, for argparse."""
    return Path(path(text))
