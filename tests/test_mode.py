"""Modes: one test for each row of the table from event and settings to a plan."""

from __future__ import annotations

import pytest

from event_files import BASE, HEAD, event_name, names, payload
from plugineval_action.action.event import WorkflowRunEvent, read_event
from plugineval_action.action.mode import (
    DEPENDABOT,
    FORK,
    SAME_REPOSITORY,
    UNTRUSTED,
    Plan,
    decide,
)
from plugineval_action.errors import UsageError
from runner import settings

NOTHING = "0" * 40
REVIEW = Plan(
    "review",
    head=HEAD,
    base=BASE,
    from_merge_base=True,
    number=7,
    comment="changes",
    annotations="check",
)


def plan(name: str, /, *, changed: dict[str, object] | None = None, **inputs: str) -> Plan:
    """What is done for a recorded event, parts of its payload changed, with these inputs."""
    event = event_name(name)
    return decide(read_event(event, payload(name) | (changed or {})), settings(event, **inputs))


def run(**changed: object) -> dict[str, object]:
    """A change to the run in the payload of workflow_run."""
    return {"workflow_run": payload("workflow_run")["workflow_run"] | changed}


def test_a_pull_request_is_compared_with_where_it_branched_off() -> None:
    assert REVIEW == plan("pull_request")


def test_a_pull_request_from_a_fork_is_treated_alike_and_says_what_to_do_if_denied() -> None:
    assert REVIEW._replace(if_denied=FORK) == plan("pull_request.fork")


def test_a_pull_request_by_dependabot_is_treated_alike_and_says_what_to_do_if_denied() -> None:
    assert REVIEW._replace(if_denied=DEPENDABOT) == plan("pull_request.dependabot")


def test_pull_request_target_reads_files_through_the_api_only() -> None:
    assert REVIEW._replace(from_workspace=False) == plan("pull_request_target")


@pytest.mark.parametrize("depth", ["auto", "standard", "thorough"])
def test_pull_request_target_says_why_no_model_judges_a_stranger(depth: str) -> None:
    assert (UNTRUSTED,) == plan("pull_request_target", anthropic_api_key="k", depth=depth).reasons


def test_pull_request_target_says_nothing_of_models_if_none_is_asked_for() -> None:
    assert () == plan("pull_request_target", anthropic_api_key="k", depth="quick").reasons
    assert () == plan("pull_request_target", depth="standard").reasons


def test_pull_request_target_trusts_a_collaborator() -> None:
    pull = payload("pull_request_target")["pull_request"] | {"author_association": "MEMBER"}

    assert (
        ()
        == plan(
            "pull_request_target", changed={"pull_request": pull}, anthropic_api_key="k"
        ).reasons
    )


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target"])
def test_a_closed_pull_request_is_left_alone(name: str) -> None:
    done = plan(name, changed={"action": "closed"})

    assert ("nothing", "off", "off") == (done.kind, done.comment, done.annotations)
    assert done.reasons


def test_what_is_published_on_a_pull_request_is_what_the_inputs_say() -> None:
    done = plan("pull_request", comment="always", annotations="commands")

    assert ("always", "commands") == (done.comment, done.annotations)


def test_a_merge_group_is_compared_with_its_base_and_publishes_nothing() -> None:
    assert Plan("review", head=HEAD, base=BASE) == plan("merge_group", comment="always")


def test_a_push_is_compared_with_what_was_there_before_and_publishes_nothing() -> None:
    assert Plan("review", head=HEAD, base=BASE) == plan("push", comment="always")


def test_a_new_branch_is_compared_with_where_it_left_the_default_branch() -> None:
    done = plan("push", changed={"before": NOTHING, "ref": "refs/heads/new"})

    assert Plan("review", head=HEAD, base="main", from_merge_base=True) == done


@pytest.mark.parametrize("ref", ["refs/heads/main", "refs/tags/v1"])
def test_a_first_push_and_a_tag_have_everything_scored(ref: str) -> None:
    assert Plan("score", head=HEAD) == plan("push", changed={"before": NOTHING, "ref": ref})


@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch", "push"])
def test_mode_report_is_about_everything_at_the_commit_of_the_run(name: str) -> None:
    assert Plan("report", head=HEAD) == plan(name, mode="report")


