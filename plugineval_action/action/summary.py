"""The job summary: written whatever happens, and never the reason that a run fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from plugineval_action.action.gate import Gate
from plugineval_action.gh.commands import append_summary
from plugineval_action.gh.outcome import Denied, Outcome, Skipped
from plugineval_action.render.review.annotations import Remark
from plugineval_action.render.review.job_summary import Missing, Report
from plugineval_action.results import Review


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
    return Report(review, gate.reasons, unannotated, missing, (*notes, *_skipped(outcomes)))


def write_summary(path: Path | None, text: str) -> str:
    """Add to the step's summary; why that could not be done, "" if it was or nobody asked."""
    if path is None:
        return ""
    try:
        append_summary(path, text)
    except OSError as error:
        return f"The job summary could not be written ({error.strerror})."
    return ""


def _skipped(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    yield from (each.reason for each in outcomes.values() if isinstance(each, Skipped))
