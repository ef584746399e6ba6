"""What helps a reader comes from what is wrong, and not from what it would add to the score."""

from __future__ import annotations

from plugineval_action.render.helpful import MOST, helpful
from plugineval_action.results import Finding
from plugineval_action.scoring.remedies import FORM, REMEDIES
from skills import score, skill_text


def told(body: str, front: str = "") -> list[str]:
    result = score(skill_text(body, f"name: s\ndescription: Reads bills. Use when due.\n{front}"))
    return [problem.rule for _, problem in helpful([result])]


def test_what_is_broken_comes_before_what_is_only_better() -> None:
    body = "[a](gone.md)\n\nNo\u200bte this.\n"

    assert ["HIDDEN_UNICODE", "MISSPELT_FIELD", "BROKEN_LINK"] == told(body, "user_invocable: no\n")


def test_notes_and_counts_are_left_out() -> None:
    assert [] == told("You MUST, MUST. " * 20 + "\n", "version: 1.2.3\n")


def test_a_rule_is_told_once_and_never_more_than_three() -> None:
    rules = [f"RULE_{number}" for number in range(9) for _ in range(2)]
    findings = tuple(Finding(rule, "error", "It is.", "Mend it.", "a") for rule in rules)
    found = helpful([score(skill_text())._replace(findings=findings)])

    assert MOST == len(found) == len({problem.rule for _, problem in found})


def test_remedies_that_only_a_counter_sees_are_remedies() -> None:
    assert FORM < set(REMEDIES.values())
