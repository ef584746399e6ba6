"""`plugin-eval report`: every plugin of a marketplace with its past, as pages, charts and JSON."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from pathlib import Path
from typing import Final

from plugineval_action.cli.common import (
    add_ruleset,
    folder,
    new_parser,
    now,
    path,
    with_progress,
)
from plugineval_action.cli.output import json_object, refuse_foreign_files, write_files
from plugineval_action.cli.place import Place, locate
from plugineval_action.cli.policy import policy_of, today
from plugineval_action.content.git import head_commit
from plugineval_action.content.worktree import differs_from_head
from plugineval_action.errors import HistoryError, UsageError
from plugineval_action.render.report.files import report_files
from plugineval_action.render.report.pages import REPORT_MARKER
from plugineval_action.render.report.to_json import FORMAT
from plugineval_action.render.words import counted
from plugineval_action.report.gather import (
    NOTHING_DECIDED,
    WHOLE,
    Decided,
    Moment,
    Part,
    Shard,
    gather_shard,
    joined,
)
from plugineval_action.report.history import HISTORY_FILE, History, read_history
from plugineval_action.report.inventory import INVENTORY, inventory, listed
from plugineval_action.report.shard import MOST_SHARDS, merged, shard_file, write_shard
from plugineval_action.report.shard_folder import shards_in
from plugineval_action.report_values import MarketplaceReport

MOST_HISTORY: Final = 256 << 20
"""Bytes of a history that is read: a thousand plugins for twenty years."""


def parser() -> ArgumentParser:
    """The options of `report`."""
    options = new_parser(
        "report",
        "Score every plugin of a marketplace, and write pages, charts, badges and report.json."
        f" {HISTORY_FILE} in DIR, from earlier runs, becomes the trend; this run is added to it.",
        "  plugin-eval report . --output-dir report\n"
        "  plugin-eval report . --shard 2/8 --output-dir shards\n"
        "  plugin-eval report --merge shards --output-dir report",
    )
    options.add_argument(
        "root", type=path, nargs="?", metavar="ROOT", help="a marketplace, or a folder of plugins"
    )
    options.add_argument(
        "--output-dir",
        required=True,
        type=folder,
        metavar="DIR",
        help="where the files are written",
    )
    only = options.add_mutually_exclusive_group()
    only.add_argument(
        "--shard",
        type=_part,
        metavar="I/N",
        help="score one of N shares, and write it to be merged",
    )
    only.add_argument(
        "--merge", type=folder, metavar="SHARDS", help="join the shards in a folder; no ROOT then"
    )
    add_ruleset(options)
    return options


def run(args: Namespace) -> int:
    """Score, write the files, and say where they are."""
    if (args.root is None) == (args.merge is None):
        raise UsageError("Either ROOT or --merge is needed.", "Name what to report on.")
    if args.shard:
        shard = _scored(args, args.shard)
        name = shard_file(shard)
        write_files(args.output_dir, {name: write_shard(shard)})
        count = counted(len(shard.scored), "target")
        sys.stdout.write(f"{count} of {shard.targets:,} written to {args.output_dir / name}\n")
        return 0
    past = _history(args.output_dir)
    report = merged(shards_in(args.merge)) if args.merge else _reported(args)
    if not report.plugins and not report.loose:
        where = args.merge or args.root
        raise UsageError(f"'{where}' holds no plugins or skills.", "Name a folder that holds some.")
    _write(args.output_dir, report, past)
    return 0


def _reported(args: Namespace) -> MarketplaceReport:
    place = locate(args.root)
    report, policy = joined([_scored(args, WHOLE)]), policy_of(place.tree)
    # Of a part of the repository, nobody can say what of the baseline is found no more.
    if policy is None or place.path:
        return report
    from plugineval_action.policy.report import BY_HAND, legacy_of, with_worked_off

    return with_worked_off(report, legacy_of(report, policy, place.tree, today()), BY_HAND)


def _scored(args: Namespace, part: Part) -> Shard:
    place = locate(args.root)
    return gather_shard(
        place.tree,
        place.path,
        args.ruleset,
        _moment(place, args.output_dir),
        lambda scored, total: with_progress(scored, total, "Scoring"),
        part,
        _decided(place),
    )


def _decided(place: Place) -> Decided:
    policy = policy_of(place.tree)
    if policy is None:
        return NOTHING_DECIDED
    from plugineval_action.policy.report import decided

    return decided(policy, place.tree, today())


def _write(directory: Path, report: MarketplaceReport, past: History) -> None:
    files = report_files(report, past)
    files[INVENTORY] = inventory(files)
    owned = _owned(directory)
    stale = [name for name in sorted(owned - files.keys()) if (directory / name).is_file()]
    recognise = {name: _always if name in owned else _never for name in (*files, *stale)}
    refuse_foreign_files(directory, recognise | _KNOWN)
    # First what tells the next run that the rest is ours, should this one be cut off.
    known = {"README.md": files["README.md"], INVENTORY: inventory(files.keys() | owned)}
    write_files(directory, known)
    write_files(directory, files)
    for name in stale:
        (directory / name).unlink()
    where = f"{directory / 'README.md'}, with {len(files) - 1:,} more files beside it"
    sys.stdout.write(f"Report on {_subject(report)} written to {where}\n")


def _history(directory: Path) -> History:
    """What earlier runs wrote there, having made sure that the folder is theirs."""
    refuse_foreign_files(directory, _KNOWN)
    file = directory / HISTORY_FILE
    if not file.exists():
        return History()
    return read_history(_text(file, MOST_HISTORY))


def _text(file: Path, most: int) -> str:
    """The text of a plain file. Raises HistoryError if it is none, or too large."""
    if file.is_symlink() or not file.is_file() or file.stat().st_size > most:
        what = f"is no plain file of at most {most >> 20} MiB"
        raise HistoryError(f"{file} {what}.", "Put the one that plugin-eval wrote in its place.")
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        message = f"{file} is not UTF-8 (byte {error.start})."
        raise HistoryError(message, "Take the file back from the commit before.") from None


def _subject(report: MarketplaceReport) -> str:
    """The plugins; where there are none, the skills and agents outside of plugins."""
    if report.plugins:
        return counted(len(report.plugins), "plugin")
    kinds = Counter(scored.result.kind for scored in report.loose)
    return " and ".join(counted(count, kind) for kind, count in kinds.items())


def _owned(directory: Path) -> frozenset[str]:
    """The files there that an earlier report has written; a foreign list says nothing."""
    front, file = directory / "README.md", directory / INVENTORY
    if not front.is_file() or not file.is_file() or not _is_report(_text(front, MOST_HISTORY)):
        return frozenset()
    return listed(_text(file, MOST_HISTORY))


def _is_report(text: str) -> bool:
    return text.startswith(REPORT_MARKER)


def _is_report_data(text: str) -> bool:
    """Of this version of the format or another."""
    return str(json_object(text).get("format")).startswith(FORMAT.rpartition("/")[0])


def _always(_text: str) -> bool:
    return True


def _never(_text: str) -> bool:
    return False


_KNOWN: Final = {
    "README.md": _is_report,
    "report.json": _is_report_data,
    HISTORY_FILE: _always,  # reading it tells more, and where
}


def _part(text: str) -> Part:
    number, _, of = text.partition("/")
    if number.isdecimal() and of.isdecimal() and len(text) < 8:
        part = Part(int(number), int(of))
        if 1 <= part.number <= part.of <= MOST_SHARDS:
            return part
    raise ArgumentTypeError(f"must look like 2/8, with at most {MOST_SHARDS} shards")


def _moment(place: Place, output: Path) -> Moment:
    """The commit and its date where there is one, so that a second run gives the same bytes."""
    found = head_commit(place.tree.root)
    if found is None:
        return Moment(place.path.rpartition("/")[2] or place.tree.name, now()[:10])
    commit, day = found
    root, target = place.tree.root, output.resolve()
    inside = target.relative_to(root).as_posix() if target.is_relative_to(root) else None
    if differs_from_head(place.tree, place.path, inside):
        return Moment(f"{commit[:10]} + uncommitted changes", day)
    return Moment(commit, day)
