"""The action as a whole: an event comes in; GitHub, the summary and the outputs then say what."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from action_run import (
    GOOD,
    POOR,
    Change,
    Done,
    act,
    propose,
    review_of,
    skill,
    workflow_run_of,
)
from event_files import payload
from github_server import GitHubServer, Link
from github_server.exchange import Request
from github_server.faults import Kind
from plugineval_action.action.outputs import NOTHING
from plugineval_action.render.review.comment import MARKER

WORSE = (skill("a"), skill("a", POOR))
"""A skill that loses its trigger."""


def changes(request: Request) -> bool:
    """Whether a request may change something: all but reading, which GraphQL does by POST."""
    if "/graphql/" in request.path:
        return "mutation" in request.body["query"]
    return request.method != "GET"


def test_a_pull_request_gets_one_comment_a_check_run_a_summary_and_outputs(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    done = act(server, tmp_path, review_of(change))
    (comment,) = change.pull.comments
    (check,) = change.repository.check_runs

    assert done.code == 0
    assert comment.body.startswith(f"{MARKER}\n### PluginEval: 1 worse")
    assert (check.status, check.conclusion, check.head_sha) == ("completed", "success", change.head)
    assert [note["path"] for note in check.annotations] == ["skills/a/SKILL.md"]
    assert "1 worse" in done.summary
    assert done.outputs["comment-url"] == comment.html_url
    assert done.outputs["check-url"] == check.html_url
    assert float(done.outputs["delta"]) < 0
    assert done.outputs["passed"] == "true"
    assert done.result["gate"]["passed"]


def test_a_second_run_changes_nothing_on_github(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, *WORSE)
    act(server, tmp_path, review_of(change))
    before = len(server.requests)
    done = act(server, tmp_path, review_of(change), run_id="2")
    asked = server.requests[before:]

    assert [] == [request for request in asked if changes(request)]
    assert (1, 1) == (len(change.pull.comments), len(change.repository.check_runs))
    assert "comment: unchanged" in done.log
    assert "check run: unchanged" in done.log
    assert done.outputs["check-url"] == change.repository.check_runs[0].html_url


def test_a_second_run_with_another_verdict_changes_the_check_run_that_is_there(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    act(server, tmp_path, review_of(change))
    act(server, tmp_path, review_of(change), inputs={"fail-under": "99"}, run_id="2")
    (check,) = change.repository.check_runs

    assert ("completed", "failure") == (check.status, check.conclusion)
    assert 1 == len(check.annotations)


def test_the_comment_follows_the_pull_request_and_says_when_nothing_is_left(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    act(server, tmp_path, review_of(change))
    back = change.repository.commit(skill("a"), parents=[change.head], branch="topic")
    act(server, tmp_path, review_of(change._replace(head=back)))
    (comment,) = change.pull.comments

    assert "worse" not in comment.body
    assert comment.body.startswith(MARKER)
    assert len(comment.edits) == 1


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"fail-under": "99"}, "fail-under asks for 99"),
        ({"max-regression": "1"}, "max-regression allows 1"),
        ({"fail-on": "warning"}, "MISSING_TRIGGER"),
    ],
)
def test_a_gate_fails_the_run_after_everything_is_published(
    inputs: dict[str, str], reason: str, server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    done = act(server, tmp_path, review_of(change), inputs=inputs)

    assert done.code == 1
    assert done.outputs["passed"] == "false"
    assert len(change.pull.comments) == 1
    assert change.repository.check_runs[0].conclusion == "failure"
    assert reason in done.log
    assert "::error" in done.log


def test_nothing_to_score_is_a_success_without_comment(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, skill("a"), {**skill("a"), "README.md": "new"})
    done = act(server, tmp_path, review_of(change))

    assert done.code == 0
    assert change.pull.comments == []
    assert [check.conclusion for check in change.repository.check_runs] == ["success"]
    assert "Nothing to score" in done.log


@pytest.mark.parametrize("stem", ["pull_request.fork", "pull_request.dependabot"])
def test_a_token_that_only_reads_degrades_and_says_what_to_grant(
    stem: str, server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE, fork="fork" in stem)
    done = act(server, tmp_path, review_of(change, stem), token=server.read_token)

    assert done.code == 0
    assert change.pull.comments == []
    assert "pull-requests: write" in done.summary
    assert done.outputs["comment-pending"] == "true"
    assert "::warning file=skills/a/SKILL.md" in done.log
    assert done.result["changes"]


def test_the_result_of_a_fork_is_posted_by_a_second_workflow(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE, fork=True)
    scored = act(server, tmp_path, review_of(change, "pull_request.fork"), token=server.read_token)
    done = _post(server, tmp_path, change, (scored.files / "plugin-eval/result.json").read_bytes())
    (comment,) = change.pull.comments

    assert done.code == 0
    assert "1 worse" in comment.body
    assert [check.head_sha for check in change.repository.check_runs] == [change.head]


def test_the_artifact_of_another_commit_is_refused(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, *WORSE, fork=True)
    scored = act(server, tmp_path, review_of(change, "pull_request.fork"), token=server.read_token)
    result = (scored.files / "plugin-eval/result.json").read_text(encoding="utf-8")
    done = _post(server, tmp_path, change, result.replace(change.head, "f" * 40).encode())

    assert done.code == 2
    assert change.pull.comments == []
    assert "another commit" in done.log


def test_a_pull_request_that_moved_on_gets_no_old_result(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE, fork=True)
    scored = act(server, tmp_path, review_of(change, "pull_request.fork"), token=server.read_token)
    fork = server.repository("fork-owner/skills")
    fork.commit(skill("b"), parents=[change.head], branch="topic")
    done = _post(server, tmp_path, change, (scored.files / "plugin-eval/result.json").read_bytes())

    assert done.code == 0
    assert change.pull.comments == []
    assert "newer run" in done.log


def _post(
    server: GitHubServer,
    tmp_path: Path,
    change: Change,
    result: bytes,
    inputs: dict[str, str] | None = None,
) -> Done:
    event = workflow_run_of(change, result)
    return act(
        server, tmp_path, event, name="workflow_run", inputs={"mode": "post"} | (inputs or {})
    )


def test_a_merge_group_is_gated_and_gets_no_comment(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, *WORSE)
    event = payload("merge_group", base=change.base, head=change.head)
    done = act(server, tmp_path, event, name="merge_group", inputs={"max-regression": "1"})

    assert done.code == 1
    assert change.pull.comments == []
    assert change.repository.check_runs == []
    assert "1 worse" in done.summary


def test_a_push_is_compared_with_what_was_there_before(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    event = payload("push", base=change.base, head=change.head)
    done = act(server, tmp_path, event, name="push")

    assert done.code == 0
    assert "1 worse" in done.summary
    assert change.pull.comments == []


@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch"])
def test_without_a_change_every_skill_is_scored(
    name: str, server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, {**skill("a"), **skill("b", POOR)}, skill("a"))
    event = payload(name, base=change.base, head=change.base)
    done = act(server, tmp_path, event, name=name, sha=change.base)

    assert done.code == 0
    assert {one["after"]["name"] for one in done.result["changes"]} == {"a", "b"}
    assert done.outputs["score"]


def test_an_unknown_event_is_a_notice(server: GitHubServer, tmp_path: Path) -> None:
    done = act(server, tmp_path, payload("issues"), name="issues")

    assert done.code == 0
    assert "::notice" in done.log
    assert server.requests == []


def test_a_truncated_listing_loses_nothing(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, {**skill("a"), **skill("b")}, {**skill("a", POOR), **skill("b", POOR)})
    change.repository.truncate_after = 3
    done = act(server, tmp_path, review_of(change))

    assert done.code == 0
    assert "2 worse" in change.pull.comments[0].body


def test_deleted_skills_show(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, {**skill("a"), **skill("b")}, {"README.md": "empty"})
    act(server, tmp_path, review_of(change))

    assert "2 removed" in change.pull.comments[0].body


def test_hostile_files_end_as_rows_and_nothing_live(server: GitHubServer, tmp_path: Path) -> None:
    evil = "---\nname: '@everyone <img src=x> ::error::x'\ndescription: </details>\n---\n"
    after = {
        "skills/a/SKILL.md": evil,
        "skills/b/SKILL.md": Link("/proc/self/environ"),
        "skills/c/SKILL.md": b"\xff\xfe\x00",
        "skills/ d\n`|@x/SKILL.md": GOOD.format(name="d"),
        "skills/e/SKILL.md": "x" * (1 << 21),
    }
    change = propose(server, {"README.md": ""}, after)
    done = act(server, tmp_path, review_of(change))
    body = change.pull.comments[0].body

    assert done.code == 0
    assert "<img" not in body
    assert "<code>@everyone" in body
    assert not any(line.startswith("::error::") for line in done.log.splitlines())
    assert "larger than" in body


FAULTS: list[tuple[str, str, Kind]] = [
    ("POST", r"/issues/\d+/comments$", "422"),
    ("POST", r"/issues/\d+/comments$", "403-integration"),
    ("POST", r"/check-runs$", "404"),
    ("POST", r"/check-runs$", "403-integration"),
    ("PATCH", r"/check-runs/\d+$", "422"),
    ("POST", r"/graphql/Comments$", "graphql-error"),
]


@pytest.mark.parametrize(("method", "path", "kind"), FAULTS)
def test_no_failing_call_loses_the_result(
    method: str, path: str, kind: Kind, server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    server.fault(method, path, kind, times=100)
    done = act(server, tmp_path, review_of(change))

    assert done.code == 0
    assert "1 worse" in done.summary
    assert done.result["changes"]
    assert done.outputs["score"]


def test_a_side_that_cannot_be_read_is_told_everywhere(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    server.fault("GET", r"/git/trees/", "404", times=100)
    done = act(server, tmp_path, review_of(change))

    assert done.code == 2
    assert done.outputs["passed"] == "false"
    assert "not done" in done.summary
    assert "::error" in done.log


def test_the_token_is_masked_first_and_shown_nowhere_else(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    server.fault("GET", r"/git/trees/", "401", times=100)
    done = act(server, tmp_path, review_of(change))
    shown = [line for line in done.log.splitlines() if not line.startswith("::add-mask::")]

    assert done.log.startswith("::add-mask::")
    assert server.write_token not in "\n".join(shown) + done.summary


def test_the_configuration_is_read_from_the_base(server: GitHubServer, tmp_path: Path) -> None:
    strict, lax = (
        {".plugin-eval.yml": "max-regression: 1\n"},
        {".plugin-eval.yml": "comment: off\n"},
    )
    change = propose(server, {**skill("a"), **strict}, {**skill("a", POOR), **lax})
    done = act(server, tmp_path, review_of(change), inputs={"config": ".plugin-eval.yml"})

    assert done.code == 1
    assert len(change.pull.comments) == 1


def test_wrong_inputs_are_told_all_at_once(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, *WORSE)
    inputs = {"fail-under": "many", "comment": "maybe"}
    done = act(server, tmp_path, review_of(change), inputs=inputs)

    assert done.code == 2
    assert "fail-under" in done.log
    assert "comment" in done.log
    assert server.requests == []


def test_sarif_is_written_into_the_workspace(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, *WORSE)
    act(server, tmp_path, review_of(change), inputs={"sarif-file": "out/skills.sarif"})
    text = (tmp_path / "runner/workspace/out/skills.sarif").read_text(encoding="utf-8")

    assert '"MISSING_TRIGGER"' in text


def test_paths_limit_what_is_scored(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, {**skill("a"), **skill("b")}, {**skill("a", POOR), **skill("b", POOR)})
    act(server, tmp_path, review_of(change), inputs={"paths": "skills/a/**"})

    assert "1 worse" in change.pull.comments[0].body


def test_a_module_planted_in_the_workspace_is_not_imported(tmp_path: Path) -> None:
    """The working directory is the untrusted checkout."""
    (tmp_path / "yaml.py").write_text("raise SystemExit(99)", encoding="utf-8")
    command = [sys.executable, "-I", "-m", "plugineval_action", "action"]
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "Not set, though GitHub's runner sets it" in done.stdout


def test_a_run_that_cannot_write_its_result_still_says_what_it_found(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    (tmp_path / "runner" / "temp").mkdir(parents=True)
    (tmp_path / "runner" / "temp" / "plugin-eval").write_text("in the way", encoding="utf-8")
    done = act(server, tmp_path, review_of(change))

    assert done.code == 2
    assert "1 worse" in done.summary
    assert len(change.pull.comments) == 1


MANIFEST = ".claude-plugin/marketplace.json"
LISTED = '{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "p", "source": "%s"}]}'
IN_PLUGIN = {f"p/{path}": text for path, text in skill("a").items()}


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        (skill("a"), {"skills/a/SKILL.md": Link("../../x.md"), "x.md": POOR}, "SYMLINK_REFUSED"),
        (skill("a"), {"skills/a/skill.md": POOR.format(name="a")}, "MISNAMED_SKILL_FILE"),
        (skill("a"), {"skills/a/SKILL.md/x.md": POOR}, "EXPECTED_FILE"),
        (
            {"x.md": POOR},
            {"skills/a/SKILL.md": Link("../../x.md"), "x.md": POOR},
            "SYMLINK_REFUSED",
        ),
        (
            {MANIFEST: LISTED % "./p", **IN_PLUGIN},
            {MANIFEST: "{broken", **IN_PLUGIN},
            "INVALID_JSON",
        ),
        (
            {MANIFEST: LISTED % "./p", **IN_PLUGIN},
            {MANIFEST: LISTED % "./nowhere", **IN_PLUGIN},
            "BROKEN_MANIFEST_PATH",
        ),
    ],
)
@pytest.mark.parametrize("gate", [{"fail-under": "1"}, {"fail-on": "warning"}])
def test_nothing_gets_past_a_gate_by_hiding(
    gate: dict[str, str],
    before: dict[str, str],
    after: dict[str, str],
    rule: str,
    server: GitHubServer,
    tmp_path: Path,
) -> None:
    change = propose(server, before, after)
    done = act(server, tmp_path, review_of(change), inputs={**gate, "paths": "skills/**"})
    (comment,) = change.pull.comments

    assert done.code == 1
    assert rule in comment.body
    assert rule in {found["rule"] for found in done.result["findings"]}


def test_a_link_that_was_there_before_fails_nothing(server: GitHubServer, tmp_path: Path) -> None:
    linked = {"skills/b/SKILL.md": Link("../../x.md"), "x.md": POOR}
    change = propose(server, {**skill("a"), **linked}, {**skill("a", POOR), **linked})
    done = act(server, tmp_path, review_of(change), inputs={"fail-under": "1"})

    assert done.code == 0


@pytest.mark.parametrize("kind", ["422", "403-integration"])
def test_annotations_that_github_refuses_are_shown_by_commands(
    kind: Kind, server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    server.fault("PATCH", r"/check-runs/\d+$", kind, times=1)
    done = act(server, tmp_path, review_of(change))

    assert "::warning file=skills/a/SKILL.md" in done.log
    assert "Annotations are missing" in done.summary


@pytest.mark.parametrize("name", ["folder", "file/below", "loop/x", "n" * 300])
def test_a_sarif_file_that_cannot_be_written_costs_nothing_else(
    name: str, server: GitHubServer, tmp_path: Path
) -> None:
    workspace = tmp_path / "runner" / "workspace"
    (workspace / "folder").mkdir(parents=True)
    (workspace / "file").write_text("in the way", encoding="utf-8")
    (workspace / "loop").symlink_to("loop")
    change = propose(server, *WORSE)
    done = act(server, tmp_path, review_of(change), inputs={"sarif-file": name})

    assert done.code == 2
    assert len(change.pull.comments) == len(change.repository.check_runs) == 1
    assert done.outputs["comment-url"]
    assert done.result["changes"]
    assert "sarif-file" in done.summary
    assert "Traceback" not in done.log


def test_an_old_run_does_not_overwrite_what_a_newer_one_said(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE)
    newer = change.repository.commit(skill("a"), parents=[change.head], branch="topic")
    act(server, tmp_path, review_of(change))

    assert change.pull.comments == []
    assert newer != change.head


def test_a_closed_pull_request_gets_no_comment(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, *WORSE)
    change.pull.state = "closed"
    done = act(server, tmp_path, review_of(change))

    assert change.pull.comments == []
    assert "closed" in done.summary


def test_hundreds_of_reasons_are_one_error_that_counts_them(
    server: GitHubServer, tmp_path: Path
) -> None:
    before = {path: text for n in range(30) for path, text in skill(f"s{n}").items()}
    after = {path: text for n in range(30) for path, text in skill(f"s{n}", POOR).items()}
    change = propose(server, before, after)
    inputs = {"fail-under": "99", "annotations": "commands", "fail-on": "warning"}
    done = act(server, tmp_path, review_of(change), inputs=inputs)
    errors = [line for line in done.log.splitlines() if line.startswith("::error")]

    assert len(errors) == 1
    assert "and 55 more" in errors[0]
    assert done.log.index("::error") < done.log.index("::warning")


def test_two_jobs_with_other_paths_have_a_comment_each(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, {**skill("a"), **skill("b")}, {**skill("a", POOR), **skill("b", POOR)})
    for _ in range(2):
        for name in ("a", "b"):
            act(server, tmp_path, review_of(change), inputs={"paths": f"skills/{name}"})

    assert len(change.pull.comments) == len(change.repository.check_runs) == 2
    assert [] == [comment for comment in change.pull.comments if comment.edits]


@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch"])
def test_a_run_over_everything_tells_of_no_change(
    name: str, server: GitHubServer, tmp_path: Path
) -> None:
    broken = {".claude-plugin/marketplace.json": "{"}
    change = propose(server, {**skill("a"), **skill("b", POOR), **broken}, skill("a"))
    event = payload(name, base=change.base, head=change.base)
    done = act(server, tmp_path, event, name=name, sha=change.base, inputs={"fail-on": "error"})

    assert done.code == 1
    assert done.result["base"] is None
    assert "The gate failed" in done.summary
    assert "INVALID_JSON" in done.summary
    assert [] == [
        word for word in ("nothing →", "new", "got worse", "--base") if word in done.summary
    ]


@pytest.mark.parametrize(
    "beside",
    [
        {".claude-plugin/plugin.json": '{"name": "p", "keywords": "a"}'},
        {
            ".claude-plugin/plugin.json": '{"name": "p"}',
            "agents/a.md": "---\nname: a\n---\nText.\n",
        },
    ],
)
def test_a_run_over_everything_gates_what_lies_in_plugins_beside_skills(
    beside: dict[str, str], server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, skill("a") | beside, skill("a"))
    event = payload("schedule", base=change.base, head=change.base)
    done = act(
        server, tmp_path, event, name="schedule", sha=change.base, inputs={"fail-on": "warning"}
    )

    assert 1 == done.code
    assert list(beside)[-1] in done.summary


def test_a_push_whose_past_is_gone_scores_everything(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, *WORSE)
    event = payload("push", base="1" * 40, head=change.head)
    done = act(server, tmp_path, event, name="push")

    assert done.code == 0
    assert [one["after"]["name"] for one in done.result["changes"]] == ["a"]
    assert "nothing to compare with" in done.summary


def test_a_fork_cannot_forge_its_result(server: GitHubServer, tmp_path: Path) -> None:
    """The artifact says that all is well; what is posted was scored on the trusted side."""
    change = propose(server, *WORSE, fork=True)
    forged = (
        f'{{"format": "plugineval-result/1", "head": "{change.head}", "gate": {{"passed": true}}}}'
    )
    done = _post(server, tmp_path, change, forged.encode(), {"fail-under": "99"})
    (check,) = change.repository.check_runs

    assert done.code == 0
    assert "1 worse" in change.pull.comments[0].body
    assert "fail-under asks for 99" in change.pull.comments[0].body
    assert check.conclusion == "failure"
    assert done.outputs["passed"] == "false"


def test_two_pull_requests_from_one_branch_are_not_mixed_up(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, *WORSE, fork=True)
    change.repository.commit(skill("a"), branch="release")
    fork = server.repository("fork-owner/skills")
    other = change.repository.pull_request("topic", head_repository=fork, base="release")
    sign = f'{{"format": "plugineval-result/1", "head": "{change.head}"}}'
    done = _post(server, tmp_path, change, sign.encode())

    assert done.code == 0
    assert [] == [*change.pull.comments, *other.comments]
    assert f"#{other.number}" in done.log


def test_globs_that_match_nothing_are_told(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, *WORSE)
    done = act(server, tmp_path, review_of(change), inputs={"paths": "skils/**\nskills/**"})

    assert "paths: skils/** matches no file" in done.log
    assert "paths: skills/**" not in done.log
    assert "skils" in done.summary


def test_outputs_that_cannot_be_written_end_with_a_message(
    server: GitHubServer, tmp_path: Path
) -> None:
    (tmp_path / "runner" / "output").mkdir(parents=True)
    change = propose(server, *WORSE)
    done = act(server, tmp_path, review_of(change), inputs={"config": "missing.yml"})

    assert done.code == 2
    assert "The outputs could not be written" in done.log
    assert "Traceback" not in done.log


@pytest.mark.parametrize(
    ("name", "edit", "inputs"),
    [
        ("issues", {}, {}),
        ("pull_request", {"action": "closed"}, {}),
        ("pull_request", {}, {"fail-under": "many"}),
        ("pull_request", {}, {"config": "missing.yml"}),
        ("workflow_run", {}, {}),
    ],
)
def test_every_ending_sets_every_output_and_writes_a_summary(
    name: str,
    edit: dict[str, str],
    inputs: dict[str, str],
    server: GitHubServer,
    tmp_path: Path,
) -> None:
    change = propose(server, *WORSE)
    event = payload(name, base=change.base, head=change.head, number=change.pull.number) | edit
    done = act(server, tmp_path, event, name=name, inputs=inputs)

    assert [*NOTHING] == [*done.outputs]
    assert done.summary.startswith("### PluginEval: ")


def test_a_change_outside_of_paths_is_told_as_such(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, {**skill("a"), **skill("b")}, {**skill("a"), **skill("b", POOR)})
    done = act(server, tmp_path, review_of(change), inputs={"paths": "skills/a"})

    assert "No changed skill matches paths: skills/a." in done.log
    assert "No changed skill matches paths: skills/a." in done.summary
