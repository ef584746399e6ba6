"""Evals as JSON: everything that was found, in the order of docs/schema/evals.schema.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plugineval_action.escape import json_text, shorten
from plugineval_action.evals.grading import Facts, Graded
from plugineval_action.evals.outcomes import CaseResult, Rate, Trial
from plugineval_action.evals.reviewing.applying import Evaluated
from plugineval_action.render.evals.view import EvalRun

_ANSWER = 2_000


def render(runs: Sequence[EvalRun]) -> str:
    """The evals of one or more skills."""
    document = {"version": 1, "skills": [_skill(run) for run in runs]}
    return json_text(json.dumps(document, ensure_ascii=False, indent=2)) + "\n"


def _skill(run: EvalRun) -> dict[str, Any]:
    summary = run.summary
    paired = summary.paired._asdict() if summary.paired else None
    return {
        "skill": summary.skill,
        "timestamp": run.timestamp,
        "cases": [_case(one) for one in summary.cases],
        "not_run": summary.not_run,
        "kinds": [
            {"kind": one.kind, "cases": one.cases, **_rate(one.rate)} for one in summary.kinds
        ],
        "activation": {"precision": _rate(summary.precision), "recall": _rate(summary.recall)},
        "with_and_without": paired,
        "pass_at": [{"k": k, "share": share} for k, share in summary.pass_at],
        "costs": [one._asdict() for one in summary.costs],
        "ungraded_runs": summary.ungraded,
        "changes": run.changes._asdict() if run.changes else None,
        "runs": [_trial(one) for one in summary.trials],
        "evaluations": [_evaluated(one) for one in run.evaluated],
        "notes": run.notes,
    }


def _case(one: CaseResult) -> dict[str, Any]:
    return {
        "id": one.case.id,
        "kind": one.case.kind,
        "should_trigger": one.case.should_trigger,
        "tags": one.case.tags,
        "state": one.state,
        "passed": one.passed,
        "graded": one.graded,
    }


def _rate(rate: Rate) -> dict[str, Any]:
    interval = list(rate.interval) if rate.interval else None
    return {"hits": rate.hits, "runs": rate.runs, "share": rate.share, "interval_95": interval}


def _trial(trial: Trial) -> dict[str, Any]:
    run = trial.run
    return {
        "case": run.case.id,
        "arm": trial.arm,
        "repeat": trial.repeat,
        "trace": trial.trace,
        "outcome": run.outcome,
        "why": run.why,
        "checks": [_check(one) for one in run.checks],
        **_facts(run.facts),
    }


def _evaluated(one: Evaluated) -> dict[str, Any]:
    evaluation = one.evaluation
    return {
        "case": one.case,
        "repeat": one.repeat,
        "overall": evaluation.overall,
        "why": evaluation.why,
        "rounds": evaluation.rounds,
        "metrics": [
            {
                "id": scored.id,
                "weight": scored.weight,
                "mean": scored.mean,
                "spread": scored.spread,
                "given": [given._asdict() for given in scored.given],
                "failures": scored.failures,
            }
            for scored in evaluation.scored
        ],
        "judgment": evaluation.ruling._asdict() if evaluation.ruling else None,
    }


def _check(one: Graded) -> dict[str, Any]:
    return {
        "id": one.id,
        "type": one.type,
        "goal": one.goal,
        "must_pass": one.must_pass,
        "status": one.verdict.status,
        "why": one.verdict.why,
        "lines": one.verdict.lines,
    }


def _facts(facts: Facts) -> dict[str, Any]:
    started, usage = facts.started, facts.usage
    return {
        "harness": started.harness if started else None,
        "harness_version": (started.version or None) if started else None,
        "model": (started.model or None) if started else None,
        "end": {"state": facts.end.state, "reason": facts.end.reason},
        "commands": facts.commands,
        "activated_at_line": facts.activated or None,
        "tokens": usage.total if usage else None,
        "usd": usage.usd if usage else None,
        "answer": shorten(facts.answer, _ANSWER) if facts.answer is not None else None,
        "unknown_lines": dict(facts.unknown),
    }
