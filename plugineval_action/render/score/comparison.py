"""Two results side by side, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from plugineval_action.escape import markdown
from plugineval_action.render.words import NOTHING, signed
from plugineval_action.results import Composite, Dimension, Result
from plugineval_action.scoring import delta
from plugineval_action.scoring.bands import badge_name, shown

SMALLEST: Final = 0.05
"""Points under which a difference would be shown as 0.0."""

DIFFERENT: Final = (
    "One is a skill and one a plugin: a plugin's score is the mean of its members, "
    "not computed from dimensions as a skill's."
)


def render(a: Result, b: Result) -> str:
    """A verdict and a table. Both results must have a composite, of one ruleset."""
    if a.composite is None or b.composite is None or a.ruleset != b.ruleset:
        raise ValueError("only two scores of one ruleset can be compared")
    return "\n".join(_lines(a, a.composite, b, b.composite)) + "\n"


def _lines(a: Result, left: Composite, b: Result, right: Composite) -> Iterator[str]:
    names = markdown(a.name), markdown(b.name)
    yield f"# {names[0]} and {names[1]}"
    yield ""
    yield _verdict(names, left, right)
    yield ""
    if a.kind != b.kind:
        yield from (DIFFERENT, "")
    if _sampled(left, right):
        yield from _with_intervals(names, left, right)
    else:
        yield from _exact(names, a, left, b, right)
    yield ""
    yield from _basis(a, left, b, right)


def _sampled(left: Composite, right: Composite) -> bool:
    """Whether a model was asked about both, and how far its answers lie apart is known."""
    return left.ci_lower is not None and right.ci_lower is not None


def _with_intervals(names: tuple[str, str], left: Composite, right: Composite) -> Iterator[str]:
    """Each difference with its interval, and whether more than chance is in it."""
    yield f"| | {names[0]} | {names[1]} | Difference | 95 % interval | {names[1]} is |"
    yield "| :-- | --: | --: | --: | --: | :-- |"
    yield _judged("**Score**", left, right, 1)
    yield f"| Badge | {badge_name(left.badge)} | {badge_name(right.badge)} | | | |"
    for one, other in zip(left.dimensions, right.dimensions, strict=True):
        yield _judged(one.name.replace("_", " ").capitalize(), one, other, 100)


def _judged(
    title: str, one: Composite | Dimension, other: Composite | Dimension, scale: float
) -> str:
    if one.score is None or other.score is None:
        return f"| {title} | {NOTHING} | {NOTHING} | | | |"
    moved, noise = scale * (other.score - one.score), scale * delta.spread(one, other)
    scores = f"{scale * one.score:.1f} | {scale * other.score:.1f}"
    interval = f"{signed(moved - noise)} to {signed(moved + noise)}" if noise else "exact"
    word = _word(moved, noise)
    return f"| {title} | {scores} | {_difference(moved)} | {interval} | {word} |"


def _word(moved: float, noise: float) -> str:
    if round(abs(moved), 9) < max(SMALLEST, noise):
        return "within noise" if noise else "the same"
    return "better" if moved > 0 else "worse"


def _exact(
    names: tuple[str, str], a: Result, left: Composite, b: Result, right: Composite
) -> Iterator[str]:
    yield f"| | {names[0]} | {names[1]} | Difference |"
    yield "| :-- | --: | --: | --: |"
    scores = f"{shown(left.score)} | {shown(right.score)}"
    yield f"| **Score** | {scores} | {_difference(right.score - left.score)} |"
    intervals = _interval(left), _interval(right)
    if set(intervals) != {NOTHING}:
        yield f"| 95 % interval | {' | '.join(intervals)} | |"
    yield f"| Badge | {badge_name(left.badge)} | {badge_name(right.badge)} | |"
    if "plugin" in (a.kind, b.kind):
        # All dimensions of a plugin are the mean of its members.
        yield f"| Members | {_members(a)} | {_members(b)} | |"
    else:
        for one, other in zip(left.dimensions, right.dimensions, strict=True):
            yield _row(one, other)
    flags = [len(result.layers[0].anti_patterns) for result in (a, b)]
    more = f"{flags[1] - flags[0]:+d}".replace("-", "−") if flags[0] != flags[1] else "same"
    yield f"| Anti-patterns | {flags[0]} | {flags[1]} | {more} |"


def _basis(a: Result, left: Composite, b: Result, right: Composite) -> Iterator[str]:
    """What the scores rest on, and what the intervals are worth."""
    labels = dict.fromkeys((left.confidence_label, right.confidence_label))
    asked = any(result.model_usage or len(result.layers) > 1 for result in (a, b))
    models = "with models" if asked else "static layer only, no model was asked"
    yield f"Ruleset `{a.ruleset}`, {' and '.join(labels)}: {models}."
    if _sampled(left, right):
        yield ""
        yield (
            "Both were sampled apart, so the interval of a difference is as wide as both together; "
            "two scores of one text differ by more than it in 5 of 100 cases."
        )
    if len(labels) > 1:
        yield ""
        yield "They were not measured equally far, so part of the difference may come from that."
    for result in (a, b):
        for note in result.notes:
            yield ""
            yield f"{markdown(result.name)}: {markdown(note)}"


def _verdict(names: tuple[str, str], left: Composite, right: Composite) -> str:
    """Better, worse or within noise; of exact scores, which one is higher."""
    difference = left.score - right.score
    if _sampled(left, right):
        noise = delta.spread(left, right)
        word = _word(-difference, noise)
        points = f"{abs(difference):.1f} ± {noise:.1f} points"
        if word == "within noise":
            return f"**Within noise: they are {points} apart.**"
        return f"**{names[1]} is {word} than {names[0]}, by {points}.**"
    if {left.confidence_label, right.confidence_label} != {"Estimated"}:
        return "**Nobody can tell: one of them has no interval.**"
    if abs(difference) < SMALLEST:
        return "**They score the same.**"
    higher = names[0] if difference > 0 else names[1]
    return f"**{higher} scores {abs(difference):.1f} points higher.**"


def _interval(composite: Composite) -> str:
    low, high = composite.ci_lower, composite.ci_upper
    return NOTHING if low is None or high is None else f"{low:.1f}–{high:.1f}"


def _difference(points: float) -> str:
    return "same" if round(abs(points), 9) < SMALLEST else signed(points)


def _members(result: Result) -> str:
    return str(len(result.members)) if result.kind == "plugin" else NOTHING


def _row(one: Dimension, other: Dimension) -> str:
    title = one.name.replace("_", " ").capitalize()
    if one.score is None or other.score is None:
        return f"| {title} | — | — | |"
    left, right = 100 * one.score, 100 * other.score
    return f"| {title} | {left:.1f} | {right:.1f} | {_difference(right - left)} |"
