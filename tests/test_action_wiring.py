"""Nothing between the parts is lost: what one reads or decides, the other gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from action_run import (
    GOOD,
    POOR,
    WORKSPACE,
    Done,
    act,
    propose,
    review_of,
    skill,
    workflow_run_of,
)
from event_files import payload
from github_server import GitHubServer
from github_server.exchange import Reply
from plugineval_action.action.event import TRUST_LABEL, is_trusted, read_event
from plugineval_action.action.mode import DEPENDABOT, FORK, SAME_REPOSITORY

WORSE = (skill("a"), skill("a", POOR))
HOSTILE = "x\n::error::planted\r\n##[error]planted"


def checked_out(tmp_path: Path, files: dict[str, str]) -> None:
    """Put files into the workspace, as actions/checkout does."""
    for path, text in files.items():
        target = tmp_path / WORKSPACE / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def obeyed(done: Done) -> list[str]:
    """The lines of a log that the runner would take for commands, without what is between stops."""
    lines = iter(done.log.splitlines())
    commands = []
    for line in lines:
        if line.startswith("::stop-commands::"):
            end = f"::{line.removeprefix('::stop-commands::')}::"
            while next(lines) != end:
                pass
        elif line.startswith("::") or "##[" in line:
            commands.append(line)
    return commands


def test_files_of_the_workspace_are_not_asked_for(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, {"README.md": ""}, skill("a"))
    checked_out(tmp_path, skill("a"))
    done = act(server, tmp_path, review_of(change))

    assert "1 new" in done.summary
    assert [] == server.calls("POST", "/graphql/Blobs")
    assert [] == server.calls("GET", "/git/blobs/")


def test_another_commit_in_the_workspace_changes_nothing(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, {"README.md": ""}, skill("a"))
    checked_out(tmp_path, {**skill("a", POOR), **skill("b")})
    done = act(server, tmp_path, review_of(change))

    assert ["MISSING_TRIGGER" in done.summary] == [False]
    assert ["skills/a"] == [one["after"]["path"] for one in done.result["changes"]]


def test_the_workspace_is_not_touched_on_pull_request_target(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, {"README.md": ""}, skill("a"))
    checked_out(tmp_path, skill("a"))
    act(server, tmp_path, review_of(change, "pull_request_target"), name="pull_request_target")

    assert 1 == len(server.calls("POST", "/graphql/Blobs"))


def test_what_others_merged_since_is_not_taken_for_a_change(
    server: GitHubServer, tmp_path: Path
) -> None:
    """The base branch has moved past the point where the pull request left it."""
    change = propose(server, {**skill("a"), **skill("b")}, {**skill("a", POOR), **skill("b")})
    later = {**skill("a"), **skill("b", POOR), **skill("c")}
    tip = change.repository.commit(later, parents=[change.base], branch="main")
    done = act(server, tmp_path, review_of(change._replace(base=tip)))

    assert ["skills/a"] == [one["after"]["path"] for one in done.result["changes"]]


def test_the_configuration_decides_about_comment_and_annotations(
    server: GitHubServer, tmp_path: Path
) -> None:
    file = {".plugin-eval.yml": "comment: 'off'\nannotations: 'off'\n"}
    change = propose(server, {**skill("a"), **file}, {**skill("a", POOR), **file})
    done = act(server, tmp_path, review_of(change), inputs={"config": ".plugin-eval.yml"})

    assert 0 == done.code
    assert "1 worse" in done.summary
    assert ([], []) == (change.pull.comments, change.repository.check_runs)


def test_a_configuration_that_comes_with_the_change_itself_has_to_be_merged_first(
    server: GitHubServer, tmp_path: Path
) -> None:
    file = {".plugin-eval.yml": "comment: 'off'\n"}
    change = propose(server, skill("a"), {**skill("a", POOR), **file})
    done = act(server, tmp_path, review_of(change), inputs={"config": ".plugin-eval.yml"})

    assert 2 == done.code
    assert "is not in commit" in done.log
    assert "Merge it into the base branch first" in done.summary


def test_an_old_problem_is_annotated_if_its_line_was_written_anew(
    server: GitHubServer, tmp_path: Path
) -> None:
    linked = GOOD + "\n{{}} [it](references/gone.md).\n"
    before, after = (skill("a", linked.replace("{{}}", word)) for word in ("See", "Read"))
    change = propose(server, before, after)
    act(server, tmp_path, review_of(change))
    (check,) = change.repository.check_runs

    assert [("skills/a/SKILL.md", 6)] == [
        (note["path"], note["start_line"]) for note in check.annotations
    ]


@pytest.mark.parametrize(
    ("event", "advice"),
    [
        ("pull_request.fork", FORK),
        ("pull_request.dependabot", DEPENDABOT),
        ("pull_request", SAME_REPOSITORY),
    ],
)
def test_who_lacks_a_permission_is_told_where_to_get_it(
    event: str, advice: str, server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE, fork="fork" in event)
    done = act(server, tmp_path, review_of(change, event), token=server.read_token)
    others = {FORK, DEPENDABOT, SAME_REPOSITORY} - {advice}

    assert advice in done.summary
    assert not [other for other in others if other in done.summary]


@pytest.mark.parametrize(
    ("action", "trusted"),
    [("labeled", True), ("unlabeled", False), ("synchronize", False), ("opened", False)],
)
def test_only_setting_the_label_trusts(action: str, trusted: bool) -> None:
    event = payload("pull_request_target") | {"action": action, "label": {"name": TRUST_LABEL}}
    event["pull_request"] |= {"author_association": "NONE"}

    assert trusted == is_trusted(read_event("pull_request_target", event))


def test_a_mistake_of_ours_is_told_everywhere_and_its_traceback_is_no_command(
    server: GitHubServer, tmp_path: Path
) -> None:
    """A size that is no number: such an answer nobody has written code for."""
    change = propose(server, *WORSE)

    def sizes_as_words(reply: Reply) -> Reply:
        entries = [one | {"size": "large"} for one in reply.body["tree"]]
        return reply._replace(body=reply.body | {"tree": entries})

    server.alter("GET", "/git/trees/", sizes_as_words)
    done = act(server, tmp_path, review_of(change))
    before, _, traceback = done.log.partition("Traceback")

    assert (2, "false") == (done.code, done.outputs["passed"])
    assert "mistake in the action" in done.summary
    assert before.splitlines()[-1].startswith("::stop-commands::")
    assert "TypeError" in traceback
    assert ["::error title=" in line for line in obeyed(done)[-1:]] == [True]


def test_words_of_github_in_the_log_are_no_commands(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, *WORSE)
    refusal = Reply(422, {"message": HOSTILE})
    server.alter("POST", r"/issues/\d+/comments$", lambda _: refusal)
    done = act(server, tmp_path, review_of(change))

    assert "planted" in done.log
    assert not [line for line in obeyed(done) if "planted" in line]


def test_the_name_of_an_event_in_the_log_is_no_command(
    server: GitHubServer, tmp_path: Path
) -> None:
    done = act(server, tmp_path, {}, name=HOSTILE)

    assert "planted" in done.log
    assert ["::notice"] == [line.split(" ")[0] for line in obeyed(done) if "planted" in line]


@pytest.mark.parametrize("name", ["out/skills.sarif", "link.sarif"])
def test_sarif_is_not_written_through_a_link_of_the_checkout(
    name: str, server: GitHubServer, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("as it was", encoding="utf-8")
    checked_out(tmp_path, {"README.md": ""})
    (tmp_path / WORKSPACE / "out").symlink_to(outside)
    (tmp_path / WORKSPACE / "link.sarif").symlink_to(outside / "kept")
    change = propose(server, *WORSE)
    done = act(server, tmp_path, review_of(change), inputs={"sarif-file": name})

    assert 2 == done.code
    assert ["kept"] == [path.name for path in outside.iterdir()]
    assert "as it was" == (outside / "kept").read_text(encoding="utf-8")


def test_a_check_run_is_concluded_even_when_the_time_is_used_up(
    server: GitHubServer, tmp_path: Path
) -> None:
    """GitHub asks for a wait of an hour while annotations are added."""
    change = propose(server, *WORSE)
    server.fault("PATCH", r"/check-runs/\d+$", "403-secondary", times=1, seconds=3600)
    done = act(server, tmp_path, review_of(change))
    (check,) = change.repository.check_runs

    assert "completed" == check.status
    assert "1 worse" in done.summary


def test_rest_and_graphql_are_asked_at_the_addresses_of_the_runner(tmp_path: Path) -> None:
    """On Enterprise Server neither can be made from the other by adding a word."""
    with GitHubServer(enterprise=True) as server:
        change = propose(server, *WORSE)
        done = act(server, tmp_path, review_of(change))

        assert 0 == done.code
        assert server.calls("POST", "/graphql/Blobs")
        assert server.calls("POST", "/graphql/Comments")
        assert [f"{server.html_url}/octo-org/skills"] == [
            done.outputs["comment-url"].partition("/pull/")[0]
        ]


def test_a_result_goes_to_no_pull_request_of_another_owner(
    server: GitHubServer, tmp_path: Path
) -> None:
    """GitHub lists all pull requests where it does not understand the filter by owner."""
    change = propose(server, *WORSE, fork=True)
    scored = act(server, tmp_path, review_of(change, "pull_request.fork"), token=server.read_token)
    other = server.repository("other-owner/skills", fork_of=change.repository)
    other.branches["topic"] = change.head
    stranger = change.repository.pull_request("topic", head_repository=other)
    everything = [stranger.payload(), change.pull.payload()]
    server.alter("GET", "/pulls$", lambda reply: reply._replace(body=everything))
    event = workflow_run_of(change, (scored.files / "plugin-eval/result.json").read_bytes())
    done = act(server, tmp_path, event, name="workflow_run", inputs={"mode": "post"})

    assert 0 == done.code
    assert ([], 1) == (stranger.comments, len(change.pull.comments))
