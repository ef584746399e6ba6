"""What a certificate says of a skill, part by part. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from math import fsum
from typing import Any, Final, NamedTuple

from plugineval_action import __version__
from plugineval_action.assess import RUNS, Settings
from plugineval_action.certify.evals_kept import HarnessEvals, KeptEvals
from plugineval_action.certify.games import Bias, bias
from plugineval_action.certify.outcome import (
    FURTHEST,
    decide,
    surroundings,
)
from plugineval_action.certify.playing import TASKS
from plugineval_action.certify.run import Measured
from plugineval_action.layers.judge.reading import SELF_CONSISTENCY
from plugineval_action.layers.judge.rubrics import VERSION
from plugineval_action.results import Composite, LayerResult, Result

_MOST_NOTES: Final = 200

Data = dict[str, Any]


class Terms(NamedTuple):
    """What a certificate was made under.

    `issued` is the time of the run in UTC, `days` how long it holds. `announced` is what was told
    beforehand that all skills of the run would cost, split evenly, None if a price is unknown.
    """

    settings: Settings
    opponents: int
    issued: datetime
    days: int
    announced: float | None


def predicate_of(measured: Measured, terms: Terms) -> Data:
    """Everything that was found out about a skill, and how."""
    return {
        **_verdict(measured, terms),
        **_origin(measured, terms),
        **_how(measured, terms),
        **_quality(measured.result),
        "evals": _evals(measured.subject.evals),
        **_standing(measured),
        **_limits(measured, terms),
    }


def _verdict(measured: Measured, terms: Terms) -> Data:
    decision = decide(measured, terms.settings.depth)
    return {
        "outcome": decision.outcome,
        "reasons": list(decision.reasons),
        "badge": {
            "name": decision.badge,
            "by_score": decision.by_score,
            "by_rating": decision.by_rating,
        },
    }


def _origin(measured: Measured, terms: Terms) -> Data:
    """Which skill, by whom, and when."""
    subject = measured.subject
    return {
        "skill": {
            "name": subject.entry.name,
            "path": subject.entry.path,
            "files": len(subject.unit.files),
            "revision": subject.revision,
        },
        "tool": {"name": "plugineval-action", "version": __version__},
        "issued": terms.issued.isoformat(timespec="seconds"),
        "expires": (terms.issued + timedelta(days=terms.days)).isoformat(timespec="seconds"),
    }


def _how(measured: Measured, terms: Terms) -> Data:
    """Which rules and models, and how much of them."""
    settings, composite = terms.settings, measured.result.composite
    panel = settings.panel
    return {
        "ruleset": measured.result.ruleset,
        "prompts": VERSION,
        "depth": settings.depth,
        "label": composite.confidence_label if composite else None,
        "models": {"judge": panel.judge, "writer": panel.writer, "executor": settings.executor},
        "terms": {
            "judges": panel.judges,
            "runs": RUNS[settings.depth],
            "max_chars": settings.max_chars,
            "opponents": terms.opponents,
            "tasks": TASKS,
        },
    }


def _quality(result: Result) -> Data:
    """How good the skill is, and how sure that is."""
    composite, static = result.composite, result.layers[0]
    dimensions = composite.dimensions if composite else ()
    return {
        "score": _score(composite) if composite else None,
        "dimensions": [one._asdict() for one in dimensions],
        "measures": [
            {"layer": layer.layer, **one._asdict()}
            for layer in result.layers
            for one in layer.measures
        ],
        "static": {
            "score": static.score,
            "flags": [flag.flag for flag in static.anti_patterns],
        },
        "agreement": _agreement(result.layers),
    }


def _standing(measured: Measured) -> Data:
    """Where it stands among others."""
    return {
        "games": _games(measured),
        "elo": measured.elo._asdict() if measured.elo else None,
        "strength": _strength(measured),
    }


def _limits(measured: Measured, terms: Terms) -> Data:
    """What it took, and what is missing."""
    return {
        "cost": _cost(measured, terms),
        "not_measured": _not_measured(measured.result, measured.subject.evals),
        "notes": [*measured.result.notes, *measured.played.notes][:_MOST_NOTES],
    }


def _score(composite: Composite) -> Data:
    low, high = composite.ci_lower, composite.ci_upper
    return {
        "value": composite.score,
        "ci_lower": low,
        "ci_upper": high,
        "ci_covers": composite.ci_covers,
        "furthest": FURTHEST,
        **surroundings(composite.score, composite.badge, low, high),
    }


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


def _evals(kept: KeptEvals) -> Data | None:
    if not kept.results:
        return None
    return {
        "file": kept.file,
        "digest": kept.digest,
        "results": [_harness(one) for one in kept.results],
    }


def _harness(one: HarnessEvals) -> Data:
    interval = one.rate.interval
    return {
        "harness": one.harness,
        "cases": one.cases,
        "runs": one.rate.runs,
        "passed": one.rate.hits,
        "share": one.rate.share,
        "ci_lower": interval.low if interval else None,
        "ci_upper": interval.high if interval else None,
    }


def _not_measured(result: Result, evals: KeptEvals) -> list[Data]:
    """Dimensions and numbers that nobody has, each with the reason that tells most."""
    told = {
        one.name: "No layer of this depth measures it."
        for one in (result.composite.dimensions if result.composite else ())
        if one.score is None
    }
    measures = (one for layer in result.layers for one in layer.measures)
    told |= {one.name: one.reason for one in measures if one.value is None}
    told |= {one.name: one.reason for one in result.extras if one.value is None}
    if evals.reason:
        told["evals"] = evals.reason
    return [{"what": name, "reason": reason} for name, reason in told.items()]
