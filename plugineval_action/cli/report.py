"""`plugin-eval report`: every plugin of a marketplace, ranked, as Markdown and JSON."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter

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
from plugineval_action.content.git import head_commit
from plugineval_action.errors import UsageError
from plugineval_action.render.report.files import REPORT_MARKER, report_files
from plugineval_action.render.report.to_json import FORMAT
from plugineval_action.render.words import counted
from plugineval_action.report.gather import Moment, gather_report
from plugineval_action.results import MarketplaceReport


def parser() -> ArgumentParser:
    """The options of `report`."""
    options = new_parser(
        "report",
        "Score every plugin of a marketplace, and write README.md and report.json.",
        "  plugin-eval report . --output-dir report",
    )
    options.add_argument(
        "root", type=path, metavar="ROOT", help="a marketplace, or a folder of plugins"
    )
    options.add_argument(
        "--output-dir",
        required=True,
        type=folder,
        metavar="DIR",
        help="where the files are written",
    )
    add_ruleset(options)
    return options


def run(args: Namespace) -> int:
    """Score, write the files, and say where they are."""
    place = locate(args.root)
    refuse_foreign_files(args.output_dir, {"README.md": _is_report, "report.json": _is_report_data})
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
    files = report_files(report)
    write_files(args.output_dir, files)
    where = " and ".join(str(args.output_dir / name) for name in files)
    sys.stdout.write(f"Report on {_subject(report)} written to {where}\n")
    return 0


def _subject(report: MarketplaceReport) -> str:
    """The plugins; where there are none, the skills and agents outside of plugins."""
    if report.plugins:
        return counted(len(report.plugins), "plugin")
    kinds = Counter(result.kind for result in report.loose)
    return " and ".join(counted(count, kind) for kind, count in kinds.items())


def _is_report(text: str) -> bool:
    return text.startswith(REPORT_MARKER)


def _is_report_data(text: str) -> bool:
    """Of this version of the format or another."""
    return str(json_object(text).get("format")).startswith(FORMAT.rpartition("/")[0])


def _moment(place: Place) -> Moment:
    """The commit and its date where there is one, so that a second run gives the same bytes."""
    commit = head_commit(place.tree.root)
    name = place.path.rpartition("/")[2] or place.tree.name
    return Moment(*commit) if commit else Moment(name, now()[:10])
