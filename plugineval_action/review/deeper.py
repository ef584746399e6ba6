"""Ask models about the skills that a change touched, on both sides, so that like meets like."""

from __future__ import annotations

from collections.abc import Iterable

from plugineval_action.content.discovery import discover
from plugineval_action.content.tree import Tree
from plugineval_action.deepen import Deep, Side, assess_targets
from plugineval_action.layers.outcome import Progress, quiet
from plugineval_action.results import Change, Result, Review
from plugineval_action.survey import Target

_TOUCHED = ("new", "renamed", "changed")


def deepen_review(
    review: Review, base: Tree, head: Tree, deep: Deep, progress: Progress = quiet
) -> Review:
    """The review with touched skills at the depth asked for.

    Where the two sides did not get equally far, as when the cap was reached between them, both
    keep their static score: points of different layers are not compared.
    """
    touched = [change for change in review.changes if _is_touched(change)]
    if not touched:
        return review
    olds = [change.before for change in touched if change.before]
    news = [change.after for change in touched if change.after]
    # The head first: if money runs out, it is the side that matters.
    sides = [Side(head, _targets(head, news)), Side(base, _targets(base, olds))]
    after, before = (
        {result.path: result for result in results if isinstance(result, Result)}
        for results in assess_targets(sides, deep, progress)
    )
    changes = tuple(
        _deeper(change, before, after) if _is_touched(change) else change
        for change in review.changes
    )
    return review._replace(changes=changes)


def _is_touched(change: Change) -> bool:
    return change.status in _TOUCHED and change.after is not None and change.after.kind == "skill"


def _targets(tree: Tree, results: Iterable[Result]) -> list[Target]:
    plugins = {unit.path: unit.plugin for unit in discover(tree).skills}
    return [Target(result.path, skill_of=plugins.get(result.path)) for result in results]


def _deeper(change: Change, before: dict[str, Result], after: dict[str, Result]) -> Change:
    new = after.get(change.after.path) if change.after else None
    old = before.get(change.before.path) if change.before else None
    if new is None or (change.before is not None and old is None):
        return change
    if old is None or _label(old) == _label(new):
        return change._replace(before=old, after=new)
    note = "Models did not get equally far before and after, so the static scores are compared."
    return change._replace(
        before=_static(change.before, old), after=_static(change.after, new, note)
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
