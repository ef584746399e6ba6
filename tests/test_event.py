"""Events: recorded shapes become typed values; whatever has another shape is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from event_files import BASE, HEAD, event_name, names, payload
from plugineval_action.action.event import (
    TRUST_LABEL,
    Event,
    MergeGroupEvent,
    OtherEvent,
    PullRequestEvent,
    PushEvent,
    WholeEvent,
    WorkflowRunEvent,
    is_trusted,
    read_event,
)
from plugineval_action.errors import UsageError

NOTHING = "0" * 40
KNOWN = ["pull_request", "pull_request_target", "push", "merge_group", "workflow_run"]
OTHERS: list[object] = [None, [], {}, "x", -1, True]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def event(name: str) -> Event:
    return read_event(event_name(name), payload(name))


def pull_request(name: str, **changed: object) -> PullRequestEvent:
    """A pull request event, top-level keys of its payload changed."""
    read = read_event(event_name(name), payload(name) | changed)
    assert isinstance(read, PullRequestEvent)
    return read


def places(document: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value in a JSON document."""
    inner: list[tuple[Any, object]] = []
    if isinstance(document, dict | list):
        inner = list(document.items() if isinstance(document, dict) else enumerate(document))
    return [path, *(place for key, value in inner for place in places(value, (*path, key)))]


def put(document: Any, path: tuple[Any, ...], value: object) -> Any:  # noqa: ANN401 - JSON
    """The document with another value at a path."""
    if not path:
        return value
    document[path[0]] = put(document[path[0]], path[1:], value)
    return document


def test_a_pull_request_is_known_by_its_head_not_by_a_merge_commit() -> None:
    read = event("pull_request")

    assert read == PullRequestEvent(
        target=False,
        action="opened",
        number=7,
        base_sha=BASE,
        base_repository="octo-org/skills",
        head_sha=HEAD,
        head_repository="octo-org/skills",
        author_association="MEMBER",
        label=None,
        is_dependabot=False,
    )
    assert not read.is_fork


def test_a_pull_request_from_another_repository_is_one_from_a_fork() -> None:
    read = pull_request("pull_request.fork")

    assert read.is_fork
    assert "fork-owner/skills" == read.head_repository


def test_names_of_repositories_are_compared_as_github_does() -> None:
    pull = payload("pull_request")["pull_request"]
    pull["head"]["repo"]["full_name"] = "Octo-Org/Skills"

    assert not pull_request("pull_request", pull_request=pull).is_fork


def test_a_fork_that_was_deleted_is_still_a_fork() -> None:
    pull = payload("pull_request.fork")["pull_request"]
    pull["head"]["repo"] = None
    read = pull_request("pull_request.fork", pull_request=pull)

    assert read.is_fork
    assert read.head_repository is None


def test_an_author_whose_account_is_gone_is_nobody() -> None:
    pull = payload("pull_request")["pull_request"] | {"user": None}

    assert not pull_request("pull_request", pull_request=pull, sender=None).is_dependabot


def test_dependabot_is_who_started_the_run_not_who_opened_the_pull_request() -> None:
    assert pull_request("pull_request.dependabot").is_dependabot
    assert not pull_request("pull_request.dependabot", sender={"login": "octocat"}).is_dependabot


def test_pull_request_target_is_told_apart() -> None:
    read = pull_request("pull_request_target")

    assert read.target
    assert "FIRST_TIME_CONTRIBUTOR" == read.author_association


def test_a_push_says_what_was_there_before() -> None:
    assert event("push") == PushEvent("main", BASE, HEAD, default_branch="main")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"before": NOTHING, "ref": "refs/heads/a/b"}, PushEvent("a/b", None, HEAD, "main")),
        ({"after": NOTHING}, PushEvent("main", BASE, None, "main")),
        ({"before": NOTHING, "ref": "refs/tags/v1"}, PushEvent(None, None, HEAD, "main")),
    ],
)
def test_a_new_branch_a_deleted_one_and_a_tag_are_told_apart(
    changed: dict[str, str], expected: PushEvent
) -> None:
    assert expected == read_event("push", payload("push") | changed)


def test_a_merge_group_has_base_and_head() -> None:
    assert event("merge_group") == MergeGroupEvent(BASE, HEAD)


