"""Ask models about the skills that a change touched, on both sides, so that like meets like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plugineval_action.assess import Assessed
from plugineval_action.content.discovery import discover
from plugineval_action.content.tree import Tree
from plugineval_action.contrast import differences
from plugineval_action.deepen import Deep, Side, assess_sides
from plugineval_action.findings.profiles import DEFAULT_PROFILE, ProfileName
from plugineval_action.layers.outcome import Progress, quiet
from plugineval_action.results import Result
from plugineval_action.review_values import Change, Review
from plugineval_action.survey import Target

_TOUCHED = ("new", "renamed", "changed")


def deepen_review(  # noqa: PLR0913, PLR0917 - two sides, who answers, who watches, who loads
    review: Review,
    base: Tree,
    head: Tree,
    deep: Deep,
    progress: Progress = quiet,
    profile: ProfileName = DEFAULT_PROFILE,
) -> Review:
    """The review with touched skills at the depth asked for.

    A skill that was there before is asked for the same requests on both sides, so that chance which
    both share is in no difference.

    Where the two sides did not get equally far, as when the cap was reached between them, both
    keep their static score: points of different layers are not compared.
    """
    touched = [change for change in review.changes if _is_touched(change)]
    if not touched:
        return review
    olds = [change.before for change in touched if change.before]
    news = [change.after for change in touched if change.after]
    # The head first: if money runs out, it is the side that matters.
    heads, bases = _targets(head, news), _targets(base, olds)
    sides = [
        Side(head, tuple(heads.values()), profile, _beside(touched, base, bases, "after")),
        Side(base, tuple(bases.values()), profile, _beside(touched, head, heads, "before")),
    ]
    after, before = (
        {each.result.path: each for each in results if isinstance(each, Assessed)}
        for results in assess_sides(sides, deep, progress)
    )
    changes = tuple(
        _deeper(change, before, after) if _is_touched(change) else change
        for change in review.changes
    )
    return review._replace(changes=changes)


def _is_touched(change: Change) -> bool:
    return change.status in _TOUCHED and change.after is not None and change.after.kind == "skill"


def _targets(tree: Tree, results: Iterable[Result]) -> dict[str, Target]:
    """What to score in a tree, by path."""
    plugins = {unit.path: unit.plugin for unit in discover(tree).skills}
    paths = [result.path for result in results]
    return {path: Target(path, skill_of=plugins.get(path)) for path in paths}


def _beside(
    touched: Iterable[Change], tree: Tree, targets: Mapping[str, Target], own: str
) -> dict[str, tuple[Tree, Target]]:
    """For the paths of one side, what stands there on the other one."""
    pairs = (
        (change.after, change.before) if own == "after" else (change.before, change.after)
        for change in touched
    )
    return {
        one.path: (tree, targets[other.path])
        for one, other in pairs
        if one is not None and other is not None
    }


def _deeper(change: Change, before: dict[str, Assessed], after: dict[str, Assessed]) -> Change:
    new = after.get(change.after.path) if change.after else None
    old = before.get(change.before.path) if change.before else None
    if new is None or (change.before is not None and old is None):
        return change
    if old is None:
        return change._replace(after=new.result)
    if _label(old.result) == _label(new.result):
        found = differences(old, new)
        return change._replace(before=old.result, after=new.result, differences=found)
    note = "Models did not get equally far before and after, so the static scores are compared."
    return change._replace(
        before=_static(change.before, old.result), after=_static(change.after, new.result, note)
    )


def _label(result: Result) -> str | None:
    return result.composite.confidence_label if result.composite else None


def _static(static: Result | None, deep: Result, *notes: str) -> Result | None:
    """The static result, and what was spent beyond it."""
    if static is None:
        return None
    return static._replace(
        findings=deep.findings, model_usage=deep.model_usage, notes=(*notes, *deep.notes)
    )
