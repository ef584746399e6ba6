"""The one comment on a pull request: whose it is, when it is begun, that it is never stale."""

from __future__ import annotations

from typing import get_args

import pytest

from fake_github import WEB, FakeGitHub
from github_page import Page, assert_whole
from plugineval_action import PROJECT_URL
from plugineval_action.action.gate import Gate
from plugineval_action.action.inputs import CommentMode
from plugineval_action.action.sticky_comment import (
    BUDGET,
    MOVED,
    NOTHING_LEFT,
    News,
    carry_out,
    moved,
    news,
    plan_comment,
    publish_comment,
)
from plugineval_action.gh.client import Comment
from plugineval_action.gh.errors import Denied, Exhausted, GitHubError, NotFound
from plugineval_action.gh.outcome import Denied as DeniedOutcome
from plugineval_action.gh.outcome import Published, Skipped, Unchanged
from plugineval_action.render.links import NO_LINKS, Links
from plugineval_action.render.review.comment import MARKER
from plugineval_action.results import Failure
from plugineval_action.review_values import Change
from sample_reviews import (
    ATTACKS,
    empty_review,
    hostile_review,
    huge_review,
    one_review,
    review,
    skill,
)

PASSED, FAILED = Gate(passed=True), Gate(passed=False, reasons=("calm scores 61.0.",))
TEXT = "### PluginEval: 1 worse\n\nText.\n"
BODY = f"{MARKER}\n{TEXT}"
OLD = f"{MARKER}\n### PluginEval: 2 better\n\nText.\n"
SAID = News(TEXT, moved=True, passed=True)
NOTHING = News(None, moved=False, passed=True)
LINKS = Links(f"{WEB}/blob/main/")
NUMBER = 7

modes = pytest.mark.parametrize("mode", [mode for mode in get_args(CommentMode) if mode != "off"])


@pytest.mark.parametrize(
    ("mode", "said", "action"),
    [
        ("changes", SAID, "create"),
        ("changes", SAID._replace(moved=False), "skip"),
        ("changes", SAID._replace(moved=False, passed=False), "create"),
        ("changes", NOTHING, "skip"),
        ("always", SAID._replace(moved=False), "create"),
        ("always", NOTHING, "skip"),
        ("failures", SAID, "skip"),
        ("failures", SAID._replace(passed=False), "create"),
        ("failures", NOTHING._replace(passed=False), "skip"),
        ("off", SAID._replace(passed=False), "skip"),
    ],
)
def test_comment_is_begun_when_the_mode_says_so(mode: CommentMode, said: News, action: str) -> None:
    plan = plan_comment([], said, mode)

    assert action == plan.action
    assert (plan.body == BODY) == (action == "create")
    assert bool(plan.reason) == (action == "skip")


@modes
@pytest.mark.parametrize("said", [SAID, SAID._replace(moved=False), SAID._replace(passed=False)])
def test_comment_that_is_there_is_brought_up_to_date_in_every_mode(
    mode: CommentMode, said: News
) -> None:
    github = FakeGitHub()
    ours = github.add_comment(NUMBER, OLD)

    assert Published(ours.url) == publish_comment(github, NUMBER, said, mode)
    assert [ours._replace(body=BODY)] == github.comments(NUMBER)


@modes
def test_comment_says_so_when_nothing_that_is_scored_is_touched_any_more(mode: CommentMode) -> None:
    github = FakeGitHub()
    ours = github.add_comment(NUMBER, OLD)
    publish_comment(github, NUMBER, NOTHING, mode)

    assert [ours._replace(body=f"{MARKER}\n{NOTHING_LEFT}")] == github.comments(NUMBER)
    assert "no longer touches" in NOTHING_LEFT


def test_mode_off_leaves_everything_as_it_is_and_asks_nothing() -> None:
    github = FakeGitHub()
    github.add_comment(NUMBER, OLD)

    assert isinstance(publish_comment(github, NUMBER, SAID, "off"), Skipped)
    assert [] == github.calls


@modes
@pytest.mark.parametrize("said", [SAID, SAID._replace(passed=False), NOTHING])
def test_second_run_changes_nothing(mode: CommentMode, said: News) -> None:
    github = FakeGitHub()
    publish_comment(github, NUMBER, said, mode)
    writes = len(github.writes)
    again = publish_comment(github, NUMBER, said, mode)

    assert writes == len(github.writes)
    assert isinstance(again, Unchanged if writes else Skipped)


def test_comment_that_a_form_saved_with_other_line_ends_is_the_same() -> None:
    github = FakeGitHub()
    ours = github.add_comment(NUMBER, BODY.replace("\n", "\r\n").rstrip())

    assert Unchanged(ours.url) == publish_comment(github, NUMBER, SAID, "always")


@pytest.mark.parametrize(
    ("body", "mine", "minimised"),
    [
        (OLD, False, False),
        (OLD, True, True),
        (f"Look: {OLD}", True, False),
        (f"> {MARKER}\n", True, False),
        ("", True, False),
    ],
)
def test_comment_of_others_or_hidden_or_with_the_marker_further_down_is_not_ours(
    body: str, mine: bool, minimised: bool
) -> None:
    github = FakeGitHub()
    other = github.add_comment(NUMBER, body, mine=mine, minimised=minimised)
    publish_comment(github, NUMBER, SAID, "always")

    assert [other.body, BODY] == [comment.body for comment in github.comments(NUMBER)]


