"""Suggestions on lines of a pull request: few, made once, committed as they stand, taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from action_run import Change, Done, act, propose, review_of
from github_server import GitHubServer
from github_server.faults import Kind
from plugineval_action.action.suggestions import MOST, plan_suggestions
from plugineval_action.gh.client import Thread
from plugineval_action.render.links import NO_LINKS
from plugineval_action.review_values import Mechanical, Review

PATH = "skills/a/SKILL.md"
RIGHT = "---\nname: a\ndescription: Reads bills of any kind. Use when one is there.\n---\n"
WRONG = RIGHT.replace("description: Reads bills", "description: Reads: bills")
FIXED = "description: 'Reads: bills of any kind. Use when one is there.'"
BEFORE = {PATH: RIGHT}


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as running:
        yield running


def push(change: Change, text: str) -> Change:
    """Another commit on the pull request's branch."""
    head = change.repository.commit({PATH: text}, parents=[change.head], branch="topic")
    return change._replace(head=head)


def again(server: GitHubServer, tmp_path: Path, change: Change, run_id: str = "2") -> Done:
    return act(server, tmp_path, review_of(change), run_id=run_id)


def test_a_line_that_needs_no_judgement_gets_a_suggestion_that_can_be_committed(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BEFORE, {PATH: WRONG})
    done = act(server, tmp_path, review_of(change))
    (thread,) = change.pull.threads

    assert 0 == done.code
    assert (PATH, 3) == (thread.path, thread.line)
    assert f"```suggestion\n{FIXED}\n```" in thread.body
    assert "Front matter is not valid YAML ([INVALID_YAML](" in thread.body
    assert "Can be fixed mechanically: 1" in change.pull.comments[0].body
    assert FIXED in done.summary


def test_what_is_suggested_once_is_not_suggested_again(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BEFORE, {PATH: WRONG})
    act(server, tmp_path, review_of(change))
    done = again(server, tmp_path, change)
    again(server, tmp_path, push(change, f"{WRONG}\nMore text.\n"), "3")

    assert 1 == change.pull.reviews
    assert 1 == len(change.pull.threads)
    assert "suggestions: unchanged" in done.log


def test_one_that_was_taken_is_left_to_github_which_folds_it_away(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BEFORE, {PATH: WRONG})
    act(server, tmp_path, review_of(change))
    again(server, tmp_path, push(change, WRONG.replace("description: Reads: b", "description: B")))

    assert [True] == [thread.outdated for thread in change.pull.threads]


def test_one_that_is_of_no_use_any_more_is_taken_back(server: GitHubServer, tmp_path: Path) -> None:
    linked = f"{RIGHT}\n[The guide](Guide.md)\n"
    change = propose(server, BEFORE, {PATH: linked, "skills/a/guide.md": "Text.\n"})
    act(server, tmp_path, review_of(change))
    (thread,) = change.pull.threads
    assert "[The guide](guide.md)" in thread.body
    files = {PATH: linked, "skills/a/Guide.md": "Text.\n"}
    head = change.repository.commit(files, parents=[change.head], branch="topic")
    again(server, tmp_path, change._replace(head=head))

    assert [] == change.pull.threads


def test_one_that_was_answered_stays(server: GitHubServer, tmp_path: Path) -> None:
    linked = f"{RIGHT}\n[The guide](Guide.md)\n"
    change = propose(server, BEFORE, {PATH: linked, "skills/a/guide.md": "Text.\n"})
    act(server, tmp_path, review_of(change))
    change.pull.threads[0].replies.append("We keep it.")
    files = {PATH: linked, "skills/a/Guide.md": "Text.\n"}
    head = change.repository.commit(files, parents=[change.head], branch="topic")
    again(server, tmp_path, change._replace(head=head))

    assert 1 == len(change.pull.threads)


def test_lines_that_the_change_did_not_write_get_none(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, {PATH: WRONG}, {PATH: f"{WRONG}\nMore text.\n"})
    act(server, tmp_path, review_of(change))

    assert [] == change.pull.threads


@pytest.mark.parametrize("inputs", [{"comment": "off"}, {"annotations": "off"}])
def test_who_wants_no_comments_or_annotations_gets_no_suggestions(
    server: GitHubServer, tmp_path: Path, inputs: dict[str, str]
) -> None:
    change = propose(server, BEFORE, {PATH: WRONG})
    act(server, tmp_path, review_of(change), inputs=inputs)

    assert [] == change.pull.threads


