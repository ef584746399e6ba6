"""Score everything at a commit, where nothing tells what changed: schedules, dispatches, tags."""

from __future__ import annotations

from typing import NamedTuple

from plugineval_action.action.files import keep_result, keep_sarif
from plugineval_action.action.gate import Gate, evaluate, in_one
from plugineval_action.action.globs import selector
from plugineval_action.action.models import deep_of, tell_spending
from plugineval_action.action.outputs import outputs
from plugineval_action.action.publishing import finish
from plugineval_action.action.run import RULESET, Run, say, tell
from plugineval_action.content.discovery import discover
from plugineval_action.content.tree import Tree
from plugineval_action.gh.outcome import Skipped
from plugineval_action.render.gate_note import gate_note
from plugineval_action.render.score.to_markdown import render
from plugineval_action.render.words import counted
from plugineval_action.results import Change, Failure, Finding, Result, Review
from plugineval_action.rulesets import versioned
from plugineval_action.survey import Target, score_target, skill_targets, unlisted

MOST_NOTES = 20
_NOWHERE = Skipped("There is no pull request.")


class _Scored(NamedTuple):
    """All skills at a commit, and what was found beside them."""

    head: str
    results: tuple[Result, ...]
    failures: tuple[Failure, ...]
    asides: tuple[Finding, ...]

    def review(self) -> Review:
        """All skills as new ones: there is nothing to compare them with."""
        changes = tuple(Change("new", None, result) for result in self.results)
        ruleset = versioned(RULESET)
        return Review("", self.head, ruleset, changes, self.failures, findings=self.asides)


def score_everything(run: Run) -> int:
    """Score every skill, write summary, outputs and files, and gate; the exit code."""
    scored = _score(run)
    review = scored.review()
    gate = evaluate(review, run.settings)
    kept = keep_sarif(run, keep_result(run, review, gate), scored.results, scored.failures)
    say(f"{counted(len(scored.results), 'skill')} scored, {len(scored.failures)} not.")
    if not gate.passed:
        tell("failure", [in_one(gate)])
    notes = (*run.plan.reasons, *run.settings.notices, *kept.problems, *_told(scored.asides))
    values = outputs(review, gate, _NOWHERE, _NOWHERE, kept.path)
    return finish(run, gate, kept, values, _summary(run, scored, gate, notes))


def _score(run: Run) -> _Scored:
    tree, wanted = run.github.tree(run.plan.head), selector(run.settings.paths)
    found = discover(tree)
    targets = [target for target in skill_targets(found) if wanted(target.path)]
    scored = _results(run, tree, targets)
    failures = [one for one in scored if isinstance(one, Failure)]
    failures += (one for one in unlisted(tree) if wanted(one.path))
    results = tuple(one for one in scored if isinstance(one, Result))
    return _Scored(tree.identity, results, tuple(failures), found.asides)


def _results(run: Run, tree: Tree, targets: list[Target]) -> list[Result | Failure]:
    deep = deep_of(run)
    if deep is None:
        return [score_target(tree, target, RULESET) for target in targets]
    from plugineval_action.deepen import Side, assess_targets

    (scored,) = assess_targets([Side(tree, targets)], deep)
    tell_spending(run, (one for one in scored if isinstance(one, Result)))
    return scored


def _summary(run: Run, scored: _Scored, gate: Gate, notes: tuple[str, ...]) -> str:
    shown = render(run.scores(scored.results, scored.failures, notes))
    return "\n".join(filter(None, [gate_note(gate.reasons), shown]))


def _told(asides: tuple[Finding, ...]) -> tuple[str, ...]:
    """What was found beside the skills, in sentences; the first ones, and how many more."""
    told = [f"{one.path}:{one.line}: {one.message} ({one.rule})" for one in asides[:MOST_NOTES]]
    if len(asides) > MOST_NOTES:
        told.append(f"{counted(len(asides) - MOST_NOTES, 'more finding')} beside the skills.")
    return tuple(told)
