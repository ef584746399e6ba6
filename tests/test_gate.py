"""What fails a change, what does not, and that it is said with names and numbers."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.action.gate import Gate, evaluate
from plugineval_action.findings.catalogue import RULES
from plugineval_action.results import FailOn, Failure, Finding, Result
from plugineval_action.review_values import Change, Review
from sample_reviews import (
    agent,
    empty_review,
    hostile_review,
    many_review,
    one_review,
    plugin,
    review,
    skill,
)

FAILURE = Failure("skills/b/SKILL.md", "It is larger than 1024 KiB.", "Move detail out.")


class Limits(NamedTuple):
    fail_under: float | None = None
    max_regression: float | None = None
    fail_on: FailOn = "never"


def finding(
    rule: str, path: str = "skills/a/SKILL.md", line: int = 2, message: str = ""
) -> Finding:
    known = RULES[rule]
    return Finding(rule, known.level, message or known.title, known.remedy, path, line, line)


def with_findings(result: Result, *found: Finding) -> Result:
    return result._replace(findings=found)


def at_score(name: str, score: float) -> Result:
    result = skill(name)
    assert result.composite is not None

    return result._replace(composite=result.composite._replace(score=score))


def reasons(shown: Review, limits: Limits) -> list[str]:
    gate = evaluate(shown, limits)

    assert gate.passed == (not gate.reasons)
    return list(gate.reasons)


@pytest.mark.parametrize("shown", [empty_review(), many_review(), hostile_review()])
def test_without_thresholds_everything_passes(shown: Review) -> None:
    assert Gate(passed=True) == evaluate(shown, Limits())


@pytest.mark.parametrize("limits", [Limits(100), Limits(None, 0), Limits(None, None, "note")])
def test_change_that_touches_nothing_passes_every_gate(limits: Limits) -> None:
    assert Gate(passed=True) == evaluate(empty_review(), limits)


def test_changed_skill_below_fails_with_both_numbers() -> None:
    assert ["code-review scores 66.2; fail-under asks for 70."] == reasons(one_review(), Limits(70))


@pytest.mark.parametrize("status", ["changed", "renamed", "new"])
def test_skill_counts_however_it_changed(status: str) -> None:
    before = None if status == "new" else at_score("a", 90)
    change = Change(status, before, at_score("a", 60))  # type: ignore[arg-type]

    assert ["a scores 60.0; fail-under asks for 70."] == reasons(review(change), Limits(70))


@pytest.mark.parametrize(
    "change",
    [
        Change("removed", skill("a"), None),
        Change("changed", agent("a"), agent("a", 0.6)),
        Change("changed", plugin("p", skill("a")), plugin("p", skill("a", output=0.0))),
        Change("new", None, plugin("commands")),
    ],
)
@pytest.mark.parametrize("limits", [Limits(100), Limits(None, 0)])
def test_what_is_gone_and_agents_and_plugins_have_no_threshold(
    change: Change, limits: Limits
) -> None:
    assert [] == reasons(review(change), limits)


@pytest.mark.parametrize(("score", "least"), [(70.0, 70), (69.9999999999, 70), (0.1 * 700, 70)])
def test_score_at_the_threshold_passes_as_its_badge_does(score: float, least: float) -> None:
    assert [] == reasons(review(Change("new", None, at_score("a", score))), Limits(least))


@pytest.mark.parametrize(
    ("score", "least", "said"),
    [(74.98, 75, "74.98"), (74.9, 75, "74.9"), (74.99996, 75, "74.99996"), (61.24, 61.25, "61.2")],
)
def test_score_is_never_shown_as_the_threshold_that_it_misses(
    score: float, least: float, said: str
) -> None:
    shown = review(Change("new", None, at_score("a", score)))

    assert [f"a scores {said}; fail-under asks for {least}."] == reasons(shown, Limits(least))


def test_lost_points_fail_with_the_scores_before_and_after() -> None:
    said = "code-review lost 9.2 points (75.3 to 66.2); max-regression allows 5."

    assert [said] == reasons(one_review(), Limits(None, 5))
    assert [] == reasons(one_review(), Limits(None, 9.5))


@pytest.mark.parametrize("after", [75.0, 80.0, 90.0])
def test_what_was_not_lost_passes(after: float) -> None:
    shown = review(Change("changed", at_score("a", 80.0), at_score("a", after)))

    assert [] == reasons(shown, Limits(None, 5))


def test_new_skill_loses_nothing() -> None:
    assert [] == reasons(review(Change("new", None, skill("a"))), Limits(None, 0))


@pytest.mark.parametrize(
    ("least", "expected"),
    [
        ("error", ["EMPTY_DESCRIPTION"]),
        ("warning", ["EMPTY_DESCRIPTION", "DUPLICATE_KEY"]),
        ("note", ["EMPTY_DESCRIPTION", "DUPLICATE_KEY", "CLAUDE_TOOL_PROSE"]),
    ],
)
def test_new_problems_of_the_level_and_worse_are_refused(
    least: FailOn, expected: list[str]
) -> None:
    found = finding("DUPLICATE_KEY"), finding("CLAUDE_TOOL_PROSE")
    after = with_findings(skill("a", "EMPTY_DESCRIPTION"), *found)
    said = reasons(review(Change("changed", skill("a"), after)), Limits(None, None, least))

    assert expected == [reason.split()[2] for reason in said]
    assert said[0] == (
        f"New error EMPTY_DESCRIPTION at skills/a/SKILL.md:3; fail-on refuses {least} and worse."
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (skill("a", "EMPTY_DESCRIPTION"), skill("a", "EMPTY_DESCRIPTION")),
        (skill("a", "EMPTY_DESCRIPTION"), skill("a")),
        (skill("a", "EMPTY_DESCRIPTION", path="x/a"), skill("a", "EMPTY_DESCRIPTION")),
        (
            with_findings(skill("a"), finding("DUPLICATE_KEY", line=9)),
            with_findings(skill("a"), finding("DUPLICATE_KEY", line=2)),
        ),
        (
            with_findings(skill("a", path="x/a"), finding("DUPLICATE_KEY", "x/a/SKILL.md")),
            with_findings(skill("a"), finding("DUPLICATE_KEY")),
        ),
        (
            with_findings(skill("a"), finding("CLAUDE_TOOL_REFS", message="Bash")),
            with_findings(skill("a"), finding("CLAUDE_TOOL_REFS", message="Bash, Read")),
        ),
    ],
)
def test_problem_that_was_there_before_is_not_new(before: Result, after: Result) -> None:
    assert [] == reasons(review(Change("changed", before, after)), Limits(None, None, "note"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("NON_STRING_FIELD", "name"), ("NON_STRING_FIELD", "description")),
        (("DUPLICATE_KEY", "name"), ("NON_STRING_FIELD", "name")),
    ],
)
def test_another_problem_is_new_even_if_one_went(
    before: tuple[str, str], after: tuple[str, str]
) -> None:
    old, new = (
        with_findings(skill("a"), finding(rule, message=text)) for rule, text in (before, after)
    )
    said = reasons(review(Change("changed", old, new)), Limits(None, None, "note"))

    assert 1 == len(said)
    assert after[0] in said[0]


def test_second_problem_of_a_kind_is_new() -> None:
    one, two = finding("BINARY_REFERENCE", "skills/a/references/x"), finding("BINARY_REFERENCE")
    before, after = with_findings(skill("a"), one), with_findings(skill("a"), one, two)
    said = reasons(review(Change("changed", before, after)), Limits(None, None, "note"))

    assert 1 == len(said)
    assert "skills/a/SKILL.md:2" in said[0]


def test_problems_of_one_rule_in_one_file_are_one_reason() -> None:
    after = skill("a", "DEAD_CROSS_REF", "DEAD_CROSS_REF", "DEAD_CROSS_REF")
    said = reasons(review(Change("changed", skill("a"), after)), Limits(None, None, "warning"))

    assert ["skills/a/SKILL.md:3 and 2 others"] == [
        reason.partition(" at ")[2].partition(";")[0] for reason in said
    ]


def test_plugin_is_not_blamed_for_its_members_but_for_its_manifest() -> None:
    inside = skill("a", "EMPTY_DESCRIPTION")
    broken = finding("INVALID_JSON", "plugins/p/.claude-plugin/plugin.json")
    after = with_findings(plugin("p", inside), broken)
    shown = review(
        Change("changed", skill("a"), inside), Change("changed", plugin("p", skill("a")), after)
    )
    said = reasons(shown, Limits(None, None, "error"))

    assert ["EMPTY_DESCRIPTION", "INVALID_JSON"] == sorted(reason.split()[2] for reason in said)


@pytest.mark.parametrize("limits", [Limits(0), Limits(None, 100), Limits(None, None, "error")])
def test_what_cannot_be_read_fails_any_gate(limits: Limits) -> None:
    unread = skill("a")._replace(composite=None, unscored="It is a folder.")
    shown = review(Change("changed", skill("a"), unread), failures=(FAILURE,))

    assert [
        "skills/b/SKILL.md could not be scored: It is larger than 1024 KiB. Move detail out.",
        "a has no score: It is a folder.",
    ] == reasons(shown, limits)


def test_base_that_cannot_be_read_leaves_nothing_to_compare() -> None:
    change = Change("changed", None, skill("a", "EMPTY_DESCRIPTION"))

    assert [] == reasons(review(change), Limits(None, 0, "note"))


def test_same_name_twice_is_told_apart_by_path() -> None:
    twins = [Change("new", None, skill("twin", path=f"{at}/twin")) for at in "ab"]
    said = reasons(review(*twins), Limits(100))

    assert ["a/twin scores", "b/twin scores"] == [reason[:13] for reason in said]


limits = st.integers(0, 10**11).map(lambda number: number / 10**9)


@given(score=st.one_of(st.floats(0, 100), limits), least=limits)
def test_sentence_never_contradicts_itself(score: float, least: float) -> None:
    for reason in reasons(review(Change("new", None, at_score("a", score))), Limits(least)):
        said, asked = reason[len("a scores ") : -1].split("; fail-under asks for ")

        assert float(said) < float(asked) == least


def test_sentences_are_single_lines_of_bounded_length() -> None:
    for reason in reasons(hostile_review(), Limits(100, 0, "note")):
        assert 1 == len(reason.splitlines())
        assert len(reason) < 500


def test_skill_whose_own_files_stayed_is_not_held_to_a_score_that_it_never_had() -> None:
    untouched = Change("affected", at_score("a", 61.0), at_score("a", 60.0))

    assert [] == reasons(review(untouched), Limits(fail_under=90))
    assert 1 == len(reasons(review(untouched), Limits(max_regression=0.5)))


def test_where_nothing_was_before_no_problem_is_called_new() -> None:
    shown = review(Change("new", None, skill("a", "MISSING_TRIGGER")))._replace(base="")
    (reason,) = reasons(shown, Limits(fail_on="warning"))

    assert reason.startswith("Warning MISSING_TRIGGER at ")
