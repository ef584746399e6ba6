"""The job summary: all that the comment says, what is missing and how to get it, in its limits.

Golden files are written anew with PLUGINEVAL_REGENERATE=1 (see golden_files.py).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fake_github import WEB
from github_page import Page, assert_whole, cleaned, render
from golden_files import assert_golden
from plugineval_action import PROJECT_URL
from plugineval_action.action.gate import Gate
from plugineval_action.action.mode import FORK
from plugineval_action.action.sticky_comment import news
from plugineval_action.action.summary import report, write_summary
from plugineval_action.gh.commands import SUMMARY_LIMIT
from plugineval_action.gh.outcome import Denied, Outcome, Published, Skipped
from plugineval_action.render.links import NO_LINKS, Links
from plugineval_action.render.review.annotations import choose
from plugineval_action.render.review.comment import MARKER
from plugineval_action.render.review.job_summary import BUDGET, Missing, Report, render_summary
from plugineval_action.results import Failure
from plugineval_action.review_values import Review
from sample_reviews import (
    ATTACKS,
    HEAD,
    empty_review,
    hostile_review,
    huge_review,
    many_review,
    one_review,
)

LINKS = Links(f"{WEB}/blob/{HEAD}/")
DENIED: dict[str, Outcome] = {
    "comment": Denied("pull-requests: write"),
    "check run": Denied("checks: write"),
}
PASSED = Gate(passed=True)
FAILED = Gate(passed=False, reasons=("code-review scores 66.2; fail-under asks for 70.",))


def told(shown: Review, gate: Gate = PASSED, outcomes: dict[str, Outcome] | None = None) -> Report:
    return report(shown, gate, choose(shown, None).rest, outcomes or {})


def workflows(text: str) -> list[Any]:
    """The YAML blocks of a summary."""
    blocks = re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [yaml.safe_load(block) for block in blocks]


def hostile_report() -> Report:
    """Every attack wherever foreign text may come."""
    shown = hostile_review()
    rest = (*choose(shown, None).remarks, *choose(shown, None).rest)
    assert {remark.path for remark in rest} >= {*ATTACKS}

    skipped: dict[str, Outcome] = {attack: Skipped(attack) for attack in ATTACKS}
    notes = tuple(reversed(ATTACKS))
    return report(shown, Gate(passed=False, reasons=ATTACKS), rest, skipped, notes)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("empty", told(empty_review())),
        ("one", told(one_review(), FAILED, DENIED)._replace(advice=FORK)),
        ("many", told(many_review(), PASSED, {"comment": Skipped("GitHub answered 502.")})),
        ("hostile", hostile_report()),
    ],
)
def test_summary_reads_as_when_it_was_last_looked_at(name: str, shown: Report) -> None:
    assert_golden(f"summary_{name}.md", render_summary(shown, LINKS))


@pytest.mark.parametrize("gate", [PASSED, FAILED])
def test_summary_starts_with_all_of_the_comment(gate: Gate) -> None:
    comment = news(many_review(), gate, LINKS).body
    assert comment is not None

    assert render_summary(told(many_review(), gate), LINKS).startswith(
        comment.removeprefix(f"{MARKER}\n")
    )


def test_summary_is_never_taken_for_a_comment() -> None:
    text = render_summary(hostile_report(), LINKS)

    assert not [line for line in text.splitlines() if line.startswith(MARKER)]


def test_without_a_change_it_says_so() -> None:
    assert "nothing that is scored has changed" in render_summary(told(empty_review()), NO_LINKS)


def test_missing_permissions_come_with_the_yaml_that_grants_them() -> None:
    text = render_summary(told(one_review(), PASSED, DENIED), LINKS)
    grants = {"checks": "write", "contents": "read", "pull-requests": "write"}

    assert "- The comment: the token of this run lacks `pull-requests: write`." in text
    assert "- The check run: the token of this run lacks `checks: write`." in text
    assert {"permissions": grants} == workflows(text)[0]


def test_second_workflow_is_told_in_one_place_only() -> None:
    text = render_summary(told(one_review(), PASSED, DENIED), LINKS)

    assert f"[Forks and Dependabot]({PROJECT_URL}#forks-and-dependabot)" in text
    assert 1 == len(workflows(text))


def test_nothing_is_asked_for_when_nothing_was_denied() -> None:
    shown = told(one_review(), PASSED, {"comment": Published(f"{WEB}/pull/1")})
    text = render_summary(shown, LINKS)

    assert "permissions" not in text
    assert "Not published" not in text


def test_what_went_wrong_and_what_was_not_done_is_told() -> None:
    outcomes: dict[str, Outcome] = {"comment": Skipped("GitHub answered 502. Run it again.")}
    shown = report(one_review(), PASSED, (), outcomes, ("Depth deep was asked for.",))

    assert "### Notes\n\n- Depth deep was asked for.\n- GitHub answered 502. Run it again.\n" in (
        render_summary(shown, LINKS)
    )


def test_problems_without_an_annotation_are_listed_with_their_place() -> None:
    shown = choose(one_review(), None)
    text = render_summary(report(one_review(), PASSED, shown.remarks, {}), LINKS)
    address = f"{LINKS.prefix}skills/code-review/SKILL.md?plain=1#L3"

    assert "<summary>Problems without an annotation: 1</summary>" in text
    assert f"- warning [SKILL.md:3]({address}) Description does not say when" in text


def test_every_changed_skill_has_a_row_even_if_the_comment_has_not() -> None:
    text = render_summary(told(huge_review(700)), LINKS)
    rows = re.findall(r"^\| \[skill-number-(\d+)\]", text, re.MULTILINE)

    assert {f"{at:05}" for at in range(700)} == {*rows}
    assert "<summary>All 700 that changed</summary>" in text


@pytest.mark.parametrize("budget", [300_000, BUDGET])
def test_thousands_of_everything_fit_and_what_is_left_out_is_counted(budget: int) -> None:
    shown = huge_review(3_000)
    rest = choose(shown, None).rest
    text = render_summary(report(shown, FAILED, rest * 2, DENIED, ATTACKS * 5), LINKS, budget)

    assert len(text.encode()) <= budget
    assert_whole(Page(text))
    assert re.search(r"^- … and [\d,]+ more$", text, re.MULTILINE)
    assert "lacks `checks: write`" in text


def test_hostile_text_becomes_no_element_no_foreign_link_and_no_reference() -> None:
    text = render_summary(hostile_report(), LINKS)
    page = Page(text)
    html = re.sub("<!--.*?-->", "", render(text))

    assert_whole(page)
    assert not page.elements & {"img", "script", "h1", "input", "math", "del"}
    assert [] == page.references
    assert all(link.startswith((WEB, PROJECT_URL)) for link in page.links)
    assert sorted(re.findall("<[a-z]+", html)) == sorted(re.findall("<[a-z]+", cleaned(html)))


texts = st.one_of(st.sampled_from(ATTACKS), st.text(max_size=60), st.text("|@#`<\n-", max_size=60))


@given(note=texts, reason=texts, path=texts)
def test_any_text_leaves_the_page_whole(note: str, reason: str, path: str) -> None:
    shown = one_review()._replace(failures=(Failure(path, note, reason),))
    rest = choose(shown, None).remarks
    gate = Gate(passed=False, reasons=(reason,))
    page = Page(render_summary(report(shown, gate, rest, DENIED, (note,)), LINKS))

    assert_whole(page)
    assert [] == page.references


def test_same_report_gives_the_same_bytes() -> None:
    missing = tuple(Missing(what, "checks: write") for what in "ab")
    shown = Report(many_review(), missing=missing)

    assert render_summary(shown, LINKS) == render_summary(shown, LINKS)


def test_summary_is_appended_for_the_runner(tmp_path: Path) -> None:
    path = tmp_path / "summary"

    assert "" == write_summary(path, "text\n" * 1_000_000)
    assert SUMMARY_LIMIT - 100 < path.stat().st_size <= SUMMARY_LIMIT


def test_summary_that_cannot_be_written_is_told_and_does_not_end_the_run(tmp_path: Path) -> None:
    assert "The job summary could not be written (Is a directory)." == write_summary(tmp_path, "x")
