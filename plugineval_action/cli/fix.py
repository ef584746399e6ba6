"""`plugin-eval fix`: put right what is mechanical, as a diff first."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from plugineval_action.cli.common import new_parser, path, tell
from plugineval_action.cli.place import locate
from plugineval_action.cli.streams import inert
from plugineval_action.content.discovery import discover
from plugineval_action.errors import UsageError
from plugineval_action.escape import printable
from plugineval_action.fixing.plan import MakeExecutable, Rewrite, diff, executables, rewrites

NOT_ALL: Final = 2


def parser() -> ArgumentParser:
    """The options of `fix`."""
    options = new_parser(
        "fix",
        "Put right what needs no judgement: values that YAML misreads, misspelt fields, a name\n"
        "that is its directory's but for capitals, links in other capitals, the last line break,\n"
        "and scripts that may not be run. Without --write it only shows what would change.",
        "  plugin-eval fix skills/my-skill\n  plugin-eval fix . --write",
    )
    options.add_argument("path", type=path, metavar="PATH", help="a skill, or a folder with some")
    how = options.add_mutually_exclusive_group()
    how.add_argument("--diff", action="store_true", help="show the changes as a diff (default)")
    how.add_argument("--write", action="store_true", help="write the changes")
    return options


def run(args: Namespace) -> int:
    """Show or write every change."""
    place = locate(args.path)
    found = discover(place.tree, place.path)
    changes: list[Rewrite | MakeExecutable] = [
        *rewrites(place.tree, found),
        *executables(place.tree, found),
    ]
    if not changes:
        tell(["There is nothing to fix."])
    if args.write:
        return write_all(place.tree.root, changes)
    for change in changes:
        sys.stdout.write(_shown(change))
    return 0


def write_all(root: Path, changes: Iterable[Rewrite | MakeExecutable]) -> int:
    """Write every change that can be written; what stays in the way of one costs no other."""
    left = 0
    for change in changes:
        try:
            _write(root / change.path, change)
        except UsageError as error:
            left += 1
            tell([f"not fixed: {printable(str(error))}"])
        else:
            sys.stdout.write(f"fixed {printable(change.path)}\n")
    return NOT_ALL if left else 0


def _write(target: Path, change: Rewrite | MakeExecutable) -> None:
    try:
        if isinstance(change, Rewrite):
            _replace(target, change)
        else:
            mode = target.stat().st_mode
            target.chmod(mode | (mode & 0o444) >> 2)
    except OSError as error:
        raise UsageError(
            f"{change.path} cannot be written ({error.strerror}).",
            "Give yourself the right to write it, and to its folder.",
        ) from error


def _replace(target: Path, change: Rewrite) -> None:
    """The whole file or nothing; one that has become another, or may not be written, stays."""
    if target.is_symlink() or target.read_bytes() != change.old:
        raise UsageError(f"{change.path} has changed meanwhile.", "Run it again.")
    if not os.access(target, os.W_OK):
        raise UsageError(f"{change.path} may not be written.", "Give it write permission.")
    with NamedTemporaryFile(dir=target.parent, delete=False) as file:
        try:
            file.write(change.new)
            file.flush()
            os.chmod(file.name, target.stat().st_mode & 0o7777)
            os.replace(file.name, target)
        except BaseException:
            os.unlink(file.name)
            raise


def _shown(change: Rewrite | MakeExecutable) -> str:
    if isinstance(change, Rewrite):
        # What is piped on is a patch, and has to be exact; a terminal must not obey it.
        patch = diff(change)
        return inert(patch) if sys.stdout.isatty() else patch
    return f"# chmod +x {printable(change.path)}\n"
