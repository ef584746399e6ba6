"""Check a certificate against a skill, offline. Pure but for reading the schema.

What is found out: whether the certificate is whole and says one thing throughout, whether the
skill is the one it is about, and whether it still holds. Who issued it is not: that is what the
attestation of GitHub proves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import jsonschema_rs

import plugineval_action
from plugineval_action.certify.certificate import LONGEST_DAYS, checksum
from plugineval_action.certify.consistency import contradictions
from plugineval_action.findings.withheld import reasons
from plugineval_action.results import Result
from plugineval_action.rulesets import versioned

Status = Literal["valid", "stale", "broken"]

_PACKAGE: Final = Path(plugineval_action.__file__).parent
_NAME: Final = "certificate.schema.json"
_PLACES: Final = (_PACKAGE / _NAME, _PACKAGE.parent / "docs" / "schema" / _NAME)
"""Inside an installed package, and in a checkout."""

_AHEAD: Final = timedelta(minutes=10)
"""By how much the clock of whoever issued a certificate may be fast."""

_EXACT: Final = 1e-9


class Check(NamedTuple):
    """What came of it, and why, in sentences; none if it is valid."""

    status: Status
    reasons: tuple[str, ...] = ()


class Contents(NamedTuple):
    """What the skill consists of now: its digest, and the first path it does not cover, if any.

    `files` is how many the digest covers.
    """

    digest: str
    files: int
    uncovered: str | None = None


def check(
    certificate: Mapping[str, Any], contents: Contents, static: Result | None, now: datetime
) -> Check:
    """Check a certificate against a skill's contents and its static result under its ruleset.

    `static` is None if this version does not know the ruleset. A certificate that contradicts
    itself is broken; one that was right once is stale.
    """
    broken = tuple(_broken(certificate, now))
    if broken:
        return Check("broken", broken)
    stale = tuple(_stale(certificate, contents, static, now))
    return Check("stale" if stale else "valid", stale)


def read_whole(text: str) -> dict[str, Any] | None:
    """The certificate in a text; None if it is none, or was changed after it was issued."""
    try:
        certificate = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not _schema().is_valid(certificate) or not _is_unchanged(certificate):
        return None
    whole: dict[str, Any] = certificate
    return whole


def _is_unchanged(certificate: Mapping[str, Any]) -> bool:
    return bool(certificate["predicate"]["checksum"] == checksum(certificate))


def _broken(certificate: Mapping[str, Any], now: datetime) -> Iterator[str]:
    error = next(iter(_schema().iter_errors(certificate)), None)
    if error is not None:
        where = "/".join(map(str, error.instance_path)) or "the whole"
        yield f"It is no certificate of a form that this version knows ({where})."
        return
    predicate = certificate["predicate"]
    if not _is_unchanged(certificate):
        yield "It was changed after it was issued: its checksum is another one."
    issued, expires = _time(predicate["issued"]), _time(predicate["expires"])
    if issued is None or expires is None or issued >= expires:
        yield "Its dates make no sense."
    elif issued > now + _AHEAD:
        yield f"It was issued in the future ({predicate['issued']})."
    elif expires - issued > timedelta(days=LONGEST_DAYS):
        yield f"It says to hold for longer than {LONGEST_DAYS} days, which none does."
    yield from contradictions(predicate)


def _stale(
    certificate: Mapping[str, Any], contents: Contents, static: Result | None, now: datetime
) -> Iterator[str]:
    predicate = certificate["predicate"]
    expires = _time(predicate["expires"])
    if expires is not None and now >= expires:
        yield f"It expired on {expires.date()}."
    if certificate["subject"][0]["digest"]["sha256"] != contents.digest:
        skill = predicate["skill"]["name"]
        yield f"The skill's files are not the ones that were certified as {skill}."
        return
    if predicate["skill"]["files"] != contents.files:
        yield f"It speaks of another number of files than the skill's {contents.files}."
    if contents.uncovered is not None:
        yield f"{contents.uncovered} is not covered by it."
    if static is None or static.ruleset != predicate["ruleset"]:
        yield f"It was made under the ruleset {predicate['ruleset']}, which this version has not."
    elif not _same_static(predicate["static"], static):
        yield (
            f"The static layer gives {static.layers[0].score:.4f} under {static.ruleset}, not "
            f"{predicate['static']['score']:.4f}: the ruleset is another one, or what the skill "
            "links to has changed."
        )
    elif predicate["badge"]["by_score"] != "withheld" and _is_withheld(static):
        yield "Findings withhold the badge of this skill, which it does not say."


def _is_withheld(static: Result) -> bool:
    """Whether findings would take the badge of any score."""
    # The reference withholds none.
    return static.ruleset != versioned("reference") and bool(reasons(static))


def _same_static(told: Mapping[str, Any], static: Result) -> bool:
    flags = [flag.flag for flag in static.layers[0].anti_patterns]
    apart = abs(float(told["score"]) - static.layers[0].score)
    return apart < _EXACT and list(told["flags"]) == flags


def _time(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


@cache
def _schema() -> jsonschema_rs.Validator:
    place = next(place for place in _PLACES if place.is_file())
    return jsonschema_rs.validator_for(json.loads(place.read_text(encoding="utf-8")))
