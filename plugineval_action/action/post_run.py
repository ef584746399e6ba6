"""Post for a run without rights: the second of the two workflows for forks.

The artifact of the first one is anybody's text, so it is only the sign that a comment is due. The
change is scored again here, through the API, by the inputs of this workflow; where it goes is told
by the event, never by the artifact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plugineval_action.action.ending import end
from plugineval_action.action.mode import Plan
from plugineval_action.action.outputs import NOTHING
from plugineval_action.action.result_reading import ARTIFACT, MAX_BYTES, read_artifact
from plugineval_action.action.review_run import review_change
from plugineval_action.action.run import BROKEN, PASSED, Run, tell
from plugineval_action.errors import ContentError
from plugineval_action.gh.client import GitHub, PullRequest

_NO_PULL_REQUEST: Final = (
    "No open pull request is at the commit that was scored; a newer run will speak for it."
)
_SEVERAL: Final = (
    "Several open pull requests are at the commit that was scored ({numbers}), and nothing that can"
    " be trusted tells which of them the run was for. Close all but one and run the job again."
)
_NO_ARTIFACT: Final = "The other workflow's run left no result, so there is nothing to post."


def post_result(run: Run) -> int:
    """Review the pull request that the event is about, and publish that; the exit code.

    It does not tell whether the gate passed, which the check run on the pull request does.
    """
    pulls = _pull_requests(run.github, run.plan)
    if len(pulls) != 1:
        numbers = ", ".join(f"#{pull.number}" for pull in pulls)
        return _nothing(run, _SEVERAL.format(numbers=numbers) if pulls else _NO_PULL_REQUEST)
    if not _is_due(run):
        return _nothing(run, _NO_ARTIFACT)
    plan = run.plan._replace(
        kind="review",
        base=pulls[0].base_sha,
        from_merge_base=True,
        from_workspace=False,
        number=pulls[0].number,
    )
    return BROKEN if review_change(run._replace(plan=plan)) == BROKEN else PASSED


def _nothing(run: Run, reason: str) -> int:
    tell("notice", [reason])
    end(run.settings.output, run.settings.step_summary, NOTHING, [reason])
    return PASSED


def _pull_requests(github: GitHub, plan: Plan) -> Sequence[PullRequest]:
    """The open pull requests whose head is still the commit that was scored."""
    if plan.run is None or not plan.run.head_owner or not plan.run.head_branch:
        return ()
    pulls = github.open_pull_requests(plan.run.head_owner, plan.run.head_branch)
    return [pull for pull in pulls if pull.head_sha == plan.head]


def _is_due(run: Run) -> bool:
    """Whether there is a result. Raises ContentError if it is not about the head."""
    if run.plan.run is None:
        return False
    archive = run.github.download_artifact(run.plan.run.run_id, ARTIFACT, MAX_BYTES)
    if archive is None:
        return False
    if read_artifact(archive) != run.plan.head:
        message = f"The artifact is about another commit than {run.plan.head}."
        raise ContentError(ARTIFACT, message, "Let the first workflow upload its own result.")
    return True
