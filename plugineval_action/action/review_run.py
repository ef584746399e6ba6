"""Review a change: both sides through the API, scored by the same code in the same run."""

from __future__ import annotations

from datetime import UTC, datetime

from plugineval_action.action.eval_gate import hold_evals
from plugineval_action.action.eval_run import evals_of
from plugineval_action.action.gate import evaluate
from plugineval_action.action.models import deep_of, tell_spending
from plugineval_action.action.publishing import publish
from plugineval_action.action.run import RULESET, Run, tell
from plugineval_action.action.scanners import with_scanners
from plugineval_action.content.globs import selector, unmatched
from plugineval_action.content.members import SKIPPED_FOLDERS
from plugineval_action.content.tree import Tree
from plugineval_action.fixing.review import with_mechanical
from plugineval_action.gh.errors import NotFound
from plugineval_action.policy.apply import hold_review
from plugineval_action.policy.model import Policy, read_policy
from plugineval_action.review.changed_lines import lines_of
from plugineval_action.review.trees import Side, review_trees
from plugineval_action.review_values import Review

_GONE = (
    "What the branch held before this push is not on GitHub any more, so there is nothing to"
    " compare with: everything was scored."
)


def review_change(run: Run) -> int:
    """Score, publish, and gate; the exit code. Raises GitHubError if a side cannot be read."""
    head = run.github.tree(run.plan.head)
    try:
        base = _base(run)
    except NotFound:
        if run.plan.number is not None or run.plan.from_merge_base:
            raise
        from plugineval_action.action.score_run import score_everything

        tell("notice", [_GONE])
        plan = run.plan._replace(kind="score", reasons=(*run.plan.reasons, _GONE))
        return score_everything(run._replace(plan=plan))
    policy = read_policy(base) or Policy()
    run = run._replace(settings=run.settings.with_policy(policy))
    review = _review(run, base, head, policy)
    run, review = with_scanners(_with_notices(run, head), review, base, head)
    evals = evals_of(run, base, head)
    gate = hold_evals(evaluate(review, run.settings), evals, run.settings.fail_on_evals)
    return publish(run, review, gate, lines_of(review, base, head), evals)


def _base(run: Run) -> Tree:
    """The last commit that both sides have in common, where the plan asks for that."""
    plan = run.plan
    common = run.github.merge_base(plan.base, plan.head) if plan.from_merge_base else None
    return run.github.tree(common or plan.base)


def _review(run: Run, base: Tree, head: Tree, policy: Policy) -> Review:
    """Both sides under the policy of the base, which a change cannot touch."""
    sides = (Side(base, base.identity), Side(head, head.identity))
    review = review_trees(*sides, RULESET, selector(run.settings.paths), policy.profile)
    deep = deep_of(run)
    if deep is not None:
        from plugineval_action.review.deeper import deepen_review

        review = deepen_review(review, base, head, deep, profile=policy.profile)
        sides_of = (side for change in review.changes for side in (change.before, change.after))
        tell_spending(run, (side for side in sides_of if side))
    held = hold_review(review, policy, base, head, datetime.now(UTC).date())
    return with_mechanical(held, base, head)


def _with_notices(run: Run, head: Tree) -> Run:
    """The run with a reason for each glob that matches nothing: a gate may believe it does."""
    globs = unmatched(run.settings.paths, head.files(skip=SKIPPED_FOLDERS))
    notes = tuple(f"paths: {glob} matches no file at the head." for glob in globs)
    tell("warning", notes)
    return run._replace(plan=run.plan._replace(reasons=(*run.plan.reasons, *notes)))
