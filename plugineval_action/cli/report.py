"""`plugin-eval report`: every plugin of a marketplace, ranked, as Markdown and JSON."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from plugineval_action.cli.common import (
    Place,
    add_ruleset,
    locate,
    new_parser,
    now,
    with_progress,
    write_files,
)
from plugineval_action.content.git import head_commit
from plugineval_action.errors import UsageError
from plugineval_action.marketplace_report import Moment, gather_report
from plugineval_action.render.report import report_files


def parser() -> ArgumentParser:
    """The options of `report`."""
    options = new_parser(
        "report",
        "Score every plugin of a marketplace, and write README.md and report.json.",
        "  plugin-eval report . --output-dir report",
    )
    options.add_argument("root", metavar="ROOT", help="a marketplace, or a folder of plugins")
    options.add_argument(
        "--output-dir", required=True, type=Path, metavar="DIR", help="where the files are written"
    )
    add_ruleset(options)
    return options


def run(args: Namespace) -> int:
    """Score, write the files, and say where they are."""
    place = locate(args.root)
    report = gather_report(
        place.tree,
        place.path,
        args.ruleset,
        _moment(place),
        lambda scored, total: with_progress(scored, total, "Scoring"),
    )
    if not report.plugins and not report.loose:
        raise UsageError(
            f"{args.root!r} holds no plugins or skills.", "Name a folder that holds some."
        )
    write_files(args.output_dir, report_files(report))
    sys.stdout.write(f"Report on {len(report.plugins)} plugins written to {args.output_dir}\n")
    return 0


def _moment(place: Place) -> Moment:
    """The commit and its date where there is one, so that a second run gives the same bytes."""
    commit = head_commit(place.tree.root)
    name = place.path.rpartition("/")[2] or place.tree.name
    return Moment(*commit) if commit else Moment(name, now()[:10])
