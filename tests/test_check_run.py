"""The check run: that it is always concluded, within GitHub's limits, and degrades to commands."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest

from fake_github import WEB, FakeGitHub
from github_page import Page, assert_whole
from plugineval_action.action.check_run import (
    NAME,
    CheckPlan,
    as_commands,
    plan_check,
    publish_check,
)
from plugineval_action.action.gate import Gate
from plugineval_action.action.sticky_comment import news
from plugineval_action.gh.client import Annotation
from plugineval_action.gh.errors import Denied, Exhausted, GitHubError
from plugineval_action.gh.outcome import Denied as DeniedOutcome
from plugineval_action.gh.outcome import Published, Skipped, Unchanged
from plugineval_action.render.links import Links
from plugineval_action.render.review.annotations import Chosen, Remark, choose
from plugineval_action.render.review.comment import MARKER
from plugineval_action.results import Failure, Level
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

PASSED = Gate(passed=True)
LINKS = Links(f"{WEB}/blob/main/")
RUN = f"{WEB}/actions/runs/1"
NOTE = Annotation("a/SKILL.md", 3, 3, "warning", "Title", "Text.")
PLAN = CheckPlan("failure", "1 worse", "Summary.", (NOTE,) * 120)
BROKEN = GitHubError("GitHub answered 502.", "Run it again.")


def planned(shown: Review, gate: Gate = PASSED) -> CheckPlan:
    chosen = choose(shown, None)
    return plan_check(shown, news(shown, gate, LINKS).text, gate, chosen)


def remark(level: Level, text: str = "Text.") -> Remark:
    return Remark(level, text, text, text, 3, 5)


def test_check_says_what_the_comment_says_and_annotates() -> None:
    plan = planned(one_review())

    assert ("success", "PluginEval: 1 worse") == (plan.conclusion, plan.title)
    assert plan.summary.startswith("### PluginEval: 1 worse\n\nWorst: `code-review`")
    assert MARKER not in plan.summary
    assert [("skills/code-review/SKILL.md", 3, 3, "warning")] == [
        annotation[:4] for annotation in plan.annotations
    ]


@pytest.mark.parametrize(
    ("shown", "gate", "conclusion"),
    [
        (one_review(), PASSED, "success"),
        (many_review(), PASSED, "neutral"),
        (one_review(), Gate(passed=False, reasons=("Too low.",)), "failure"),
        (many_review(), Gate(passed=False, reasons=("Too low.",)), "failure"),
        (empty_review(), PASSED, "success"),
    ],
)
def test_conclusion_is_the_gates_and_neutral_if_something_could_not_be_scored(
    shown: Review, gate: Gate, conclusion: str
) -> None:
    assert conclusion == planned(shown, gate).conclusion


def test_nothing_to_score_succeeds_and_says_so() -> None:
    plan = planned(empty_review())

    assert ("Nothing to score", ()) == (plan.title, plan.annotations)


def test_problems_without_an_annotation_are_counted() -> None:
    rest = choose(one_review(), None).remarks * 17
    body = news(one_review(), PASSED, LINKS).body
    plan = plan_check(one_review(), body, PASSED, Chosen((), rest))

    assert plan.summary.endswith("\n17 problems more are in the job summary.")


def test_annotations_go_out_in_batches_between_start_and_conclusion() -> None:
    github = FakeGitHub()
    outcome = publish_check(github, PLAN, HEAD, RUN)
    (check,) = github.check_runs

    assert Published(f"{WEB}/runs/1") == outcome
    assert ["checks", "create_check", *["annotate_check"] * 3, "conclude_check"] == github.calls
    assert (HEAD, RUN, "failure", "1 worse", "Summary.") == (
        *(check.head_sha, check.details_url),
        *(check.conclusion, check.title, check.summary),
    )
    assert [*PLAN.annotations] == check.annotations


def test_check_without_annotations_takes_two_calls() -> None:
    github = FakeGitHub()
    publish_check(github, PLAN._replace(annotations=()), HEAD, RUN)

    assert ["checks", "create_check", "conclude_check"] == github.calls


def test_second_run_leaves_a_check_alone_that_says_the_same() -> None:
    github = FakeGitHub()
    first = publish_check(github, PLAN, HEAD, RUN)
    github.calls.clear()
    second = publish_check(github, PLAN, HEAD, f"{RUN}2")

    assert isinstance(first, Published)
    assert Unchanged(first.url) == second
    assert ["checks"] == github.calls


def test_second_run_with_other_words_changes_the_check_and_adds_no_annotation_twice() -> None:
    github = FakeGitHub()
    publish_check(github, PLAN._replace(annotations=(NOTE,)), HEAD, RUN)
    more = NOTE._replace(start_line=9, end_line=9)
    other = CheckPlan("success", "1 better", "Other.", (NOTE, more))
    outcome = publish_check(github, other, HEAD, f"{RUN}2")
    (check,) = github.check_runs

    assert Published(f"{WEB}/runs/1") == outcome
    assert ("success", "1 better", "Other.") == (check.conclusion, check.title, check.summary)
    assert [NOTE, more] == check.annotations


def test_annotation_that_no_longer_holds_makes_a_new_check_as_it_cannot_be_taken_back() -> None:
    github = FakeGitHub()
    publish_check(github, PLAN, HEAD, RUN)
    publish_check(github, PLAN._replace(annotations=()), HEAD, RUN)

    assert [120, 0] == [len(check.annotations) for check in github.check_runs]


@pytest.mark.parametrize("error", [KeyError("bug"), BROKEN])
def test_check_that_broke_off_is_finished_by_the_next_run(error: Exception) -> None:
    github = FakeGitHub()
    github.failures["annotate_check"] = error
    with suppress(KeyError):
        publish_check(github, PLAN, HEAD, RUN)
    github.failures.clear()
    publish_check(github, PLAN, HEAD, RUN)
    (check,) = github.check_runs

    assert ("failure", "Summary.", 120) == (
        *(check.conclusion, check.summary),
        len(check.annotations),
    )


def test_crash_while_a_check_is_changed_still_concludes_it() -> None:
    github = FakeGitHub()
    publish_check(github, PLAN._replace(annotations=()), HEAD, RUN)
    github.failures["annotate_check"] = KeyError("bug")
    with pytest.raises(KeyError):
        publish_check(github, PLAN._replace(conclusion="neutral"), HEAD, RUN)
    (check,) = github.check_runs

    assert "neutral" == check.conclusion
    assert "The run broke off here" in check.summary


def test_check_run_of_the_same_name_that_is_not_ours_is_not_touched() -> None:
    github = FakeGitHub()
    github.create_check(NAME, HEAD, RUN, "of another tool")
    publish_check(github, PLAN, HEAD, RUN)

    assert [None, "failure"] == [check.conclusion for check in github.check_runs]


@pytest.mark.parametrize("error", [KeyError("bug"), KeyboardInterrupt(), SystemExit(1)])
def test_crash_in_between_still_concludes_the_check(error: BaseException) -> None:
    github = FakeGitHub()
    github.failures["annotate_check"] = error  # type: ignore[assignment]
    with pytest.raises(type(error)):
        publish_check(github, PLAN, HEAD, RUN)
    (check,) = github.check_runs

    assert "failure" == check.conclusion
    assert "The run broke off here" in check.summary


@pytest.mark.parametrize("error", [BROKEN, Exhausted("No time left.", "Run it again.")])
def test_annotations_that_github_refuses_leave_verdict_and_summary(error: GitHubError) -> None:
    github = FakeGitHub()
    github.failures["annotate_check"] = error
    outcome = publish_check(github, PLAN, HEAD, RUN)
    (check,) = github.check_runs

    assert isinstance(outcome, Published)
    assert f"{WEB}/runs/1" == outcome.url
    assert outcome.missing.startswith("Annotations are missing: ")
    assert ("failure", "1 worse") == (check.conclusion, check.title)
    assert check.summary.startswith("Summary.\n\nAnnotations are missing: ")


def test_read_only_token_is_denied_with_the_permission_it_lacks() -> None:
    github = FakeGitHub()
    github.failures["create_check"] = Denied("No.", "Grant it.", "checks: write")

    assert DeniedOutcome("checks: write") == publish_check(github, PLAN, HEAD, RUN)
    assert ["checks", "create_check"] == github.calls


@pytest.mark.parametrize("method", ["checks", "create_check", "conclude_check"])
def test_any_other_failure_is_told_and_does_not_end_the_run(method: str) -> None:
    github = FakeGitHub()
    github.failures[method] = BROKEN
    outcome = publish_check(github, PLAN, HEAD, RUN)

    assert isinstance(outcome, Skipped)
    assert "GitHub answered 502. Run it again." in outcome.reason


def test_at_most_ten_commands_of_each_level_and_one_notice_counts_the_rest() -> None:
    remarks = tuple(remark(level) for level in ("error", "warning", "note") for _ in range(12))
    lines, chosen = as_commands(Chosen(remarks, (remark("note"),)))
    levels = [re.match("::([a-z]+)", line)[1] for line in lines]  # type: ignore[index]

    assert ["error"] * 10 + ["warning"] * 10 + ["notice"] * 10 == levels
    assert "::notice title=PluginEval::8 problems more are in the job summary." == lines[-1]
    assert (29, 8) == (len(chosen.remarks), len(chosen.rest))


def test_one_problem_more_is_counted_in_the_singular() -> None:
    lines, _ = as_commands(Chosen((), (remark("note"),)))

    assert ["::notice title=PluginEval::1 problem more is in the job summary."] == lines


def test_nothing_to_annotate_is_no_command() -> None:
    assert ([], Chosen((), ())) == as_commands(Chosen((), ()))


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_text_stays_inside_of_one_command(attack: str) -> None:
    (line,), _ = as_commands(Chosen((remark("error", attack),), ()))

    assert re.fullmatch(r"::error file=[^:,]+,line=3,endLine=5,title=[^:,]+::.+", line)
    assert not re.search("[\x00-\x1f\u202e\u2066]", line)


@pytest.mark.parametrize("shown", [hostile_review(), huge_review(1_000)])
def test_check_holds_to_githubs_limits_and_shows_nothing_live(shown: Review) -> None:
    failed = tuple(Failure("a", text, text) for text in ATTACKS)
    plan = planned(shown._replace(failures=failed), Gate(passed=False, reasons=ATTACKS))
    page = Page(plan.summary)

    assert_whole(page)
    assert [] == page.references
    assert not page.elements & {"img", "script", "h1", "input", "math", "del"}
    assert len(plan.summary.encode()) < 60_200
    assert len(plan.title) <= 255
    assert len(plan.annotations) <= 50
    assert all(len(each.title) <= 255 for each in plan.annotations)
    assert all(each.path.isprintable() for each in plan.annotations)


def test_hostile_error_is_escaped_in_the_summary() -> None:
    github = FakeGitHub()
    github.failures["annotate_check"] = GitHubError("<img src=x> @octocat", "\x1b[31m")
    publish_check(github, PLAN, HEAD, RUN)
    page = Page(github.check_runs[0].summary)

    assert "img" not in page.elements
    assert [] == page.references


def test_jobs_that_score_different_things_have_a_check_run_each() -> None:
    github = FakeGitHub()
    for key in ("", "one", "", "one"):
        publish_check(github, PLAN._replace(annotations=(), title=key), HEAD, RUN, key)

    assert ["", "one"] == [check.title for check in github.check_runs]


def test_a_failed_gate_takes_one_of_the_ten_errors() -> None:
    chosen = Chosen(tuple(remark("error") for _ in range(10)), ())
    lines, fewer = as_commands(chosen, failed=True)

    assert 9 == sum(line.startswith("::error") for line in lines)
    assert 1 == len(fewer.rest)
