"""Little text never makes much work: what a manifest or git repeats is done once, or refused."""

from __future__ import annotations

import json
import os
from collections import UserDict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from git_repository import Repository
from memory_tree import MemoryTree
from plugineval_action.cli.main import main
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import MOST_UNITS, discover
from plugineval_action.content.git_tree import GitTree
from plugineval_action.content.tree import MAX_BYTES, MAX_TOTAL, Allowance, EntryKind
from plugineval_action.errors import ContentError
from plugineval_action.evaluate import score_skill
from plugineval_action.results import Result
from plugineval_action.review.trees import Side, review_trees
from plugineval_action.survey import plugin_targets, score_directory, skill_targets
from skills import rules, skill_text

MARKETPLACE = ".claude-plugin/marketplace.json"
DEEP = "x" * 250


def marketplace(count: int, **keys: object) -> str:
    """A manifest whose entries all lie in the folder p."""
    entries = [{"name": f"n{at}", "source": "./p", **keys} for at in range(count)]
    return json.dumps({"name": "m", "plugins": entries})


def skills(count: int) -> dict[str, str | bytes | None]:
    return {f"p/skills/s{at}/SKILL.md": skill_text() for at in range(count)}


def too_deep(root: Path) -> None:
    """Folders in folders, until the path of the innermost is longer than a system call takes."""
    root.mkdir(parents=True, exist_ok=True)
    here = os.open(root, os.O_RDONLY)
    for _ in range(17):
        os.mkdir(DEEP, dir_fd=here)
        inner = os.open(DEEP, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def test_a_skill_of_many_plugins_is_scored_once(tmp_path: Path) -> None:
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / MARKETPLACE).write_text(marketplace(3), encoding="utf-8")
    (tmp_path / "p/skills/s").mkdir(parents=True)
    (tmp_path / "p/skills/s/SKILL.md").write_text(skill_text(), encoding="utf-8")
    tree = DirectoryTree(tmp_path)
    scored = score_directory(tree, plugin_targets(discover(tree)), "plugineval", 1)
    plugins = [one for one in scored if isinstance(one, Result)]

    assert ["n0", "n1", "n2"] == [plugin.name for plugin in plugins]
    assert 1 == len({id(member) for plugin in plugins for member in plugin.members})


def test_a_folder_that_many_entries_name_is_listed_no_more_often() -> None:
    keys = {"agents": ["./agents", "./agents/.", "./more/../agents"] * 20, "skills": "./more"}
    files = {**skills(1), "p/agents/a.md": "---\nname: a\n---\n", "p/more/s/SKILL.md": ""}
    listed = []
    for count in (2, 200):
        tree = MemoryTree({**files, MARKETPLACE: marketplace(count, **keys)})
        plugins = discover(tree).plugins
        listed.append((tree.listed.count("p/agents"), tree.listed.count("p/more")))

        assert count == len(plugins)
        assert {("p/agents/a.md",)} == {plugin.agents for plugin in plugins}
    assert listed[0] == listed[1]


