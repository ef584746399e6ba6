"""`plugin-eval init`: index the skills of a folder as a corpus."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plugineval_action.cli.common import (
    add_ruleset,
    folder,
    new_parser,
    path,
    tell,
    with_progress,
)
from plugineval_action.cli.corpus_place import refuse_elsewhere, refuse_inside, source_from
from plugineval_action.cli.output import alone_in, json_object, refuse_foreign_files, write_files
from plugineval_action.cli.place import Place, locate
from plugineval_action.content.discovery import Unit, discover
from plugineval_action.errors import ContentError, UsageError
from plugineval_action.render.words import counted
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import versioned
from plugineval_action.survey import PROCESSES, score_directory, skill_targets, unlisted

if TYPE_CHECKING:
    from plugineval_action.certify.corpus import Corpus, Entry


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
    """Score every skill and write the index; games that were played stay."""
    from plugineval_action.certify.index_file import INDEX, corpus_files

    place = locate(args.plugins)
    found = discover(place.tree, place.path, ruleset=args.ruleset)
    if not found.skills:
        raise UsageError(f"{args.plugins!r} holds no skills.", "Name a folder that holds some.")
    refuse_elsewhere(args.corpus_dir, place)
    refuse_inside(args.corpus_dir, ((place.tree, unit) for unit in found.skills))
    refuse_foreign_files(args.corpus_dir, {INDEX: _is_index})
    targets = skill_targets(found)
    scoring = score_directory(place.tree, targets, args.ruleset, PROCESSES)
    scored = list(with_progress(scoring, len(targets), "Indexing"))
    entries, notes = _entries(place, found.skills, scored)
    gone = unlisted(place.tree, place.path)
    tell((*notes, *(f"{one.message} {one.remedy}" for one in gone)))
    with alone_in(args.corpus_dir):
        corpus = _corpus(args, place, entries)
        write_files(args.corpus_dir, corpus_files(corpus))
    what = counted(len(corpus.skills), "skill")
    sys.stdout.write(f"Corpus initialized with {what} at {args.corpus_dir}\n")
    return 0


def _is_index(text: str) -> bool:
    return {"ruleset", "skills"} <= json_object(text).keys()


def _entries(
    place: Place, units: Sequence[Unit], scored: Sequence[Result | Failure]
) -> tuple[list[Entry], list[str]]:
    """The skills that could be read, and what to say of the others."""
    from plugineval_action.certify.ground import entry_of

    entries, notes = [], []
    for unit, result in zip(units, scored, strict=True):
        try:
            if isinstance(result, Failure):
                notes.append(f"{result.message} {result.remedy}")
            else:
                entries.append(entry_of(place.tree, unit, place.path, result))
        except ContentError as error:
            notes.append(str(error))
    return entries, notes


def _corpus(args: Namespace, place: Place, entries: list[Entry]) -> Corpus:
    """The corpus, with the games that its folder holds and the ratings that they give."""
    from plugineval_action.certify.corpus import Corpus
    from plugineval_action.certify.index_file import GAMES, read_games
    from plugineval_action.certify.standing import rated

    games = read_games(args.corpus_dir / GAMES)
    source = source_from(args.corpus_dir, place)
    return rated(Corpus(versioned(args.ruleset), source, tuple(entries), games))