def test_a_workflow_run_tells_whose_branch_it_ran_on() -> None:
    assert event("workflow_run") == WorkflowRunEvent(
        action="completed",
        run_id=30433642,
        event="pull_request",
        conclusion="success",
        head_sha=HEAD,
        head_owner="fork-owner",
        head_branch="clearer-triggers",
    )


@pytest.mark.parametrize("read", [{}, None, {"repository": "none"}])
@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch"])
def test_nothing_is_asked_of_the_payload_of_a_schedule_or_dispatch(name: str, read: object) -> None:
    assert read_event(name, read) == WholeEvent(name)


@pytest.mark.parametrize("name", ["issues", "deployment_status", "", "something_new"])
def test_any_other_event_is_a_value_too(name: str) -> None:
    assert read_event(name, None) == OtherEvent(name)


def test_every_recorded_payload_is_read() -> None:
    assert {type(event(name)) for name in names()} == set(Event.__args__)


@pytest.mark.parametrize("name", [name for name in names() if event_name(name) in KNOWN])
def test_a_payload_that_lacks_or_twists_something_is_refused_or_read(name: str) -> None:
    """No KeyError, no TypeError, whatever stands where."""
    refused = 0
    for path in places(payload(name)):
        for value in OTHERS:
            twisted = put(payload(name), path, value)
            try:
                read_event(event_name(name), twisted)
            except UsageError:
                refused += 1

    assert refused


@given(st.sampled_from(KNOWN), JSON)
def test_any_json_is_refused_or_read(name: str, document: object) -> None:
    with pytest.raises(UsageError, match=f"The payload of {name} is not as GitHub sends it"):
        read_event(name, document)


def test_a_refusal_names_every_fault_with_its_place_and_shows_no_content() -> None:
    pull = payload("pull_request")["pull_request"]
    pull["head"]["sha"] = "::error::$(evil)"
    pull["number"] = "7"
    with pytest.raises(UsageError) as raised:
        pull_request("pull_request", pull_request=pull)

    assert "pull_request.head.sha:" in raised.value.message
    assert "pull_request.number:" in raised.value.message
    assert "evil" not in raised.value.message


@pytest.mark.parametrize("sha", ["main", HEAD.upper(), HEAD[:-1], f"{HEAD}\n", f"{HEAD}/.."])
def test_only_a_full_commit_id_is_one(sha: str) -> None:
    with pytest.raises(UsageError):
        read_event("push", payload("push") | {"after": sha})


def test_an_endless_name_is_refused() -> None:
    with pytest.raises(UsageError):
        read_event("push", payload("push") | {"ref": "refs/heads/" + "x" * 2000})


@pytest.mark.parametrize("association", ["OWNER", "MEMBER", "COLLABORATOR"])
def test_who_may_write_here_is_trusted_on_pull_request_target(association: str) -> None:
    read = pull_request("pull_request_target")._replace(author_association=association)

    assert is_trusted(read)


@pytest.mark.parametrize("association", ["CONTRIBUTOR", "NONE", "MANNEQUIN", "owner", ""])
def test_nobody_else_is_trusted_on_pull_request_target(association: str) -> None:
    read = pull_request("pull_request_target")._replace(author_association=association)

    assert not is_trusted(read)


def test_setting_the_label_trusts_what_is_there_at_that_moment() -> None:
    assert is_trusted(
        pull_request("pull_request_target", action="labeled", label={"name": TRUST_LABEL})
    )


def test_a_label_that_is_there_already_trusts_no_later_commit() -> None:
    pull = payload("pull_request_target")["pull_request"] | {"labels": [{"name": TRUST_LABEL}]}

    assert not is_trusted(
        pull_request("pull_request_target", action="synchronize", pull_request=pull)
    )
    assert not is_trusted(
        pull_request(
            "pull_request_target", action="labeled", label={"name": "bug"}, pull_request=pull
        )
    )


@pytest.mark.parametrize(
    ("name", "trusted"),
    [
        ("pull_request", True),
        ("pull_request.fork", False),
        ("pull_request.dependabot", False),
        ("push", True),
        ("merge_group", True),
        ("schedule", True),
        ("workflow_dispatch", True),
        ("workflow_run", False),
        ("issues", False),
    ],
)
def test_elsewhere_those_are_trusted_who_have_written_to_the_repository(
    name: str,
    trusted: bool,
) -> None:
    assert trusted == is_trusted(event(name))
