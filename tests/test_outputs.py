"""The outputs of the step: what they say, and that each is a single line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from plugineval_action.action.gate import Gate
from plugineval_action.action.outputs import outputs, write_outputs
from plugineval_action.gh.outcome import Denied, Outcome, Published, Skipped, Unchanged
from plugineval_action.review_values import Change, Review
from sample_reviews import (
    agent,
    empty_review,
    hostile_review,
    huge_review,
    many_review,
    one_review,
    plugin,
    review,
    skill,
)

NAMES = {
    *("score", "badge", "delta", "passed", "changed-skills", "result-json"),
    *("comment-url", "check-url", "report-url", "certificates", "evals", "comment-pending"),
}
SKIPPED, PASSED = Skipped("Not wanted."), Gate(passed=True)


def told(shown: Review, comment: Outcome = SKIPPED, gate: Gate = PASSED) -> dict[str, str]:
    return dict(outputs(shown, gate, comment, SKIPPED, "/temp/result.json"))


def skills(shown: Review) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(told(shown)["changed-skills"])
    return listed


@pytest.mark.parametrize("shown", [empty_review(), one_review(), hostile_review()])
def test_every_output_is_always_set(shown: Review) -> None:
    assert NAMES == told(shown).keys()


def test_score_and_badge_are_of_the_lowest_skill_and_delta_is_the_largest_loss() -> None:
    values = told(many_review())

    assert ("61.7", "bronze", "-9.2") == (values["score"], values["badge"], values["delta"])


def test_delta_without_a_loss_is_the_smallest_gain() -> None:
    shown = review(
        Change("changed", skill("a", output=0.0), skill("a")),
        Change("changed", skill("b", output=0.05), skill("b")),
    )

    assert "+1.5" == told(shown)["delta"]


@pytest.mark.parametrize("output", [0.1, 0.1001, 0.0999])
def test_move_that_does_not_show_is_zero_without_a_sign(output: float) -> None:
    shown = review(Change("changed", skill("a"), skill("a", output=output)))

    assert "0.0" == told(shown)["delta"]


def test_what_nobody_measured_is_empty() -> None:
    changes = [
        Change("new", None, plugin("commands")),
        Change("changed", agent("a"), agent("a", 0.6)),
        Change("removed", skill("gone"), None),
    ]
    for shown in (empty_review(), review(*changes)):
        values = told(shown)

        assert ("", "", "") == (values["score"], values["badge"], values["delta"])


def test_changed_skills_are_listed_the_most_urgent_first() -> None:
    assert [
        {
            "name": "code-review",
            "path": "skills/code-review",
            "score": 66.2,
            "delta": -9.2,
            "badge": "bronze",
            "status": "changed",
        }
    ] == skills(one_review())
    assert "code-review" == skills(many_review())[0]["name"]


def test_removed_skill_is_listed_without_a_score() -> None:
    (gone,) = skills(review(Change("removed", skill("gone"), None)))

    assert ("gone", None, None, None) == (gone["name"], gone["score"], gone["delta"], gone["badge"])


def test_agents_and_plugins_are_no_skills() -> None:
    assert [] == skills(review(Change("new", None, agent("a")), Change("new", None, plugin("p"))))


def test_list_of_thousands_fits_in_a_variable() -> None:
    values = told(huge_review(5_000))

    assert 500 < len(json.loads(values["changed-skills"])) < 5_000
    assert len(values["changed-skills"].encode()) < 131_000


@pytest.mark.parametrize(
    ("comment", "url", "pending"),
    [
        (Published("https://a.example/1"), "https://a.example/1", "false"),
        (Unchanged("https://a.example/1"), "https://a.example/1", "false"),
        (SKIPPED, "", "false"),
        (Denied("pull-requests: write"), "", "true"),
    ],
)
def test_comment_is_pending_only_if_the_token_may_not_post_it(
    comment: Outcome, url: str, pending: str
) -> None:
    values = told(one_review(), comment)

    assert (url, pending) == (values["comment-url"], values["comment-pending"])


@pytest.mark.parametrize(("passed", "said"), [(True, "true"), (False, "false")])
def test_passed_is_the_gates_verdict(passed: bool, said: str) -> None:
    assert said == told(one_review(), gate=Gate(passed))["passed"]


def test_hostile_names_stay_inside_of_their_json_string(tmp_path: Path) -> None:
    path = tmp_path / "output"
    values = told(hostile_review()) | {"result-json": "a\nb\r::error::x\nscore<<x\n99\nx"}
    write_outputs(path, values)
    entries = re.findall(r"([a-z-]+)<<(end-\w{32})\n(.*)\n\2\n", path.read_text("utf-8"))

    assert [*values] == [name for name, _, _ in entries]
    assert 3 * len(values) == len(path.read_text("utf-8").splitlines())
    assert 30 == len(json.loads(entries[4][2]))
    assert values["changed-skills"].isascii()


def test_list_of_long_foreign_names_fits_in_a_variable() -> None:
    """Linux takes no variable of more than 131,072 bytes, and JSON in ASCII has six a character."""
    named = [skill(f"{n}" + "\u6280" * 60, path=f"skills/{n}" + "\u80fd" * 160) for n in range(500)]
    values = told(review(*(Change("new", None, each) for each in named)))

    assert 50 < len(json.loads(values["changed-skills"])) < 500
    assert len(values["changed-skills"].encode()) < 131_000
