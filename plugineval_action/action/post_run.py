"""Post what a run without rights found out: the second of the two workflows for forks.

The artifact is anybody's text. It is read strictly and rendered by our own template; where it goes
is told by the event, never by the artifact.
"""

from __future__ import annotations

from typing import Final

from plugineval_action.action.mode import Plan
from plugineval_action.action.publishing import publish
from plugineval_action.action.result_reading import ARTIFACT, MAX_BYTES, Stored, read_artifact
from plugineval_action.action.run import PASSED, Run, tell
from plugineval_action.errors import ContentError
from plugineval_action.gh.client import GitHub, PullRequest

_NO_PULL_REQUEST: Final = (
    "No open pull request is at the commit that was scored; a newer run will speak for it."
)
_NO_ARTIFACT: Final = "The other workflow's run left no result, so there is nothing to post."


def post_result(run: Run) -> int:
    """Publish the artifact's result on the pull request that the event is about."""
    pull = _pull_request(run.github, run.plan)
    if pull is None:
        return _nothing(_NO_PULL_REQUEST)
    stored = _stored(run)
    if stored is None:
        return _nothing(_NO_ARTIFACT)
    publish(run, stored.review, stored.gate, None, pull.number)
    return PASSED


def _nothing(reason: str) -> int:
    tell("notice", [reason])
    return PASSED


def _pull_request(github: GitHub, plan: Plan) -> PullRequest | None:
    """The open pull request whose head is still the commit that was scored."""
    if plan.run is None or not plan.run.head_owner or not plan.run.head_branch:
        return None
    pulls = github.open_pull_requests(plan.run.head_owner, plan.run.head_branch)
    return next((pull for pull in pulls if pull.head_sha == plan.head), None)


def _stored(run: Run) -> Stored | None:
    """The result; None if there is none. Raises ContentError if it is not about the head."""
    if run.plan.run is None:
        return None
    archive = run.github.download_artifact(run.plan.run.run_id, ARTIFACT, MAX_BYTES)
    if archive is None:
        return None
    stored = read_artifact(archive)
    if stored.review.head != run.plan.head:
        message = f"The artifact is about another commit than {run.plan.head}."
        raise ContentError(ARTIFACT, message, "Let the first workflow upload its own result.")
    return stored
