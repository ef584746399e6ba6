"""The file of the register, held to its shape: whoever can write there decides what is listed."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from plugineval_action.certify.register import Row, moment
from plugineval_action.errors import UsageError
from plugineval_action.results import Badge, Outcome

_Text = Annotated[str, StringConstraints(max_length=4096)]


_Score = Annotated[float, Field(ge=0, le=100)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    stem: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,120}$")]
    name: _Text
    path: _Text
    digest: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
    outcome: Outcome
    badge: Badge
    score: _Score | None
    ci_lower: _Score | None
    ci_upper: _Score | None
    elo: Annotated[float, Field(ge=-100_000, le=100_000)] | None
    issued: Annotated[str, StringConstraints(max_length=40)]
    expires: Annotated[str, StringConstraints(max_length=40)]


class _Register(BaseModel):
    model_config = ConfigDict(extra="forbid")

    certificates: list[_Row]


def parse(content: bytes, place: str) -> tuple[Row, ...]:
    """The lines in the bytes of a register; none in an empty one. Raises UsageError."""
    if not content:
        return ()
    try:
        told = _Register.model_validate_json(content)
        rows = tuple(Row(**one.model_dump()) for one in told.certificates)
        for row in rows:
            moment(row.expires)
            moment(row.issued)
    except (ValidationError, ValueError) as error:
        message = f"{place} is no list of certificates that this version knows."
        raise UsageError(message, "Take it back from an earlier commit, or delete it.") from error
    return rows
