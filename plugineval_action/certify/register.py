"""The list of all certificates of a repository, and which of them still hold. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple

from plugineval_action.results import Badge, Outcome

State = Literal["certified", "not certified", "stale"]


class Row(NamedTuple):
    """A certificate: `stem` is what its files are called, `path` where its skill lies.

    `score` and its interval are on 0 to 100; `issued` and `expires` are times with their zone.
    """

    stem: str
    name: str
    path: str
    digest: str
    outcome: Outcome
    badge: Badge
    score: float | None
    ci_lower: float | None
    ci_upper: float | None
    elo: float | None
    issued: str
    expires: str

    @property
    def width(self) -> float | None:
        """Points from end to end of the score's interval, None without one."""
        low, high = self.ci_lower, self.ci_upper
        return None if low is None or high is None else high - low


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
        ci_lower=score["ci_lower"] if score else None,
        ci_upper=score["ci_upper"] if score else None,
        elo=elo["rating"] if elo else None,
        issued=predicate["issued"],
        expires=predicate["expires"],
    )


Listed = tuple[tuple[Row, State], ...]
"""Certificates, and whether they hold."""


def merged(known: Iterable[Row], new: Iterable[Row]) -> tuple[Row, ...]:
    """One line a path and a name of files, the newer one; in the order of the paths."""
    new = tuple(new)
    paths, stems = {row.path for row in new}, {row.stem.lower() for row in new}
    kept = (row for row in known if row.path not in paths and row.stem.lower() not in stems)
    return tuple(sorted((*kept, *new), key=lambda row: row.path))


def displaces(new: Row, known: Row | None, now: datetime) -> bool:
    """Whether a certificate takes the place of what was known of its skill.

    One that is incomplete says that the run failed, and nothing of the skill: a certificate that
    still holds for the same bytes stays.
    """
    holds = known is not None and state(known, new.digest, now) == "certified"
    return not (holds and new.outcome == "incomplete")


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
