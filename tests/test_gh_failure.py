"""Every way in which GitHub refuses becomes an error that says what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.gh.errors import (
    Conflict,
    Denied,
    Exhausted,
    GitHubError,
    NotFound,
    Protected,
)
from plugineval_action.gh.failure import Asked, Failure, explain, one_line

COMMENT = Asked("comment on pull request 7", "pull-requests: write")
CHECK = Asked("create the check run Skills", "checks: write")
INTEGRATION = "Resource not accessible by integration"


@pytest.mark.parametrize(
    "reason",
    [
        INTEGRATION,
        "Resource not accessible by personal access token",
        "Must have push access to repository",
        "Write access to repository not granted.",
        "Your token has not been granted the required scopes to execute this query.",
    ],
)
def test_a_missing_permission_is_named(reason: str) -> None:
    error = explain(Failure(403, reason), COMMENT)

    assert isinstance(error, Denied)
    assert "pull-requests: write" == error.permission
    assert f"GitHub refused to comment on pull request 7 (403: {reason})." == error.message
    assert "pull-requests: write" in error.remedy


@pytest.mark.parametrize(
    ("accepted", "permission"),
    [
        ("", "pull-requests: write"),
        ("issues=write; pull_requests=write", "pull-requests: write"),
        (
            "contents=write,workflows=write; administration=write",
            "contents: write, workflows: write",
        ),
        ("allows_permissionless_access=true", "pull-requests: write"),
        ("<b>=write", "pull-requests: write"),
    ],
)
def test_github_may_know_better_which_permission_is_missing(accepted: str, permission: str) -> None:
    headers = {"x-accepted-github-permissions": accepted}
    error = explain(Failure(403, INTEGRATION, headers), COMMENT)

    assert isinstance(error, Denied)
    assert permission == error.permission


def test_a_personal_token_is_told_that_only_apps_make_check_runs() -> None:
    error = explain(Failure(403, "You must authenticate via a GitHub App."), CHECK)

    assert isinstance(error, Denied)
    assert "${{ github.token }} with checks: write" in error.remedy


def test_who_may_not_open_pull_requests_is_told_which_setting_allows_it() -> None:
    said = "GitHub Actions is not permitted to create or approve pull requests."
    error = explain(Failure(403, said), Asked("open a pull request", "pull-requests: write"))

    assert isinstance(error, Denied)
    assert "Allow GitHub Actions to create and approve pull requests" in error.remedy


def test_a_missing_permission_is_no_rate_limit_even_on_the_last_request_of_the_hour() -> None:
    failure = Failure(403, INTEGRATION, {"x-ratelimit-remaining": "0"})

    assert failure.limit is None
    assert isinstance(explain(failure, COMMENT), Denied)


@pytest.mark.parametrize(
    ("failure", "limit"),
    [
        (Failure(403, "API rate limit exceeded for installation ID 1."), "primary"),
        (Failure(429, "API rate limit already exceeded for user ID 1."), "primary"),
        (Failure(429, "", {"x-ratelimit-remaining": "0"}), "primary"),
        (Failure(403, "You have exceeded a secondary rate limit."), "secondary"),
        (Failure(403, "You have triggered an abuse detection mechanism."), "secondary"),
        (Failure(403, "Slow down", {"retry-after": "3"}), "secondary"),
        (Failure(429, ""), "secondary"),
        (Failure(403, "Repository was archived so is read-only."), None),
        (Failure(502, "", {"retry-after": "3"}), None),
        (Failure(200, "API rate limit exceeded"), None),
    ],
)
def test_rate_limits_are_told_from_other_refusals(failure: Failure, limit: str | None) -> None:
    assert limit == failure.limit
    assert (limit is not None) == isinstance(explain(failure, COMMENT), Exhausted)


@pytest.mark.parametrize(
    ("failure", "kind", "message"),
    [
        (Failure(401, "Bad credentials"), GitHubError, "does not accept the token"),
        (Failure(403, "Repository was archived"), GitHubError, "(403: Repository was archived)"),
        (Failure(404, "Not Found"), NotFound, "GitHub could not comment on pull request 7"),
        (Failure(422, "No commit found for SHA: x"), NotFound, "(422: No commit found"),
        (Failure(409, "Git Repository is empty."), GitHubError, "(409: Git Repository is empty.)"),
        (Failure(422, "Validation Failed"), GitHubError, "(422: Validation Failed)"),
        (Failure(409, "Conflict"), Conflict, "(409: Conflict)"),
        (Failure(422, "Reference already exists"), Conflict, "already exists)"),
        (Failure(422, "Update is not a fast forward"), Conflict, "fast forward)"),
        (Failure(422, "Expected branch to point to x"), Conflict, "point to x)"),
        (Failure(422, "", kind="STALE_DATA"), Conflict, "(422)"),
        (Failure(422, "", kind="BRANCH_PROTECTION_RULE_VIOLATION"), Protected, "(422)"),
        (Failure(422, "Repository rule violations found"), Protected, "violations found)"),
        (Failure(409, "Protected branch update failed"), Protected, "update failed)"),
        (Failure(422, "Commits must have verified signatures."), Protected, "signatures.)"),
        (Failure(502, ""), GitHubError, "could not comment on pull request 7 (502)"),
        (Failure(0, "no answer in time"), GitHubError, "(no answer in time)"),
    ],
)
def test_other_failures_say_what_was_asked_and_answered(
    failure: Failure, kind: type[GitHubError], message: str
) -> None:
    error = explain(failure, COMMENT)

    assert kind is type(error)
    assert message in error.message
    assert failure.status == error.status
    assert error.remedy


@pytest.mark.parametrize(
    ("status", "uncertain"), [(0, True), (500, True), (504, True), (403, False), (429, False)]
)
def test_only_lost_answers_leave_the_effect_uncertain(status: int, *, uncertain: bool) -> None:
    assert uncertain == Failure(status, "").uncertain


@given(st.text())
def test_foreign_text_becomes_a_short_printable_line(text: str) -> None:
    line = one_line(text)

    assert line.isprintable()
    assert len(line) <= 200


def test_hostile_names_do_not_break_the_lines_of_a_message() -> None:
    error = explain(Failure(404, "Not Found"), Asked("find the commit a\n::error::\u202eb", "x"))

    assert error.message.isprintable()
