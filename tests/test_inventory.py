"""The inventory: what a report wrote, what is stale, and what belongs to somebody else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plugineval_action.content.tree import normalise
from plugineval_action.report.inventory import INVENTORY, Difference, difference, inventory, listed

PATHS = st.frozensets(st.from_regex(r"[a-z]{1,3}(/[a-z]{1,3}){0,2}", fullmatch=True), max_size=8)
BLOBS = st.dictionaries(
    st.sampled_from(["a", "b", "c/d", "e"]), st.sampled_from(["0", "1"]), max_size=4
)


@given(PATHS)
def test_an_inventory_reads_as_what_it_was_made_from_and_itself(paths: frozenset[str]) -> None:
    assert paths | {INVENTORY} == listed(inventory(paths))


@given(st.text())
def test_nothing_outside_of_the_folder_is_ever_listed(text: str) -> None:
    assert all(path and normalise(path) == path for path in listed(text))


def test_paths_that_lead_out_are_left_out() -> None:
    assert {"a", "b/c"} == listed("a\n../x\n/etc/passwd\nb/../../y\n./z\nb/c\n\n")


def test_what_changed_is_written_what_is_gone_goes_what_is_foreign_stays() -> None:
    there = {"same": "0", "old": "1", "gone": "2", "mine": "3", "taken": "4"}
    wanted = {"same": "0", "old": "9", "new": "8", "taken": "7"}

    assert Difference(("old", "new", "taken"), ("gone",), ("taken",)) == difference(
        there, wanted, {"same", "old", "gone"}
    )


@given(BLOBS, BLOBS, st.frozensets(st.sampled_from(["a", "b", "c/d", "e"])))
def test_what_is_not_owned_is_neither_written_over_nor_deleted(
    there: dict[str, str], wanted: dict[str, str], owned: frozenset[str]
) -> None:
    found = difference(there, wanted, owned)

    assert set(found.stale) <= owned - wanted.keys()
    assert set(found.foreign) == {path for path in found.written if path in there} - owned


@given(BLOBS, BLOBS)
def test_after_the_changes_a_report_s_own_folder_is_as_wanted(
    there: dict[str, str], wanted: dict[str, str]
) -> None:
    found = difference(there, wanted, there.keys())
    kept = {path: blob for path, blob in there.items() if path not in found.stale}

    assert wanted == kept | {path: wanted[path] for path in found.written}
