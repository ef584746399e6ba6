"""Score everything at a commit, where nothing tells what changed: schedules, dispatches, tags."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from plugineval_action.action.eval_gate import hold_evals
from plugineval_action.action.eval_run import evals_of
from plugineval_action.action.files import keep_result, keep_sarif
from plugineval_action.action.gate import evaluate, in_one
from plugineval_action.action.models import deep_of, tell_spending
from plugineval_action.action.outputs import eval_outputs, outputs
from plugineval_action.action.publishing import finish
from plugineval_action.action.run import RULESET, Run, say, tell
from plugineval_action.action.scanners import with_scanners
from plugineval_action.content.discovery import discover
from plugineval_action.content.globs import selector
from plugineval_action.content.tree import Tree
from plugineval_action.evals.compared import Evals
from plugineval_action.findings.profiles import ProfileName
from plugineval_action.findings.run import asides, check_shelf
from plugineval_action.gh.outcome import Skipped
from plugineval_action.policy.apply import hold_review
from plugineval_action.policy.model import Policy, read_policy
from plugineval_action.render.evals.to_section import render_evals
from plugineval_action.render.gate_note import gate_note
from plugineval_action.render.score.to_markdown import render
from plugineval_action.render.words import counted
from plugineval_action.results import Failure, Finding, Result
from plugineval_action.review_values import Change, Review
from plugineval_action.rulesets import versioned
from plugineval_action.survey import (
    Target,
    around_skills,
    score_target,
    skill_targets,
    unlisted,
    with_beside,
)

MOST_NOTES = 20
_NOWHERE = Skipped("There is no pull request.")


def score_everything(run: Run) -> int:
    """Score every skill, write summary, outputs and files, and gate; the exit code."""
    tree = run.github.tree(run.plan.head)
    policy = read_policy(tree) or Policy()
    run = run._replace(settings=run.settings.with_policy(policy))
    run, review = with_scanners(run, _review(run, tree, policy), tree, tree)
    evals = evals_of(run, tree, tree)
    gate = hold_evals(evaluate(review, run.settings), evals, run.settings.fail_on_evals)
    results = tuple(change.after for change in review.changes if change.after)
    kept = keep_sarif(run, keep_result(run, review, gate, evals), results, review.failures)
    say(f"{counted(len(results), 'skill')} scored, {len(review.failures)} not.")
    if not gate.passed:
        tell("failure", [in_one(gate)])
    notes = (*run.plan.reasons, *run.settings.notices, *kept.problems, *_told(review.findings))
    shown = render(run.scores(results, review.failures, notes))
    summary = "\n".join(filter(None, [gate_note(gate.reasons), shown, *_beside(run, evals)]))
    values = outputs(review, gate, _NOWHERE, _NOWHERE, kept.path) | eval_outputs(evals)
    return finish(run, gate, kept, values, summary)


def _beside(run: Run, evals: Evals) -> Iterator[str]:
    if not evals.is_empty:
        yield render_evals(evals, run.links())


def _review(run: Run, tree: Tree, policy: Policy) -> Review:
    """All skills as new ones, there being nothing to compare them with, and what lies beside."""
    found, wanted = discover(tree), selector(run.settings.paths)
    targets = [target for target in skill_targets(found) if wanted(target.path)]
    notes = check_shelf(tree, found, policy.profile)
    each = _results(run, tree, targets, policy.profile)
    scored = [with_beside(one, notes, RULESET) for one in each]
    failures = [one for one in scored if isinstance(one, Failure)]
    failures += (one for one in unlisted(tree) if wanted(one.path))
    # Manifests say what there is to score, so marketplaces count whatever is wanted.
    around = (
        note
        for note in around_skills(tree, found, notes, RULESET, policy.profile)
        if wanted(note.path)
    )
    review = Review(
        base="",
        head=tree.identity,
        ruleset=versioned(RULESET),
        changes=tuple(Change("new", None, one) for one in scored if isinstance(one, Result)),
        failures=tuple(failures),
        findings=(*asides(tree, found, policy.profile), *around),
    )
    return hold_review(review, policy, tree, tree, datetime.now(UTC).date())


def _results(
    run: Run, tree: Tree, targets: list[Target], profile: ProfileName
) -> list[Result | Failure]:
    deep = deep_of(run)
    if deep is None:
        return [score_target(tree, target, RULESET, profile=profile) for target in targets]
    from plugineval_action.deepen import Side, assess_targets

    (scored,) = assess_targets([Side(tree, targets, profile)], deep)
    tell_spending(run, (one for one in scored if isinstance(one, Result)))
    return scored


def _told(asides: tuple[Finding, ...]) -> tuple[str, ...]:
    """What was found beside the skills, in sentences; the first ones, and how many more."""
    told = [f"{one.path}:{one.line}: {one.message} ({one.rule})" for one in asides[:MOST_NOTES]]
    if len(asides) > MOST_NOTES:
        told.append(f"{counted(len(asides) - MOST_NOTES, 'more finding')} beside the skills.")
    return tuple(told)
