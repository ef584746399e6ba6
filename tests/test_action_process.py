"""Every kind of event that may start the action, and the action as the container starts it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from action_run import (
    GOOD,
    POOR,
    Files,
    act,
    propose,
    review_of,
    skill,
    workflow_run_of,
)
from event_files import event_name, payload
from github_server import GitHubServer, Link

ONE = skill("a")
WORSE = skill("a", POOR)
MANY = {path: text for n in range(300) for path, text in skill(f"s{n}").items()}
FILES = {f"data/{n % 40}/{n}.txt": str(n) for n in range(4_000)}
HOSTILE = {
    "skills/a/SKILL.md": "---\nname: '@everyone <img src=x> ::error::x'\ndescription: '# x'\n---\n",
    "skills/b/SKILL.md": Link("/proc/self/environ"),
    "skills/c/SKILL.md": b"\xff\xfe\x00",
    "skills/ d\n`|@x/SKILL.md": GOOD.format(name="d"),
    "skills/e/SKILL.md": "x" * (1 << 21),
    "skills/\u202ecod\u200b/SKILL.md": GOOD.format(name="::stop-commands::x"),
}


class Kind(NamedTuple):
    """What starts a run, and what it has to say in the summary; `comments` counts comments."""

    event: str
    before: Files
    after: Files
    says: str
    comments: int = 0
    reads_only: bool = False
    calls: int = 30


KINDS = {
    "a pull request": Kind("pull_request", ONE, WORSE, "1 worse", comments=1),
    "pull_request_target": Kind("pull_request_target", ONE, WORSE, "1 worse", comments=1),
    "one from a fork": Kind("pull_request.fork", ONE, WORSE, "1 worse", reads_only=True),
    "one of Dependabot": Kind("pull_request.dependabot", ONE, WORSE, "1 worse", reads_only=True),
    "a merge group": Kind("merge_group", ONE, WORSE, "1 worse"),
    "a push": Kind("push", ONE, WORSE, "1 worse"),
    "a dispatch": Kind("workflow_dispatch", ONE, WORSE, "skills/a"),
    "a schedule": Kind("schedule", ONE, WORSE, "skills/a"),
    "300 skills": Kind(
        "pull_request", MANY, dict.fromkeys(MANY, POOR), "300 worse", comments=1, calls=59
    ),
    "4,000 files": Kind("pull_request", ONE, {**FILES, **WORSE}, "1 worse", comments=1),
    "deleted skills": Kind("pull_request", ONE, {"README.md": ""}, "1 removed", comments=1),
    "hostile files": Kind("pull_request", {"README.md": ""}, HOSTILE, "larger than", comments=1),
    "nothing to score": Kind(
        "pull_request", ONE, {**ONE, "README.md": ""}, "nothing that is scored"
    ),
}


PROCESSES = {"a pull request", "pull_request_target", "a schedule", "hostile files"}
"""One for each module that a process may start with, and one for what it must survive."""


@pytest.mark.parametrize("name", KINDS)
def test_a_run_says_what_it_found_in_summary_outputs_and_comment(
    name: str, server: GitHubServer, tmp_path: Path
) -> None:
    kind = KINDS[name]
    change = propose(server, kind.before, kind.after, fork="fork" in kind.event)
    done = act(
        server,
        tmp_path,
        review_of(change, kind.event),
        name=event_name(kind.event),
        token=server.read_token if kind.reads_only else server.write_token,
        sha=change.head,
        process=name in PROCESSES,
    )

    assert (0, "true") == (done.code, done.outputs["passed"]), done.log
    assert kind.says in done.summary
    assert kind.comments == len(change.pull.comments)
    assert ("true" if kind.reads_only else "false") == done.outputs["comment-pending"]
    assert len(server.requests) <= kind.calls
    assert all(len(check.annotations) <= 50 for check in change.repository.check_runs)
    assert all(len(comment.body) <= 65_536 for comment in change.pull.comments)
    assert "Traceback" not in done.log


def test_a_process_posts_what_the_one_for_a_fork_found(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, ONE, WORSE, fork=True)
    event, token = review_of(change, "pull_request.fork"), server.read_token
    scored = act(server, tmp_path, event, token=token, process=True)
    result = (scored.files / "plugin-eval/result.json").read_bytes()
    posted = act(
        server,
        tmp_path,
        workflow_run_of(change, result),
        name="workflow_run",
        sha=change.base,
        process=True,
    )

    assert (0, "true") == (posted.code, posted.outputs["passed"]), posted.log
    assert ["1 worse" in comment.body for comment in change.pull.comments] == [True]


def test_a_process_has_nothing_to_do_for_another_event(
    server: GitHubServer, tmp_path: Path
) -> None:
    done = act(server, tmp_path, payload("issues"), name="issues", process=True)

    assert 0 == done.code
    assert "::notice" in done.log
    assert [] == server.requests


def test_a_process_ends_with_the_code_of_the_gate(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, ONE, WORSE)
    inputs = {"max-regression": "1"}
    done = act(server, tmp_path, review_of(change), inputs=inputs, process=True)

    assert (1, "false") == (done.code, done.outputs["passed"])


def test_a_process_ends_with_another_code_for_wrong_settings(
    server: GitHubServer, tmp_path: Path
) -> None:
    done = act(server, tmp_path, payload("push"), inputs={"fail-under": "many"}, process=True)

    assert 2 == done.code
    assert "fail-under" in done.summary
