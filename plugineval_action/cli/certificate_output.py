"""Where `certify` writes: certificates into their folder, games and ratings into the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from plugineval_action.cli.common import tell
from plugineval_action.cli.output import alone_in, write_files

if TYPE_CHECKING:
    from plugineval_action.certify.ground import Subject
    from plugineval_action.certify.register import Row
    from plugineval_action.certify.run import Run
    from plugineval_action.render.certificate.files import Issued


def write_certificates(directory: Path, issued: Issued, now: datetime) -> None:
    """Write certificates, but none that says less than one that still holds."""
    from plugineval_action.render.certificate.files import to_write

    new = to_write(issued, _known(directory, issued), now)
    write_files(directory, new.files)
    for row in issued.rows:
        if row not in new.rows:
            tell([f"{row.path}: the certificate that it has still holds, and stays."])


def _known(directory: Path, issued: Issued) -> Iterator[Row]:
    """The certificates that lie where new ones would."""
    from plugineval_action.certify.checking import read_whole
    from plugineval_action.certify.register import row_of

    for row in issued.rows:
        path = directory / f"{row.stem}.json"
        found = read_whole(path.read_text(encoding="utf-8")) if path.is_file() else None
        if found is not None:
            yield row_of(row.stem, found)


def write_corpus(directory: Path, done: Run, subjects: Sequence[Subject]) -> None:
    """Add what a run brought to a corpus, to which others may have added meanwhile."""
    from plugineval_action.certify.corpus import joined
    from plugineval_action.certify.index_file import USUAL, corpus_files, read_corpus, read_usual
    from plugineval_action.certify.standing import rated
    from plugineval_action.llm.usual import data, together
    from plugineval_action.render.result_data import dump

    with alone_in(directory):
        paths = [one.entry.path for one in subjects]
        corpus = rated(joined(read_corpus(directory), done.corpus, paths))
        usual = together(read_usual(directory / USUAL), done.usual)
        write_files(directory, {**corpus_files(corpus), USUAL: dump(data(usual))})
