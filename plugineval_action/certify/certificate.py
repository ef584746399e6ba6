"""The certificate of a skill, as an in-toto statement. Pure.

The statement's subject is the skill, by the digest of all its files; the predicate is what was
found out, so that GitHub's artifact attestation can sign it as it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from math import fsum
from typing import Any, Final, NamedTuple

from plugineval_action import PROJECT_URL, __version__
from plugineval_action.assess import RUNS, Settings
from plugineval_action.certify.games import Bias, bias
from plugineval_action.certify.outcome import (
    FURTHEST,
    decide,
    interval_width,
    is_underpowered,
    nearness,
)
from plugineval_action.certify.playing import TASKS
from plugineval_action.certify.run import Measured
from plugineval_action.layers.judge.reading import SELF_CONSISTENCY
from plugineval_action.layers.judge.rubrics import VERSION
from plugineval_action.results import Composite, LayerResult, Result

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = f"{PROJECT_URL}/blob/main/docs/certificates.md#v1"
VALID_DAYS: Final = 90
"""Models change: what one of them said holds for a quarter of a year, unless told otherwise."""

_MOST_NOTES: Final = 200
_LONGEST: Final = 4096
"""Characters of a text, as in the schema."""

Data = dict[str, Any]


class Terms(NamedTuple):
    """What a certificate was made under.

    `issued` is the time of the run in UTC. `revision` is the commit that was checked out, None
    if unknown; `announced` what was told beforehand that all skills of the run would cost, split
    evenly, None if a price is unknown.
    """

    settings: Settings
    opponents: int
    issued: datetime
    days: int
    revision: str | None
    announced: float | None


def statement(measured: Measured, terms: Terms) -> Data:
    """The certificate, with the checksum of everything else in it."""
    entry = measured.subject.entry
    whole: Data = {
        "_type": STATEMENT,
        "subject": [{"name": entry.path or entry.name, "digest": {"sha256": entry.digest}}],
        "predicateType": PREDICATE,
        "predicate": _predicate(measured, terms),
    }
    told: Data = _plain(whole)
    told["predicate"]["checksum"] = checksum(told)
    return told


def _plain(value: object) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Data as it will be read again: no lone surrogate, no text without an end, no named tuple."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()[:_LONGEST]
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def checksum(certificate: Mapping[str, Any]) -> str:
    """SHA-256 of a certificate without its checksum, as JSON with sorted keys and no spaces.

    It finds a slip of the hand. Whoever forges a certificate can compute it, too: who issued one
    is what the attestation proves.
    """
    predicate = {key: one for key, one in certificate["predicate"].items() if key != "checksum"}
    plain = {**certificate, "predicate": predicate}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _predicate(measured: Measured, terms: Terms) -> Data:
    settings, result = terms.settings, measured.result
    decision = decide(measured, settings.depth)
    composite = result.composite
    return {
        "outcome": decision.outcome,
        "reasons": list(decision.reasons),
        "skill": {
            "name": measured.subject.entry.name,
            "path": measured.subject.entry.path,
            "files": len(measured.subject.unit.files),
            "revision": terms.revision,
        },
        "tool": {"name": "plugineval-action", "version": __version__},
        "issued": terms.issued.isoformat(timespec="seconds"),
        "expires": (terms.issued + timedelta(days=terms.days)).isoformat(timespec="seconds"),
        "ruleset": result.ruleset,
        "prompts": VERSION,
        "depth": settings.depth,
        "label": composite.confidence_label if composite else None,
        "models": {
            "judge": settings.panel.judge,
            "writer": settings.panel.writer,
            "executor": settings.executor,
        },
        "terms": {
            "judges": settings.panel.judges,
            "runs": RUNS[settings.depth],
            "max_chars": settings.max_chars,
            "opponents": terms.opponents,
            "tasks": TASKS,
        },
        "badge": {
            "name": decision.badge,
            "by_score": decision.by_score,
            "by_rating": decision.by_rating,
        },
        "score": _score(composite) if composite else None,
        "dimensions": _dimensions(composite) if composite else [],
        "measures": [
            {"layer": layer.layer, **one._asdict()}
            for layer in result.layers
            for one in layer.measures
        ],
        "static": {
            "score": result.layers[0].score,
            "flags": [flag.flag for flag in result.layers[0].anti_patterns],
        },
        "agreement": _agreement(result.layers),
        "games": _games(measured),
        "elo": measured.elo._asdict() if measured.elo else None,
        "strength": _strength(measured),
        "cost": _cost(measured, terms),
        "not_measured": _not_measured(result),
        "notes": [*result.notes, *measured.played.notes][:_MOST_NOTES],
    }


def _score(composite: Composite) -> Data:
    near = nearness(composite)
    width = interval_width(composite)
    return {
        "value": composite.score,
        "ci_lower": composite.ci_lower,
        "ci_upper": composite.ci_upper,
        "ci_covers": composite.ci_covers,
        "reach": None if width is None else width / 2,
        "furthest": FURTHEST,
        "underpowered": is_underpowered(width),
        "above_line": near.above,
        "to_next_line": near.below,
        "crosses": list(near.crossed),
    }


def _dimensions(composite: Composite) -> list[Data]:
    return [one._asdict() for one in composite.dimensions]


def _agreement(layers: tuple[LayerResult, ...]) -> Data | None:
    found = [one for layer in layers for one in layer.measures if one.name == SELF_CONSISTENCY]
    if not found:
        return None
    return {key: found[0]._asdict()[key] for key in ("value", "n", "method", "reason")}


def _games(measured: Measured) -> Data:
    played = measured.played
    found: Bias = bias(played.games)
    return {
        "played": len(played.games),
        "lost": played.lost,
        "flips": found.flips,
        "flip_rate": found.flips / found.games if found.games else None,
        "first_preferred": found.first,
        "first_preferred_ci": list(found.interval) if found.interval else None,
        "same_category": measured.references.same_category,
        "same_size": measured.references.same_size,
        "references": [
            {"name": one.name, "path": one.path, "digest": one.digest, "rating": one.rating}
            for one in measured.references.chosen
        ],
    }


def _strength(measured: Measured) -> Data | None:
    one = measured.strength
    if one.rating is None:
        return None
    return {
        "rating": one.rating,
        "ci_lower": one.ci_lower,
        "ci_upper": one.ci_upper,
        "games": one.games,
        "comparable": measured.group - 1,
    }


def _cost(measured: Measured, terms: Terms) -> Data:
    known = [one.usd for one in measured.usage if one.usd is not None]
    return {
        "usd": fsum(known) if len(known) == len(measured.usage) else None,
        "announced_usd": terms.announced,
        "models": [one._asdict() for one in measured.usage],
    }


def _not_measured(result: Result) -> list[Data]:
    """Dimensions and numbers that nobody has, each with the reason that tells most."""
    told = {
        one.name: "No layer of this depth measures it."
        for one in (result.composite.dimensions if result.composite else ())
        if one.score is None
    }
    measures = (one for layer in result.layers for one in layer.measures)
    told |= {one.name: one.reason for one in measures if one.value is None}
    told |= {one.name: one.reason for one in result.extras if one.value is None}
    return [{"what": name, "reason": reason} for name, reason in told.items()]
