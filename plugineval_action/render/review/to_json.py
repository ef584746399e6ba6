"""A review for machines, with all that the comment folds or leaves out.

docs/schema/review.schema.json describes it.
"""

from __future__ import annotations

from typing import Final

from plugineval_action.render.result_data import (
    Data,
    anti_pattern_data,
    dump,
    failure_data,
    finding_data,
    improvement_data,
    result_data,
)
from plugineval_action.render.review.detail import moved_parts
from plugineval_action.review.urgency import urgent_first
from plugineval_action.review_values import Change, Review
from plugineval_action.scoring import delta
from plugineval_action.scoring.advice import improvements

FORMAT: Final = "plugineval-review/1"


def render(review: Review) -> str:
    """The review as JSON, changes in the order of the comment's table."""
    return dump(
        {
            "format": FORMAT,
            "base": review.base,
            "head": review.head,
            "ruleset": review.ruleset,
            "summary": _summary(review),
            "changes": [_change(change) for change in urgent_first(review)],
            "failures": [failure_data(failure) for failure in review.failures],
            "findings": [finding_data(found) for found in review.findings],
            "mechanical": [each._asdict() for each in review.mechanical],
        }
    )


def _summary(review: Review) -> Data:
    counted = delta.summary(review)
    return {
        "better": counted.better,
        "worse": counted.worse,
        "same": counted.same,
        "new": counted.new,
        "removed": counted.removed,
        "unscored": counted.unscored,
        "failed": counted.failed,
        "unchanged": review.unchanged,
    }


def _change(change: Change) -> Data:
    return {
        "status": change.status,
        "verdict": delta.verdict(change),
        "points": delta.points(change),
        "before": result_data(change.before) if change.before else None,
        "after": result_data(change.after) if change.after else None,
        "new_anti_patterns": [anti_pattern_data(each) for each in delta.new_flags(change)],
        "fixed_anti_patterns": [anti_pattern_data(each) for each in delta.fixed_flags(change)],
        "moved_parts": [
            {
                "sub_score": moved.sub_score,
                "part": moved.after.name,
                "before": moved.before.points,
                "after": moved.after.points,
                "found": moved.after.found,
                "lines": list(moved.after.lines),
            }
            for moved in moved_parts(change)
        ],
        "improvements": [
            improvement_data(each) for each in (improvements(change.after) if change.after else ())
        ],
    }
