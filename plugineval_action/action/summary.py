"""The job summary: written whatever happens, and never the reason that a run fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from plugineval_action.action.gate import Gate
from plugineval_action.gh.commands import append_summary
from plugineval_action.gh.outcome import Denied, Outcome, Published, Skipped
from plugineval_action.render.review.annotations import Remark
from plugineval_action.render.review.job_summary import Missing, Report
from plugineval_action.review_values import Review


def report(
    review: Review,
    gate: Gate,
    unannotated: tuple[Remark, ...],
    outcomes: Mapping[str, Outcome],
    notes: tuple[str, ...] = (),
) -> Report:
    """What to tell; `outcomes` by what was to be published, such as "comment" or "check run"."""
    missing = tuple(
        Missing(what, outcome.permission)
        for what, outcome in outcomes.items()
        if isinstance(outcome, Denied)
    )
    told = (*dict.fromkeys([*notes, *_skipped(outcomes)]),)
    return Report(review, gate.reasons, unannotated, missing, told)


def write_summary(path: Path, text: str) -> str:
    """Add to the step's summary; why that could not be done, "" if it was."""
    try:
        append_summary(path, text)
    except OSError as error:
        return f"The job summary could not be written ({error.strerror})."
    return ""


def _skipped(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    for each in outcomes.values():
        if isinstance(each, Skipped):
            yield each.reason
        elif isinstance(each, Published) and each.missing:
            yield each.missing
