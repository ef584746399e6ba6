"""The shapes of webhook payloads, as far as they are read; GitHub's names throughout."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plugineval_action.errors import UsageError

_Name = Annotated[str, Field(max_length=1024)]
_Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]
_Number = Annotated[int, Field(gt=0, lt=1 << 63)]


class Payload(BaseModel):
    """Strict: a number in a text is no number. Fields that are not named are not looked at."""

    model_config = ConfigDict(strict=True, frozen=True, hide_input_in_errors=True)


class _User(Payload):
    login: _Name


class _Label(Payload):
    name: _Name


class _Repository(Payload):
    full_name: _Name


class _Owned(Payload):
    owner: _User


class _Base(Payload):
    sha: _Sha
    repo: _Repository


class _Head(Payload):
    sha: _Sha
    repo: _Repository | None


class _PullRequest(Payload):
    number: _Number
    base: _Base
    head: _Head
    user: _User | None = None
    author_association: _Name = "NONE"


class PullRequestPayload(Payload):
    """Of `pull_request` and `pull_request_target`."""

    action: _Name
    pull_request: _PullRequest
    label: _Label | None = None
    sender: _User | None = None


class _DefaultBranch(Payload):
    default_branch: _Name


class PushPayload(Payload):
    """Of `push`."""

    ref: _Name
    before: _Sha
    after: _Sha
    repository: _DefaultBranch


class _MergeGroup(Payload):
    base_sha: _Sha
    head_sha: _Sha


class MergeGroupPayload(Payload):
    """Of `merge_group`."""

    merge_group: _MergeGroup


class _WorkflowRun(Payload):
    id: _Number
    event: _Name
    conclusion: _Name | None
    head_sha: _Sha
    head_branch: _Name | None
    head_repository: _Owned | None


class WorkflowRunPayload(Payload):
    """Of `workflow_run`."""

    action: _Name
    workflow_run: _WorkflowRun


P = TypeVar("P", bound=Payload)


def read_payload(shape: type[P], name: str, payload: object) -> P:
    """The payload of the event `name`. Raises UsageError with the place of every fault."""
    try:
        return shape.model_validate(payload)
    except ValidationError as error:
        faults = [
            f"{'.'.join(map(str, one['loc'])) or 'the payload'}: {one['msg'].lower()}"
            for one in error.errors(include_url=False, include_input=False)
        ]
        raise UsageError(
            f"The payload of {name} is not as GitHub sends it ({'; '.join(faults)}).",
            "Let GitHub start the run; GITHUB_EVENT_PATH names the file that was read.",
        ) from None
