"""Results as plain data for JSON, without what the rule catalogue says already.

Scores of results are on 0 to 100 and unrounded, those of dimensions in [0, 1]. What was not
measured is null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from plugineval_action.escape import json_text
from plugineval_action.results import AntiPattern, Failure, Finding, Improvement, Result
from plugineval_action.scoring.points import points_of

Data = dict[str, Any]


def dump(data: Data) -> str:
    """Data as a JSON document that is safe to print."""
    return f"{_indented(data)}\n"


def dump_long(data: Data, key: str, items: Iterable[Data]) -> str:
    """The same, with items in the empty list under a key: never all of them are data at once."""
    before, empty, after = dump(data).partition(f'\n  "{key}": []')
    found = ",".join("\n    " + _indented(item).replace("\n", "\n    ") for item in items)
    return f"{before}{empty[:-1]}{found}\n  ]{after}" if found else before + empty + after


def _indented(data: Data) -> str:
    return json_text(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False))


def result_data(result: Result) -> Data:
    """A result without its members; `unscored` says why `score` is null, and is null otherwise."""
    composite, score = result.composite, points_of(result)
    return {
        "kind": result.kind,
        "name": result.name,
        "path": result.path or ".",
        "score": score,
        "unscored": (result.unscored or "No reason was given.") if score is None else None,
        "badge": composite.badge if composite else None,
        "confidence_label": composite.confidence_label if composite else None,
        "anti_pattern_penalty": composite.anti_pattern_penalty if composite else None,
        "dimensions": {each.name: each.score for each in composite.dimensions} if composite else {},
        "anti_patterns": [
            anti_pattern_data(each) for layer in result.layers for each in layer.anti_patterns
        ],
        "findings": [finding_data(each) for each in result.findings],
    }


def anti_pattern_data(found: AntiPattern) -> Data:
    """An anti-pattern and where it stands."""
    return {
        "flag": found.flag,
        "description": found.description,
        "path": found.path,
        "line": found.line,
        "end_line": found.end_line,
    }


def improvement_data(improvement: Improvement) -> Data:
    """Something to fix and what it is worth."""
    return dict(improvement._asdict())


def failure_data(failure: Failure) -> Data:
    """A path that could not be scored."""
    return dict(failure._asdict())


def finding_data(found: Finding) -> Data:
    """A finding and where it stands."""
    return {
        "rule": found.rule,
        "level": found.level,
        "message": found.message,
        "path": found.path,
        "line": found.line,
        "end_line": found.end_line,
    }