def test_a_token_that_only_reads_makes_none_and_loses_nothing(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BEFORE, {PATH: WRONG}, fork=True)
    done = act(server, tmp_path, review_of(change), token=server.read_token)

    assert 0 == done.code
    assert [] == change.pull.threads
    assert FIXED in done.summary


@pytest.mark.parametrize("call", ["Threads", "PullRequestId", "Review"])
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("422", "suggestions: Suggestions could not be made"),
        ("403-integration", "suggestions: the token lacks the permission pull-requests:"),
    ],
)
def test_what_github_refuses_is_told_in_the_log_and_costs_nothing_else(
    server: GitHubServer, tmp_path: Path, call: str, kind: Kind, told: str
) -> None:
    change = propose(server, BEFORE, {PATH: WRONG})
    server.fault("POST", f"/graphql/{call}$", kind, times=20)
    done = act(server, tmp_path, review_of(change))

    assert 0 == done.code
    assert 1 == len(change.pull.comments)
    assert told in done.log


def test_one_that_somebody_else_took_back_meanwhile_is_no_trouble(
    server: GitHubServer, tmp_path: Path
) -> None:
    linked = f"{RIGHT}\n[The guide](Guide.md)\n"
    change = propose(server, BEFORE, {PATH: linked, "skills/a/guide.md": "Text.\n"})
    act(server, tmp_path, review_of(change))
    files = {PATH: linked, "skills/a/Guide.md": "Text.\n"}
    head = change.repository.commit(files, parents=[change.head], branch="topic")
    server.fault("POST", "/graphql/DeleteLineComment$", "404", times=20)
    done = again(server, tmp_path, change._replace(head=head))

    assert 0 == done.code
    assert "suggestions: unchanged" in done.log


def test_a_suggestion_is_made_once_even_if_the_answer_is_lost(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BEFORE, {PATH: WRONG})
    server.fault("POST", "/graphql/Review$", "502-after", times=1)
    act(server, tmp_path, review_of(change))

    assert 1 == change.pull.reviews


def test_a_waived_rule_is_not_offered_to_be_fixed(server: GitHubServer, tmp_path: Path) -> None:
    off = {".plugin-eval.yml": "levels: [{rule: INVALID_YAML, level: 'off'}]\n"}
    change = propose(server, BEFORE | off, {PATH: WRONG} | off)
    act(server, tmp_path, review_of(change))

    assert [] == change.pull.threads


def fixes(count: int) -> Review:
    mechanical = (Mechanical("LINK_CASE", PATH, at, f"a{at}", f"b{at}") for at in range(count))
    return Review("base", "head", "r", (), mechanical=tuple(mechanical))


def threads(count: int, **more: bool) -> list[Thread]:
    """Those that a first run has made."""
    new = plan_suggestions(fixes(count), [], NO_LINKS).new
    said = {"mine": True, "outdated": False, "answered": False} | more
    return [Thread(f"T{at}", one.body, **said) for at, one in enumerate(new)]


def test_at_most_so_many_stand_at_a_time() -> None:
    assert MOST == len(plan_suggestions(fixes(30), [], NO_LINKS).new)
    assert 4 == len(plan_suggestions(fixes(30), threads(MOST - 4), NO_LINKS).new)
    assert () == plan_suggestions(fixes(30), threads(MOST), NO_LINKS).new


def test_what_others_wrote_and_what_other_jobs_made_is_let_alone() -> None:
    copied = threads(2, mine=False)

    assert (2, ()) == (
        len(plan_suggestions(fixes(2), copied, NO_LINKS).new),
        plan_suggestions(fixes(0), copied, NO_LINKS).stale,
    )
    assert () == plan_suggestions(fixes(0), threads(2), NO_LINKS, "0123456789").stale
    assert ("T0", "T1") == plan_suggestions(fixes(0), threads(2), NO_LINKS).stale


def test_a_suggestion_cannot_break_out_of_its_block() -> None:
    fix = Mechanical("LINK_CASE", PATH, 1, "a", "````suggestion\u202e <img src=x> @octocat")
    review = Review("base", "head", "r", (), mechanical=(fix,))
    ((_, _, body),) = plan_suggestions(review, [], NO_LINKS).new

    assert "`````suggestion\n````suggestion\\u202e <img src=x> @octocat\n`````\n" in body