def test_plugins_that_list_too_much_are_refused_with_what_to_do() -> None:
    tree = MemoryTree({**skills(100), MARKETPLACE: marketplace(MOST_UNITS // 100)})
    with pytest.raises(ContentError, match="more than 20,000 skills, agents and plugins") as caught:
        discover(tree)

    assert "list each directory once" in caught.value.remedy


def test_a_thousand_entries_of_one_folder_are_within_bounds() -> None:
    tree = MemoryTree({**skills(10), MARKETPLACE: marketplace(1_000)})

    assert 1_000 == len(discover(tree).plugins)


def test_a_chain_of_skills_reads_each_script_for_the_skill_that_holds_it() -> None:
    asked = []
    for length in (1, 30):
        chain = ["a" + "/a" * depth for depth in range(length)]
        texts = {"SKILL.md": skill_text(), "run.py": "print(1)\n"}
        tree = MemoryTree({f"{at}/{name}": text for at in chain for name, text in texts.items()})
        for skill in chain:
            score_skill(tree, skill)
        asked.append({tree.asked.count(f"{skill}/run.py") for skill in chain})

    assert asked[0] == asked[1]


def test_skills_that_name_their_plugin_read_its_manifest_once() -> None:
    manifest = "p/.claude-plugin/plugin.json"
    names = {f"p/skills/s{at}/SKILL.md": skill_text(f"Ask own:s{at + 1}.\n") for at in range(20)}
    tree = MemoryTree({**names, manifest: '{"name": "own"}'})
    for path in names:
        score_skill(tree, path.removesuffix("/SKILL.md"), plugin="p")

    assert 1 == tree.asked.count(manifest)


def test_many_broken_links_go_through_a_folder_no_more_often_than_one() -> None:
    seen = []
    for count in (1, 100):
        links = "".join(f"[a](docs/gone{at}.md)\n" for at in range(count))
        tree = _Watched({"s/SKILL.md": skill_text(links), "s/docs/Notes.md": ""})
        seen.append(("BROKEN_LINK" in rules(score_skill(tree, "s")), tree.gone_through))

    assert seen[0] == seen[1]


class _Watched(MemoryTree):
    """Remembers each listing that was gone through, rather than asked for one name."""

    def __init__(self, files: dict[str, str | bytes | None]) -> None:
        self.gone_through: list[str] = []
        super().__init__(files)

    def listing(self, directory: str) -> Mapping[str, EntryKind]:
        return _Listing(super().listing(directory), directory, self.gone_through)


class _Listing(UserDict[str, EntryKind]):
    def __init__(self, names: Mapping[str, EntryKind], directory: str, seen: list[str]) -> None:
        self._directory, self._seen = directory, seen
        super().__init__(names)

    def __iter__(self) -> Iterator[str]:
        self._seen.append(self._directory)
        return super().__iter__()


def test_a_git_tree_that_spells_out_a_million_skills_is_refused(tmp_path: Path) -> None:
    """Three trees of a few kilobytes, each of which names the one below 30 times."""
    repository = Repository(tmp_path)
    tree = repository.tree(("100644", "blob", repository.blob(b"---\n"), "SKILL.md"))
    for _ in range(3):
        tree = repository.tree(*(("040000", "tree", tree, f"d{at:02}") for at in range(30)))
    commit = repository.commit_tree(tree)
    with GitTree(tmp_path, commit) as bomb, pytest.raises(ContentError, match="more than 20,000"):
        discover(bomb)


def test_a_large_file_under_many_names_is_read_so_often_and_no_more(tmp_path: Path) -> None:
    fits = MAX_TOTAL // MAX_BYTES
    repository = Repository(tmp_path)
    blob = repository.blob(b"x" * MAX_BYTES)
    names = [f"{at:03}.md" for at in range(fits + 40)]
    commit = repository.commit_tree(
        repository.tree(*(("100644", "blob", blob, name) for name in names))
    )
    with GitTree(tmp_path, commit) as tree:
        found = [_read(tree, name) for name in names]

    assert [None] * fits + names[fits:] == [error and error.path for error in found]
    assert "up to it there are more than 64 MiB of files" in str(found[-1])
    assert "the input paths" in str(found[-1])


def _read(tree: GitTree, path: str) -> ContentError | None:
    try:
        tree.read(path)
    except ContentError as error:
        return error
    return None


def test_a_file_counts_once_however_often_it_is_read() -> None:
    allowance = Allowance(10)
    for _ in range(5):
        allowance.take("a", 6)
    with pytest.raises(ContentError):
        allowance.take("b", 5)

    allowance.take("a", 6)
    with pytest.raises(ContentError):
        allowance.check("c")


def test_a_sparse_file_of_terabytes_is_neither_read_nor_hashed(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s/SKILL.md").write_text(skill_text(), encoding="utf-8")
    (tmp_path / "s/video.bin").touch()
    os.truncate(tmp_path / "s/video.bin", 1 << 42)
    tree = DirectoryTree(tmp_path)
    with pytest.raises(ContentError, match="more than 64 MiB"):
        tree.blob_id("s/video.bin")
    (result,) = score_directory(tree, skill_targets(discover(tree)), "plugineval", 1)

    assert isinstance(result, Result)


# What cannot be looked into is not nothing


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    too_deep(tmp_path)
    tree = DirectoryTree(tmp_path)
    discover(tree)
    (refused,) = tree.refused()

    assert refused.path.startswith(f"{DEEP}/{DEEP}")
    assert "cannot be listed (File name too long)" in refused.message


def test_a_folder_that_has_vanished_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    tree = DirectoryTree(tmp_path)
    tree.listing("")
    (tmp_path / "gone").rmdir()

    assert {} == tree.listing("gone")
    assert () == tree.refused()


@pytest.mark.parametrize("path", [".", "s"])
def test_a_gate_does_not_pass_what_it_could_not_look_into(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s/SKILL.md").write_text(skill_text(), encoding="utf-8")
    before = main(["score", str(tmp_path / path), "--threshold", "1"])
    too_deep(tmp_path / "s/references")
    after = main(["score", str(tmp_path / path), "--threshold", "1", "--output", "json"])

    assert (0, 1) == (before, after)
    assert "cannot be listed" in capsys.readouterr().out


def test_a_folder_with_nothing_else_names_what_it_could_not_look_into(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    too_deep(tmp_path)

    assert 2 == main(["score", str(tmp_path)])
    assert "cannot be listed" in capsys.readouterr().err


def test_a_review_lists_what_it_could_not_look_into(tmp_path: Path) -> None:
    too_deep(tmp_path / "closed")
    sides = Side(MemoryTree({}), "base"), Side(DirectoryTree(tmp_path), "working tree")
    everything = review_trees(*sides, "plugineval")
    other = review_trees(*sides, "plugineval", lambda path: path == "elsewhere")

    assert ["closed"] == [one.path.partition("/")[0] for one in everything.failures]
    assert () == other.failures


def test_a_folder_without_the_right_to_read_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    if os.access(tmp_path / "closed", os.R_OK):
        pytest.skip("this user may read everything")
    tree = DirectoryTree(tmp_path)
    discover(tree)

    assert ["The folder closed cannot be listed (Permission denied)."] == [
        one.message for one in tree.refused()
    ]
