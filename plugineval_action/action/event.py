"""The event that started the run, as a typed value.

A payload is hostile: a stranger chooses names, labels and branches. What does not have GitHub's
shape is refused with the place of the fault; what is not needed is not read.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from plugineval_action.action.payload import (
    MergeGroupPayload,
    PullRequestPayload,
    PushPayload,
    WorkflowRunPayload,
    read_payload,
)

MAX_PAYLOAD_BYTES: Final = 32 << 20
"""GitHub sends no payload over 25 MB."""

TRUST_LABEL: Final = "plugineval: ask the model"
"""Setting it lets models judge a stranger's pull request as it is at that moment."""

_TRUSTED_AUTHORS: Final = ("OWNER", "MEMBER", "COLLABORATOR")
_DEPENDABOT: Final = "dependabot[bot]"
_WHOLE: Final = ("schedule", "workflow_dispatch")


class PullRequestEvent(NamedTuple):
    """`pull_request` or, with `target`, `pull_request_target`.

    `head_repository` is None once the fork is deleted; `label` is the one that was just set.
    `base_sha` is the tip of the base branch when the event happened. `is_dependabot` tells who
    started the run, since that decides about its token.
    """

    target: bool
    action: str
    number: int
    base_sha: str
    base_repository: str
    head_sha: str
    head_repository: str | None
    author_association: str
    label: str | None
    is_dependabot: bool

    @property
    def is_fork(self) -> bool:
        """Whether the head lies in another repository than the base."""
        return (self.head_repository or "").lower() != self.base_repository.lower()


class PushEvent(NamedTuple):
    """A push to a branch or tag. `before` is None if it is new, `after` if it was deleted.

    `branch` is None for a tag; `default_branch` is that of the repository.
    """

    branch: str | None
    before: str | None
    after: str | None
    default_branch: str


class MergeGroupEvent(NamedTuple):
    """A merge queue tests `head_sha`, which builds on `base_sha`."""

    base_sha: str
    head_sha: str


class WorkflowRunEvent(NamedTuple):
    """Another workflow's run; `event` is what started that one.

    `head_owner` and `head_branch` tell where its commit came from, None if that is gone.
    """

    action: str
    run_id: int
    event: str
    conclusion: str | None
    head_sha: str
    head_owner: str | None
    head_branch: str | None


class WholeEvent(NamedTuple):
    """`schedule` or `workflow_dispatch`: nothing changed, so everything is meant."""

    name: str


class OtherEvent(NamedTuple):
    """An event that this action has nothing to do for."""

    name: str


Event: TypeAlias = (
    PullRequestEvent | PushEvent | MergeGroupEvent | WorkflowRunEvent | WholeEvent | OtherEvent
)


def is_trusted(event: Event) -> bool:
    """Whether what the event brings may be sent to a model that we pay for.

    A stranger's pull request may not, unless somebody who may set labels has just set TRUST_LABEL:
    one that is there already says nothing about the commits that came after it.
    """
    match event:
        case PullRequestEvent(target=True):
            asked_for = event.action == "labeled" and event.label == TRUST_LABEL
            return event.author_association in _TRUSTED_AUTHORS or asked_for
        case PullRequestEvent():
            return not event.is_fork and not event.is_dependabot
        case WorkflowRunEvent() | OtherEvent():
            return False
    return True


def read_event(name: str, payload: object) -> Event:
    """The event `name` from its payload, as JSON has it.

    Raises UsageError if the payload of an event that we know has another shape than GitHub's.
    """
    match name:
        case "pull_request" | "pull_request_target":
            return _pull_request(name, read_payload(PullRequestPayload, name, payload))
        case "push":
            return _push(read_payload(PushPayload, name, payload))
        case "merge_group":
            group = read_payload(MergeGroupPayload, name, payload).merge_group
            return MergeGroupEvent(group.base_sha, group.head_sha)
        case "workflow_run":
            return _workflow_run(read_payload(WorkflowRunPayload, name, payload))
    return WholeEvent(name) if name in _WHOLE else OtherEvent(name)


def _pull_request(name: str, payload: PullRequestPayload) -> PullRequestEvent:
    pull = payload.pull_request
    starter = payload.sender or pull.user
    return PullRequestEvent(
        target=name == "pull_request_target",
        action=payload.action,
        number=pull.number,
        base_sha=pull.base.sha,
        base_repository=pull.base.repo.full_name,
        head_sha=pull.head.sha,
        head_repository=pull.head.repo.full_name if pull.head.repo else None,
        author_association=pull.author_association,
        label=payload.label.name if payload.label else None,
        is_dependabot=starter is not None and starter.login == _DEPENDABOT,
    )


def _push(payload: PushPayload) -> PushEvent:
    heads = "refs/heads/"
    branch = payload.ref.removeprefix(heads) if payload.ref.startswith(heads) else None
    return PushEvent(
        branch=branch,
        before=payload.before if payload.before.strip("0") else None,
        after=payload.after if payload.after.strip("0") else None,
        default_branch=payload.repository.default_branch,
    )


def _workflow_run(payload: WorkflowRunPayload) -> WorkflowRunEvent:
    run = payload.workflow_run
    return WorkflowRunEvent(
        action=payload.action,
        run_id=run.id,
        event=run.event,
        conclusion=run.conclusion,
        head_sha=run.head_sha,
        head_owner=run.head_repository.owner.login if run.head_repository else None,
        head_branch=run.head_branch,
    )
