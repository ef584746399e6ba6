"""Score everything at a commit, where nothing tells what changed: schedules, dispatches, tags."""

from __future__ import annotations

from plugineval_action.action.gate import evaluate
from plugineval_action.action.globs import selector
from plugineval_action.action.models import deep_of, tell_spending
from plugineval_action.action.publishing import CHECK, COMMENT, write_all
from plugineval_action.action.run import GATE_FAILED, PASSED, RULESET, Run, say, tell
from plugineval_action.action.sarif_file import write_sarif
from plugineval_action.content.discovery import discover
from plugineval_action.content.tree import Tree
from plugineval_action.gh.outcome import Skipped
from plugineval_action.results import Change, Failure, Result, Review
from plugineval_action.rulesets import versioned
from plugineval_action.survey import Target, score_target, skill_targets


def score_everything(run: Run) -> int:
    """Score every skill, write summary and outputs, and gate; the exit code."""
    review = _review(run)
    gate = evaluate(review, run.settings)
    if run.settings.sarif_file:
        results = [change.after for change in review.changes if change.after]
        write_sarif(run, run.settings.sarif_file, results, review.failures)
    nowhere = Skipped("There is no pull request, so nothing is published besides this summary.")
    write_all(run, review, gate, {COMMENT: nowhere, CHECK: nowhere})
    say(f"{len(review.changes)} skills scored, {len(review.failures)} could not be read.")
    tell("failure", gate.reasons)
    return PASSED if gate.passed else GATE_FAILED


def _review(run: Run) -> Review:
    """All skills as new ones: there is nothing to compare them with."""
    tree, wanted = run.github.tree(run.plan.head), selector(run.settings.paths)
    targets = [target for target in skill_targets(discover(tree)) if wanted(target.path)]
    scored = _scored(run, tree, targets)
    return Review(
        base="nothing",
        head=tree.identity,
        ruleset=versioned(RULESET),
        changes=tuple(Change("new", None, one) for one in scored if isinstance(one, Result)),
        failures=tuple(one for one in scored if isinstance(one, Failure)),
    )


def _scored(run: Run, tree: Tree, targets: list[Target]) -> list[Result | Failure]:
    deep = deep_of(run)
    if deep is None:
        return [score_target(tree, target, RULESET) for target in targets]
    from plugineval_action.deepen import Side, assess_targets

    (scored,) = assess_targets([Side(tree, targets)], deep)
    tell_spending(run, (one for one in scored if isinstance(one, Result)))
    return scored
