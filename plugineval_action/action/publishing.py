"""Bring a review onto GitHub: comment, check run or annotations, summary, outputs, files.

result.json is kept before anything goes out. Nothing that GitHub refuses loses a result: it is in
the summary, the outputs and result.json all the same, and the exit code comes last.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from plugineval_action.action.check_run import CheckPlan, as_commands, plan_check, publish_check
from plugineval_action.action.ending import end_with
from plugineval_action.action.files import Kept, keep_result, keep_sarif
from plugineval_action.action.gate import Gate, in_one
from plugineval_action.action.outputs import eval_outputs, outputs
from plugineval_action.action.run import BROKEN, GATE_FAILED, PASSED, Run, say, tell
from plugineval_action.action.sticky_comment import News, news, publish_comment
from plugineval_action.action.suggestions import publish_suggestions
from plugineval_action.action.summary import report
from plugineval_action.evals.compared import NO_EVALS, Evals
from plugineval_action.gh.errors import GitHubError
from plugineval_action.gh.outcome import Denied, Outcome, Published, Skipped, Unchanged
from plugineval_action.render.evals.remarks import broken_remarks
from plugineval_action.render.review.annotations import (
    Changed,
    Chosen,
    Remark,
    choose,
    with_remarks,
)
from plugineval_action.render.review.comment import headline
from plugineval_action.render.review.job_summary import render_summary
from plugineval_action.review_values import Review

COMMENT, CHECK = "comment", "check run"


class Annotated(NamedTuple):
    """What became of the check run, and the problems that no annotation shows."""

    check: Outcome
    rest: tuple[Remark, ...]


def publish(
    run: Run, review: Review, gate: Gate, changed: Changed | None, evals: Evals = NO_EVALS
) -> int:
    """Publish a review in every place that the plan names; the exit code."""
    kept = keep_result(run, review, gate, evals)
    said = news(review, gate, run.links(), run.key, evals)
    comment = _comment(run, said)
    if not gate.passed:
        tell("failure", [in_one(gate)])
    chosen = with_remarks(choose(review, changed), broken_remarks(evals))
    plan = plan_check(review, said.text, gate, chosen, evals)
    annotated = _annotate(run, gate, plan, chosen)
    results = [change.after for change in review.changes if change.after]
    kept = keep_sarif(run, kept, results, review.failures)
    outcomes = {COMMENT: comment, CHECK: annotated.check}
    notes = (*run.plan.reasons, *_unmet(run, said), *run.settings.notices, *kept.problems)
    advice = run.plan.if_denied if any(isinstance(one, Denied) for one in outcomes.values()) else ""
    told = report(review, gate, annotated.rest, outcomes, notes)
    told = told._replace(advice=advice, evals=evals)
    _log(review, said, outcomes | _suggested(run, review, comment))
    tell("notice", _unmet(run, said))
    values = outputs(review, gate, comment, annotated.check, kept.path) | eval_outputs(evals)
    return finish(run, gate, kept, values, render_summary(told, run.links()))


def finish(run: Run, gate: Gate, kept: Kept, values: Mapping[str, str], text: str) -> int:
    """Outputs, summary and what went wrong, after all else; the exit code."""
    settings = run.settings
    end_with(settings.output, settings.step_summary, values, text)
    tell("failure", kept.problems)
    if kept.problems:
        return BROKEN
    return PASSED if gate.passed else GATE_FAILED


def _comment(run: Run, said: News) -> Outcome:
    number, mode = run.plan.number, run.plan.comment
    if number is None:
        return Skipped("There is no pull request to comment on.")
    if mode == "off":
        return Skipped("Comments are switched off.")
    reason = _why_not_now(run, number)
    return Skipped(reason) if reason else publish_comment(run.github, number, said, mode)


def _suggested(run: Run, review: Review, comment: Outcome) -> dict[str, Outcome]:
    """Only beside a comment, which says the same: without one nothing is to be told either."""
    number = run.plan.number
    if number is None or run.plan.annotations == "off":
        return {}
    if not isinstance(comment, Published | Unchanged):
        return {}
    made = publish_suggestions(run.github, number, run.plan.head, review, run.links(), run.key)
    return {"suggestions": made}


def _why_not_now(run: Run, number: int) -> str:
    """Why what this run found is of no use any more, "" if it is or nobody can tell."""
    try:
        pull = run.github.pull_request(number)
    except GitHubError:
        return ""
    if pull.state != "open":
        return "The pull request is closed by now, so it gets no comment."
    if pull.head_sha != run.plan.head:
        return "The pull request has newer commits by now; the comment is left to their run."
    return ""


def _annotate(run: Run, gate: Gate, plan: CheckPlan, chosen: Chosen) -> Annotated:
    mode = run.plan.annotations
    if mode == "off":
        remarks = (*chosen.remarks, *chosen.rest)
        return Annotated(Skipped("Annotations are switched off."), remarks)
    check: Outcome = Skipped("Annotations are made by workflow commands.")
    if mode == "check":
        check = publish_check(run.github, plan, run.plan.head, run.settings.run_url, run.key)
        if isinstance(check, Unchanged) or (isinstance(check, Published) and not check.missing):
            return Annotated(check, chosen.rest)
    lines, fewer = as_commands(chosen, failed=not gate.passed)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return Annotated(check, fewer.rest)


def _unmet(run: Run, said: News) -> Iterator[str]:
    """That `paths` may be why there is nothing to say."""
    if said.body is None and run.settings.paths:
        yield f"No changed skill matches paths: {', '.join(run.settings.paths)}."


def _log(review: Review, said: News, outcomes: Mapping[str, Outcome]) -> None:
    if said.body is None:
        say("Nothing to score: the change touches no skill, agent or plugin.")
    else:
        say(headline(review))
    for what, outcome in outcomes.items():
        for line in _told(outcome):
            say(f"{what}: {line}")


def _told(outcome: Outcome) -> Iterator[str]:
    match outcome:
        case Published(url, missing):
            yield f"published, {url}"
            yield from filter(None, [missing])
        case Unchanged(url):
            yield f"unchanged, {url}" if url else "unchanged"
        case Denied(permission):
            yield f"the token lacks the permission {permission}"
        case Skipped(reason):
            yield reason
