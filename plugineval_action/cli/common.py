"""What the commands share: where a path lies, which depth can run, how progress is shown."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from plugineval_action.content.members import PLUGIN_FOLDER
from plugineval_action.content.repository import repository_root
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.content.tree import DirectoryTree, join
from plugineval_action.errors import UsageError
from plugineval_action.rulesets import DEFAULT, VERSIONS

T = TypeVar("T")

API_KEY = "ANTHROPIC_API_KEY"
DEPTHS = ("quick", "standard", "deep", "thorough")

_WORTH_A_BAR = 200
"""Targets under which a run is over before a progress bar could be read."""


class Place(NamedTuple):
    """A path of the command line: the tree around it, its path in there, and what lies at it."""

    argument: str
    tree: DirectoryTree
    path: str
    kind: Literal["skill", "plugin", "folder"]


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


def locate(argument: str) -> Place:
    """Find out what a path of the command line is. Raises UsageError if nothing is there.

    The tree reaches up to the repository around the path, so that links out of a skill are looked
    up the same way whether the skill, its plugin or the whole marketplace was named.
    """
    given = Path(argument)
    if not given.exists():
        raise UsageError(
            f"There is no {argument!r}.", "Name a skill, a plugin, or a folder that holds some."
        )
    target = given.resolve()
    if target.name == SKILL_FILE and target.is_file():
        target = target.parent
    if not target.is_dir():
        raise UsageError(
            f"{argument!r} is not a folder.", f"Name the folder that holds {SKILL_FILE}."
        )
    tree = DirectoryTree(_root_around(target))
    path = "" if target == tree.root else target.relative_to(tree.root).as_posix()
    return Place(argument, tree, path, _kind(tree, path))


def _root_around(target: Path) -> Path:
    """The repository, else the marketplace, else what holds the plugin or skill."""
    repository = repository_root(target)
    if repository is not None:
        return repository
    around = (target, *target.parents)
    marketplace = next(
        (at for at in around if (at / PLUGIN_FOLDER / "marketplace.json").is_file()), None
    )
    if marketplace is not None:
        return marketplace
    plugin = next((at for at in around if (at / PLUGIN_FOLDER).is_dir()), None)
    if plugin is not None:
        return plugin.parent
    return target.parent if (target / SKILL_FILE).is_file() else target


def _kind(tree: DirectoryTree, path: str) -> Literal["skill", "plugin", "folder"]:
    if tree.is_file(join(path, SKILL_FILE)):
        return "skill"
    folder = join(path, PLUGIN_FOLDER)
    if tree.is_file(join(folder, "plugin.json")):
        return "plugin"
    if tree.is_dir(folder) and not tree.is_file(join(folder, "marketplace.json")):
        return "plugin"
    return "folder"


def depth_that_runs(asked: str) -> tuple[str, tuple[str, ...]]:
    """The depth this version can run, and what to tell about it."""
    if asked == "quick":
        return "quick", ()
    key = "" if os.environ.get(API_KEY) else f"an API key ({API_KEY}) and "
    why = f"Depth {asked} needs {key}layers that this version does not have"
    return "quick", (f"{why}; only the static layer (quick) was run.",)


def enclosing_plugin(tree: DirectoryTree, path: str) -> str | None:
    """The innermost plugin around a skill's directory, itself included."""
    while True:
        if tree.is_dir(join(path, PLUGIN_FOLDER)):
            return path
        if not path:
            return None
        path = path.rpartition("/")[0]


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


def write_files(directory: Path, files: Mapping[str, str]) -> None:
    """Write text files into a directory, made if need be. Raises UsageError if that fails."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (directory / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        message = f"{directory} cannot be written ({error.strerror})."
        raise UsageError(message, "Name another folder.") from error


def tell(notes: Iterable[str]) -> None:
    """Say something beside the result, on stderr."""
    for note in notes:
        sys.stderr.write(f"plugin-eval: {note}\n")


def now() -> str:
    """The time of the run, ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def positive(text: str) -> int:
    """A whole number of at least 1, for argparse."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def score_line(text: str) -> float:
    """A score from 0 to 100, for argparse."""
    value = float(text)
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError("must lie between 0 and 100")
    return value
