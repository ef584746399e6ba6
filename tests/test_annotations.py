"""Which lines are annotated: few, on what the change wrote first, and the rest is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.findings.catalogue import RULES
from plugineval_action.render.review.annotations import (
    LONGEST,
    MOST,
    MOST_PER_SKILL,
    Chosen,
    Remark,
    choose,
    with_fewer,
)
from plugineval_action.results import AntiPattern, Failure, Finding, Result
from plugineval_action.review_values import Change, Review
from sample_reviews import (
    agent,
    empty_review,
    flag,
    hostile_review,
    huge_review,
    many_review,
    one_review,
    plugin,
    review,
    skill,
)

FILE = "skills/a/SKILL.md"
EVERYWHERE = {FILE: (range(1, 10_000),)}


def finding(rule: str, line: int = 2, path: str = FILE) -> Finding:
    known = RULES[rule]
    return Finding(rule, known.level, f"{known.title}, {line}", known.remedy, path, line, line)


def flagged(*flags: AntiPattern, findings: Sequence[Finding] = ()) -> Result:
    """The skill `a` with these and no other problems."""
    calm = skill("a")
    layer = calm.layers[0]._replace(anti_patterns=flags)
    return calm._replace(layers=(layer,), findings=tuple(findings))


def dead(*lines: int) -> list[AntiPattern]:
    return [flag("DEAD_CROSS_REF", FILE, line, f"Line {line}.") for line in lines]


def places(remarks: Sequence[Remark]) -> list[tuple[int, int]]:
    return [(remark.line, remark.end_line) for remark in remarks]


def test_new_anti_pattern_is_annotated_with_what_is_wrong_and_what_to_do() -> None:
    (remark,) = choose(one_review(), None).remarks

    assert (
        Remark(
            level="warning",
            title="Description does not say when to use the skill",
            message=(
                "Description does not say when to use the skill.\n"
                'Add a clause such as "Use when …" to the description. (MISSING_TRIGGER)'
            ),
            path="skills/code-review/SKILL.md",
            line=3,
            end_line=3,
        )
        == remark
    )


def test_changed_lines_come_first_then_what_is_new_elsewhere_and_old_lines_are_left() -> None:
    before = flagged(*dead(5, 50), findings=[finding("INVALID_YAML", 90)])
    after = flagged(*dead(5, 50, 70), findings=[finding("INVALID_YAML", 90)])
    chosen = choose(review(Change("changed", before, after)), {FILE: (range(50, 51),)})

    assert [(50, 50), (70, 70)] == places(chosen.remarks)
    assert [(90, 90), (5, 5)] == places(chosen.rest)


def test_without_changed_lines_only_what_is_new_is_annotated() -> None:
    change = Change("changed", flagged(*dead(5)), flagged(*dead(5, 70)))
    chosen = choose(review(change), None)

    assert ([(70, 70)], [(5, 5)]) == (places(chosen.remarks), places(chosen.rest))


def test_errors_come_before_warnings_and_notes() -> None:
    found = [finding(rule) for rule in ("CLAUDE_TOOL_PROSE", "DUPLICATE_KEY", "INVALID_YAML")]
    chosen = choose(review(Change("new", None, flagged(findings=found))), None)

    assert ["error", "warning", "note"] == [remark.level for remark in chosen.remarks]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((5, 6, 7), [(5, 7)]),
        ((5, 8), [(5, 8)]),
        ((5, 9), [(5, 5), (9, 9)]),
        ((5, 5), [(5, 5)]),
        (tuple(range(1, 25, 3)), [(1, 10), (13, 22)]),
    ],
)
def test_problems_of_one_rule_up_to_three_lines_apart_share_an_annotation(
    lines: tuple[int, ...], expected: list[tuple[int, int]]
) -> None:
    chosen = choose(review(Change("new", None, flagged(*dead(*lines)))), EVERYWHERE)

    assert expected == places(chosen.remarks)


def test_shared_annotation_says_what_each_is_and_counts_the_rest() -> None:
    (remark,) = choose(review(Change("new", None, flagged(*dead(*range(1, 9))))), None).remarks
    lines = [*(f"Line {line}." for line in range(1, 6)), "And 3 more."]

    assert lines == remark.message.splitlines()[:-1]
    assert remark.message.endswith("(DEAD_CROSS_REF)")


def test_different_rules_on_one_line_do_not_share_one() -> None:
    found = finding("DUPLICATE_KEY", 5), finding("NON_STRING_FIELD", 5)
    chosen = choose(review(Change("new", None, flagged(findings=found))), None)

    assert [(5, 5), (5, 5)] == places(chosen.remarks)


def test_problem_of_the_whole_file_is_shown_at_its_start() -> None:
    bloated = flag("BLOATED_SKILL", FILE, 1)._replace(end_line=900)
    (remark,) = choose(review(Change("new", None, flagged(bloated))), None).remarks

    assert (1, LONGEST) == (remark.line, remark.end_line)


def test_end_before_the_line_is_taken_as_the_line() -> None:
    odd = flag("DEAD_CROSS_REF", FILE, 9)._replace(end_line=1)
    (remark,) = choose(review(Change("new", None, flagged(odd))), EVERYWHERE).remarks

    assert (9, 9) == (remark.line, remark.end_line)


def test_ten_a_skill_and_fifty_in_all_and_nothing_is_lost() -> None:
    def busy(at: int) -> Change:
        flags = (flag("DEAD_CROSS_REF", f"s/{at}/SKILL.md", 10 * line) for line in range(1, 16))
        return Change("new", None, flagged(*flags)._replace(path=f"s/{at}", name=str(at)))

    chosen = choose(review(*map(busy, range(8))), None)
    by_file = Counter(remark.path for remark in chosen.remarks)

    assert MOST == len(chosen.remarks)
    assert {MOST_PER_SKILL} == {*by_file.values()}
    assert 8 * 15 == len(chosen.remarks) + len(chosen.rest)


def test_plugin_does_not_repeat_its_members() -> None:
    inside = flagged(*dead(5))
    broken = finding("INVALID_JSON", 1, "plugins/p/.claude-plugin/plugin.json")
    around = plugin("p", inside)._replace(findings=(broken,))
    chosen = choose(review(Change("new", None, inside), Change("new", None, around)), None)

    assert [(broken.path, 1), (FILE, 5)] == [(each.path, each.line) for each in chosen.remarks]
    assert () == chosen.rest


def test_agent_is_annotated_too() -> None:
    found = finding("FRONTMATTER_MISSING", 1, "agents/a.md")
    shown = review(Change("new", None, agent("a")._replace(findings=(found,))))

    assert ["agents/a.md"] == [remark.path for remark in choose(shown, None).remarks]


def test_what_could_not_be_scored_comes_first() -> None:
    failure = Failure("b/SKILL.md", "It is too large.", "Move detail out.")
    (first, _) = choose(one_review()._replace(failures=(failure,)), None).remarks

    assert ("error", "Could not be scored", "b/SKILL.md", 1) == (
        *(first.level, first.title, first.path, first.line),
    )
    assert "It is too large. Move detail out." == first.message


@pytest.mark.parametrize("path", ["", "a\nb/SKILL.md", "\u202eb/SKILL.md", "bad\udc80/SKILL.md"])
def test_path_that_nobody_could_follow_is_left_for_the_summary(path: str) -> None:
    found = flagged(flag("DEAD_CROSS_REF", path, 5))
    chosen = choose(review(Change("new", None, found)), None)

    assert ((), [path]) == (chosen.remarks, [remark.path for remark in chosen.rest])


def test_nothing_of_what_is_gone_is_annotated() -> None:
    assert Chosen((), ()) == choose(review(Change("removed", flagged(*dead(5)), None)), None)
    assert Chosen((), ()) == choose(empty_review(), None)


def test_fewer_of_each_level_puts_the_rest_first_among_what_is_left() -> None:
    chosen = choose(review(Change("new", None, flagged(*dead(10, 20, 30)))), None)
    fewer = with_fewer(chosen, {"error": 0, "warning": 2, "note": 0})

    assert ([(10, 10), (20, 20)], [(30, 30)]) == (places(fewer.remarks), places(fewer.rest))


@pytest.mark.parametrize("shown", [hostile_review(), many_review(), huge_review(2_000)])
def test_annotations_hold_to_githubs_limits(
    shown: Review,
) -> None:
    chosen = choose(shown, None)

    assert len(chosen.remarks) <= MOST
    for remark in chosen.remarks:
        assert 1 <= remark.line <= remark.end_line < remark.line + LONGEST
        assert 0 < len(remark.title) <= 255
        assert len(remark.message.encode()) < 64_000
        assert remark.path


lines = st.integers(1, 40)


@given(
    before=st.lists(lines, max_size=20),
    after=st.lists(lines, max_size=60),
    written=st.lists(lines, max_size=10),
)
def test_every_problem_is_annotated_or_left_once_and_those_on_changed_lines_first(
    before: list[int], after: list[int], written: list[int]
) -> None:
    change = Change("changed", flagged(*dead(*before)), flagged(*dead(*after)))
    changed = {FILE: tuple(range(line, line + 1) for line in written)}
    chosen = choose(review(change), changed)
    every = [
        {line for line in remark.message.splitlines() if line.startswith("Line ")}
        for remark in (*chosen.remarks, *chosen.rest)
    ]
    wanted = {f"Line {line}." for line in written}
    on_changed = [bool(said & wanted) for said in every[: len(chosen.remarks)]]

    assert len(chosen.remarks) <= MOST_PER_SKILL
    assert sum(map(len, every)) == len(set[str]().union(*every))
    assert set[str]().union(*every) <= {f"Line {line}." for line in after}
    assert sorted(on_changed, reverse=True) == on_changed


def test_a_line_with_fifteen_thousand_problems_is_one_annotation_and_quickly_made() -> None:
    """Merging looks at each problem once; at each pair of them, it would take half a minute."""
    many = [flag("DEAD_CROSS_REF", FILE, 5, f"There is no file {n}.") for n in range(15_000)]
    chosen = choose(review(Change("new", None, flagged(*many))), None)

    assert [(5, 5)] == places(chosen.remarks)
