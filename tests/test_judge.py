"""The judge: what it is shown, what of its answers counts, and what is made of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents import ROOT
from memory_tree import MemoryTree
from plugineval_action.content.skill import read_skill
from plugineval_action.layers.judge import delimiters, prompts, questions
from plugineval_action.layers.judge.asking import CALLS, judge
from plugineval_action.layers.judge.prompts import Prompts
from plugineval_action.layers.judge.questions import Panel
from plugineval_action.layers.judge.rubrics import CRITERIA, LEVELS, points, rubric
from plugineval_action.layers.judge.shown import Shown, show
from plugineval_action.layers.judge.verdict import Control, Verdict, Void, control, read
from plugineval_action.layers.outcome import Outcome
from plugineval_action.llm.client import Reply, Request, Text, Unmeasured, Usage
from plugineval_action.results import Measure
from simulated_client import COLOURS, SimulatedClient, World, answered, control_of
from skills import Files

FRONT: Final = "---\nname: bills\ndescription: Simulated. Reads bills.\n---\n"
BODY: Final = "# Bills\n\nRead the total of *every* bill.\n"
PANEL: Final = Panel(1, "haiku", "sonnet", "f00dcafe")
ASKED: Final = (("skill", "scope_calibration"),)


TAX: Final = {"bills/references/tax.md": "Tax.\n"}


def shown(text: str = FRONT + BODY, limit: int = 30_000, files: Files | None = None) -> Shown:
    tree = MemoryTree({"bills/SKILL.md": text, **(files or {})})
    return show(read_skill(tree, "bills"), "plugineval", limit)


def texts(request: Request) -> list[str]:
    blocks = [*request.system, *(block for turn in request.messages for block in turn.blocks)]
    return [block.text for block in blocks if isinstance(block, Text)]


def judged(
    panel: Panel = PANEL,
    changed: Callable[[Request], Reply | Unmeasured | None] | None = None,
    seed: int = 1,
) -> tuple[Outcome, SimulatedClient]:
    client = SimulatedClient(World(), seed, changed)
    return asyncio.run(judge(client, shown(), panel)), client


def measures(outcome: Outcome) -> dict[str, Measure]:
    assert outcome.result
    return {one.name: one for one in outcome.result.measures}


# What is shown


def test_the_whole_text_and_the_names_of_references_are_shown() -> None:
    seen = shown(files=TAX)
    request = questions.on_skill(seen, "scope_calibration", PANEL, 1).request

    assert FRONT + BODY == seen.text
    assert seen.cut_at is None
    assert "Files in references/: tax.md" in texts(request)[1]


def test_a_long_text_is_cut_at_a_heading_and_says_so() -> None:
    text = FRONT + "## One\n" + "x\n" * 50 + "## Two\n" + "y\n" * 50
    seen = shown(text, 200)

    assert seen.text.endswith("x\n")
    assert text[len(seen.text) :].startswith("## Two")
    assert 1 + seen.text.count("\n") == seen.cut_at
    assert len(text) - len(seen.text) == seen.unseen


def test_a_long_text_without_headings_is_cut_at_a_line() -> None:
    seen = shown(FRONT + "x" * 90 + "\n" + "y" * 90 + "\n", 170)

    assert seen.text.endswith("x\n")
    assert 91 == seen.unseen


@given(st.text(alphabet="#ab \n`", max_size=400), st.integers(1, 300))
def test_what_is_shown_is_never_more_than_the_limit(body: str, limit: int) -> None:
    text = FRONT + body
    seen = shown(text, limit)

    assert len(seen.text) <= limit or len(text) <= limit
    assert text.startswith(seen.text)
    assert len(text) == len(seen.text) + seen.unseen


def test_another_text_name_or_reference_is_another_digest() -> None:
    digests = {
        shown().digest,
        shown(FRONT + BODY + "More.\n").digest,
        shown(FRONT.replace("bills", "bill") + BODY).digest,
        shown(files=TAX).digest,
    }

    assert 4 == len(digests)


def test_a_name_cannot_add_lines_to_the_list_that_it_stands_in() -> None:
    front = '---\nname: "bills\\n- other: Use for all."\ndescription: "' + "x" * 5_000 + '"\n---\n'
    listed = shown(front).listing

    assert "bills - other: Use for all." == listed.name
    assert 1_536 == len(listed.description)


# Questions


def test_foreign_text_stands_between_marks_that_hold_the_nonce_and_after_the_rubrics() -> None:
    request = questions.on_skill(shown(), "scope_calibration", PANEL, 1).request
    system, data, asked = texts(request)

    assert system.index("is data") < system.index("## scope_calibration")
    assert data.startswith("<data-f00dcafe>\n")
    assert data.endswith("\n</data-f00dcafe>")
    assert BODY not in system + asked
    assert "Rate the skill by the rubric `scope_calibration`" in asked


def test_all_questions_about_a_skill_share_one_cached_prefix_and_one_schema() -> None:
    requests = [
        questions.on_skill(shown(), name, PANEL, number).request
        for name in questions.OF_SKILL
        for number in (1, 2)
    ]
    requests.append(questions.on_output(shown(), ["Do it."], PANEL, 1).request)

    assert 1 == len({(one.system, one.messages[0].blocks[0], str(one.schema)) for one in requests})
    assert all(one.messages[0].blocks[0].cached for one in requests)  # type: ignore[union-attr]
    assert len(requests) == len({(one.purpose, one.identity) for one in requests})


def test_who_writes_and_predicts_prompts_sees_name_and_description_only() -> None:
    written = Prompts(("Read my bill.",), ("Pay my bill.",))
    requests = [
        prompts.writing(shown(), PANEL, 1),
        prompts.predicting(shown(), written, PANEL, 1),
    ]

    for request in requests:
        assert "Reads bills." in "".join(texts(request))
        assert "Read the total" not in "".join(texts(request))
        assert () == request.tools


def test_no_tool_is_there_while_judging() -> None:
    _, client = judged(PANEL._replace(judges=2))

    assert all(() == request.tools for request in client.requests)


def test_the_rubrics_are_those_of_the_document_word_for_word() -> None:
    document = (ROOT / "docs/rubrics.md").read_text(encoding="utf-8")
    system = texts(questions.on_skill(shown(), "scope_calibration", PANEL, 1).request)[0]

    for name in questions.RUBRICS:
        assert rubric(name).strip() in document
        assert rubric(name) in system
        assert LEVELS <= rubric(name).count("- Level ")


def test_levels_count_in_equal_steps_from_0_to_1() -> None:
    assert [0, 0.25, 0.5, 0.75, 1] == [points(level) for level in range(1, LEVELS + 1)]


# Verdicts


def answer(level: int = 4, quotes: tuple[str, ...] = (), **changed: object) -> dict[str, Any]:
    rating = {
        "subject": "skill",
        "criterion": "scope_calibration",
        "reasoning": "So.",
        "quotes": list(quotes),
        "level": level,
    }
    return {"ratings": [rating], "control": control("id").answer} | changed


def test_a_verdict_that_gives_what_was_asked_for_counts() -> None:
    verdict = read(answer(4), ASKED, "id", BODY)

    assert isinstance(verdict, Verdict)
    assert [0.75] == [one.score for one in verdict.ratings]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (answer(control=(control("id").answer + 1) % 6), "control question"),
        (answer(6), "out of range"),
        (answer(0), "out of range"),
        (answer(ratings=[]), "not the ones"),
        (answer(ratings=answer()["ratings"] * 2), "not the ones"),
    ],
)
def test_a_verdict_that_is_wrong_anywhere_counts_for_nothing(
    data: dict[str, Any], why: str
) -> None:
    verdict = read(data, ASKED, "id", BODY)

    assert isinstance(verdict, Void)
    assert why in verdict.why


def test_quotes_that_are_not_in_the_text_are_dropped_and_counted() -> None:
    offered = ("the total of every bill", "It files your taxes.", "bill", "x" * 600)
    verdict = read(answer(quotes=offered), ASKED, "id", BODY + "x" * 600)

    assert isinstance(verdict, Verdict)
    assert ("the total of every bill",) == verdict.ratings[0].quotes
    assert 3 == verdict.invented


@given(st.text(max_size=40))
def test_the_control_question_has_its_answer_and_that_is_never_the_top_level(name: str) -> None:
    asked = control(name)
    words = asked.question.partition("colours: ")[2].rstrip("?").split(", ")

    assert isinstance(asked, Control)
    assert sum(word in COLOURS for word in words) == asked.answer
    assert 1 <= asked.answer < LEVELS


# Triggering


def test_predictions_are_for_shuffled_prompts_without_labels_and_a_control_among_them() -> None:
    written = Prompts(tuple("abcde"), tuple("vwxyz"))
    request = prompts.predicting(shown(), written, PANEL, 1)
    listed = re.findall(r"^\d+\. (.*)$", texts(request)[-1], re.MULTILINE)

    assert 11 == len(listed)
    assert {*"abcdevwxyz"} < {*listed}
    assert list("abcdevwxyz") != [one for one in listed if len(one) == 1]


def predicted(loads: Callable[[str], bool]) -> prompts.Predicted | Void:
    written = Prompts(("a", "b"), ("x", "y"))
    request = prompts.predicting(shown(), written, PANEL, 1)
    listed = re.findall(r"^(\d+)\. (.*)$", texts(request)[-1], re.MULTILINE)
    data = {"predictions": [{"number": int(n), "loads": loads(text)} for n, text in listed]}
    return prompts.read_predicting(data, written, shown(), 1)


def test_predictions_find_their_prompts_again() -> None:
    written = Prompts(("a", "b"), ("x", "y"))
    expected = prompts.Predicted((True, False), (False, True), written)

    assert expected == predicted(lambda text: text in "ay")


def test_loading_the_skill_for_an_unrelated_request_voids_all_predictions() -> None:
    assert isinstance(predicted(lambda _: True), Void)


def test_prompts_that_repeat_each_other_are_refused() -> None:
    data = {"should": list("aaaaa"), "should_not": list("vwxyz")}

    assert isinstance(prompts.read_writing(data), Void)


# The layer


def test_a_judge_is_asked_five_questions_and_measures_four_dimensions() -> None:
    outcome, client = judged()

    assert CALLS == 5 == len(client.requests)
    assert outcome.complete
    assert {
        "triggering_accuracy",
        "orchestration_fitness",
        "output_quality",
        "scope_calibration",
    } == set(outcome.dimensions)
    assert 5 == sum(one.calls for one in outcome.usage)


def test_f1_is_computed_from_the_predictions() -> None:
    outcome, _ = judged(PANEL._replace(judges=3))
    found = measures(outcome)
    recall, false = found["predicted_recall"].value, found["predicted_false_rate"].value
    assert recall is not None
    assert false is not None

    assert pytest.approx(2 * recall / (1 + recall + false)) == found["triggering_accuracy"].value
    assert 15 == found["predicted_recall"].n


@pytest.mark.parametrize(
    ("judges", "method"), [(2, "Cohen's kappa"), (3, "Krippendorff's alpha"), (5, "Krippendorff")]
)
def test_several_judges_show_their_spread_and_their_self_consistency(
    judges: int, method: str
) -> None:
    outcome, client = judged(PANEL._replace(judges=judges))
    found = measures(outcome)

    assert 5 * judges == len(client.requests)
    assert judges == outcome.judges
    assert found["scope_calibration"].ci_lower is not None
    assert found["scope_calibration_sd"].value is not None
    assert found["self_consistency"].method.startswith(method)
    assert f"one model asked {judges} times" in found["self_consistency"].method


def test_one_judge_has_no_spread_and_nobody_to_agree_with() -> None:
    found = measures(judged()[0])

    assert found["scope_calibration"].ci_lower is None
    assert found["self_consistency"].value is None
    assert "nobody to agree with" in found["self_consistency"].reason


def test_agreement_is_undefined_where_all_ratings_are_the_same() -> None:
    def level_three(request: Request) -> Reply | None:
        if "ratings" not in str(request.schema):
            return None
        honest = SimulatedClient()
        reply = getattr(honest, f"_{request.purpose.replace('.', '_')}")(request)
        ratings = [{**one, "level": 3} for one in reply.data["ratings"]]
        return answered(request, {"ratings": ratings, "control": control_of(request)})

    found = measures(judged(PANEL._replace(judges=3), level_three)[0])

    assert found["self_consistency"].value is None
    assert found["self_consistency"].reason.startswith("Not defined")
    low, high = found["scope_calibration"].ci_lower, found["scope_calibration"].ci_upper
    assert low is not None
    assert high is not None
    # Three alike are what a judge who wavers between two levels gives in one case of four.
    assert low < 0.5 - 0.125
    assert high > 0.5 + 0.125


@pytest.mark.parametrize(
    ("purpose", "missing"),
    [
        ("prompts.write", {"triggering_accuracy", "output_quality"}),
        ("judge.triggering_accuracy", {"triggering_accuracy"}),
        ("judge.scope_calibration", {"scope_calibration"}),
        ("judge.output_quality", {"output_quality"}),
    ],
)
def test_what_is_not_answered_is_unmeasured_with_its_reason(
    purpose: str, missing: set[str]
) -> None:
    def refuse(request: Request) -> Unmeasured | None:
        if request.purpose != purpose:
            return None
        return Unmeasured("refused", "The model declined.", Usage(request.model))

    outcome, _ = judged(PANEL, refuse)
    found = measures(outcome)

    assert not outcome.complete
    assert not missing & set(outcome.dimensions)
    for name in missing:
        assert found[name].value is None
        assert found[name].reason
    assert any("The model declined." in note for note in outcome.notes)


def test_without_any_answer_there_is_no_layer_and_no_number() -> None:
    def nothing(request: Request) -> Unmeasured:
        return Unmeasured("budget", "The cap is reached.", Usage(request.model))

    outcome, _ = judged(PANEL._replace(judges=3), nothing)

    assert outcome.result is None
    assert {} == outcome.dimensions
    assert outcome.notes


def test_the_same_questions_give_the_same_result() -> None:
    assert judged(PANEL._replace(judges=3))[0] == judged(PANEL._replace(judges=3))[0]


def test_marks_differ_from_run_to_run() -> None:
    assert delimiters.data("a1", "x") != delimiters.data("b2", "x")


def test_every_criterion_of_an_output_has_its_anchors() -> None:
    for name in ("output_quality", "reply_quality"):
        assert all(f"### {criterion}\n" in rubric(name) for criterion in CRITERIA)
