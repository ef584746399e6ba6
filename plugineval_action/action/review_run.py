"""Review a change: both sides through the API, scored by the same code in the same run."""

from __future__ import annotations

from plugineval_action.action.gate import evaluate
from plugineval_action.action.globs import selector
from plugineval_action.action.models import deep_of, tell_spending
from plugineval_action.action.publishing import publish
from plugineval_action.action.run import GATE_FAILED, PASSED, RULESET, Run
from plugineval_action.action.sarif_file import write_sarif
from plugineval_action.content.tree import Tree
from plugineval_action.results import Review
from plugineval_action.review.changed_lines import lines_of
from plugineval_action.review.trees import Side, review_trees


def review_change(run: Run) -> int:
    """Score, publish, and gate; the exit code. Raises GitHubError if a side cannot be read."""
    base, head = _base(run), run.github.tree(run.plan.head)
    review = _review(run, base, head)
    gate = evaluate(review, run.settings)
    if run.settings.sarif_file:
        after = [change.after for change in review.changes if change.after]
        write_sarif(run, run.settings.sarif_file, after, review.failures)
    publish(run, review, gate, lines_of(review, base, head), run.plan.number)
    return PASSED if gate.passed else GATE_FAILED


def _base(run: Run) -> Tree:
    """The last commit that both sides have in common, where the plan asks for that."""
    plan = run.plan
    common = run.github.merge_base(plan.base, plan.head) if plan.from_merge_base else None
    return run.github.tree(common or plan.base)


def _review(run: Run, base: Tree, head: Tree) -> Review:
    sides = (Side(base, base.identity), Side(head, head.identity))
    review = review_trees(*sides, RULESET, selector(run.settings.paths))
    deep = deep_of(run)
    if deep is None:
        return review
    from plugineval_action.review.deeper import deepen_review

    review = deepen_review(review, base, head, deep)
    sides_of = (side for change in review.changes for side in (change.before, change.after))
    tell_spending(run, (side for side in sides_of if side))
    return review
