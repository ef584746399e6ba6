"""The marketplace as a whole: the listing budget, and skills that are taken for others."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.findings.listings import BUDGET
from plugineval_action.findings.profiles import LISTING_LIMIT
from plugineval_action.findings.similar import ALIKE, FEWEST_WORDS, similar_pairs, words
from plugineval_action.report.health import Health, Share, health
from plugineval_action.report.scan import scored
from plugineval_action.report_values import Listing
from sample_reviews import marketplace, plugin


def listing(name: str, text: str = "", plugin: str = "p", *, hidden: bool = False) -> Listing:
    return Listing(name, plugin, f"plugins/{plugin}/skills/{name}", text, hidden)


def health_of(*listings: Listing) -> Health:
    owner = scored(plugin("p"), listings=listings)
    return health(marketplace()._replace(plugins=(owner,)))


def test_every_description_counts_up_to_where_it_is_cut() -> None:
    long, short = listing("a", "x" * 2000), listing("b", "x" * 100)
    budget = health_of(long, short).budget

    assert (2, LISTING_LIMIT + 100) == (budget.skills, budget.characters)
    assert (long,) == budget.cut
    assert 0 == budget.dropped


def test_as_many_descriptions_go_as_have_to_if_the_shortest_stay() -> None:
    budget = health_of(*(listing(f"s{at}", "x" * 1000) for at in range(10))).budget

    assert 10_000 > BUDGET
    assert 2 == budget.dropped
    assert (Share("p", 10, 10_000),) == budget.over


def test_a_plugin_that_fills_the_budget_to_the_last_character_is_not_over_it() -> None:
    full = [listing(f"s{at}", "x" * (BUDGET // 8)) for at in range(8)]

    assert () == health_of(*full).budget.over
    assert 1 == len(health_of(*full, listing("one more", "x")).budget.over)


def test_skills_that_no_harness_lists_take_no_room_and_are_like_nothing() -> None:
    text = "Reviews commit messages before anything is merged into main"
    found = health_of(listing("a", text, hidden=True), listing("b", text))

    assert (1, len(text)) == (found.budget.skills, found.budget.characters)
    assert () == found.pairs


def test_what_two_plugins_share_is_listed_once() -> None:
    shared = listing("a", "x" * 50)
    report = marketplace()._replace(
        plugins=tuple(scored(plugin(name), listings=(shared,)) for name in "pq")
    )

    assert 1 == health(report).budget.skills
    assert () == health(report).duplicates


def test_equal_names_are_duplicates_and_names_that_read_alike_collide() -> None:
    same = listing("review", plugin="p"), listing("review", plugin="q")
    alike = listing("code-review"), listing("Code_Review", plugin="q"), listing("review-code")
    found = health_of(*same, *alike, listing("reviews"))

    assert (same,) == found.duplicates
    assert {"code-review", "Code_Review", "review-code"} == {
        one.name for group in found.collisions for one in group
    }


def test_nearly_the_same_descriptions_are_a_pair_with_the_words_they_share() -> None:
    first = listing("a", "Reviews SQL migrations for locks, lost data and missing ways back.")
    second = listing("b", "Reviews SQL migrations for locks, lost rows and missing ways back!")
    other = listing("c", "Writes release notes out of closed issues and merged commits.")
    (pair,) = similar_pairs([first, second, other])

    assert (first, second) == (pair.first, pair.second)
    assert (
        "back",
        "locks",
        "lost",
        "migrations",
        "missing",
        "reviews",
        "sql",
        "ways",
    ) == pair.words
    assert pair.alike == pytest.approx(8 / 10)


def test_the_same_words_in_many_skills_are_one_pair_that_counts_the_others() -> None:
    text = "Reviews SQL migrations for locks and lost data"
    (pair,) = similar_pairs([listing(f"s{at}", text) for at in range(5)])

    assert (1.0, 3) == (pair.alike, pair.others)


def test_a_description_of_a_few_words_is_like_nothing() -> None:
    assert [] == similar_pairs([listing(name, "Reviews some code") for name in "ab"])


def test_words_are_compared_without_case_and_common_ones() -> None:
    assert {"reviews", "sql"} == words("Use this when it REVIEWS the SQL")


def test_chinese_is_compared_by_two_characters() -> None:
    assert {"数据", "据库", "git"} == words("数据库 git")


def test_the_order_of_the_skills_does_not_matter() -> None:
    texts = [
        f"alpha beta gamma delta number{at // 2} word{at // 3} more{at % 2}" for at in range(20)
    ]
    skills = [listing(f"s{at:02}", text) for at, text in enumerate(texts)]
    found = {(pair.first.name, pair.second.name) for pair in similar_pairs(skills)}

    assert found
    assert found == {
        (pair.first.name, pair.second.name) for pair in similar_pairs(list(reversed(skills)))
    }


VOCABULARY = [f"w{at}" for at in range(12)]


@given(st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=12), max_size=12))
def test_of_two_that_are_alike_one_is_listed_with_who_is_most_like_it(
    texts: list[list[str]],
) -> None:
    """Against a comparison of all with all, for marketplaces so small that nothing is cut short."""
    skills = [listing(f"s{at:02}", " ".join(text)) for at, text in enumerate(texts)]
    told = [one for one in skills if len(words(one.text)) >= FEWEST_WORDS]
    alike = [(a, b) for a, b in combinations(told, 2) if jaccard(a, b) >= ALIKE]
    found = similar_pairs(skills)
    most: dict[frozenset[str], float] = {}
    for pair in found:
        for one in (pair.first, pair.second):
            most[words(one.text)] = max(pair.alike, most.get(words(one.text), 0))

    assert all(jaccard(pair.first, pair.second) == pair.alike >= ALIKE for pair in found)
    assert bool(alike) == bool(found)
    assert all(
        jaccard(a, b) <= max(most.get(words(a.text), 0), most.get(words(b.text), 0))
        for a, b in alike
    )


def jaccard(a: Listing, b: Listing) -> float:
    one, other = words(a.text), words(b.text)
    return len(one & other) / len(one | other)


def test_pairs_of_many_alike_skills_do_not_grow_with_their_square() -> None:
    draw = random.Random(1)
    texts = [" ".join(draw.sample(VOCABULARY, 9)) for _ in range(400)]

    assert len(similar_pairs([listing(f"s{at}", text) for at, text in enumerate(texts)])) < 800
