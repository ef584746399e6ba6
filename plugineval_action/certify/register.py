"""The list of all certificates of a repository, and which of them still hold. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from plugineval_action.certify.outcome import Outcome
from plugineval_action.errors import UsageError
from plugineval_action.results import Badge

State = Literal["certified", "not certified", "stale"]

_Text = Annotated[str, StringConstraints(max_length=4096)]


class Row(NamedTuple):
    """A certificate: `stem` is what its files are called, `path` where its skill lies.

    `score` is on 0 to 100; `issued` and `expires` are times with their zone.
    """

    stem: str
    name: str
    path: str
    digest: str
    outcome: Outcome
    badge: Badge
    score: float | None
    elo: float | None
    issued: str
    expires: str


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    stem: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,120}$")]
    name: _Text
    path: _Text
    digest: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
    outcome: Outcome
    badge: Badge
    score: Annotated[float, Field(ge=0, le=100)] | None
    elo: Annotated[float, Field(ge=-100_000, le=100_000)] | None
    issued: Annotated[str, StringConstraints(max_length=40)]
    expires: Annotated[str, StringConstraints(max_length=40)]


class _Register(BaseModel):
    model_config = ConfigDict(extra="forbid")

    certificates: list[_Row]


def row_of(stem: str, certificate: Mapping[str, Any]) -> Row:
    """The line of a certificate."""
    predicate = certificate["predicate"]
    score, elo = predicate["score"], predicate["elo"]
    return Row(
        stem=stem,
        name=predicate["skill"]["name"],
        path=predicate["skill"]["path"],
        digest=certificate["subject"][0]["digest"]["sha256"],
        outcome=predicate["outcome"],
        badge=predicate["badge"]["name"],
        score=score["value"] if score else None,
        elo=elo["rating"] if elo else None,
        issued=predicate["issued"],
        expires=predicate["expires"],
    )


def parse(content: bytes, place: str) -> tuple[Row, ...]:
    """The lines in the bytes of a register; none in an empty one. Raises UsageError."""
    if not content:
        return ()
    try:
        told = _Register.model_validate_json(content)
        rows = tuple(Row(**one.model_dump()) for one in told.certificates)
        for row in rows:
            _moment(row.expires)
    except (ValidationError, ValueError) as error:
        message = f"{place} is no list of certificates that this version knows."
        raise UsageError(message, "Take it back from an earlier commit, or delete it.") from error
    return rows


def merged(known: Iterable[Row], new: Iterable[Row]) -> tuple[Row, ...]:
    """One line a path, the newer one; in the order of the paths."""
    by_path = {row.path: row for row in (*known, *new)}
    return tuple(by_path[path] for path in sorted(by_path))


def state(row: Row, digest: str | None, now: datetime) -> State:
    """Whether a certificate holds for what lies at its path now; None if nothing does."""
    if row.digest != digest or _moment(row.expires) <= now:
        return "stale"
    return "certified" if row.outcome == "certified" else "not certified"


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without its zone")
    return moment
