"""What changed between two trees: units, renames, structure."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_repository import Repository
from memory_tree import MemoryTree
from plugineval_action.content.digest import unit_digest
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import Unit, discover
from plugineval_action.content.git_tree import GitTree
from plugineval_action.content.tree import Tree, join
from plugineval_action.errors import ContentError
from plugineval_action.review.changes import find_changes, structure_changed
from plugineval_action.review.renames import MAX_COMPARED

Files = Mapping[str, str]
Row = tuple[str, str | None, str | None]

TEXT = "---\nname: x\n---\n# One\nalpha\nbeta\ngamma\n"
EDITED = TEXT.replace("gamma", "delta")
OTHER = "---\nname: other\n---\n# Another skill\nwith nothing in common\n"


def units_of(tree: Tree) -> dict[str, Unit]:
    found = discover(tree)
    units = (*found.skills, *found.agents, *found.plugin_units)
    return {f"{unit.kind} {unit.path}": unit for unit in units}


def rows(base: Tree, head: Tree) -> list[Row]:
    """What changed, as (status, path before, path after)."""
    pairs = find_changes(base, head, units_of(base), units_of(head))
    return [
        (pair.status, pair.base.path if pair.base else None, pair.head.path if pair.head else None)
        for pair in pairs
    ]


def changes(base: Files, head: Files) -> list[Row]:
    return rows(MemoryTree(base, "base"), MemoryTree(head, "head"))


def test_same_trees_have_no_changes() -> None:
    files = {"skills/a/SKILL.md": TEXT, "p/.claude-plugin/plugin.json": "{}", "agents/x.md": TEXT}

    assert [] == changes(files, files)


def test_new_removed_and_changed_skills_by_path() -> None:
    base = {"b/SKILL.md": TEXT, "d/SKILL.md": OTHER, "same/SKILL.md": "same"}
    head = {"b/SKILL.md": EDITED, "a/SKILL.md": "new text", "same/SKILL.md": "same"}

    assert [("new", None, "a"), ("changed", "b", "b"), ("removed", "d", None)] == changes(
        base, head
    )


@pytest.mark.parametrize("file", ["a/references/deep/guide.md", "a/scripts/run.py", "a/notes.txt"])
def test_any_file_of_a_skill_makes_it_changed(file: str) -> None:
    base = {"a/SKILL.md": TEXT, file: "before"}

    assert [("changed", "a", "a")] == changes(base, {**base, file: "after"})
    assert [("changed", "a", "a")] == changes(base, {"a/SKILL.md": TEXT})


def test_skill_inside_a_skill_changes_alone() -> None:
    base = {"a/SKILL.md": TEXT, "a/sub/b/SKILL.md": OTHER}

    assert [("changed", "a/sub/b", "a/sub/b")] == changes(base, {**base, "a/sub/b/SKILL.md": TEXT})


def test_files_outside_every_unit_change_nothing() -> None:
    base = {"SKILL.md": TEXT, "README.md": "before", "src/main.py": "before"}

    assert [] == changes(base, {"SKILL.md": TEXT, "README.md": "after", "new.py": "x"})


def test_skill_that_became_a_plugin_is_one_gone_and_one_new() -> None:
    head = {"x/.claude-plugin/plugin.json": "{}"}

    assert [("removed", "x", None), ("new", None, "x")] == changes({"x/SKILL.md": TEXT}, head)


PLUGIN = {
    "p/.claude-plugin/plugin.json": '{"name": "p"}',
    "p/skills/a/SKILL.md": TEXT,
    "p/agents/x.md": OTHER,
}


@pytest.mark.parametrize(
    ("edit", "others"),
    [
        ({"p/.claude-plugin/plugin.json": '{"name": "p", "version": "2"}'}, []),
        ({"p/skills/a/SKILL.md": EDITED}, [("changed", "p/skills/a", "p/skills/a")]),
        ({"p/agents/x.md": TEXT}, [("changed", "p/agents/x.md", "p/agents/x.md")]),
        ({"p/skills/b/SKILL.md": "new"}, [("new", None, "p/skills/b")]),
    ],
)
def test_plugin_changes_with_its_manifest_and_members(edit: Files, others: list[Row]) -> None:
    assert [("changed", "p", "p"), *others] == changes(PLUGIN, {**PLUGIN, **edit})


def test_plugin_does_not_change_with_its_readme_or_its_neighbours() -> None:
    base = {**PLUGIN, "p/README.md": "before", "skills/z/SKILL.md": "before"}
    head = {**PLUGIN, "p/README.md": "after", "skills/z/SKILL.md": "after"}

    assert [("changed", "skills/z", "skills/z")] == changes(base, head)


def test_plugin_that_moved_is_renamed_with_all_it_has() -> None:
    head = {path.replace("p/", "plugins/q/", 1): text for path, text in PLUGIN.items()}

    assert [
        ("renamed", "p", "plugins/q"),
        ("renamed", "p/agents/x.md", "plugins/q/agents/x.md"),
        ("renamed", "p/skills/a", "plugins/q/skills/a"),
    ] == changes(PLUGIN, head)


def test_plugin_that_moved_and_was_edited_is_known_by_its_members() -> None:
    head = {path.replace("p/", "q/", 1): text for path, text in PLUGIN.items()}
    head["q/.claude-plugin/plugin.json"] = '{"name": "q"}'

    assert ("renamed", "p", "q") in changes(PLUGIN, head)


def test_same_bytes_elsewhere_are_a_rename() -> None:
    base = {"a/SKILL.md": TEXT, "a/references/r.md": "r"}
    head = {"z/SKILL.md": TEXT, "z/references/r.md": "r"}

    assert [("renamed", "a", "z")] == changes(base, head)


def test_same_bytes_under_the_same_name_come_first() -> None:
    base = {"x/b/SKILL.md": TEXT, "x/c/SKILL.md": TEXT}
    head = {"y/a/SKILL.md": TEXT, "y/b/SKILL.md": TEXT}

    assert [("renamed", "x/c", "y/a"), ("renamed", "x/b", "y/b")] == changes(base, head)


def test_same_bytes_win_over_the_same_name() -> None:
    base = {"x/a/SKILL.md": TEXT}
    head = {"y/a/SKILL.md": OTHER, "y/b/SKILL.md": TEXT}

    assert [("new", None, "y/a"), ("renamed", "x/a", "y/b")] == changes(base, head)


def test_same_name_elsewhere_is_a_rename_whatever_was_rewritten() -> None:
    assert [("renamed", "x/a", "y/a")] == changes({"x/a/SKILL.md": TEXT}, {"y/a/SKILL.md": OTHER})
    assert [("renamed", "agents/a.md", "b/agents/a.md")] == changes(
        {"agents/a.md": TEXT}, {"b/agents/a.md": OTHER}
    )


def test_same_name_twice_is_ambiguous() -> None:
    base = {"x/a/SKILL.md": TEXT}
    head = {"y/a/SKILL.md": "different", "z/a/SKILL.md": OTHER}

    assert [("removed", "x/a", None), ("new", None, "y/a"), ("new", None, "z/a")] == changes(
        base, head
    )


def test_text_that_mostly_stayed_is_a_rename() -> None:
    head = {"new/SKILL.md": EDITED, "unrelated/SKILL.md": OTHER}

    assert [("renamed", "old", "new"), ("new", None, "unrelated")] == changes(
        {"old/SKILL.md": TEXT}, head
    )


def numbered(first: int, last: int) -> str:
    return "\n".join(f"line {number}" for number in range(first, last))


@pytest.mark.parametrize(("last", "renamed"), [(20, True), (21, False)])
def test_half_of_all_lines_in_common_is_enough(last: int, renamed: bool) -> None:
    """10 lines in common, of 20 and of 21."""
    found = changes({"a/SKILL.md": numbered(0, 10)}, {"b/SKILL.md": numbered(0, last)})

    assert (found == [("renamed", "a", "b")]) == renamed


def test_white_space_and_line_ends_do_not_hide_a_rename() -> None:
    head = {"b/SKILL.md": TEXT.replace("\n", "  \r\n\r\n")}

    assert [("renamed", "a", "b")] == changes({"a/SKILL.md": TEXT}, head)


def test_most_similar_texts_are_paired_first() -> None:
    base = {"a/SKILL.md": numbered(0, 10), "b/SKILL.md": numbered(2, 12)}
    head = {"y/SKILL.md": numbered(2, 13), "z/SKILL.md": numbered(0, 11)}

    assert [("renamed", "b", "y"), ("renamed", "a", "z")] == changes(base, head)


def test_empty_texts_are_not_similar() -> None:
    base = {"a/SKILL.md": "", "a/x": "1"}

    assert [("removed", "a", None), ("new", None, "b")] == changes(
        base, {"b/SKILL.md": "", "b/x": "2"}
    )


def test_too_many_candidates_are_not_compared_line_by_line() -> None:
    base = {f"a-{number}/SKILL.md": f"{TEXT}{number}" for number in range(MAX_COMPARED + 1)}
    head = {f"b-{number}/SKILL.md": f"{TEXT}{number}!" for number in range(MAX_COMPARED + 1)}

    assert {"new", "removed"} == {status for status, _, _ in changes(base, head)}


@given(st.permutations("abcdef"), st.permutations("defghi"))
def test_order_of_the_units_does_not_matter(before: list[str], after: list[str]) -> None:
    """`d` to `f` changed; of the others each lives on as the one that says the same."""
    base = MemoryTree({f"{name}/SKILL.md": f"{TEXT}{name}" for name in before}, "base")
    head = MemoryTree({f"{name}/SKILL.md": f"{EDITED}{name}" for name in after}, "head")
    found = find_changes(
        base,
        head,
        {name: Unit("skill", name, (f"{name}/SKILL.md",), None) for name in before},
        {name: Unit("skill", name, (f"{name}/SKILL.md",), None) for name in after},
    )

    assert ["d", "e", "f", "g", "h", "i"] == [pair.head.path for pair in found if pair.head]
    assert ["d", "e", "f", "a", "b", "c"] == [pair.base.path for pair in found if pair.base]


def test_renamed_key_of_a_moved_unit_may_stay() -> None:
    base, head = MemoryTree({"a/SKILL.md": TEXT}, "base"), MemoryTree({"b/SKILL.md": OTHER}, "head")
    [before], [after] = units_of(base).values(), units_of(head).values()

    assert [("renamed", before, after)] == find_changes(base, head, {"k": before}, {"k": after})


def test_file_that_cannot_be_read_counts_as_changed() -> None:
    tree = MemoryTree({"a/SKILL.md": TEXT}, "base")
    gone = {"a": Unit("skill", "a", ("a/SKILL.md", "a/vanished"), None)}

    assert ["changed"] == [
        pair.status for pair in find_changes(tree, MemoryTree({}, "head"), gone, gone)
    ]


def test_structure_is_the_set_of_files() -> None:
    base = {"a/SKILL.md": TEXT, "b/c": "x"}

    assert not structure_changed(MemoryTree(base), MemoryTree({**base, "b/c": "edited"}))
    assert structure_changed(MemoryTree(base), MemoryTree({**base, "b/d": ""}))
    assert structure_changed(MemoryTree({**base, "b/d": ""}), MemoryTree(base))
    assert structure_changed(MemoryTree(base), MemoryTree({"a/SKILL.md": TEXT, "b/C": "x"}))


def test_structure_holds_manifests_because_they_name_things() -> None:
    base = {"p/.claude-plugin/plugin.json": '{"name": "p"}'}
    head = {"p/.claude-plugin/plugin.json": '{"name": "q"}'}

    assert structure_changed(MemoryTree(base), MemoryTree(head))


def test_structure_leaves_out_what_is_not_the_repository_s_own() -> None:
    base = {"a/SKILL.md": TEXT}
    head = {**base, ".git/HEAD": "x", "a/node_modules/x": "x"}

    assert not structure_changed(MemoryTree(base), MemoryTree(head))


def test_commit_and_its_own_checkout_are_the_same(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository")
    for path, text in PLUGIN.items():
        repository.write(path, text)
    repository.write("skills/🦊\n/SKILL.md", TEXT)
    repository.write(os.fsdecode(b"skills/\xff/references/\xfe.md"), TEXT)
    repository.write(os.fsdecode(b"skills/\xff/SKILL.md"), TEXT)
    repository.commit()
    head = DirectoryTree(repository.root)
    with GitTree.open(repository.root, "HEAD") as base:
        assert [] == rows(base, head)
        assert not structure_changed(base, head)

        repository.write("skills/🦊\n/SKILL.md", EDITED)

        assert [("changed", "skills/🦊\n", "skills/🦊\n")] == rows(base, head)


NAMES = st.text(alphabet="ab.\n\u202e🦊", min_size=1, max_size=8)
CONTENTS = st.dictionaries(NAMES, st.binary(max_size=4), max_size=6)


def digest_at(directory: str, contents: Mapping[str, bytes]) -> str:
    files = {join(directory, name): data for name, data in contents.items()}
    return unit_digest(MemoryTree(files), Unit("skill", directory, tuple(files), None))


@given(CONTENTS, st.randoms(use_true_random=False), st.sampled_from(["", "a", "plugins/x/a"]))
def test_digest_knows_neither_order_nor_place(
    contents: dict[str, bytes], source: Random, directory: str
) -> None:
    shuffled = source.sample(sorted(contents), len(contents))

    assert digest_at("here", contents) == digest_at(
        directory, {name: contents[name] for name in shuffled}
    )


@given(CONTENTS, CONTENTS)
def test_digests_are_equal_only_for_equal_files(
    some: dict[str, bytes], others: dict[str, bytes]
) -> None:
    assert (some == others) == (digest_at("x", some) == digest_at("x", others))


def test_digest_of_an_agent_does_not_hold_its_name() -> None:
    tree = MemoryTree({"agents/a.md": TEXT, "b.md": TEXT})
    a, b = (Unit("agent", path, (path,), None) for path in ("agents/a.md", "b.md"))

    assert unit_digest(tree, a) == unit_digest(tree, b)


def test_digest_of_a_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ContentError):
        unit_digest(MemoryTree({}), Unit("skill", "a", ("a/SKILL.md",), None))
