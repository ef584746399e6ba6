"""`--output json` and `jsonl`: the shape of the reference implementation, and more beside it.

A lone result is an object of its own; several stand under `results`, beside `failures`. With
`jsonl` each result and failure is one line. docs/schema/score.schema.json describes all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from plugineval_action.escape import json_text
from plugineval_action.findings.problems import rule_url
from plugineval_action.render.json_pieces import filled
from plugineval_action.render.view import ScoreRun, below_threshold, refusals
from plugineval_action.results import (
    AntiPattern,
    Composite,
    Dimension,
    Failure,
    Finding,
    LayerResult,
    ModelUsage,
    Result,
    SubScore,
)
from plugineval_action.scoring.advice import improvements
from plugineval_action.scoring.remedies import remedy

Json = dict[str, Any]

_REFERENCE: Final = "reference/"


def render(run: ScoreRun) -> str:
    """The run as one JSON document, or as one line for each result and failure with `jsonl`."""
    if run.output_format == "jsonl":
        return "".join(line(one, run) for one in chain[Result | Failure](run.results, run.failures))
    return "".join(pieces(run))


def pieces(run: ScoreRun) -> Iterator[str]:
    """The document bit by bit."""
    if len(run.results) == 1 and not run.failures:
        yield f"{_dump(_result(run.results[0], run), indent=2)}\n"
        return
    around = _dump(_several(run._replace(results=())), indent=2)
    results = (_dump(_result(result, run), indent=2) for result in run.results)
    yield from filled(f"{around}\n", "results", results)


def line(one: Result | Failure, run: ScoreRun) -> str:
    """A result or failure as a line of `jsonl`; of the run its settings count, not its results."""
    value = _failure(one) if isinstance(one, Failure) else _result(one, run)
    return f"{_dump(value, indent=None)}\n"


def _dump(value: Json, indent: int | None) -> str:
    separators = (",", ":") if indent is None else None
    return json_text(json.dumps(value, ensure_ascii=False, indent=indent, separators=separators))


def _several(run: ScoreRun) -> Json:
    return {
        "timestamp": run.timestamp,
        "config": _config(run),
        "results": [_result(result, run) for result in run.results],
        "failures": [_failure(failure) for failure in run.failures],
        "findings": [_finding(finding) for finding in run.findings],
        "notes": list(run.notes),
        "total_duration_ms": run.duration_ms,
    }


def _failure(failure: Failure) -> Json:
    error = {"message": failure.message, "remedy": failure.remedy}
    return {"path": failure.path, "error": error}


def _result(result: Result, run: ScoreRun) -> Json:
    scored = _scored(result)
    return {
        "plugin_path": result.path or ".",
        "timestamp": run.timestamp,
        "config": _config(run) | _asked(result),
        "layers": scored.pop("layers"),
        "composite": scored.pop("composite"),
        "elo": None,
        "model_usage": {each.model: _usage(each) for each in result.model_usage},
        "total_duration_ms": run.duration_ms,
        "ruleset": result.ruleset,
        "depth": run.depth_run,
        "threshold": run.threshold,
        "fail_on": run.fail_on,
        "passed": _passed(result, run),
        "notes": [*run.notes, *result.notes],
        **scored,
    }


def _usage(usage: ModelUsage) -> Json:
    return {name: value for name, value in usage._asdict().items() if name != "model"}


def _asked(result: Result) -> Json:
    """How often each verdict was asked for, and how many runs were planned."""
    metadata = {layer.layer: layer.metadata for layer in result.layers}
    return {
        "judges": metadata.get("judge", {}).get("judges", 1),
        "monte_carlo_n": metadata.get("monte_carlo", {}).get("runs_planned"),
    }


def _passed(result: Result, run: ScoreRun) -> bool | None:
    """None where nothing is asked of it: no `fail_on`, and no threshold that it could meet."""
    if refusals(result, run.fail_on) or below_threshold(result, run.threshold):
        return False
    asked = run.fail_on != "never" or (run.threshold is not None and result.composite is not None)
    return True if asked else None


def _config(run: ScoreRun) -> Json:
    """What was asked for; `depth` of a result says what ran."""
    return {
        "depth": run.depth_asked,
        "concurrency": run.concurrency,
        "output_format": run.output_format,
        "verbose": run.verbose,
        "corpus_path": None,
        "judges": 1,
        "monte_carlo_n": None,
    }


def _scored(result: Result) -> Json:
    """What a result and a member of a plugin have in common."""
    composite = result.composite
    unmeasured = 0.0 if result.ruleset.startswith(_REFERENCE) else None
    return {
        "kind": result.kind,
        "name": result.name,
        "path": result.path or ".",
        "layers": [_layer(layer, result) for layer in result.layers],
        "composite": _composite(composite, result, unmeasured) if composite else None,
        "unscored": result.unscored,
        "agent_score": result.agent_score,
        "findings": [_finding(finding) for finding in result.findings],
        "improvements": [improvement._asdict() for improvement in improvements(result)],
        "extras": [{**one._asdict(), "evidence": list(one.evidence)} for one in result.extras],
        "methodology": result.methodology,
        "members": [_scored(member) for member in result.members],
    }


def _layer(layer: LayerResult, result: Result) -> Json:
    return {
        "layer": layer.layer,
        "score": layer.score,
        "sub_scores": _sub_scores(layer, result),
        "anti_patterns": [_anti_pattern(found) for found in layer.anti_patterns],
        "metadata": dict(layer.metadata),
        "parts": {sub.name: _parts(sub) for sub in layer.sub_scores},
        "measures": [measure._asdict() for measure in layer.measures],
        "evidence": [{**one._asdict(), "quotes": list(one.quotes)} for one in layer.evidence],
        "notes": list(layer.notes),
    }


def _sub_scores(layer: LayerResult, result: Result) -> Json:
    if result.kind != "plugin":
        return {sub.name: sub.score for sub in layer.sub_scores}
    scored = [member for member in result.members if member.layers]
    return {
        f"{kind}_scores": [each.layers[0].score for each in scored if each.kind == kind]
        for kind in ("skill", "agent")
    }


def _parts(sub: SubScore) -> list[Json]:
    return [
        {**part._asdict(), "lines": list(part.lines), "remedy": remedy(sub.name, part)}
        for part in sub.parts
    ]


def _anti_pattern(found: AntiPattern) -> Json:
    return {**found._asdict(), "url": rule_url(found.flag)}


def _finding(finding: Finding) -> Json:
    return {**finding._asdict(), "url": rule_url(finding.rule)}


def _composite(composite: Composite, result: Result, unmeasured: float | None) -> Json:
    """`unmeasured` is what stands for the score of a dimension that no layer measured."""
    return {
        "score": composite.score,
        "ci_lower": composite.ci_lower,
        "ci_upper": composite.ci_upper,
        "ci_covers": composite.ci_covers,
        "anti_pattern_penalty": composite.anti_pattern_penalty,
        "dimensions": [
            _dimension(dimension, result, unmeasured) for dimension in composite.dimensions
        ],
        "badge": composite.badge,
        "confidence_label": composite.confidence_label,
    }


def _dimension(dimension: Dimension, result: Result, unmeasured: float | None) -> Json:
    score = unmeasured if dimension.score is None else dimension.score
    return {
        "name": dimension.name,
        "weight": dimension.weight,
        "score": score,
        "ci_lower": dimension.ci_lower,
        "ci_upper": dimension.ci_upper,
        "grade": dimension.grade,
        "evidence": [
            quote
            for layer in result.layers
            for one in layer.evidence
            if one.dimension == dimension.name
            for quote in one.quotes
        ],
        "weighted_score": None if score is None else dimension.weight * score,
    }
