"""Evaluating an answer: scores, weights, rounds, the judgment, and what stays unmeasured."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from plugineval_action.evals.evaluator.asking import Submission
from plugineval_action.evals.evaluator.config import Evaluator, read_evaluator
from plugineval_action.evals.evaluator.evaluate import evaluate
from plugineval_action.evals.evaluator.judgment_config import Judgment, read_judgment
from plugineval_action.evals.reviewing.applying import evaluate_all
from plugineval_action.evaluation_values import Evaluation
from plugineval_action.llm.client import Json, Reply, Request, Text, Unmeasured, Usage
from sample_evals import summary

TASK = Submission("Sum sales.csv", "The total is 3.", "n0nce")
Answer = Json | str
Answering = Callable[[Request], Answer]


class Scripted:
    """A client that answers by a function: data is a Reply, a text the reason for none."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self.asked: list[Request] = []

    async def ask(self, request: Request) -> Reply | Unmeasured:
        self.asked.append(request)
        answer = self._answering(request)
        if answer == "never":
            await asyncio.sleep(3_600)
        if isinstance(answer, str):
            return Unmeasured(answer, "It broke.", Usage(request.model))  # type: ignore[arg-type]
        return Reply("", answer, (), Usage(request.model), "end_turn", request.model, "r")


def score(value: float) -> Json:
    return {"score": value, "evaluator_comment": f"It is {value:g}."}


def ruling(*, more: bool, verdict: str = "accept") -> Json:
    return {
        "reasoning": "So.", "should_continue": more, "verdict": verdict, "confidence_score": 0.8,
    }  # fmt: skip


def evaluator(tmp_path: Path, text: str = "") -> Evaluator:
    (tmp_path / "evaluator.toml").write_text(text)
    return read_evaluator(tmp_path / "evaluator.toml")


def judgment(tmp_path: Path, text: str = "") -> Judgment:
    (tmp_path / "judgment.toml").write_text(text)
    return read_judgment(tmp_path / "judgment.toml")


def run(
    answering: Answering, settings: Evaluator, judged: Judgment | None = None
) -> tuple[Evaluation, list[Request]]:
    client = Scripted(answering)
    return asyncio.run(evaluate(TASK, settings, judged, client)), client.asked


def by_metric(**scores: Answer) -> Answering:
    return lambda request: scores[request.purpose.partition(".")[2]]


def test_the_overall_score_is_the_weighted_sum_to_two_decimals(tmp_path: Path) -> None:
    answers = by_metric(ClarityCoherence=score(80), Coverage=score(71), Relevance=score(65))
    found, asked = run(answers, evaluator(tmp_path))

    # 26.72 + 23.643 + 21.645 = 72.008
    assert 72.01 == found.overall
    assert (3, 1, None) == (len(asked), found.rounds, found.ruling)


def test_a_metric_that_fails_is_unmeasured_and_nothing_takes_its_place(tmp_path: Path) -> None:
    answers = by_metric(ClarityCoherence=score(81), Coverage="service", Relevance=score(93))
    found, _ = run(answers, evaluator(tmp_path))

    assert (None, "Not measured: Coverage gave no score.") == (found.overall, found.why)
    assert [81, None, 93] == [one.mean for one in found.scored]
    assert ("service: It broke.",) == found.scored[1].failures


@pytest.mark.parametrize(
    ("reason", "tries"), [("invalid", 3), ("refused", 3), ("service", 1), ("key", 1)]
)
def test_an_answer_of_no_use_is_asked_for_again_as_often_as_configured(
    reason: str, tries: int, tmp_path: Path
) -> None:
    _, asked = run(
        lambda _: reason, evaluator(tmp_path, 'max_retries = 2\n[[metrics]]\nname = "Coverage"\n')
    )

    assert tries == len(asked)
    assert tries == len({request.identity for request in asked})


def test_a_metric_has_its_own_time(tmp_path: Path) -> None:
    text = 'timeout_seconds = 0.05\n[[metrics]]\nname = "Coverage"\n'
    found, _ = run(lambda _: "never", evaluator(tmp_path, text))

    assert ("deadline: No answer within 0.05 s.",) == found.scored[0].failures


