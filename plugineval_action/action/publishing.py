"""Bring a review onto GitHub: comment, check run or annotations, summary, outputs, files.

Nothing that GitHub refuses loses a result: it is in the summary, the outputs and result.json all
the same, and the exit code comes last.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from plugineval_action.action import result_file
from plugineval_action.action.check_run import as_commands, plan_check, publish_check
from plugineval_action.action.gate import Gate
from plugineval_action.action.outputs import outputs, write_outputs
from plugineval_action.action.run import Run, say, tell
from plugineval_action.action.sticky_comment import News, news, publish_comment
from plugineval_action.action.summary import report, write_summary
from plugineval_action.errors import UsageError
from plugineval_action.gh.outcome import Denied, Outcome, Published, Skipped, Unchanged
from plugineval_action.render.review.annotations import Changed, Chosen, Remark, choose
from plugineval_action.render.review.job_summary import render_summary
from plugineval_action.results import Review

COMMENT, CHECK = "comment", "check run"


class Annotated(NamedTuple):
    """What became of the check run, and the problems that no annotation shows."""

    check: Outcome
    rest: tuple[Remark, ...]


def publish(
    run: Run, review: Review, gate: Gate, changed: Changed | None, number: int | None
) -> None:
    """Publish a review in every place that the plan names."""
    said = news(review, gate, run.links())
    comment = _comment(run, said, number)
    annotated = _annotate(run, review, gate, said, choose(review, changed))
    outcomes = {COMMENT: comment, CHECK: annotated.check}
    write_all(run, review, gate, outcomes, annotated.rest)
    _log(said, gate, outcomes)


def write_all(
    run: Run,
    review: Review,
    gate: Gate,
    outcomes: Mapping[str, Outcome],
    rest: tuple[Remark, ...] = (),
) -> None:
    """The files of a run: result.json, outputs, summary. Raises UsageError after all of them."""
    settings = run.settings
    notes = (*run.plan.reasons, *settings.notices, *_advice(run, outcomes))
    text = render_summary(report(review, gate, rest, outcomes, notes), run.links())
    tell("warning", filter(None, [write_summary(_path(settings.step_summary), text)]))
    seen, refusal = "", None
    try:
        path = result_file.write_result(run.temp, result_file.render(review, gate))
        seen = settings.seen_later(path.relative_to(run.temp).as_posix())
    except UsageError as error:
        refusal = error
    if settings.output:
        values = outputs(review, gate, outcomes[COMMENT], outcomes[CHECK], seen)
        write_outputs(Path(settings.output), values)
    if refusal:
        raise refusal


def _path(name: str | None) -> Path | None:
    return Path(name) if name else None


def _comment(run: Run, said: News, number: int | None) -> Outcome:
    if number is None:
        return Skipped("There is no pull request to comment on.")
    return publish_comment(run.github, number, said, run.plan.comment)


def _annotate(run: Run, review: Review, gate: Gate, said: News, chosen: Chosen) -> Annotated:
    mode = run.plan.annotations
    if mode == "off":
        remarks = (*chosen.remarks, *chosen.rest)
        return Annotated(Skipped("Annotations are switched off."), remarks)
    check: Outcome = Skipped("Annotations are made by workflow commands.")
    if mode == "check":
        plan = plan_check(review, said.body, gate, chosen)
        check = publish_check(run.github, plan, run.plan.head, run.settings.run_url)
        if isinstance(check, Published | Unchanged):
            return Annotated(check, chosen.rest)
    lines, fewer = as_commands(chosen)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return Annotated(check, fewer.rest)


def _advice(run: Run, outcomes: Mapping[str, Outcome]) -> tuple[str, ...]:
    denied = any(isinstance(outcome, Denied) for outcome in outcomes.values())
    return (run.plan.if_denied,) if denied else ()


def _log(said: News, gate: Gate, outcomes: Mapping[str, Outcome]) -> None:
    if said.body is None:
        say("Nothing to score: the change touches no skill, agent or plugin.")
    else:
        say(said.body.split("\n", 2)[1].lstrip("# "))
    for what, outcome in outcomes.items():
        say(f"{what}: {_told(outcome)}")
    tell("failure", gate.reasons)


def _told(outcome: Outcome) -> str:
    match outcome:
        case Published(url):
            return f"published, {url}"
        case Unchanged(url):
            return f"unchanged, {url}"
        case Denied(permission):
            return f"the token lacks the permission {permission}"
        case Skipped(reason):
            return reason
