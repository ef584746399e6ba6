"""Put reviews and evaluations beside the runs that they are of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from plugineval_action.evals.evaluator.asking import Submission
from plugineval_action.evals.evaluator.config import Evaluator
from plugineval_action.evals.evaluator.evaluate import evaluate
from plugineval_action.evals.evaluator.judgment_config import Judgment
from plugineval_action.evals.graders.base import Verdict
from plugineval_action.evals.grading import Graded, outcome_of
from plugineval_action.evals.marks import new_nonce
from plugineval_action.evals.outcomes import Trial
from plugineval_action.evals.recordings import Arm, Recording
from plugineval_action.evals.reviewing.answers import ID
from plugineval_action.evals.reviewing.evidence import Evidence, evidence_of
from plugineval_action.evals.reviewing.model import reviewed
from plugineval_action.evals.rubric import Rubric
from plugineval_action.evaluation_values import Evaluation
from plugineval_action.llm.client import Client

Key = tuple[str, Arm, int]
"""Case, arm and repeat."""


class Evaluated(NamedTuple):
    """The evaluation of the answer that one run with the skill gave."""

    case: str
    repeat: int
    evaluation: Evaluation


def key_of(trial: Trial) -> Key:
    """What tells a run from all others of a skill."""
    return trial.run.case.id, trial.arm, trial.repeat


class Wanted(NamedTuple):
    """A review that is wanted: what the reviewer is shown, and the questions about this case."""

    evidence: Evidence
    rubric: Rubric


def wanted_reviews(
    trials: Sequence[Trial], found: Sequence[Recording], skill: str, rubric: Rubric
) -> dict[Key, Wanted]:
    """Those of the runs that came to an end and that the rubric asks something about."""
    recordings = {(one.case, one.arm, one.repeat): one for one in found}
    return {
        key_of(trial): Wanted(evidence_of(trial, recordings[key_of(trial)], skill), about)
        for trial in trials
        if trial.run.facts.end.state == "completed" and (about := rubric.about(trial.run.case))
    }


async def review_all(
    wanted: Mapping[Key, Wanted], model: str, client: Client
) -> dict[Key, Verdict]:
    """The verdicts of a model on all runs, asked at once; the client says how many at a time."""
    nonce = new_nonce()
    verdicts = await asyncio.gather(
        *(reviewed(*one, model, nonce, client) for one in wanted.values())
    )
    return dict(zip(wanted, verdicts, strict=True))


def with_reviews(
    trials: Sequence[Trial], verdicts: Mapping[Key, Verdict], rubric: Rubric
) -> tuple[Trial, ...]:
    """The runs with a check more, and the outcome that they have with it."""
    return tuple(
        _with(trial, verdicts[key_of(trial)], rubric) if key_of(trial) in verdicts else trial
        for trial in trials
    )


def _with(trial: Trial, verdict: Verdict, rubric: Rubric) -> Trial:
    run = trial.run
    checks = (*run.checks, Graded(ID, ID, "style", rubric.must_pass, verdict))
    outcome, why = outcome_of(run.facts.end, checks)
    return trial._replace(run=run._replace(checks=checks, outcome=outcome, why=why))


async def evaluate_all(
    trials: Sequence[Trial],
    evaluator: Evaluator,
    judgment: Judgment | None,
    client: Client,
    tell: Callable[[str], None],
) -> tuple[Evaluated, ...]:
    """Evaluate the answer of every run with the skill that gave one."""
    nonce = new_nonce()
    answered = [
        (one, one.run.facts.answer)
        for one in trials
        if one.arm == "with" and one.run.facts.answer and one.run.case.should_trigger
    ]
    asked = (
        evaluate(Submission(one.run.case.prompt, answer, nonce), evaluator, judgment, client)
        for one, answer in answered
    )
    evaluations = await asyncio.gather(*asked)
    for note in (*evaluator.notes, *(judgment.notes if judgment else ())):
        tell(note)
    return tuple(
        Evaluated(one.run.case.id, one.repeat, evaluation)
        for (one, _), evaluation in zip(answered, evaluations, strict=True)
    )
