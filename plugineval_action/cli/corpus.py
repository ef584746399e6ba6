"""`plugin-eval corpus list`: the skills of a corpus, best rated first."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace

from plugineval_action.cli.common import folder, new_parser


def parser() -> ArgumentParser:
    """The options of `corpus`."""
    options = new_parser(
        "corpus",
        "List the skills of a corpus and how they are rated.",
        "  plugin-eval corpus list --corpus-dir ~/.cache/plugin-eval/corpus",
    )
    options.add_argument("what", choices=("list",), metavar="list", help="what to do: list")
    options.add_argument(
        "--corpus-dir", required=True, type=folder, metavar="DIR", help="where the index is"
    )
    options.add_argument(
        "--output", choices=("markdown", "json"), default="markdown", help="how it is written"
    )
    return options


def run(args: Namespace) -> int:
    """Print the list."""
    from plugineval_action.certify.index_file import read_corpus
    from plugineval_action.escape import json_text
    from plugineval_action.render.certificate.corpus_list import render

    corpus = read_corpus(args.corpus_dir)
    if args.output == "json":
        listed = [entry._asdict() for entry in corpus.skills]
        sys.stdout.write(json_text(json.dumps(listed, ensure_ascii=False, indent=2)) + "\n")
    else:
        sys.stdout.write(render(corpus))
    return 0
