"""The list of all certificates of a repository, and which of them still hold. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple

from plugineval_action.results import Badge, Outcome

State = Literal["certified", "not certified", "stale"]


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


Listed = tuple[tuple[Row, State], ...]
"""Certificates, and whether they hold."""


def merged(known: Iterable[Row], new: Iterable[Row]) -> tuple[Row, ...]:
    """One line a path, the newer one; in the order of the paths."""
    by_path = {row.path: row for row in (*known, *new)}
    return tuple(by_path[path] for path in sorted(by_path))


def state(row: Row, digest: str | None, now: datetime) -> State:
    """Whether a certificate holds for what lies at its path now; None if nothing does."""
    if row.digest != digest or moment(row.expires) <= now:
        return "stale"
    return "certified" if row.outcome == "certified" else "not certified"


def moment(text: str) -> datetime:
    """A time with its zone. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without its zone")
    return moment
