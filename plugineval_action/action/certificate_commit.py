"""Bring certificates onto the report's branch, in a folder beside it; those of others stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Final, NamedTuple

from plugineval_action.action.report_commit import FRONT, Place, publish
from plugineval_action.certify.contents import checksums, digest_of
from plugineval_action.certify.corpus import Corpus, with_games
from plugineval_action.certify.games import Game
from plugineval_action.certify.index_file import GAMES, LARGEST, USUAL, corpus_files, parse_games
from plugineval_action.certify.register import Listed, Row, merged, state
from plugineval_action.certify.register_file import parse
from plugineval_action.content.discovery import discover
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.gh.client import GitHub
from plugineval_action.llm.usual import Usual, data, together
from plugineval_action.llm.usual import parse as parse_usual
from plugineval_action.render.certificate.files import Issued, to_write
from plugineval_action.render.certificate.register_page import render
from plugineval_action.render.result_data import dump
from plugineval_action.report.inventory import INVENTORY, listed

FOLDER: Final = "certificates"
REGISTER: Final = "certificates.json"

_MAX_REGISTER: Final = 16 << 20


Digest = Callable[[str], str | None]
"""From the path of a skill to the digest of its files; None if it is gone or cannot be read."""


class New(NamedTuple):
    """What a run brings: certificates, games, and how long answers were.

    `digest` gives that of the skill at a path as the default branch has it now.
    """

    issued: Issued
    games: Sequence[Game]
    usual: Usual
    digest: Digest
    now: datetime


def certificates_of(report: Place) -> Place:
    """The folder of certificates, beside the report."""
    return report._replace(folder=join(report.folder, FOLDER))


def certificates_at(github: GitHub, place: Place, commit: str, now: datetime) -> Listed:
    """All certificates, and whether they hold for what lies at a commit.

    Raises UsageError if their list is broken.
    """
    rows = parse(_content(github, place, REGISTER, _MAX_REGISTER), REGISTER)
    if not rows:
        return ()
    digest = digests_at(github, commit)
    return tuple((row, state(row, digest(row.path), now)) for row in rows)


def digests_at(github: GitHub, commit: str) -> Digest:
    """The digests of skills as a commit has them, each computed when it is asked for."""
    tree = github.tree(commit)
    units = {unit.path: unit for unit in discover(tree).skills}

    @cache
    def digest(path: str) -> str | None:
        try:
            return digest_of(checksums(tree, units[path])) if path in units else None
        except ContentError:
            return None

    return digest


def games_at(github: GitHub, place: Place) -> tuple[Game, ...]:
    """All games that were played before. Raises UsageError if their file is broken."""
    content = _content(github, place, GAMES, LARGEST)
    return parse_games(content, GAMES) if content else ()


def usual_at(github: GitHub, place: Place) -> Usual:
    """How long answers were in earlier runs."""
    return parse_usual(_content(github, place, USUAL, _MAX_REGISTER))


def commit_certificates(github: GitHub, place: Place, new: New, message: str) -> tuple[Row, ...]:
    """Commit them; the certificates that took their place.

    A certificate that says less than one that still holds is left out. Raises as
    `report_commit.publish` does.
    """
    taken: tuple[Row, ...] = ()

    def make(_history: str) -> dict[str, str]:
        nonlocal taken
        known = parse(_content(github, place, REGISTER, _MAX_REGISTER), REGISTER)
        issued = to_write(new.issued, known, new.now)
        taken = issued.rows
        rows = merged(known, issued.rows)
        games = with_games(Corpus("", "", games=games_at(github, place)), new.games)
        states = tuple((row, state(row, new.digest(row.path), new.now)) for row in rows)
        return {
            **_kept(github, place, rows),
            **issued.files,
            **{name: text for name, text in corpus_files(games).items() if name == GAMES},
            USUAL: dump(data(together(usual_at(github, place), new.usual))),
            REGISTER: dump({"certificates": [row._asdict() for row in rows]}),
            FRONT: render(states),
        }

    publish(github, place, make, message)
    return taken


def _kept(github: GitHub, place: Place, rows: Sequence[Row]) -> dict[str, str]:
    """The files of certificates that are listed, as they stand on the branch."""
    tip = github.branches.tip(place.branch)
    if tip is None:
        return {}
    tree = github.tree(tip)
    own = listed(_content(github, place, INVENTORY, _MAX_REGISTER).decode("utf-8", "replace"))
    stems = {row.stem for row in rows}
    return {
        name: _read(github, place, tree, name)
        for name in own
        if name.rpartition(".")[0] in stems and tree.is_file(join(place.folder, name))
    }


def _read(github: GitHub, place: Place, tree: Tree, name: str) -> str:
    """A file of ours; a list of checksums may be larger than what a tree reads."""
    try:
        content = tree.read(join(place.folder, name))
    except ContentError:
        content = _content(github, place, name, LARGEST)
    return content.decode("utf-8", "replace")


def _content(github: GitHub, place: Place, name: str, limit: int) -> bytes:
    """A file of the folder on its branch; b"" if there is none."""
    tip = github.branches.tip(place.branch)
    if tip is None:
        return b""
    return github.branches.content(tip, join(place.folder, name), limit) or b""
