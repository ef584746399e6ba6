"""What helps a reader comes from what is wrong, and not from what it would add to the score."""

from __future__ import annotations

import pytest

from plugineval_action.render.helpful import MOST, helpful
from plugineval_action.results import Finding
from plugineval_action.scoring.remedies import FORM, REMEDIES
from skills import FRONT, flags, score, skill_text

MUSTS = """
Totals MUST agree. Dates MUST come first. Every clerk MUST sign twice. Copies MUST go to Anna.
Nothing older than May MUST stay here. Tax MUST be rounded down. Foreign bills MUST wait until
Friday. A cheque MUST name its bank. Refunds MUST be red. Discounts MUST follow the contract. Blank
pages MUST be crossed out. The stamp MUST be legible. Postage MUST be added last. Reminders MUST
cite clause nine. Large sums MUST be asked about. Errors MUST reach the auditor.
"""


def told(body: str, front: str = "") -> list[str]:
    result = score(skill_text(body, f"name: s\ndescription: Reads bills. Use when due.\n{front}"))
    return [problem.rule for _, problem in helpful([result])]


def test_what_is_broken_comes_before_what_is_only_better() -> None:
    body = "[a](gone.md)\n\nNo\u200bte this.\n"

    assert ["HIDDEN_UNICODE", "MISSPELT_FIELD", "BROKEN_LINK"] == told(body, "user_invocable: no\n")


def test_notes_and_counts_are_left_out() -> None:
    strict = score(skill_text(f"{MUSTS}\n", f"{FRONT}version: 1.2.3\n"))

    assert "OVER_CONSTRAINED" in flags(strict)
    assert "UNKNOWN_FIELD" in {one.rule for one in strict.findings}
    assert () == helpful([strict])


def test_notes_that_are_sure_to_help_fill_the_room_that_is_left() -> None:
    tools, block = "allowed-tools: Bash\n", "\n```json\n{]\n```\n"

    assert ["BROAD_TOOLS", "CODE_SYNTAX"] == told(f"Words.\n{block}", tools)
    assert ["BROKEN_LINK", "BROAD_TOOLS", "CODE_SYNTAX"] == told(f"[a](gone.md)\n{block}", tools)


@pytest.mark.parametrize("broken", ["name: s\ndescription: Bills: all.\n", "- name\n"])
def test_nobody_is_told_to_write_a_description_that_only_cannot_be_read(broken: str) -> None:
    (problem,) = {problem.rule for _, problem in helpful([score(skill_text("Words.\n", broken))])}

    assert problem in ("INVALID_YAML", "FRONTMATTER_NOT_MAPPING")


def test_a_rule_is_told_once_and_never_more_than_three() -> None:
    rules = [f"RULE_{number}" for number in range(9) for _ in range(2)]
    findings = tuple(Finding(rule, "error", "It is.", "Mend it.", "a") for rule in rules)
    found = helpful([score(skill_text())._replace(findings=findings)])

    assert MOST == len(found) == len({problem.rule for _, problem in found})


def test_remedies_that_only_a_counter_sees_are_remedies() -> None:
    assert FORM < set(REMEDIES.values())