def test_another_provider_is_not_asked(tmp_path: Path) -> None:
    text = '[[metrics]]\nname = "Coverage"\nmodel = "openai:gpt"\n'
    found, asked = run(lambda _: score(1), evaluator(tmp_path, text))

    assert [] == asked
    assert ("openai:gpt cannot be run here.",) == found.scored[0].failures


def test_what_is_judged_is_data_between_marks(tmp_path: Path) -> None:
    _, asked = run(lambda _: score(1), evaluator(tmp_path, '[[metrics]]\nname = "Coverage"\n'))
    [message] = asked[0].messages
    shown = message.blocks[0]

    assert isinstance(shown, Text)
    assert "<data-n0nce>\nThe total is 3.\n</data-n0nce>" in shown.text
    assert all("The total is 3." not in one.text for one in asked[0].system)
    assert "claude-sonnet-5-5" == asked[0].model


def test_the_judgment_decides_whether_there_is_another_round(tmp_path: Path) -> None:
    scores = iter((60, 80))

    def answering(request: Request) -> Answer:
        if request.purpose == "evaluator.judgment":
            return ruling(more="Round 1." in str(request.messages))
        return score(next(scores))

    text = '[[metrics]]\nname = "Coverage"\n'
    found, asked = run(answering, evaluator(tmp_path, text), judgment(tmp_path))

    assert (70, 2, 4) == (found.overall, found.rounds, len(asked))
    assert found.ruling
    assert ("accept", 0.8) == (found.ruling.verdict, found.ruling.confidence)
    assert 14.142 == round(found.scored[0].spread or 0, 3)
    assert "Coverage (weight 1):" in str(asked[-1].messages)
    assert "60: It is 60." in str(asked[-1].messages)


@pytest.mark.parametrize(("final", "judgments"), [("true", 3), ("false", 2)])
def test_the_last_round_ends_it_whatever_the_judgment_says(
    final: str, judgments: int, tmp_path: Path
) -> None:
    def answering(request: Request) -> Answer:
        return ruling(more=True) if "judgment" in request.purpose else score(50)

    text = '[[metrics]]\nname = "Coverage"\n'
    judged = judgment(tmp_path, f"judge_on_final_round = {final}\n")
    found, asked = run(answering, evaluator(tmp_path, text), judged)

    assert (3, judgments) == (found.rounds, sum("judgment" in one.purpose for one in asked))


def test_without_a_judgments_answer_there_is_no_verdict_and_no_further_round(
    tmp_path: Path,
) -> None:
    def answering(request: Request) -> Answer:
        return "budget" if "judgment" in request.purpose else score(50)

    found, _ = run(answering, evaluator(tmp_path), judgment(tmp_path))

    assert found.ruling
    assert (1, None, "No judgment: It broke.") == (
        found.rounds, found.ruling.verdict, found.ruling.reasoning,
    )  # fmt: skip
    assert 50 == found.overall


def test_a_judgment_of_another_provider_is_not_asked(tmp_path: Path) -> None:
    judged = judgment(tmp_path, 'model = "openai:gpt"\n')
    found, asked = run(lambda _: score(50), evaluator(tmp_path), judged)

    assert found.ruling
    assert "No judgment: openai:gpt cannot be run here." == found.ruling.reasoning
    assert 3 == len(asked)


def test_the_judge_of_a_long_answer_is_told_that_it_was_cut(tmp_path: Path) -> None:
    settings = evaluator(tmp_path, '[[metrics]]\nname = "Coverage"\n')
    for length, cut in ((60_000, False), (60_001, True)):
        client = Scripted(by_metric(Coverage=score(1)))
        asyncio.run(evaluate(TASK._replace(answer="x" * length), settings, None, client))

        assert cut == ("[cut here]" in str(client.asked[0].messages))


def test_only_answers_with_the_skill_where_it_should_trigger_are_evaluated(tmp_path: Path) -> None:
    trials = summary({"a": "pf", "no-b": "p"}, without={"a": "p"}).trials
    client = Scripted(by_metric(Coverage=score(50)))
    settings = evaluator(tmp_path, '[[metrics]]\nname = "Coverage"\n')
    found = asyncio.run(evaluate_all(trials, settings, None, client, lambda _: None))

    assert [("a", 1), ("a", 2)] == [(one.case, one.repeat) for one in found]
    assert 2 == len(client.asked)
