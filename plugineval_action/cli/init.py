"""`plugin-eval init`: index the skills of a folder as a corpus."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from plugineval_action.cli.common import (
    add_ruleset,
    folder,
    new_parser,
    path,
    tell,
    with_progress,
)
from plugineval_action.cli.output import json_object, refuse_foreign_files, write_files
from plugineval_action.cli.place import Place, locate
from plugineval_action.content.digest import unit_digest
from plugineval_action.content.discovery import Unit, discover
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.render.result_data import dump
from plugineval_action.render.words import counted
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import versioned
from plugineval_action.survey import PROCESSES, score_directory, skill_targets, unlisted

INDEX = "index.json"


def parser() -> ArgumentParser:
    """The options of `init`."""
    options = new_parser(
        "init",
        "Index every skill of a folder as a corpus: name, path, category, lines, digest and score.",
        "  plugin-eval init ./plugins --corpus-dir ~/.cache/plugin-eval/corpus",
    )
    options.add_argument(
        "plugins", type=path, metavar="PLUGINS", help="a folder that holds plugins or skills"
    )
    options.add_argument(
        "--corpus-dir", required=True, type=folder, metavar="DIR", help="where the index is written"
    )
    add_ruleset(options)
    return options


def run(args: Namespace) -> int:
    """Score every skill and write the index."""
    place = locate(args.plugins)
    found = discover(place.tree, place.path, ruleset=args.ruleset)
    if not found.skills:
        raise UsageError(f"{args.plugins!r} holds no skills.", "Name a folder that holds some.")
    refuse_foreign_files(args.corpus_dir, {INDEX: _is_index})
    targets = skill_targets(found)
    scoring = score_directory(place.tree, targets, args.ruleset, PROCESSES)
    scored = list(with_progress(scoring, len(targets), "Indexing"))
    failures = [one for one in scored if isinstance(one, Failure)]
    failures += unlisted(place.tree, place.path)
    tell(f"{one.message} {one.remedy}" for one in failures)
    skills = [
        _entry(place, unit, result)
        for unit, result in zip(found.skills, scored, strict=True)
        if isinstance(result, Result)
    ]
    index = {"ruleset": versioned(args.ruleset), "skills": skills}
    write_files(args.corpus_dir, {INDEX: dump(index)})
    what = counted(len(skills), "skill")
    sys.stdout.write(f"Corpus initialized with {what} at {args.corpus_dir}\n")
    return 0


def _is_index(text: str) -> bool:
    return {"ruleset", "skills"} <= json_object(text).keys()


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
