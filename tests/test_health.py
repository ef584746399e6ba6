"""What many skills do to each other: the listing's budget, equal names, descriptions alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.findings.health import (
    BUDGET,
    Listing,
    budget,
    collisions,
    duplicates,
)

NOTES = Listing("notes", "Writes release notes from merged pull requests for each tag.", "a")
SAME = Listing("changes", "Writes release notes from merged pull requests for every tag.", "b")
OTHER = Listing("maps", "Draws hiking maps with contour lines, huts and springs.", "c")


def test_a_listing_counts_with_its_name_and_is_cut_where_the_harness_cuts_it() -> None:
    assert 5 + len(NOTES.text) == budget([NOTES]).characters
    assert 1 + 1_536 == budget([Listing("x", "y" * 5_000, "p")]).characters


def test_the_budget_is_over_by_one_character_and_names_the_longest_first() -> None:
    full = [Listing("", "y" * 1_000, str(number)) for number in range(8)]
    over = budget([*full, Listing("z", "", "short")])

    assert BUDGET == budget(full).characters
    assert (False, True) == (budget(full).over, over.over)
    assert "short" == over.longest[-1].path


def test_equal_names_are_duplicates_whatever_their_capitals() -> None:
    twice = Listing("Notes", "", "d")

    assert ((NOTES, twice),) == duplicates([NOTES, OTHER, twice])
    assert () == duplicates([NOTES, SAME, OTHER])


def test_descriptions_that_share_most_words_collide_and_others_do_not() -> None:
    (found,) = collisions([NOTES, OTHER, SAME])

    assert (NOTES, SAME) == (found.left, found.right)
    assert 0.5 <= found.alike < 1
    assert {"release", "merged", "tag"} <= set(found.words)


def test_short_descriptions_collide_with_nothing() -> None:
    assert () == collisions(
        [Listing("a", "Writes notes.", "a"), Listing("b", "Writes notes.", "b")]
    )


@given(st.lists(st.builds(Listing, st.text(max_size=5), st.text(max_size=60), st.text(max_size=5))))
def test_every_collision_is_a_pair_of_what_was_given(listings: list[Listing]) -> None:
    assert all({one.left, one.right} <= set(listings) for one in collisions(listings))
