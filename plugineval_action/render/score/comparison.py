"""Two results side by side, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from plugineval_action.escape import markdown
from plugineval_action.render.words import NOTHING, signed, spaced
from plugineval_action.results import Composite, Dimension, Result
from plugineval_action.review_values import Difference
from plugineval_action.scoring import delta
from plugineval_action.scoring.bands import badge_name, shown

SMALLEST: Final = 0.05
"""Points under which a difference would be shown as 0.0."""

DIFFERENT: Final = (
    "One is a skill and one a plugin: a plugin's score is the mean of its members, "
    "not computed from dimensions as a skill's."
)

UNKNOWN: Final = "**Nobody can tell: how far chance moves the scores is not known.**"
PAIRED: Final = (
    "Both were asked for the same requests, half of them written for each, so what makes a request "
    "hard is in no difference. Two scores of one text differ by more than the interval in at most "
    "5 of 100 cases."
)
APART: Final = (
    "Each was asked for requests of its own, so the interval of a difference is as wide as both "
    "together; two scores of one text differ by more than it in at most 5 of 100 cases. For two "
    "skills that do the same job, `--same-job` asks both for the same requests."
)


class Compared(NamedTuple):
    """Two results, and what `b` has more than `a` where models were asked about both.

    `paired` says that both were asked for the same requests.
    """

    a: Result
    b: Result
    differences: tuple[Difference, ...] = ()
    paired: bool = False


def render(both: Compared) -> str:
    """A verdict and a table. Both results must have a composite, of one ruleset."""
    a, b = both.a, both.b
    if a.composite is None or b.composite is None or a.ruleset != b.ruleset:
        raise ValueError("only two scores of one ruleset can be compared")
    return "\n".join(_lines(both, a.composite, b.composite)) + "\n"


def _lines(both: Compared, left: Composite, right: Composite) -> Iterator[str]:
    a, b = both.a, both.b
    names = markdown(a.name), markdown(b.name)
    yield f"# {names[0]} and {names[1]}"
    yield ""
    yield _verdict(names, both, left, right)
    yield ""
    if a.kind != b.kind:
        yield from (DIFFERENT, "")
    if both.differences:
        yield from _with_intervals(names, both, left, right)
    else:
        yield from _exact(names, a, left, b, right)
    yield ""
    yield from _basis(both, left, right)


def _with_intervals(
    names: tuple[str, str], both: Compared, left: Composite, right: Composite
) -> Iterator[str]:
    """Each difference with its interval, and whether more than chance is in it."""
    found = {each.name: each for each in both.differences}
    yield f"| | A: {names[0]} | B: {names[1]} | B − A | 95 % interval | {names[1]} is |"
    yield "| :-- | --: | --: | --: | --: | :-- |"
    yield _judged("**Score**", left, right, found[delta.COMPOSITE])
    yield f"| Badge | {badge_name(left.badge)} | {badge_name(right.badge)} | | | |"
    for one, other in zip(left.dimensions, right.dimensions, strict=True):
        yield _judged(spaced(one.name).capitalize(), one, other, found.get(one.name))


def _judged(
    title: str,
    one: Composite | Dimension,
    other: Composite | Dimension,
    difference: Difference | None,
) -> str:
    if one.score is None or other.score is None or difference is None:
        return f"| {title} | {NOTHING} | {NOTHING} | | | |"
    scale = 1 if difference.name == delta.COMPOSITE else 100
    scores = f"{scale * one.score:.1f} | {scale * other.score:.1f}"
    moved = _difference(scale * difference.value)
    return f"| {title} | {scores} | {moved} | {_ends(difference, scale)} | {_word(difference)} |"


def _ends(difference: Difference, scale: float) -> str:
    low, high = difference.ci_lower, difference.ci_upper
    if low is None or high is None:
        return "not known"
    return "exact" if difference.exact else f"{signed(scale * low)} to {signed(scale * high)}"


def _word(difference: Difference) -> str:
    word = delta.judged(difference)
    return NOTHING if word == "unknown" else word


def _exact(
    names: tuple[str, str], a: Result, left: Composite, b: Result, right: Composite
) -> Iterator[str]:
    yield f"| | A: {names[0]} | B: {names[1]} | B − A |"
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


def _basis(both: Compared, left: Composite, right: Composite) -> Iterator[str]:
    """What the scores rest on, and what the intervals are worth."""
    a, b = both.a, both.b
    labels = dict.fromkeys((left.confidence_label, right.confidence_label))
    asked = any(result.model_usage or len(result.layers) > 1 for result in (a, b))
    models = "with models" if asked else "static layer only, no model was asked"
    yield f"Ruleset `{a.ruleset}`, {' and '.join(labels)}: {models}."
    if both.differences:
        yield ""
        yield PAIRED if both.paired else APART
    if len(labels) > 1:
        yield ""
        yield "They were not measured equally far, so part of the difference may come from that."
    for result in (a, b):
        for note in result.notes:
            yield ""
            yield f"{markdown(result.name)}: {markdown(note)}"


def _verdict(names: tuple[str, str], both: Compared, left: Composite, right: Composite) -> str:
    """Better, worse or within noise; of exact scores, which one is higher."""
    if both.differences:
        return _sampled_verdict(names, both.differences[0])
    difference = right.score - left.score
    if {left.confidence_label, right.confidence_label} != {"Estimated"}:
        return UNKNOWN
    if abs(difference) < SMALLEST:
        return "**They score the same.**"
    word = "higher" if difference > 0 else "lower"
    return f"**{names[1]} scores {abs(difference):.1f} points {word} than {names[0]}.**"


def _sampled_verdict(names: tuple[str, str], moved: Difference) -> str:
    word, points = delta.judged(moved), f"{abs(moved.value):.1f} points"
    if word == "unknown":
        return UNKNOWN
    if word == "the same":
        return "**They score the same.**"
    interval = f"95 % interval of B − A: {_ends(moved, 1)}"
    if word == "within noise":
        return f"**Within noise: they are {points} apart ({interval}).**"
    return f"**{names[1]} is {word} than {names[0]}, by {points} ({interval}).**"


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
