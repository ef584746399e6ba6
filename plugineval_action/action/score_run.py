"""Score everything at a commit, where nothing tells what changed: schedules, dispatches, tags."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from plugineval_action.action.gate import evaluate
from plugineval_action.action.publishing import CHECK, COMMENT, write_all
from plugineval_action.action.run import GATE_FAILED, PASSED, RULESET, Run, say, tell
from plugineval_action.action.sarif_file import write_sarif
from plugineval_action.content.discovery import discover
from plugineval_action.content.globs import selector
from plugineval_action.content.tree import Tree
from plugineval_action.gh.outcome import Skipped
from plugineval_action.policy.apply import hold_review
from plugineval_action.policy.model import Policy, read_policy
from plugineval_action.results import Change, Failure, Result, Review
from plugineval_action.rulesets import versioned
from plugineval_action.survey import score_target, skill_targets


def score_everything(run: Run) -> int:
    """Score every skill, write summary and outputs, and gate; the exit code."""
    tree = run.github.tree(run.plan.head)
    policy = read_policy(tree) or Policy()
    review = _review(run, tree, policy)
    gate = evaluate(review, run.settings.with_policy(policy))
    if run.settings.sarif_file:
        results = [change.after for change in review.changes if change.after]
        write_sarif(Path(run.settings.workspace), run.settings.sarif_file, results, review.failures)
    nowhere = Skipped("There is no pull request, so nothing is published besides this summary.")
    write_all(run, review, gate, {COMMENT: nowhere, CHECK: nowhere})
    say(f"{len(review.changes)} skills scored, {len(review.failures)} could not be read.")
    tell("failure", gate.reasons)
    return PASSED if gate.passed else GATE_FAILED


def _review(run: Run, tree: Tree, policy: Policy) -> Review:
    """All skills as new ones: there is nothing to compare them with."""
    wanted = selector(run.settings.paths)
    targets = [target for target in skill_targets(discover(tree)) if wanted(target.path)]
    scored = [score_target(tree, target, RULESET, policy.profile) for target in targets]
    review = Review(
        base="nothing",
        head=tree.identity,
        ruleset=versioned(RULESET),
        changes=tuple(Change("new", None, one) for one in scored if isinstance(one, Result)),
        failures=tuple(one for one in scored if isinstance(one, Failure)),
    )
    return hold_review(review, policy, tree, tree, datetime.now(UTC).date())
