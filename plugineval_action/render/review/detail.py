"""What a change did inside one skill: dimensions before and after, and the parts that moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from typing import Final, NamedTuple

from plugineval_action.escape import code, shorten
from plugineval_action.render.links import Links, Markdown, file_of, html_name
from plugineval_action.render.review.table import interval, judged_movement, movement, score_of
from plugineval_action.render.words import NOTHING, UNBROKEN, moved, spaced
from plugineval_action.results import Part, Result
from plugineval_action.review_values import Change
from plugineval_action.scoring import delta
from plugineval_action.scoring.bands import grade, shown
from plugineval_action.scoring.delta import DimensionDelta

FOUND_LIMIT: Final = 80
NAME_LIMIT: Final = 60
MOST_MEMBERS: Final = 3
_SMALLEST_MOVE: Final = 0.005
"""In a sub-score, 0 to 1: what shows at two decimals."""


class DimensionRow(NamedTuple):
    """A dimension before and after, and its share of the composite."""

    name: str
    share: str
    before: str
    after: str
    change: str


class MovedPart(NamedTuple):
    """A part of a sub-score that adds something else than before."""

    sub_score: str
    before: Part
    after: Part


class PartRow(NamedTuple):
    """A part that moved, in words; `place` is where it is seen now, None if nowhere."""

    mark: str
    sub_score: str
    name: str
    before: str
    after: str
    found: str
    place: Markdown | None


class Detail(NamedTuple):
    """What is folded away for one change; `name` is HTML, for no Markdown is read there.

    A plugin has the `mean` of its members, which all its dimensions show, in place of `dimensions`,
    and `why` that moved: the members that moved it most.
    """

    name: Markdown
    before: str
    after: str
    change: str
    mean: str
    why: Markdown
    dimensions: tuple[DimensionRow, ...]
    penalty: str
    unmeasured: str
    parts: tuple[PartRow, ...]


def details(changes: Sequence[Change], links: Links) -> Iterator[Detail]:
    """One for each change that leaves something to tell."""
    for change in changes:
        if change.after is not None:
            found = _detail(change, change.after, links)
            if found.parts or found.mean or found.dimensions:
                yield found


def _detail(change: Change, after: Result, links: Links) -> Detail:
    is_plugin = after.kind == "plugin"
    # Dimensions may have moved apart from each other where their sum has not.
    is_same = delta.verdict(change) == "same" and not change.differences
    deltas = () if is_same else delta.dimension_deltas(change)
    return Detail(
        name=html_name(after.name),
        before=score_of(change.before) if change.before else "",
        after=score_of(after),
        change=movement(change),
        mean=_means(change) if is_plugin and deltas else "",
        why=_why(change) if is_plugin and deltas else Markdown(""),
        dimensions=() if is_plugin else tuple(_dimension_rows(deltas, change)),
        penalty=_penalties(change),
        unmeasured=", ".join(spaced(each.name) for each in deltas if each.after is None),
        parts=tuple(_part_row(each, after, links) for each in moved_parts(change)),
    )


def _means(change: Change) -> str:
    """The mean over a plugin's members, such as `70.1 → 65.6`."""
    sides = [each for each in (change.before, change.after) if each and each.layers]
    return " → ".join(dict.fromkeys(shown(100 * side.layers[0].score) for side in sides))


def _why(change: Change) -> Markdown:
    """The members that came, went or moved, such as `` `a` (61.8) is gone, `b` 80.0 → 70.0 ``."""
    before, after = _members(change.before), _members(change.after)
    if not before or not after:
        return Markdown("")
    told = [
        (
            abs(after.get(key, mean) - before.get(key, mean)),
            _moved_member(key[1], before.get(key), after.get(key)),
        )
        for mean in [fsum(before.values()) / len(before)]
        for key in {**before, **after}
        if before.get(key) != after.get(key)
    ]
    said = [text for _, text in sorted(told, key=lambda one: (-one[0], one[1]))]
    more = [f"{len(said) - MOST_MEMBERS} more"] if len(said) > MOST_MEMBERS else []
    return Markdown(", ".join([*said[:MOST_MEMBERS], *more]))


def _members(plugin: Result | None) -> dict[tuple[str, str], float]:
    """What the mean is made of, by kind and name; of the same name twice the last one counts."""
    members = plugin.members if plugin else ()
    return {(each.kind, each.name): 100 * each.layers[0].score for each in members if each.layers}


def _moved_member(name: str, before: float | None, after: float | None) -> str:
    said = code(name, NAME_LIMIT)
    if after is None:
        return f"{said} ({shown(before or 0.0)}) is gone"
    return (
        f"{said} ({shown(after)}) is new"
        if before is None
        else f"{said} {shown(before)} → {shown(after)}"
    )


def _dimension_rows(deltas: tuple[DimensionDelta, ...], change: Change) -> Iterator[DimensionRow]:
    sampled = {each.name: each for each in change.differences[1:]}
    total = fsum(each.weight for each in deltas if each.after is not None)
    for each in deltas:
        if each.after is not None:
            yield DimensionRow(
                spaced(each.name),
                f"{each.weight / total:.0%}",
                _graded(each.before),
                _graded(each.after),
                judged_movement(sampled[each.name]) + interval(sampled[each.name])
                if each.name in sampled
                else _movement(each.before, each.after),
            )


def _graded(score: float | None) -> str:
    if score is None:
        return NOTHING
    letter = grade(round(100 * score, 9)).replace("-", "−")
    return f"{shown(100 * score)}{UNBROKEN}{letter}"


def _movement(before: float | None, after: float) -> str:
    if before is None:
        return NOTHING
    points = 100 * (after - before)
    if round(abs(points), 9) < delta.SHOWN:
        return "same"
    return moved(points)


def _penalties(change: Change) -> str:
    """What anti-patterns cost, such as `0% → 5%`; "" if they never cost anything."""
    sides = [each.composite for each in (change.before, change.after) if each and each.composite]
    costs = [f"{1 - side.anti_pattern_penalty:.0%}" for side in sides]
    return " → ".join(dict.fromkeys(costs)) if set(costs) - {"0%"} else ""


def moved_parts(change: Change) -> Iterator[MovedPart]:
    """The parts of sub-scores that add something else than before, in the order of the layers."""
    if change.before is None or change.after is None:
        return
    before = _parts(change.before)
    for key, part in _parts(change.after).items():
        if key in before and abs(part.points - before[key].points) >= _SMALLEST_MOVE:
            yield MovedPart(key[0], before[key], part)


def _part_row(part: MovedPart, after: Result, links: Links) -> PartRow:
    old, new = part.before, part.after
    return PartRow(
        mark="▲" if new.points > old.points else "▼",
        sub_score=spaced(part.sub_score),
        name=new.name,
        before=_amount(old.points),
        after=_amount(new.points),
        found=shorten(new.found, FOUND_LIMIT),
        place=links.place(file_of(after), new.lines[0]) if new.lines else None,
    )


def _amount(points: float) -> str:
    return f"{points:.2f}".replace("-", "−")


def _parts(result: Result) -> dict[tuple[str, str], Part]:
    return {
        (sub.name, part.name): part
        for layer in result.layers
        for sub in layer.sub_scores
        for part in sub.parts
    }
