"""What a change did to a score."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plugineval_action.render.review.table import movement
from plugineval_action.results import (
    AntiPattern,
    Badge,
    Composite,
    Dimension,
    Failure,
    LayerResult,
    Result,
)
from plugineval_action.review_values import Change, ChangeStatus, Difference, Review
from plugineval_action.scoring import delta

RULESET = "plugineval/1"
TRIGGER = "The description does not say when to use the skill."


def flag(name: str, description: str, line: int = 1) -> AntiPattern:
    return AntiPattern(name, description, 0.1, "Correct it.", "a/SKILL.md", line)


def dimension(name: str, score: float | None, weight: float = 0.25) -> Dimension:
    return Dimension(name, weight, score, "A")


def scored(
    score: float,
    *flags: AntiPattern,
    dimensions: tuple[Dimension, ...] = (),
    badge: Badge = "gold",
    ruleset: str = RULESET,
) -> Result:
    composite = Composite(score, 1.0, dimensions, badge, "Estimated")
    layer = LayerResult("static", score / 100, (), flags, {})
    return Result("skill", "a", "a", ruleset, (layer,), composite)


def unscored() -> Result:
    return Result("plugin", "p", "p", RULESET, unscored="It has no skills and no agents.")


def agent(score: float) -> Result:
    return Result("agent", "x", "agents/x.md", RULESET, agent_score=score)


def change(before: Result | None, after: Result | None, status: ChangeStatus = "changed") -> Change:
    return Change(status, before, after)


def test_points_are_the_score_after_minus_the_score_before() -> None:
    assert 2.5 == delta.points(change(scored(80.0), scored(82.5)))
    assert -80.0 == delta.points(change(scored(80.0), scored(0.0)))


def test_agents_are_compared_by_their_own_score() -> None:
    assert 25.0 == delta.points(change(agent(0.5), agent(0.75)))
    assert "better" == delta.verdict(change(agent(0.5), agent(0.75)))


@pytest.mark.parametrize(
    ("before", "after"),
    [(None, scored(80)), (scored(80), None), (unscored(), scored(80)), (scored(80), unscored())],
)
def test_points_are_unknown_where_a_side_has_no_score(
    before: Result | None, after: Result | None
) -> None:
    assert delta.points(change(before, after)) is None


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (80.0, 80.05, "better"),
        (80.05, 80.0, "worse"),
        (80.0, 80.049, "same"),
        (80.049, 80.0, "same"),
        (80.0, 80.0, "same"),
        (0.0, 100.0, "better"),
    ],
)
def test_verdict_is_same_below_what_one_decimal_shows(
    before: float, after: float, expected: delta.Verdict
) -> None:
    """In floating point 80.05 - 80 is a hair under 0.05; it still counts as 0.05."""
    assert expected == delta.verdict(change(scored(before), scored(after)))


def moved(value: float, half: float | None) -> Change:
    """A change of the score with an interval of this half width, None for an unknown one."""
    low, high = (None, None) if half is None else (value - half, value + half)
    found = Difference(delta.COMPOSITE, value, low, high)
    return change(scored(50), scored(50 + value))._replace(differences=(found,))


@pytest.mark.parametrize(
    ("value", "half", "expected"),
    [
        (4.9, 5.0, "same"),
        (5.1, 5.0, "better"),
        (-4.9, 5.0, "same"),
        (-5.1, 5.0, "worse"),
        (0.04, 0.03, "same"),
        (9.0, None, "same"),
    ],
)
def test_a_difference_whose_interval_holds_zero_is_no_change(
    value: float, half: float | None, expected: delta.Verdict
) -> None:
    """One whose noise is not known is no change, however large."""
    assert expected == delta.verdict(moved(value, half))


@pytest.mark.parametrize(
    ("name", "value", "low", "high", "expected"),
    [
        ("robustness", 0.2, 0.1, 0.3, "better"),
        ("robustness", -0.2, -0.3, -0.1, "worse"),
        ("robustness", 0.2, -0.1, 0.5, "within noise"),
        ("robustness", 0.2, 0.2, 0.2, "better"),
        ("robustness", 0.0, 0.0, 0.0, "the same"),
        ("robustness", 0.0004, 0.0004, 0.0004, "the same"),
        (delta.COMPOSITE, 0.04, 0.04, 0.04, "the same"),
        ("robustness", 0.2, None, None, "unknown"),
    ],
)
def test_a_difference_is_judged_by_its_interval(
    name: str, value: float, low: float | None, high: float | None, expected: delta.Judged
) -> None:
    assert expected == delta.judged(Difference(name, value, low, high))


def test_verdict_of_what_cannot_be_compared() -> None:
    assert "new" == delta.verdict(change(None, scored(80), "new"))
    assert "new" == delta.verdict(change(None, unscored(), "new"))
    assert "removed" == delta.verdict(change(scored(80), None, "removed"))
    assert "unscored" == delta.verdict(change(unscored(), scored(80)))
    assert "unscored" == delta.verdict(change(scored(80), unscored()))
    assert "unscored" == delta.verdict(change(None, scored(80), "changed"))


@pytest.mark.parametrize(
    "compare",
    [
        delta.points,
        delta.dimension_deltas,
        delta.fixed_flags,
        delta.new_flags,
        delta.verdict,
        delta.badge_move,
    ],
)
def test_different_rulesets_are_never_compared(compare: Callable[[Change], object]) -> None:
    mixed = change(scored(80.0), scored(80.0, ruleset="reference/1"))

    with pytest.raises(ValueError, match="plugineval/1 and reference/1"):
        compare(mixed)


def test_summary_compares_no_different_rulesets() -> None:
    mixed = change(scored(80.0), scored(80.0, ruleset="plugineval/2"))

    with pytest.raises(ValueError, match="never compared"):
        delta.summary(Review("base", "head", RULESET, (mixed,)))


def test_dimensions_before_and_after_side_by_side() -> None:
    before = scored(80, dimensions=(dimension("a", 0.5), dimension("b", None), dimension("c", 1)))
    after = scored(80, dimensions=(dimension("b", 0.7), dimension("a", 0.6), dimension("d", 0.1)))

    assert (
        ("b", 0.25, None, 0.7),
        ("a", 0.25, 0.5, 0.6),
        ("d", 0.25, None, 0.1),
        ("c", 0.25, 1, None),
    ) == delta.dimension_deltas(change(before, after))


def test_dimensions_of_one_side_have_none_on_the_other() -> None:
    result = scored(80, dimensions=(dimension("a", 0.5),))

    assert (("a", 0.25, None, 0.5),) == delta.dimension_deltas(change(None, result, "new"))
    assert (("a", 0.25, 0.5, None),) == delta.dimension_deltas(change(result, None, "removed"))
    assert (("a", 0.25, 0.5, None),) == delta.dimension_deltas(change(result, unscored()))
    assert () == delta.dimension_deltas(change(unscored(), unscored()))


def test_flags_are_fixed_new_or_neither() -> None:
    stays, gone, comes = (flag("ORPHAN_REFERENCE", f"references/{at}.md") for at in range(3))
    both = change(scored(80, stays, gone), scored(80, comes, stays))

    assert (gone,) == delta.fixed_flags(both)
    assert (comes,) == delta.new_flags(both)


def test_flag_that_moved_to_another_line_is_the_same() -> None:
    both = change(
        scored(80, flag("MISSING_TRIGGER", TRIGGER, line=3)),
        scored(80, flag("MISSING_TRIGGER", TRIGGER, line=30)),
    )

    assert () == delta.fixed_flags(both)
    assert () == delta.new_flags(both)


def test_repeated_flags_are_counted() -> None:
    three = [flag("DEAD_CROSS_REF", "skills/x", line) for line in (1, 2, 3)]
    both = change(scored(80, *three), scored(80, three[0]))

    assert tuple(three[1:]) == delta.fixed_flags(both)
    assert () == delta.new_flags(both)
    assert tuple(three[1:]) == delta.new_flags(change(both.after, both.before))


def test_flag_whose_count_moved_is_neither_fixed_nor_new() -> None:
    both = change(
        scored(80, flag("OVER_CONSTRAINED", "17 MUST, NEVER or ALWAYS.")),
        scored(80, flag("OVER_CONSTRAINED", "18 MUST, NEVER or ALWAYS.")),
    )

    assert () == delta.fixed_flags(both)
    assert () == delta.new_flags(both)


def test_flag_of_one_skill_does_not_hide_that_of_another() -> None:
    """The flags of a plugin come from several skills."""
    long = [flag("BLOATED_SKILL", f"{lines} lines.") for lines in (900, 1000)]
    both = change(scored(80, *long), scored(80, long[0]))

    assert (long[1],) == delta.fixed_flags(both)
    assert () == delta.new_flags(both)


def test_all_flags_of_something_new_are_new_and_removing_fixes_none() -> None:
    result = scored(80, flag("MISSING_TRIGGER", TRIGGER))

    assert delta.new_flags(change(None, result, "new")) == result.layers[0].anti_patterns
    assert () == delta.fixed_flags(change(None, result, "new"))
    assert () == delta.fixed_flags(change(result, None, "removed"))
    assert () == delta.new_flags(change(result, None, "removed"))


def test_flags_are_not_called_new_where_the_side_before_could_not_be_read() -> None:
    result = scored(80, flag("MISSING_TRIGGER", TRIGGER))

    assert () == delta.new_flags(change(None, result, "changed"))


def test_badge_before_and_after() -> None:
    up = change(scored(79, badge="silver"), scored(81, badge="gold"))

    assert ("silver", "gold") == delta.badge_move(up)
    assert (None, "gold") == delta.badge_move(change(None, up.after, "new"))
    assert ("silver", None) == delta.badge_move(change(up.before, unscored()))
    assert (None, None) == delta.badge_move(change(agent(0.5), agent(0.6)))


def test_summary_counts_verdicts_and_names_the_extremes() -> None:
    best, worst = change(scored(60), scored(99), "renamed"), change(scored(90), scored(50))
    changes = (
        change(scored(80), scored(81)),
        best,
        change(scored(70), scored(69)),
        worst,
        change(scored(50), scored(80)),
        change(scored(80), scored(80.01)),
        change(None, scored(99), "new"),
        change(scored(1), None, "removed"),
        change(unscored(), scored(80)),
    )
    review = Review("base", "head", RULESET, changes, (Failure("x", "broken", "mend"),), 7)
    found = delta.summary(review)

    assert (3, 2, 1, 1, 1, 1, 1) == found[:7]
    assert worst is found.worst
    assert best is found.best


def test_a_plugin_counts_only_where_nothing_else_changed() -> None:
    skill = change(scored(80), scored(90))
    plugin = change(scored(80)._replace(kind="plugin"), scored(85)._replace(kind="plugin"))

    assert 1 == delta.summary(Review("b", "h", RULESET, (skill, plugin))).better
    assert plugin is delta.summary(Review("b", "h", RULESET, (plugin,))).best


def test_summary_of_equal_moves_names_the_first() -> None:
    changes = (change(scored(50), scored(60)), change(scored(70), scored(80)))

    assert changes[0] is delta.summary(Review("base", "head", RULESET, changes)).best


def test_summary_without_losers_has_no_worst() -> None:
    changes = (change(scored(80), scored(81)), change(scored(80), scored(80)))
    found = delta.summary(Review("base", "head", RULESET, changes))

    assert changes[0] is found.best
    assert found.worst is None
    assert (0, 0, 0, 0, 0, 0, 0, None, None) == delta.summary(Review("b", "h", RULESET, ()))


@pytest.mark.parametrize(
    ("value", "half", "expected"),
    [
        (2.0, 5.0, "within noise"),
        (10.0, 5.0, "better ▲ +10.0"),
        (10.0, None, "▲ +10.0, noise unknown"),
        (0.0, 0.0, "same"),
    ],
)
def test_a_table_says_how_much_chance_explains(
    value: float, half: float | None, expected: str
) -> None:
    assert expected == movement(moved(value, half)).replace("\u00a0", " ")
