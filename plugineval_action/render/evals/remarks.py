"""Newly broken cases as annotations, on the lines of the files that hold the cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.escape import shorten
from plugineval_action.evals.compared import Evals, SkillEvals
from plugineval_action.render.evals.view import row_of
from plugineval_action.render.review.annotations import Remark

WHY_LIMIT: Final = 400


def broken_remarks(evals: Evals) -> tuple[Remark, ...]:
    """One for each case that broke and whose line is known."""
    return tuple(remark for one in evals.skills for remark in _of(one))


def _of(one: SkillEvals) -> Iterator[Remark]:
    for case in one.summary.cases:
        line = one.lines.get(case.case.id)
        if line is None or one.changes is None or case.case.id not in one.changes.broken:
            continue
        row = row_of(case, one.changes)
        yield Remark(
            level="error",
            title="Eval broken",
            message=(
                f"{row.id} of {one.summary.skill} passed at the baseline and fails now with"
                f" {one.harness}.\n{shorten(row.why, WHY_LIMIT)}"
            ),
            path=one.file,
            line=line,
            end_line=line,
        )