@pytest.mark.parametrize("ref", ["refs/heads/topic", "refs/tags/v1"])
def test_a_push_elsewhere_adds_nothing_to_the_report(ref: str) -> None:
    done = plan("push", changed={"ref": ref}, mode="report")

    assert Plan("nothing", ("The report is about main; no run is added.",)) == done


def test_a_deleted_branch_is_nothing_to_report_on() -> None:
    assert "nothing" == plan("push", changed={"after": NOTHING}, mode="report").kind


@pytest.mark.parametrize("name", ["pull_request", "merge_group", "workflow_run", "issues"])
def test_mode_report_is_an_error_elsewhere(name: str) -> None:
    with pytest.raises(UsageError, match="only with schedule, workflow_dispatch, push"):
        plan(name, mode="report")


def test_a_deleted_branch_is_nothing_to_score() -> None:
    assert "nothing" == plan("push", changed={"after": NOTHING}).kind


@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch"])
def test_a_schedule_or_dispatch_has_everything_scored_at_the_commit_of_the_run(name: str) -> None:
    assert Plan("score", head=HEAD) == plan(name)


@pytest.mark.parametrize("mode", ["auto", "post"])
def test_a_workflow_run_posts_what_the_other_workflow_found_out(mode: str) -> None:
    event = read_event("workflow_run", payload("workflow_run"))
    assert isinstance(event, WorkflowRunEvent)

    done = plan("workflow_run", mode=mode, comment="always")

    assert ("post", HEAD, event) == (done.kind, done.head, done.run)
    assert ("always", "check") == (done.comment, done.annotations)


def test_nothing_of_the_fork_is_the_base_of_what_is_posted() -> None:
    """The configuration file is read there."""
    at_fork = plan("workflow_run", changed=run(head_sha="f" * 40))

    assert ("f" * 40, HEAD) == (at_fork.head, at_fork.base)


def test_a_run_that_a_gate_failed_is_posted_too() -> None:
    assert "post" == plan("workflow_run", changed=run(conclusion="failure")).kind


def test_annotations_by_command_would_land_on_the_wrong_run_so_none_are_posted() -> None:
    assert "off" == plan("workflow_run", annotations="commands").annotations


@pytest.mark.parametrize(
    "changed",
    [
        {"action": "requested"},
        run(event="push"),
        run(event="pull_request_target"),
        run(conclusion="cancelled"),
        run(conclusion="skipped"),
        run(conclusion=None),
        run(head_repository=None),
        run(head_branch=None),
    ],
)
def test_a_run_without_result_or_pull_request_is_not_posted(changed: dict[str, object]) -> None:
    done = plan("workflow_run", changed=changed)

    assert "nothing" == done.kind
    assert done.reasons


def test_any_other_event_is_a_notice() -> None:
    assert Plan("nothing", ("There is nothing to do for the event issues.",)) == plan("issues")


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target", "merge_group"])
def test_mode_pull_request_is_the_same_as_auto_where_it_fits(name: str) -> None:
    assert plan(name) == plan(name, mode="pull-request")


@pytest.mark.parametrize(
    "name", ["push", "schedule", "workflow_dispatch", "workflow_run", "issues"]
)
def test_mode_pull_request_is_an_error_elsewhere(name: str) -> None:
    with pytest.raises(UsageError, match=f"does not go with the event {name}, only with"):
        plan(name, mode="pull-request")


@pytest.mark.parametrize("name", [name for name in names() if name != "workflow_run"])
def test_mode_post_is_an_error_outside_of_workflow_run(name: str) -> None:
    with pytest.raises(UsageError, match="only with workflow_run"):
        plan(name, mode="post")


def test_what_to_do_if_denied_is_said_for_every_plan() -> None:
    assert {SAME_REPOSITORY, FORK, DEPENDABOT} == {plan(name).if_denied for name in names()}


@pytest.mark.parametrize("name", ["pull_request", "push", "merge_group", "schedule"])
def test_models_are_asked_where_there_is_a_key_and_no_stranger(name: str) -> None:
    assert plan(name, anthropic_api_key="k").asks_models
    assert not plan(name, anthropic_api_key="k", depth="quick").asks_models
    assert not plan(name, depth="deep").asks_models


@pytest.mark.parametrize("name", ["pull_request.fork", "pull_request.dependabot"])
def test_models_are_not_asked_about_what_strangers_bring(name: str) -> None:
    assert not plan(name, anthropic_api_key="k").asks_models
    assert not plan("pull_request_target", anthropic_api_key="k").asks_models
