"""Which lines of a file a change wrote, told without asking anybody for a diff."""

from __future__ import annotations

import time
from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_tree import SYMLINK, MemoryTree
from plugineval_action.content.tree import MAX_BYTES
from plugineval_action.results import Finding
from plugineval_action.review.changed_lines import changed_lines, lines_of
from plugineval_action.review_values import Change
from sample_reviews import plugin, review, skill

PATH = "skills/a/SKILL.md"
SECONDS = 10
"""Far more than linear time takes on a megabyte, far less than anything else."""

texts = st.lists(st.sampled_from("abc\u2028\x0b"), max_size=12).map("\n".join)


def changed(before: str | bytes | None, after: str | bytes) -> list[int]:
    base = MemoryTree({} if before is None else {PATH: before})
    found = changed_lines(base, MemoryTree({PATH: after}), PATH)

    assert all(lines for lines in found)
    return [number for lines in found for number in lines]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a\nb\nc\n", "a\nb\nc\n", []),
        ("a\nb\nc\n", "a\nX\nc\n", [2]),
        ("a\nb\nc\n", "a\nX\nb\nY\nc\n", [2, 4]),
        ("a\nb\nc\n", "a\nc\n", []),
        ("a\nb\n", "a\nb\nc\nd\n", [3, 4]),
        ("a\n\nb\n", "a\n\n\nb\n", [3]),
        ("a\nb", "a\nb\n", []),
        ("a\r\nb\r\n", "a\nb\n", []),
        ("a\nb\nc\n", "c\na\nb\n", []),
        ("", "a\n", [1]),
        ("a\n", "", []),
        (None, "a\nb\n", [1, 2]),
        (None, "", []),
        (b"\xff\n", b"\xff\na\n", [2]),
    ],
)
def test_lines_that_the_base_does_not_hold_are_changed(
    before: str | bytes | None, after: str | bytes, expected: list[int]
) -> None:
    assert expected == changed(before, after)


def test_neighbours_are_one_range() -> None:
    base, head = MemoryTree({PATH: "a\n"}), MemoryTree({PATH: "a\nx\ny\n"})

    assert (range(2, 4),) == changed_lines(base, head, PATH)


def test_file_that_moved_is_compared_with_where_it_was() -> None:
    base, head = MemoryTree({"old.md": "a\nb\n"}), MemoryTree({PATH: "a\nX\n"})

    assert (range(2, 3),) == changed_lines(base, head, PATH, "old.md")


@pytest.mark.parametrize("content", [None, SYMLINK, b"x" * (MAX_BYTES + 1)])
def test_what_is_no_file_that_can_be_read_has_no_lines(content: str | bytes | None) -> None:
    head = MemoryTree({PATH: content, "other": "x"})

    assert () == changed_lines(MemoryTree({PATH: "a\n"}), head, PATH)


@pytest.mark.parametrize("content", [SYMLINK, b"x" * (MAX_BYTES + 1)])
def test_base_that_cannot_be_read_is_as_good_as_none(content: str | bytes) -> None:
    base = MemoryTree({PATH: content})

    assert (range(1, 2),) == changed_lines(base, MemoryTree({PATH: "a\n"}), PATH)


@given(before=texts, after=texts)
def test_every_line_is_in_the_file_and_what_is_new_to_it_is_found(before: str, after: str) -> None:
    lines = after.split("\n")
    found = changed(before, after)

    assert found == sorted(set(found))
    assert all(1 <= number <= len(lines) for number in found)
    new = {at for at, line in enumerate(lines, 1) if line not in before.split("\n")}
    assert new - {len(lines)} <= {*found}


@given(before=texts, after=texts)
def test_no_more_lines_than_the_shortest_edit_writes(before: str, after: str) -> None:
    old, new = before.split("\n"), after.split("\n")
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()

    assert len(changed(before, after)) <= len(new) - sum(block.size for block in blocks)


@pytest.mark.parametrize("piece", ["\n", "a\n", "a\nb\n", "x"])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    size = MAX_BYTES // len(piece) - 10
    base = MemoryTree({PATH: f"1\n{piece * size}"})
    head = MemoryTree({PATH: f"2\n{piece * (size // 2)}3\n{piece * (size // 2)}4"})
    begun = time.process_time()
    changed_lines(base, head, PATH)

    assert time.process_time() - begun < SECONDS


def test_lines_of_a_review_are_those_of_the_files_with_problems() -> None:
    note = Finding("INVALID_JSON", "error", "m", "r", "p/.claude-plugin/plugin.json")
    moved = skill("a", "MISSING_TRIGGER", path="new/a")
    shown = review(
        Change("renamed", skill("a", path="old/a"), moved),
        Change("removed", skill("gone", "MISSING_TRIGGER"), None),
        Change("changed", plugin("p"), plugin("p", moved)._replace(findings=(note,))),
        Change("new", None, skill("fine")),
    )
    base = MemoryTree({"old/a/SKILL.md": "1\n2\n3\n", note.path: "{\n}\n"})
    head = MemoryTree({"new/a/SKILL.md": "1\n2\nX\n", note.path: "{\n"})
    expected = {"new/a/SKILL.md": (range(3, 4),), note.path: ()}

    assert expected == lines_of(shown, base, head)


@pytest.mark.parametrize(
    ("was", "now"), [("", "a"), ("a", ""), ("a", "b/a"), ("a", "a/a"), ("agents/x.md", "y.md")]
)
def test_file_of_something_that_moved_is_found_where_it_was(was: str, now: str) -> None:
    def file(folder: str) -> str:
        return folder if folder.endswith(".md") else f"{folder}/references/x".lstrip("/")

    note = Finding("BINARY_REFERENCE", "note", "m", "r", file(now))
    after = skill("a")._replace(path=now, findings=(note,))
    shown = review(Change("renamed", skill("a")._replace(path=was), after))
    base, head = MemoryTree({file(was): "1\n2\n"}), MemoryTree({file(now): "1\nX\n"})

    assert {file(now): (range(2, 3),)} == lines_of(shown, base, head)
