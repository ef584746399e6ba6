"""`plugin-eval certify`: assess skills, rate them against a corpus, and write certificates."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from plugineval_action.cli.common import (
    DEPTHS,
    add_ruleset,
    folder,
    new_parser,
    path,
    tell,
    up_to,
)
from plugineval_action.cli.deep import add_asking, deep_of, progress_bar
from plugineval_action.cli.output import refuse_foreign_files
from plugineval_action.cli.stopping import Stop
from plugineval_action.errors import UsageError

if TYPE_CHECKING:
    from plugineval_action.certify.announcing import Begun
    from plugineval_action.certify.ground import Ground, Subject
    from plugineval_action.certify.run import Known

UNCERTIFIED: Final = 1
_CACHE: Final = "verdicts"


def parser() -> ArgumentParser:
    """The options of `certify`."""
    options = new_parser(
        "certify",
        "Assess skills, rate them against a corpus, and write a certificate for each. Exit 1 if "
        "one of them could not be certified.",
        "  plugin-eval certify plugins/mine/skills/my-skill --corpus-dir corpus\n"
        "  plugin-eval certify plugins/mine --corpus-dir corpus --dry-run",
    )
    options.add_argument(
        "paths", type=path, nargs="+", metavar="PATH", help="a skill, or a folder that holds some"
    )
    options.add_argument(
        "--corpus-dir", required=True, type=folder, metavar="DIR", help="made by plugin-eval init"
    )
    options.add_argument(
        "--output-dir",
        type=folder,
        default="certificates",
        metavar="DIR",
        help="where certificates are written (default: %(default)s)",
    )
    _add_measure(options)
    options.add_argument(
        "--dry-run", action="store_true", help="tell what it would cost, and send nothing"
    )
    add_ruleset(options)
    add_asking(options)
    # A certificate rests on all runs and on measured numbers: nothing to choose there.
    options.set_defaults(all_runs=True, ci_width=6.0, methodology="measured")
    return options


def _add_measure(options: ArgumentParser) -> None:
    """How much is measured, against how many, and for how long that holds."""
    from plugineval_action.certify.certificate import LONGEST_DAYS, VALID_DAYS
    from plugineval_action.certify.corpus import MOST_OPPONENTS, OPPONENTS

    options.add_argument(
        "--depth",
        choices=DEPTHS[1:],
        default="deep",
        help="how much is measured (default: %(default)s)",
    )
    options.add_argument(
        "--opponents",
        type=up_to(MOST_OPPONENTS),
        default=OPPONENTS,
        metavar="N",
        help=f"skills of the corpus that each one meets, {MOST_OPPONENTS} at most"
        " (default: %(default)s)",
    )
    options.add_argument(
        "--valid-days",
        type=up_to(LONGEST_DAYS),
        default=VALID_DAYS,
        metavar="N",
        help=f"for how long a certificate holds, {LONGEST_DAYS} at most (default: %(default)s)",
    )


def run(args: Namespace) -> int:
    """Say what it will cost, ask, and write what came of it."""
    from plugineval_action.certify.announcing import begin
    from plugineval_action.certify.index_file import read_corpus
    from plugineval_action.cli.corpus_place import ground_of, refuse_inside, subjects_of
    from plugineval_action.render.certificate.files import ours

    corpus = read_corpus(args.corpus_dir)
    ground = ground_of(args.corpus_dir, corpus, args.ruleset, args.opponents)
    subjects = subjects_of(args.paths, ground, args.ruleset)
    for directory in (args.output_dir, args.corpus_dir):
        refuse_inside(directory, ((one.tree, one.unit) for one in subjects))
    args.cache = args.cache or str(args.corpus_dir / _CACHE)
    known = _known(args)
    if args.dry_run:
        return _tell_cost(subjects, ground, known, args)
    stop = Stop()
    deep = deep_of(args, stop)
    if deep is None:
        raise UsageError("A certificate needs models to be asked.", "Set the key and run it again.")
    refuse_foreign_files(args.output_dir, ours(subjects, corpus.skills))
    with stop.listening():
        begun = begin(subjects, ground, deep, known, lambda line: tell([line]))
        return _certify(subjects, ground, begun, args)


def _known(args: Namespace) -> Known:
    from plugineval_action.certify.index_file import USUAL, read_usual
    from plugineval_action.certify.run import Known
    from plugineval_action.llm.cache import Store

    usual = read_usual(args.corpus_dir / USUAL)
    return Known(Store(args.cache, writable=False), usual, args.batch or bool(args.resume_batch))


def _tell_cost(subjects: Sequence[Subject], ground: Ground, known: Known, args: Namespace) -> int:
    """Raises UsageError if the cap does not allow that."""
    from plugineval_action.certify.announcing import announced, refuse_over
    from plugineval_action.certify.run import rehearse
    from plugineval_action.cli.deep import settings_of

    told = announced(rehearse(subjects, ground, settings_of(args), known), known.usual)
    tell([told.words(args.max_usd)])
    refuse_over(told, args.max_usd)
    return 0


def _certify(
    subjects: Sequence[Subject],
    ground: Ground,
    begun: Begun,
    args: Namespace,
) -> int:
    from plugineval_action.certify.predicate import Terms
    from plugineval_action.certify.run import certify
    from plugineval_action.cli.certificate_output import write_certificates, write_corpus
    from plugineval_action.render.certificate.files import certificate_files

    deep, announced = begun.deep, begun.announced.usd
    with progress_bar() as progress:
        done = certify(subjects, ground, deep, progress, begun.piloted)
    if deep.stopped():
        tell([f"no certificate was written; {args.cache} keeps the answers for the next run."])
        raise KeyboardInterrupt
    terms = Terms(
        settings=deep.settings,
        opponents=args.opponents,
        issued=datetime.now(UTC),
        days=args.valid_days,
        announced=None if announced is None else announced / len(subjects),
    )
    issued = certificate_files(done, subjects, terms)
    write_certificates(args.output_dir, issued, terms.issued)
    write_corpus(args.corpus_dir, done, subjects)
    sys.stdout.write(issued.summary)
    if any(row.outcome == "incomplete" for row in issued.rows):
        told = "keeps what was answered: the same command goes on from there"
        tell([f"{args.cache} {told}, with a higher --max-usd if that ran out."])
    return 0 if issued.all_certified else UNCERTIFIED
