"""What would raise a score, and by how many points of the composite.

Each possible fix is tried on the formulas: the sub-scores it would lift, the flags it would
remove. A fix inside a plugin is worth what it moves the plugin's composite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum
from typing import Final, NamedTuple

from plugineval_action.layers.static.antipatterns import penalty
from plugineval_action.layers.static.layer import WEIGHTS
from plugineval_action.results import (
    AntiPattern,
    Composite,
    Finding,
    Improvement,
    LayerResult,
    Part,
    Result,
)
from plugineval_action.rules import RULES
from plugineval_action.scoring.dimensions import DIMENSIONS
from plugineval_action.scoring.remedies import CONDITIONAL, REMEDIES

_WORTH_SAYING = 0.05
"""Points under which a gain would be shown as 0.0."""

_PART_OF_FLAG: Final = {
    "EMPTY_DESCRIPTION": ("frontmatter_quality", "description length"),
    "MISSING_TRIGGER": ("frontmatter_quality", "trigger phrase"),
    "OVER_CONSTRAINED": ("token_efficiency", "directives"),
    "BLOATED_SKILL": ("progressive_disclosure", "length"),
}
"""Fixing the flag also earns the part: one defect is one piece of advice."""

_UNSEEN: Final = {
    "FRONTMATTER_MISSING",
    "FRONTMATTER_NOT_FIRST",
    "FRONTMATTER_NOT_MAPPING",
    "FRONTMATTER_UNCLOSED",
    "INVALID_YAML",
}

_COMES_ALONG: Final = {
    ("frontmatter_quality", "description length"): ("frontmatter_quality", "long enough to tell")
}
"""A description of 100 characters is also one of 40."""


class _Fix(NamedTuple):
    """A change that lifts sub-scores by `lifts` and takes `flags` anti-patterns away."""

    title: str
    remedy: str
    path: str
    line: int
    rule: str | None
    lifts: Mapping[str, float]
    flags: int


def improvements(result: Result) -> tuple[Improvement, ...]:
    """Everything that would raise the composite, the most points first; () if there is none.

    What is right for some skills only comes last.
    """
    if result.composite is None:
        return ()
    owners = result.members if result.kind == "plugin" else (result,)
    members = sum(1 for member in result.members if member.layers)
    found = [
        Improvement(points, fix.title, fix.remedy, fix.path, fix.line, fix.rule)
        for owner in owners
        if owner.layers
        for fix in _fixes(owner)
        if (points := _gain(result, members, owner, fix)) >= _WORTH_SAYING
    ]
    return tuple(sorted(found, key=urgency))


def urgency(gain: Improvement) -> tuple[bool, float, str, int, str]:
    """The key by which improvements are sorted."""
    place = (gain.path, gain.line, gain.title)
    return (gain.remedy in CONDITIONAL, -gain.points, *place)


def _fixes(owner: Result) -> Iterator[_Fix]:
    layer = owner.layers[0]
    path = owner.path if owner.kind == "agent" else f"{owner.path}/SKILL.md".lstrip("/")
    cause = _unseen(owner)
    if cause:
        yield _front_matter_fix(layer, cause)
    flags: dict[str, list[AntiPattern]] = {}
    for found in layer.anti_patterns:
        flags.setdefault(found.flag, []).append(found)
    covered = {_PART_OF_FLAG.get(flag) for flag in flags}
    for flag, same in flags.items():
        if not (cause and flag == "EMPTY_DESCRIPTION"):
            yield _flag_fix(layer, same)
    for sub in layer.sub_scores:
        if not (cause and sub.name == "frontmatter_quality"):
            for part in sub.parts:
                if part.best > part.points and (sub.name, part.name) in REMEDIES.keys() - covered:
                    yield _part_fix(layer, sub.name, part, path)


def _unseen(owner: Result) -> Finding | None:
    """Why no harness sees the front matter: then all that is missing in it follows from that."""
    return next((found for found in owner.findings if found.rule in _UNSEEN), None)


def _front_matter_fix(layer: LayerResult, cause: Finding) -> _Fix:
    """Once it is read, there are a name and a description; what else is in it nobody knows yet."""
    seen = [_lifts(layer, ("frontmatter_quality", part)) for part in ("name", "description length")]
    lifts = {"frontmatter_quality": fsum(lift.get("frontmatter_quality", 0.0) for lift in seen)}
    flags = sum(found.flag == "EMPTY_DESCRIPTION" for found in layer.anti_patterns)
    remedy = f"{cause.remedy} What else the front matter says then counts on top."
    title = RULES[cause.rule].title
    return _Fix(title, remedy, cause.path, cause.line, cause.rule, lifts, flags)


def _flag_fix(layer: LayerResult, same: list[AntiPattern]) -> _Fix:
    first = same[0]
    lifts = _lifts(layer, _PART_OF_FLAG[first.flag]) if first.flag in _PART_OF_FLAG else {}
    title = RULES[first.flag].title + (f" ({len(same)} times)" if len(same) > 1 else "")
    return _Fix(title, first.remedy, first.path, first.line, first.flag, lifts, len(same))


def _part_fix(layer: LayerResult, sub_score: str, part: Part, path: str) -> _Fix:
    title = f"{part.name.capitalize()}: {part.found}"
    line = part.lines[0] if part.lines else 1
    key = (sub_score, part.name)
    return _Fix(title, REMEDIES[key], path, line, None, _lifts(layer, key), 0)


def _lifts(layer: LayerResult, key: tuple[str, str]) -> dict[str, float]:
    """What bringing a part to its best adds to its sub-score, with the part that comes along."""
    keys = {key, _COMES_ALONG.get(key, key)}
    return {
        sub.name: fsum(
            part.best - part.points for part in sub.parts if (sub.name, part.name) in keys
        )
        for sub in layer.sub_scores
        if sub.name == key[0]
    }


def _gain(result: Result, members: int, owner: Result, fix: _Fix) -> float:
    """Points of the result's composite; exact, as the formulas are linear up to their caps."""
    layer = result.layers[0]
    flags = len(layer.anti_patterns)
    before, after = penalty(flags), penalty(flags - fix.flags)
    if result.kind == "plugin":
        mean = layer.score + (_layer_after(owner.layers[0], fix) - owner.layers[0].score) / members
        return 100 * (mean * after - layer.score * before)
    assert result.composite is not None
    return 100 * (
        _weighted(layer, fix.lifts, result.composite) * after
        - _weighted(layer, {}, result.composite) * before
    )


