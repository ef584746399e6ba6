"""The comment on a change: what it says, that it fits, and that foreign text stays text.

Golden files are written anew with PLUGINEVAL_REGENERATE=1 (see golden_files.py).
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from github_page import Page, assert_whole, cleaned, render
from golden_files import assert_golden
from plugineval_action import PROJECT_URL
from plugineval_action.render.links import NO_LINKS, Links
from plugineval_action.render.review.comment import BUDGET, MARKER, render_comment
from plugineval_action.results import Failure
from plugineval_action.review_values import Change, Review
from sample_reviews import (
    ATTACKS,
    HEAD,
    agent,
    broken_review,
    empty_review,
    finding,
    hostile_review,
    hostile_skill,
    huge_review,
    judged_review,
    many_review,
    one_review,
    plugin,
    review,
    skill,
)

LOST = Change("changed", skill("s"), skill("s", output=0.0))
WEB = "https://github.example/owner/repository/"
LINKS = Links(f"{WEB}blob/{HEAD}/")
HEADINGS = (
    "In detail",
    "Could also be better",
    "Fixed anti-patterns",
    "New problems",
    "Not scored",
    "What to fix first",
)

names = st.one_of(st.sampled_from(ATTACKS), st.text(max_size=80), st.text("|@#`<", max_size=80))


@st.composite
def changes(draw: st.DrawFn) -> Change:
    flags = draw(st.lists(st.sampled_from(["MISSING_TRIGGER", "DEAD_CROSS_REF"]), max_size=3))
    name = draw(names)
    sides = [
        skill("calm", output=draw(st.sampled_from([0.0, 0.1]))),
        skill(name, *flags, path=draw(names)),
        hostile_skill(name, 1, path=draw(names)),
        agent(name, path=draw(names)),
        plugin(name),
        plugin(name, skill("inside", *flags)),
    ]
    before, after = draw(st.sampled_from([None, *sides])), draw(st.sampled_from(sides))
    if before is None:
        return Change("new", None, after)
    status = draw(st.sampled_from(["changed", "renamed", "affected"]))
    return Change(status, before, after)  # type: ignore[arg-type]


reviews = st.builds(
    Review,
    base=names,
    head=names,
    ruleset=st.just("plugineval/1"),
    changes=st.lists(changes(), max_size=12).map(tuple),
    failures=st.lists(st.builds(Failure, names, names, names), max_size=12).map(tuple),
    unchanged=st.integers(0, 10**6),
)


@pytest.mark.parametrize(
    ("name", "shown", "links"),
    [
        ("empty", empty_review(), LINKS),
        ("one", one_review(), LINKS),
        ("local", one_review(), NO_LINKS),
        ("many", many_review(), LINKS),
        ("judged", judged_review(), LINKS),
        ("broken", broken_review(), NO_LINKS),
        ("hostile", hostile_review(), LINKS),
    ],
)
def test_comment_reads_as_when_it_was_last_looked_at(
    name: str, shown: Review, links: Links
) -> None:
    assert_golden(f"comment_{name}.md", render_comment(shown, links=links))


def test_first_line_is_the_marker_and_no_name_can_repeat_it() -> None:
    comment = render_comment(hostile_review(), links=LINKS)

    assert [0] == [at for at, line in enumerate(comment.splitlines()) if line.startswith(MARKER)]


def test_hostile_text_becomes_no_element_no_foreign_link_and_no_reference() -> None:
    page = Page(render_comment(hostile_review(), links=LINKS))

    assert_whole(page)
    assert not page.elements & {"img", "script", "h1", "input", "math", "del"}
    assert [] == page.references
    assert all(link.startswith((WEB, PROJECT_URL)) for link in page.links)


def test_cleaner_finds_nothing_to_remove() -> None:
    html = re.sub("<!--.*?-->", "", render(render_comment(hostile_review(), links=LINKS)))

    assert sorted(re.findall("<[a-z]+", html)) == sorted(re.findall("<[a-z]+", cleaned(html)))


def test_5000_changes_fit_and_keep_verdict_and_table() -> None:
    comment = render_comment(huge_review(5000), links=LINKS)

    assert len(comment.encode()) <= BUDGET
    assert "### PluginEval: 3,333 better, 1,667 worse" in comment
    assert "| Skill | Score | Change | Badge |" in comment
    assert "rows of the table (4,800 of 5,000)" in comment
    assert_whole(Page(comment))


def test_detail_is_given_up_in_the_stated_order() -> None:
    """Whatever is gone at a budget, everything that is given up before it is gone as well."""
    shown = many_review()
    full = len(render_comment(shown).encode())
    for budget in range(full, 1_999, -293):
        comment = render_comment(shown, budget)
        present = [heading in comment for heading in HEADINGS]

        assert present == sorted(present), budget
        assert len(comment.encode()) <= budget


def test_what_is_left_out_is_said_in_order() -> None:
    comment = render_comment(many_review(), 3_000)
    said = re.search(r"\*Detail left out to fit: (.*?)\. All of it: `(.*?)`\.\*", comment)

    assert said is not None
    assert said[1].startswith("moved parts by skill (")
    assert said[1].index("moved parts") < said[1].index("skills in detail (")
    assert said[2] == "plugin-eval review --base 1f0c2d3e4b --output json"


def test_nothing_is_said_to_be_left_out_when_all_is_there() -> None:
    assert "left out" not in render_comment(one_review())


@given(shown=reviews, budget=st.integers(2_000, 9_000), links=st.sampled_from([LINKS, NO_LINKS]))
def test_any_review_fits_any_budget_and_stays_whole(
    shown: Review, budget: int, links: Links
) -> None:
    comment = render_comment(shown, budget, links)
    page = Page(comment)

    assert len(comment.encode()) <= budget
    assert_whole(page)
    assert comment.splitlines()[1].startswith("### PluginEval: ")
    assert ("| Score | Change | Badge |" in comment) == bool(shown.changes)
    assert [] == page.references


def test_same_review_gives_the_same_bytes() -> None:
    assert render_comment(many_review()) == render_comment(many_review())


def test_worst_comes_first_and_leads() -> None:
    small, large = skill("small", output=0.09), skill("large", "MISSING_TRIGGER", trigger=0.0)
    comment = render_comment(
        review(Change("changed", skill("small"), small), Change("changed", skill("large"), large))
    )
    rows = [line for line in comment.splitlines() if line.startswith("| `")]

    assert "Worst: `large` **▼\N{NO-BREAK SPACE}−9.2** (75.3 → 66.2)." in comment
    assert [row.split("`")[1] for row in rows] == ["large", "small"]


def test_lead_names_what_the_change_brought_in_before_what_was_wrong_already() -> None:
    before = skill("old-sins", "MISSING_TRIGGER", trigger=0.0, length=0.1)
    after = skill("old-sins", "MISSING_TRIGGER", "DEAD_CROSS_REF", trigger=0.0, length=0.1)

    comment = render_comment(review(Change("changed", before, after)))

    assert "To fix first: Correct the path, or remove the reference." in comment


def test_new_error_leads_and_stands_before_what_follows_from_it() -> None:
    comment = render_comment(broken_review())
    problems = comment.partition("### New problems\n\n")[2].partition("\n\n")[0]
    rules = re.findall(r"^- `([A-Z_]+)` in", problems, re.MULTILINE)

    assert "To fix first: Front matter is not valid YAML. Quote the value" in comment
    assert 1 == len(re.findall(r"^\d\. .*`INVALID_YAML`$", comment, re.MULTILINE))
    assert ["INVALID_YAML", "EMPTY_DESCRIPTION", "NON_STRING_FIELD"] == rules


def test_new_error_without_a_lower_score_is_not_called_nothing() -> None:
    before = plugin("p", skill("x"))
    error = finding("INVALID_JSON", "plugins/p/.claude-plugin/plugin.json", 1)
    comment = render_comment(review(Change("changed", before, before._replace(findings=(error,)))))

    assert "No score got worse." in comment
    assert "### What to fix first\n\n1. **error** in `p`: Manifest is not valid JSON." in comment


def test_what_could_always_be_better_is_folded_below_what_the_change_broke() -> None:
    before, after = skill("s", output=0.0), skill("s", "DEAD_CROSS_REF", output=0.0)
    comment = render_comment(review(Change("changed", before, after)))
    first, _, besides = comment.partition("<details><summary>Could also be better</summary>")

    assert first.count("\n1. **+") == 1
    assert "DEAD_CROSS_REF" in first.partition("### What to fix first")[2]
    assert "\n1. **+" in besides


def test_without_a_regression_there_is_nothing_to_fix_first() -> None:
    before, after = skill("s", trigger=0.0, output=0.0), skill("s", output=0.0)
    comment = render_comment(review(Change("changed", before, after)))

    assert "What to fix first" not in comment
    assert "<details><summary>Could also be better</summary>" in comment


def test_lost_part_of_a_score_is_to_fix_first() -> None:
    comment = render_comment(one_review()._replace(changes=(LOST,)))

    assert "### What to fix first\n\n1. **+" in comment
    assert "Could also be better" not in comment


def test_plugin_comes_after_the_skills_that_move_it() -> None:
    comment = render_comment(broken_review())
    rows = [line.split("`")[1] for line in comment.splitlines() if line.startswith("| `")]

    assert ["linter", "tools"] == rows


def test_move_that_does_not_show_is_neither_better_nor_worse() -> None:
    comment = render_comment(
        review(Change("changed", skill("still"), skill("still", output=0.1001)))
    )

    assert "### PluginEval: no score moved" in comment
    assert "| `still` | 75.3 | same | Silver |" in comment
    assert "better" not in comment


def test_new_skill_has_score_and_badge_but_no_delta() -> None:
    comment = render_comment(review(Change("new", None, skill("fresh"))))

    assert "| `fresh` | 75.3 | new | Silver |" in comment
    assert "+75" not in comment


def test_plugin_does_not_repeat_the_anti_patterns_of_its_skills() -> None:
    flagged = skill("inside", "MISSING_TRIGGER", trigger=0.0)
    comment = render_comment(
        review(Change("new", None, flagged), Change("new", None, plugin("around", flagged)))
    )

    assert comment.count("- `MISSING_TRIGGER` in") == 1


def test_plugin_shows_what_its_members_and_what_anti_patterns_did() -> None:
    before, after = plugin("p", skill("x")), plugin("p", skill("x", "MISSING_TRIGGER", output=0.0))
    comment = render_comment(review(Change("affected", before, after)))

    moved = r"[\d.]+ → [\d.]+"
    assert re.search(rf"Mean of its skills and agents: {moved} \(`x` {moved}\)\.\n", comment)
    assert "Anti-patterns cost 0% → 5% of the score." in comment


def test_a_mean_that_moved_says_who_came_and_went() -> None:
    calm = skill("calm")
    before, after = plugin("p", calm, skill("x", output=0.0)), plugin("p", calm, agent("helper"))
    comment = render_comment(review(Change("affected", before, after)))

    assert re.search(r"→ [\d.]+ \(`helper` \(90\.0\) is new, `x` \([\d.]+\) is gone\)\.\n", comment)


def test_of_many_members_the_three_that_moved_most_are_named() -> None:
    sides = [[skill(f"s{n}", output=output) for n in range(5)] for output in (0.0, 0.1)]
    before, after = (plugin("p", *side) for side in sides)
    comment = render_comment(review(Change("affected", before, after)))

    assert 1 == comment.count(", 2 more).\n")


def test_beside_plugins_the_verdict_says_what_it_counts() -> None:
    moved = Change("affected", plugin("p", skill("s")), plugin("p", skill("s", output=0.0)))
    helper = Change("new", None, agent("helper"))

    assert "PluginEval: 1 worse\n" in render_comment(review(LOST))
    assert "PluginEval: 1 skill worse\n" in render_comment(review(LOST, moved))
    assert "PluginEval: 1 worse\n" in render_comment(review(moved))
    assert "1 skill or agent worse, 1 new\n" in render_comment(review(LOST, helper, moved))


def test_what_did_not_move_has_no_detail() -> None:
    before, after = skill("moved", path="a/moved"), skill("moved", path="b/moved")
    comment = render_comment(review(Change("renamed", before, after)))

    assert "| `moved`, was a/moved | 75.3 | same | Silver |" in comment
    assert "<details>" not in comment


def test_same_name_twice_is_told_apart_by_path() -> None:
    twins = [Change("new", None, skill("twin", path=f"plugins/{at}/twin")) for at in "ab"]

    comment = render_comment(review(*twins))

    assert "| `twin` in plugins/a/twin |" in comment
    assert "| `twin` in plugins/b/twin |" in comment


def test_link_into_markdown_shows_the_line() -> None:
    comment = render_comment(one_review(), links=LINKS)

    assert f"[SKILL.md:3]({LINKS.prefix}skills/code-review/SKILL.md?plain=1#L3)" in comment


def test_only_a_plain_revision_goes_into_the_command() -> None:
    plain = review()._replace(base="release/v1.2")
    tricky = review()._replace(base="$(touch x)")

    assert "`plugin-eval review --base release/v1.2`" in render_comment(plain)
    assert "`plugin-eval review --base BASE`" in render_comment(tricky)


def test_review_of_the_working_tree_is_repeated_with_it() -> None:
    shown = review()._replace(head="working tree")

    assert "`plugin-eval review --base 1f0c2d3e4b --worktree`" in render_comment(shown)
