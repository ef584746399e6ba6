"""The files of a corpus: `index.json` for people and programs, `games.json` with every verdict.

Whoever can write there decides what ratings come out, so both are held to their shape; what breaks
it is an error that says where, never a guess.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from posixpath import normpath
from typing import Annotated, Final, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from plugineval_action.certify.corpus import Corpus, Entry
from plugineval_action.certify.games import ASPECTS, Game
from plugineval_action.content.tree import normalise
from plugineval_action.errors import UsageError
from plugineval_action.escape import json_text
from plugineval_action.llm.usual import NOTHING_KNOWN, Usual
from plugineval_action.llm.usual import parse as parse_usual
from plugineval_action.results import Badge
from plugineval_action.stats.bradley_terry import Better

INDEX: Final = "index.json"
GAMES: Final = "games.json"
USUAL: Final = "usual.json"
"""How long answers were in earlier runs."""

LARGEST: Final = 64 << 20
"""Bytes of a file; an index of 100,000 skills has half of that."""


def _inside(path: str) -> str:
    """A path below the folder of the skills, as it is written."""
    if normalise(path) != path or "\0" in path:
        raise ValueError(f"{path!r} leads out of the folder of the skills")
    return path


def _relative(source: str) -> str:
    """A folder as seen from that of the corpus. How far it may lead is seen where it is opened."""
    if source.startswith("/") or normpath(source) != source or "\0" in source:
        raise ValueError(f"{source!r} is no folder relative to the corpus")
    return source


_Digest = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
_Text = Annotated[str, StringConstraints(max_length=4096)]
_Inside = Annotated[_Text, AfterValidator(_inside)]
_Source = Annotated[_Text, AfterValidator(_relative)]
_Points = Annotated[float, Field(ge=-100_000, le=100_000)]
_Verdicts = Annotated[list[Better], Field(min_length=len(ASPECTS), max_length=len(ASPECTS))]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


T = TypeVar("T", bound=_Model)


class _Entry(_Model):
    name: _Text
    path: _Inside
    category: _Text | None
    lines: Annotated[int, Field(ge=0)]
    digest: _Digest
    score: Annotated[float, Field(ge=0, le=100)] | None
    badge: Badge | None
    rating: _Points | None
    ci_lower: _Points | None
    ci_upper: _Points | None
    games: Annotated[int, Field(ge=0)]
    group: Annotated[int, Field(ge=1)] | None


class _Index(_Model):
    ruleset: _Text
    source: _Source
    skills: list[_Entry]


class _Game(_Model):
    one: _Digest
    other: _Digest
    task: Annotated[str, StringConstraints(pattern="^[0-9a-f]{16}$")]
    model: _Text
    version: _Text
    forward: _Verdicts
    backward: _Verdicts


class _Games(_Model):
    aspects: list[_Text]
    games: list[_Game]


def read_corpus(directory: Path) -> Corpus:
    """The corpus of a folder. Raises UsageError if there is none, or if it is broken."""
    if not (directory / INDEX).is_file():
        raise UsageError(
            f"{str(directory)!r} holds no corpus.",
            f"Make one: plugin-eval init PLUGINS --corpus-dir {directory}",
        )
    index = _parsed(_Index, _content(directory / INDEX), str(directory / INDEX))
    corpus = Corpus(
        index.ruleset, index.source, tuple(Entry(**one.model_dump()) for one in index.skills)
    )
    if len({entry.path for entry in corpus.skills}) < len(corpus.skills):
        raise _broken(str(directory / INDEX), "it has two skills at one path")
    return corpus._replace(games=read_games(directory / GAMES))


def read_games(path: Path) -> tuple[Game, ...]:
    """The games of a file; none if there is no file. Raises UsageError if it is broken."""
    return parse_games(_content(path), str(path)) if path.exists() else ()


def parse_games(content: bytes, place: str) -> tuple[Game, ...]:
    """The games in the bytes of a file; `place` is its name in an error. Raises UsageError."""
    told = _parsed(_Games, content, place)
    if told.aspects != list(ASPECTS):
        raise _broken(place, "its games are about other aspects")
    return tuple(_game(one) for one in told.games)


def _game(one: _Game) -> Game:
    return Game(
        one.one,
        one.other,
        one.task,
        one.model,
        one.version,
        tuple(one.forward),
        tuple(one.backward),
    )


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise _broken(str(path), error.strerror or "it cannot be read") from error
    if len(content) > LARGEST:
        raise _broken(str(path), f"it is larger than {LARGEST >> 20} MiB")
    return content


def _parsed(shape: type[T], content: bytes, place: str) -> T:
    try:
        return shape.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = "/".join(map(str, first["loc"])) or "the file"
        raise _broken(place, f"{where}: {first['msg'].removeprefix('Value error, ')}") from error


def _broken(place: str, why: str) -> UsageError:
    return UsageError(
        f"{place!r} is no part of a corpus: {why}.",
        "Make the corpus again with plugin-eval init, in an empty folder.",
    )


def read_usual(path: Path) -> Usual:
    """How long answers were; nothing if there is no such file."""
    return parse_usual(_content(path)) if path.exists() else NOTHING_KNOWN


def corpus_files(corpus: Corpus) -> Mapping[str, str]:
    """The files of a corpus, by name."""
    index = {
        "ruleset": corpus.ruleset,
        "source": corpus.source,
        "skills": [entry._asdict() for entry in corpus.skills],
    }
    files = {INDEX: _json(index)}
    if corpus.games:
        games = [game._asdict() for game in corpus.games]
        files[GAMES] = _json({"aspects": list(ASPECTS), "games": games})
    return files


def _json(value: object) -> str:
    return json_text(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"
