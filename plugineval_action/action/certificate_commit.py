"""Bring certificates onto the report's branch, in a folder beside it; those of others stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from plugineval_action.action.report_commit import FRONT, Place, publish
from plugineval_action.certify.contents import checksums, digest_of
from plugineval_action.certify.corpus import Corpus, with_games
from plugineval_action.certify.games import Game
from plugineval_action.certify.index_file import GAMES, LARGEST, USUAL, corpus_files, parse_games
from plugineval_action.certify.register import Listed, Row, merged, state
from plugineval_action.certify.register_file import parse
from plugineval_action.content.discovery import Unit, discover
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.gh.client import GitHub
from plugineval_action.llm.usual import Usual, data, together
from plugineval_action.llm.usual import parse as parse_usual
from plugineval_action.render.certificate.register_page import render
from plugineval_action.render.result_data import dump
from plugineval_action.report.inventory import INVENTORY, listed

FOLDER: Final = "certificates"
REGISTER: Final = "certificates.json"

_MAX_REGISTER: Final = 16 << 20


class New(NamedTuple):
    """What a run brings: files by name, a line a certificate, and games.

    `digests` are those of the skills at the commit that was certified, by path.
    """

    files: Mapping[str, str]
    rows: Sequence[Row]
    games: Sequence[Game]
    usual: Usual
    digests: Mapping[str, str]
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
    tree = github.tree(commit)
    units = {unit.path: unit for unit in discover(tree).skills}
    return tuple((row, state(row, _digest(tree, units.get(row.path)), now)) for row in rows)


def _digest(tree: Tree, unit: Unit | None) -> str | None:
    """That of a skill as it is; None if it is gone or cannot be read."""
    if unit is None:
        return None
    try:
        return digest_of(checksums(tree, unit))
    except ContentError:
        return None


def games_at(github: GitHub, place: Place) -> tuple[Game, ...]:
    """All games that were played before. Raises UsageError if their file is broken."""
    content = _content(github, place, GAMES, LARGEST)
    return parse_games(content, GAMES) if content else ()


def usual_at(github: GitHub, place: Place) -> Usual:
    """How long answers were in earlier runs."""
    return parse_usual(_content(github, place, USUAL, _MAX_REGISTER))


def commit_certificates(github: GitHub, place: Place, new: New, message: str) -> bool:
    """Commit them; whether anything changed. Raises as `report_commit.publish` does."""

    def make(_history: str) -> dict[str, str]:
        known = parse(_content(github, place, REGISTER, _MAX_REGISTER), REGISTER)
        rows = merged(known, new.rows)
        games = with_games(Corpus("", "", games=games_at(github, place)), new.games)
        states = tuple((row, state(row, new.digests.get(row.path), new.now)) for row in rows)
        return {
            **_kept(github, place, rows),
            **new.files,
            **{name: text for name, text in corpus_files(games).items() if name == GAMES},
            USUAL: dump(data(together(usual_at(github, place), new.usual))),
            REGISTER: dump({"certificates": [row._asdict() for row in rows]}),
            FRONT: render(states),
        }

    return publish(github, place, make, message)


def _kept(github: GitHub, place: Place, rows: Sequence[Row]) -> dict[str, str]:
    """The files of certificates that are listed, as they stand on the branch."""
    tip = github.branches.tip(place.branch)
    if tip is None:
        return {}
    tree = github.tree(tip)
    own = listed(_content(github, place, INVENTORY, _MAX_REGISTER).decode("utf-8", "replace"))
    stems = {row.stem for row in rows}
    return {
        name: tree.read(join(place.folder, name)).decode("utf-8", "surrogateescape")
        for name in own
        if name.rpartition(".")[0] in stems and tree.is_file(join(place.folder, name))
    }


def _content(github: GitHub, place: Place, name: str, limit: int) -> bytes:
    """A file of the folder on its branch; b"" if there is none."""
    tip = github.branches.tip(place.branch)
    if tip is None:
        return b""
    return github.branches.content(tip, join(place.folder, name), limit) or b""
