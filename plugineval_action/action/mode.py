"""What a run does: one pure table from event and settings to a plan.

| event | plan |
| --- | --- |
| `pull_request` | review against the merge base; comment, check run |
| `pull_request_target` | the same, but files are read through the API only |
| `merge_group` | review against the group's base; summary and exit code |
| `push` to a branch | review against what was there before; summary and exit code |
| `push` of a tag, `schedule`, `workflow_dispatch` | score everything; summary and exit code |
| the same three with `mode: report`, a push only of the default branch | report on everything |
| `workflow_dispatch` with `mode: certify` | certify skills, publish their certificates |
| `workflow_run` | post what the other workflow's run found out |
| anything else | nothing |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

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
)
from plugineval_action.action.inputs import AnnotationMode, CommentMode, Mode
from plugineval_action.action.settings import Settings
from plugineval_action.errors import UsageError

_EVENTS: Final[Mapping[Mode, tuple[str, ...]]] = {
    "pull-request": ("pull_request", "pull_request_target", "merge_group"),
    "post": ("workflow_run",),
    "report": ("schedule", "workflow_dispatch", "push"),
    "certify": ("workflow_dispatch",),
}
_CONCLUDED: Final = ("success", "failure")
"""A run that a gate failed has an artifact as well."""

SAME_REPOSITORY: Final = "Grant it under permissions, in the job that uses the action."
FORK: Final = (
    "Runs for pull requests from forks get a token that only reads."
    " Add the two workflows that the README has for forks."
)
DEPENDABOT: Final = (
    "Runs that Dependabot starts get a token that only reads,"
    " unless the job itself grants more under permissions."
)
UNTRUSTED: Final = (
    "Models judge no pull request of strangers on pull_request_target: anyone could spend the key,"
    " or write a text that steers the model. They do if the author is a collaborator, or while a"
    f" maintainer sets the label {TRUST_LABEL!r}, for the commits that are there at that moment."
)


class Plan(NamedTuple):
    """What is to be done; `reasons` are sentences for the log and the summary.

    review: `head` is scored and compared with `base`, or with the last commit both have in common
    if `from_merge_base`; `base` may be the name of a branch. It is trusted, as the one place that
    a configuration file is read from.
    score: everything at `head` is scored.
    report: the same, with its past, published as a report.
    certify: skills at `head` are assessed and rated, and their certificates published.
    post: `run` tells whose artifact is published, for `head`; `base` is the default branch's tip.
    `asks_models`: models are asked, as what the event brings may be sent to them.
    `from_workspace`: `head` may be read from the checkout, if that holds the commit.
    `if_denied`: what to do about a permission that the token turns out to lack.
    """

    kind: Literal["review", "score", "report", "certify", "post", "nothing"]
    reasons: tuple[str, ...] = ()
    head: str = ""
    base: str = ""
    from_merge_base: bool = False
    from_workspace: bool = True
    asks_models: bool = False
    number: int | None = None
    run: WorkflowRunEvent | None = None
    if_denied: str = SAME_REPOSITORY
    comment: CommentMode = "off"
    annotations: AnnotationMode = "off"


def decide(event: Event, settings: Settings) -> Plan:
    """The plan for an event. Raises UsageError if `mode` does not go with it."""
    _check_mode(settings)
    match event:
        case PullRequestEvent():
            return _pull_request(event, settings)
        case MergeGroupEvent():
            plan = Plan("review", head=event.head_sha, base=event.base_sha)
            return plan._replace(asks_models=_asks_models(settings))
        case PushEvent():
            return _report_of(event) if settings.mode == "report" else _push(event, settings)
        case WholeEvent():
            return _whole(settings)
        case WorkflowRunEvent():
            return _post(event, settings)
        case OtherEvent():
            return Plan("nothing", (f"There is nothing to do for the event {event.name}.",))


def _check_mode(settings: Settings) -> None:
    """Goes by the event's name, as GitHub has it: what is in the payload does not matter."""
    fitting = _EVENTS.get(settings.mode)
    if fitting is None or settings.event_name in fitting:
        return
    raise UsageError(
        f"mode: {settings.mode} does not go with the event {settings.event_name},"
        f" only with {', '.join(fitting)}.",
        "Leave mode out to do what fits each event, or start the workflow on another event.",
    )


def _pull_request(event: PullRequestEvent, settings: Settings) -> Plan:
    if event.action == "closed":
        return Plan("nothing", ("The pull request is closed.",))
    asks_models = _asks_models(settings)
    return Plan(
        "review",
        (UNTRUSTED,) if asks_models and not is_trusted(event) else (),
        head=event.head_sha,
        base=event.base_sha,
        from_merge_base=True,
        from_workspace=not event.target,
        asks_models=asks_models and is_trusted(event),
        number=event.number,
        if_denied=_if_denied(event),
        comment=settings.comment,
        annotations=settings.annotations,
    )


def _asks_models(settings: Settings) -> bool:
    return settings.depth_asked != "quick"


def _if_denied(event: PullRequestEvent) -> str:
    if event.target:
        return SAME_REPOSITORY
    if event.is_fork:
        return FORK
    return DEPENDABOT if event.is_dependabot else SAME_REPOSITORY


def _whole(settings: Settings) -> Plan:
    if settings.mode == "report":
        return Plan("report", head=settings.sha)
    if settings.mode == "certify":
        return Plan("certify", head=settings.sha, asks_models=_asks_models(settings))
    return Plan("score", head=settings.sha, asks_models=_asks_models(settings))


def _push(event: PushEvent, settings: Settings) -> Plan:
    if event.after is None:
        return Plan("nothing", ("The branch or tag was deleted.",))
    asks = _asks_models(settings)
    if event.branch is None or (event.before is None and event.branch == event.default_branch):
        return Plan("score", head=event.after, asks_models=asks)
    before, default = event.before, event.default_branch
    plan = Plan("review", head=event.after, base=before or default, asks_models=asks)
    return plan if before else plan._replace(from_merge_base=True)


def _report_of(event: PushEvent) -> Plan:
    if event.after is None:
        return Plan("nothing", ("The branch or tag was deleted.",))
    if event.branch != event.default_branch:
        return Plan("nothing", (f"The report is about {event.default_branch}; no run is added.",))
    return Plan("report", head=event.after)


def _post(event: WorkflowRunEvent, settings: Settings) -> Plan:
    reason = _why_not_post(event)
    if reason:
        return Plan("nothing", (reason,))
    return Plan(
        "post",
        head=event.head_sha,
        base=settings.sha,  # GitHub runs workflow_run at the tip of the default branch
        run=event,
        comment=settings.comment,
        # Commands would annotate this run, which belongs to no pull request.
        annotations="check" if settings.annotations == "check" else "off",
    )


def _why_not_post(event: WorkflowRunEvent) -> str:
    if event.action != "completed":
        return f"The other workflow is {event.action}; its result is posted once it has completed."
    if event.event != "pull_request":
        return f"The other workflow ran on {event.event}, so there is no pull request to post to."
    if event.conclusion not in _CONCLUDED:
        return f"The other workflow's run ended as {event.conclusion}, so it has no result."
    if not event.head_owner or not event.head_branch:
        return "The branch that was scored is gone, so its pull request cannot be found."
    return ""
