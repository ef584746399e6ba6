"""`plugin-eval init`: index the skills of a folder as a corpus."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from plugineval_action.cli.common import (
    Place,
    add_ruleset,
    locate,
    new_parser,
    tell,
    with_progress,
    write_files,
)
from plugineval_action.content.digest import unit_digest
from plugineval_action.content.discovery import Unit, discover
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import versioned
from plugineval_action.survey import score_directory, skill_targets

INDEX = "index.json"


def parser() -> ArgumentParser:
    """The options of `init`."""
    options = new_parser(
        "init",
        "Index every skill of a folder as a corpus: name, path, category, lines, digest and score.",
        "  plugin-eval init ./plugins --corpus-dir ~/.cache/plugin-eval/corpus",
    )
    options.add_argument("plugins", metavar="PLUGINS", help="a folder that holds plugins or skills")
    options.add_argument(
        "--corpus-dir", required=True, type=Path, metavar="DIR", help="where the index is written"
    )
    add_ruleset(options)
    return options


def run(args: Namespace) -> int:
    """Score every skill and write the index."""
    place = locate(args.plugins)
    found = discover(place.tree, place.path, ruleset=args.ruleset)
    if not found.skills:
        raise UsageError(f"{args.plugins!r} holds no skills.", "Name a folder that holds some.")
    targets = skill_targets(found)
    scored = list(
        with_progress(
            score_directory(place.tree, targets, args.ruleset, 1), len(targets), "Indexing"
        )
    )
    tell(f"{one.message} {one.remedy}" for one in scored if isinstance(one, Failure))
    skills = [
        _entry(place, unit, result)
        for unit, result in zip(found.skills, scored, strict=True)
        if isinstance(result, Result)
    ]
    index = {"ruleset": versioned(args.ruleset), "skills": skills}
    write_files(args.corpus_dir, {INDEX: json.dumps(index, ensure_ascii=False, indent=2) + "\n"})
    sys.stdout.write(f"Corpus initialized with {len(skills)} skills at {args.corpus_dir}\n")
    return 0


def _entry(place: Place, unit: Unit, result: Result) -> dict[str, object]:
    """One skill of the index; its category is the plugin it belongs to."""
    category = unit.plugin.rpartition("/")[2] if unit.plugin else None
    return {
        "name": result.name,
        "path": unit.path.removeprefix(place.path).removeprefix("/"),
        "category": category or None,
        "lines": result.layers[0].metadata["line_count"],
        "digest": _digest(place, unit),
        "score": result.composite.score if result.composite else None,
        "badge": result.composite.badge if result.composite else None,
    }


def _digest(place: Place, unit: Unit) -> str | None:
    try:
        return unit_digest(place.tree, unit)
    except ContentError:
        return None