def _weighted(layer: LayerResult, lifts: Mapping[str, float], composite: Composite) -> float:
    """The composite of a skill in [0, 1] before the penalty, with some sub-scores lifted.

    What other layers measured stays, and the static layer's share is what can be moved.
    """
    scores, plain = _lifted(layer, lifts), _lifted(layer, {})
    total = fsum(one.weight for one in composite.dimensions if one.score is not None)
    weighted = []
    for spec, one in zip(DIMENSIONS, composite.dimensions, strict=True):
        if one.score is not None:
            source = str(spec.static_source)
            lift = scores.get(source, 0.0) - plain.get(source, 0.0)
            weighted.append(one.weight / total * (one.score + one.static_share * lift))
    return fsum(weighted)


def _layer_after(layer: LayerResult, fix: _Fix) -> float:
    """The layer score of a skill or agent once it is fixed."""
    scores = _lifted(layer, fix.lifts)
    if "agent" in scores:
        return scores["agent"]
    return penalty(len(layer.anti_patterns) - fix.flags) * fsum(
        WEIGHTS[name] * score for name, score in scores.items()
    )


def _lifted(layer: LayerResult, lifts: Mapping[str, float]) -> dict[str, float]:
    return {sub.name: min(1.0, sub.score + lifts.get(sub.name, 0.0)) for sub in layer.sub_scores}
