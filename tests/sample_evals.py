"""Evals built by hand, for the tests of whatever shows them, and the files that hold them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from plugineval_action.evals.baseline import harness_of, with_summary
from plugineval_action.evals.cases import Case, Kind
from plugineval_action.evals.graders.base import Verdict
from plugineval_action.evals.grading import Facts, Graded, Run, outcome_of
from plugineval_action.evals.outcomes import Summary, Trial, summarise
from plugineval_action.evals.recordings import Arm
from plugineval_action.evals.reviewing.applying import Evaluated
from plugineval_action.evals.traces.events import End, Harness, Started, Usage
from plugineval_action.evaluation_values import Given, Ruling, Scored, evaluation_of
from plugineval_action.evaluation_values import Verdict as Ruled
from plugineval_action.render.evals.to_json import render
from plugineval_action.render.evals.view import EvalRun

STATUS = {"p": "passed", "f": "failed", "?": "unknown"}
WHY = "out/report.md does not hold a match of 'amount'."
USED = Usage(9, 1_000, 0, 200, 0.02)


def summary(
    runs: Mapping[str, str],
    skill: str = "a",
    *,
    harness: Harness = "codex",
    without: Mapping[str, str] | None = None,
    used: Usage | None = USED,
    why: str = WHY,
) -> Summary:
    """Evals of a skill: a case's runs by its id, `p` passed, `f` failed, `?` not to be told.

    An id that starts with `no-` is of a negative case.
    """
    cases = {name: _case(name) for name in runs}
    arms: tuple[tuple[Arm, Mapping[str, str]], ...] = (("with", runs), ("without", without or {}))
    trials = [
        _trial(cases[name], arm, at, sign, Started(1, harness, "1.0"), used, why)
        for arm, of_arm in arms
        for name, signs in of_arm.items()
        for at, sign in enumerate(signs, 1)
    ]
    return summarise(skill, cases.values(), trials)


def _case(name: str) -> Case:
    kind: Kind = "negative" if name.startswith("no-") else "implicit"
    return Case(id=name, should_trigger=kind != "negative", prompt="x", kind=kind)


def _trial(
    case: Case, arm: Arm, at: int, sign: str, started: Started, used: Usage | None, why: str
) -> Trial:
    status: Any = STATUS[sign]
    work = Graded("report", "file_matches", "outcome", must_pass=True, verdict=Verdict(status, why))
    told = Verdict("passed", "")
    active = Graded("activation", "activation", "process", must_pass=True, verdict=told)
    checks = (active, work) if arm == "with" else (work,)
    end = End(9, "completed")
    activated = int(arm == "with" and case.should_trigger)
    facts = Facts(started, end, used, "Done.", 1, activated, ())
    run = Run(case, *outcome_of(end, checks), checks, facts)
    return Trial(run, arm, at, f"{arm}/{case.id}.{at}.jsonl")


def results(*summaries: Summary, evaluated: tuple[Evaluated, ...] = ()) -> str:
    """What `plugin-eval eval grade --output json` prints of them."""
    at = "2026-01-31T00:00:00Z"
    return render([EvalRun(one, None, at, evaluated=evaluated) for one in summaries])


def evaluated(
    case: str,
    repeat: int,
    scores: Mapping[str, tuple[float, ...]],
    verdict: Ruled | None = None,
    confidence: float | None = None,
) -> Evaluated:
    """An evaluation by metrics of equal weight: what each said in every round."""
    weight = 1 / len(scores)
    scored = [
        Scored(name, weight, tuple(Given(one, "So.") for one in said), () if said else ("cut",))
        for name, said in scores.items()
    ]
    ruling = Ruling(False, verdict, confidence, "So.") if verdict else None  # noqa: FBT003 - no further round
    rounds = max(map(len, scores.values()))
    return Evaluated(case, repeat, evaluation_of(scored, rounds, ruling))


def baseline(*summaries: Summary) -> str:
    """The baseline that holds them."""
    from plugineval_action.evals.baseline import parse_baseline

    text = ""
    for one in summaries:
        text = with_summary(parse_baseline("b", text) if text else None, one)
    return text


def case_file(*summaries: Summary) -> str:
    """The cases as CSV, from line 2 on, in order."""
    ids = dict.fromkeys(case.case.id for one in summaries for case in one.cases)
    rows = (f'{name},{str(not name.startswith("no-")).lower()},"Do it"\n' for name in ids)
    return "id,should_trigger,prompt\n" + "".join(rows)


def beside(*kept: Summary, skill: str = "a") -> dict[str, str]:
    """Cases and baseline as a repository holds them."""
    return {
        f"evals/{skill}.prompts.csv": case_file(*kept),
        "evals/baseline.json": baseline(*kept),
    }


def edited(text: str, **changed: object) -> str:
    """Results with other values for the first skill."""
    document = json.loads(text)
    document["skills"][0] |= changed
    return json.dumps(document)


__all__ = [
    "baseline",
    "beside",
    "case_file",
    "edited",
    "evaluated",
    "harness_of",
    "results",
    "summary",
]
