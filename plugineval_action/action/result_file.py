"""result.json: the result for other programs, and a sign for the job that posts with other rights.

docs/schema/result.schema.json describes the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from plugineval_action.action.gate import Gate
from plugineval_action.errors import UsageError
from plugineval_action.escape import json_text, printable, shorten
from plugineval_action.evals.compared import NO_EVALS, Evals, SkillEvals
from plugineval_action.results import Composite, LayerResult, Part, Result
from plugineval_action.review.urgency import side, urgent_first
from plugineval_action.review_values import Change, Review
from plugineval_action.scoring import delta
from plugineval_action.scoring.points import points_of

FOLDER: Final = "plugin-eval"
NAME: Final = "result.json"
FORMAT: Final = "plugineval-result/1"
MOST_REASONS: Final = 20
MOST_NOTES: Final = 20
TEXT_LIMIT: Final = 500
PATH_LIMIT: Final = 1_000
"""Characters; longer ones are cut."""

_UNSTEADY: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, those that turn the reading direction, and lone surrogates."""

Json = dict[str, Any]
Key = tuple[str, str]
"""The sub-score and the name of a part."""


def render(review: Review, gate: Gate, evals: Evals = NO_EVALS) -> str:
    """The result as JSON, changes in the order of the comment's table."""
    # Only where nothing else changed does a comment speak of what is inside a plugin.
    whole = all(side(change).kind == "plugin" for change in review.changes)
    document = {
        "format": FORMAT,
        "base": review.base or None,
        "head": review.head,
        "ruleset": review.ruleset,
        "gate": {"passed": gate.passed, "reasons": [*map(_text, gate.reasons[:MOST_REASONS])]},
        "unchanged": review.unchanged,
        "changes": [_change(change, whole=whole) for change in urgent_first(review)],
        "failures": [
            {"path": _path(each.path), "message": _text(each.message), "remedy": _text(each.remedy)}
            for each in review.failures
        ],
        "findings": [_problem(each._asdict()) for each in review.findings],
        "evals": [_evals(each) for each in evals.skills],
        "eval_problems": [*map(_text, evals.problems[:MOST_NOTES])],
    }
    dumped = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return json_text(dumped) + "\n"


def write_result(temp: Path, text: str) -> Path:
    """Put the result where later steps find it. Raises UsageError if that fails."""
    return keep(temp, NAME, text)


def keep(temp: Path, name: str, text: str) -> Path:
    """Write a file that outlives the step. Raises UsageError if that fails."""
    path = temp / FOLDER / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written ({error.strerror}).",
            "RUNNER_TEMP has to be a folder with room in it.",
        ) from error
    return path


def empty(temp: Path, folder: str) -> None:
    """Take away what an earlier step of the job has left in a folder. Raises UsageError."""
    path = temp / FOLDER / folder
    try:
        if path.exists():
            rmtree(path)
    except OSError as error:
        what = f"{path} cannot be emptied ({error.strerror})."
        raise UsageError(what, "Use one RUNNER_TEMP for one job.") from error


def _change(change: Change, *, whole: bool) -> Json:
    before, after = change.before, change.after
    return {
        "status": change.status,
        "verdict": delta.verdict(change),
        "points": delta.points(change),
        "before": _result(before, after, whole=whole) if before else None,
        "after": _result(after, before, whole=whole) if after else None,
    }


def _result(result: Result, other: Result | None, *, whole: bool) -> Json:
    """One side, without the parts that no comment speaks of: at their best, here and there."""
    elsewhere = dict(_points(other)) if other else {}

    def is_telling(key: Key, part: Part) -> bool:
        return part.points < part.best or elsewhere.get(key, part.points) != part.points

    score = points_of(result)
    return {
        "kind": result.kind,
        "name": _text(result.name),
        "path": _path(result.path),
        "score": score,
        "unscored": None if result.unscored is None else _text(result.unscored),
        **_composite(result.composite),
        "layers": [_layer(layer, is_telling) for layer in result.layers],
        "notes": [*map(_text, result.notes[:MOST_NOTES])],
        "model_usage": [usage._asdict() for usage in result.model_usage],
        "findings": [_problem(each._asdict()) for each in result.findings],
        "members": [_result(each, None, whole=False) for each in result.members if whole],
    }


def _composite(composite: Composite | None) -> Json:
    return {
        "badge": composite.badge if composite else None,
        "confidence_label": composite.confidence_label if composite else None,
        "anti_pattern_penalty": composite.anti_pattern_penalty if composite else None,
        "ci_lower": composite.ci_lower if composite else None,
        "ci_upper": composite.ci_upper if composite else None,
        "dimensions": {each.name: each.score for each in composite.dimensions} if composite else {},
    }


def _layer(layer: LayerResult, is_telling: Callable[[Key, Part], bool]) -> Json:
    return {
        "layer": layer.layer,
        "score": layer.score,
        "sub_scores": [
            {
                "name": sub.name,
                "score": sub.score,
                "parts": [
                    _part(part) for part in sub.parts if is_telling((sub.name, part.name), part)
                ],
            }
            for sub in layer.sub_scores
        ],
        "anti_patterns": [_problem(each._asdict()) for each in layer.anti_patterns],
    }


def _evals(one: SkillEvals) -> Json:
    """Of a skill: every case as it stands, and what became of it since the baseline."""
    return {
        "skill": one.summary.skill,
        "harness": one.harness,
        "source": _path(one.source),
        "cases": [
            {"id": case.case.id, "state": case.state, "passed": case.passed, "graded": case.graded}
            for case in one.summary.cases
        ],
        "not_run": one.summary.not_run,
        "changes": one.changes._asdict() if one.changes else None,
    }


def _part(part: Part) -> Json:
    return {
        "name": part.name,
        "points": part.points,
        "best": part.best,
        "found": _text(part.found),
        "lines": list(part.lines),
    }


def _problem(fields: Json) -> Json:
    """An anti-pattern or finding, without what the rule catalogue says."""
    said = "description" if "description" in fields else "message"
    kept = {name: value for name, value in fields.items() if name not in ("severity", "remedy")}
    return {**kept, said: _text(fields[said]), "path": _path(fields["path"])}


def _points(result: Result) -> Iterator[tuple[Key, float]]:
    """What each part adds."""
    for layer in result.layers:
        for sub in layer.sub_scores:
            yield from (((sub.name, part.name), part.points) for part in sub.parts)


def _text(text: str) -> str:
    return _steady(text, TEXT_LIMIT)


def _path(path: str) -> str:
    return _steady(path, PATH_LIMIT)


def _steady(text: str, limit: int) -> str:
    """Text without what steers a terminal or a reader, that looks the same in a comment."""
    said = _UNSTEADY.sub(lambda found: printable(found[0]) or " ", text)
    return said if len(said) <= limit else shorten(said, limit)