def test_of_two_comments_of_ours_the_older_one_is_edited_and_the_other_leads_to_it() -> None:
    github = FakeGitHub()
    first, second = github.add_comment(NUMBER, OLD), github.add_comment(NUMBER, OLD)
    publish_comment(github, NUMBER, SAID, "always")

    moved_on = second._replace(body=MOVED.format(url=first.url))
    assert [first._replace(body=BODY), moved_on] == github.comments(NUMBER)
    assert isinstance(publish_comment(github, NUMBER, SAID, "always"), Unchanged)
    assert 2 == len(github.writes)


class _Racing(FakeGitHub):
    """Another run comments between this run's look and its own comment."""

    def create_comment(self, number: int, body: str) -> Comment:
        self.add_comment(number, OLD)
        return super().create_comment(number, body)


def test_of_two_runs_that_start_at_once_one_comment_stays_with_the_newest_text() -> None:
    github = _Racing()
    outcome = publish_comment(github, NUMBER, SAID, "always")
    first, second = github.comments(NUMBER)

    assert Published(first.url) == outcome
    assert BODY == first.body
    assert MOVED.format(url=first.url) == second.body


def test_jobs_that_score_different_things_have_a_comment_each() -> None:
    github = FakeGitHub()
    for key in ("", "one", "two", "", "one", "two"):
        publish_comment(github, NUMBER, news(one_review(), PASSED, NO_LINKS, key), "always")

    assert ["<!-- plugin-eval -->", "<!-- plugin-eval one -->", "<!-- plugin-eval two -->"] == [
        comment.body.splitlines()[0] for comment in github.comments(NUMBER)
    ]


@pytest.mark.parametrize("method", ["comments", "create_comment", "edit_comment"])
def test_read_only_token_is_denied_with_the_permission_it_lacks(method: str) -> None:
    github = FakeGitHub()
    if method == "edit_comment":
        github.add_comment(NUMBER, OLD)
    github.failures[method] = Denied("No.", "Grant it.", "pull-requests: write")

    assert DeniedOutcome("pull-requests: write") == publish_comment(github, NUMBER, SAID, "always")


@pytest.mark.parametrize("method", ["comments", "create_comment"])
@pytest.mark.parametrize("kind", [GitHubError, Exhausted])
def test_any_other_failure_is_told_and_does_not_end_the_run(
    method: str, kind: type[GitHubError]
) -> None:
    github = FakeGitHub()
    github.failures[method] = kind("GitHub answered 502.", "Run the job again.")
    outcome = publish_comment(github, NUMBER, SAID, "always")

    assert isinstance(outcome, Skipped)
    assert "GitHub answered 502. Run the job again." in outcome.reason


def test_news_of_a_review_without_changes_are_none() -> None:
    assert News(None, moved=False, passed=True) == news(empty_review(), PASSED, NO_LINKS)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (Change("changed", skill("a"), skill("a")), False),
        (Change("renamed", skill("a", path="x/a"), skill("a")), False),
        (Change("changed", skill("a"), skill("a", output=0.1001)), False),
        (Change("changed", skill("a"), skill("a", output=0.0)), True),
        (Change("new", None, skill("a")), True),
        (Change("removed", skill("a"), None), True),
        (Change("changed", None, skill("a")), True),
        (Change("changed", skill("a", "ORPHAN_REFERENCE"), skill("a", "DEAD_CROSS_REF")), True),
    ],
)
def test_news_move_when_a_score_or_an_anti_pattern_did(change: Change, expected: bool) -> None:
    assert expected == moved(review(change))


def test_what_cannot_be_read_is_news() -> None:
    assert moved(review(failures=(Failure("a/SKILL.md", "It is too large.", "Cut it."),)))


def test_failed_gate_stands_below_the_heading() -> None:
    body = news(one_review(), FAILED, NO_LINKS).body
    expected = [
        MARKER,
        "### PluginEval: 1 worse",
        "",
        "> [!CAUTION]",
        "> **The gate failed.**",
        ">",
        "> - calm scores 61.0.",
        "",
    ]

    assert body is not None
    assert expected == body.splitlines()[:8]
    assert body.splitlines()[8].startswith("Worst: `code-review`")


def test_passed_gate_is_not_mentioned() -> None:
    assert "gate" not in (news(one_review(), PASSED, NO_LINKS).body or "")


def test_comment_fits_with_every_reason_and_1000_changes() -> None:
    reasons = tuple("@" * 1_000 for _ in range(5_000))
    body = news(huge_review(1_000), Gate(passed=False, reasons=reasons), LINKS).body

    assert body is not None
    assert len(body.encode()) <= BUDGET
    assert "> - … and 4,995 more" in body
    assert "rows of the table" in body


def test_hostile_reasons_and_names_become_nothing_live() -> None:
    body = news(hostile_review(), Gate(passed=False, reasons=ATTACKS[:5]), LINKS).body
    more = news(hostile_review(), Gate(passed=False, reasons=ATTACKS[5:]), LINKS).body
    for text in (body, more):
        assert text is not None
        page = Page(text)

        assert_whole(page)
        assert not page.elements & {"img", "script", "h1", "input", "math", "del"}
        assert [] == page.references
        assert all(link.startswith((WEB, PROJECT_URL)) for link in page.links)
        assert [0] == [at for at, line in enumerate(text.splitlines()) if line.startswith(MARKER)]


def test_comment_that_was_deleted_after_it_was_read_is_written_anew() -> None:
    github = FakeGitHub()
    gone = github.add_comment(NUMBER, OLD)
    plan = plan_comment([gone], SAID, "changes")
    github.failures["edit_comment"] = NotFound("There is no such comment.", "Look again.", 404)
    outcome = carry_out(plan, github, NUMBER)

    assert isinstance(outcome, Published)
    assert ["edit_comment", "create_comment"] == github.writes
