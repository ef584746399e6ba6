"""Whether a directory is what its commit says, found out without running anything of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from git_repository import Repository
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.worktree import differs_from_head


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "r")
    made.write("market/s/SKILL.md", "Text.")
    made.write("other/file", "x")
    made.commit()
    return made


def differs(repository: Repository, directory: str = "", besides: str | None = None) -> bool:
    return differs_from_head(DirectoryTree(repository.root), directory, besides)


def test_a_fresh_checkout_does_not_differ(repository: Repository) -> None:
    assert not differs(repository)


def test_a_file_that_was_only_touched_does_not_differ(repository: Repository) -> None:
    repository.write("market/s/SKILL.md", "Text.")

    assert not differs(repository)


def stage(repository: Repository) -> None:
    repository.write("market/s/SKILL.md", "Staged")
    repository.git("add", "--all")


def link(repository: Repository) -> None:
    (repository.root / "market/s/SKILL.md").unlink()
    (repository.root / "market/s/SKILL.md").symlink_to("/etc/hostname")


CHANGES: dict[str, Callable[[Repository], None]] = {
    "changed": lambda one: one.write("market/s/SKILL.md", "Other"),
    "of the same length": lambda one: one.write("market/s/SKILL.md", "Next."),
    "removed": lambda one: (one.root / "market/s/SKILL.md").unlink(),
    "new skill": lambda one: one.write("market/t/SKILL.md", ""),
    "new agent": lambda one: one.write("market/agents/a.md", ""),
    "new manifest": lambda one: one.write("market/p/.claude-plugin/plugin.json", "{}"),
    "staged": stage,
    "became a link": link,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_would_be_scored_differs(
    repository: Repository, change: Callable[[Repository], None]
) -> None:
    change(repository)

    assert differs(repository)
    assert differs(repository, "market")
    assert not differs(repository, "other")


def test_new_files_that_nobody_scores_and_ignored_ones_do_not_count(repository: Repository) -> None:
    repository.write("market/notes.txt", "")
    repository.write(".gitignore", "build/\n")
    repository.commit()
    repository.write("build/s/SKILL.md", "")

    assert not differs(repository)


def test_what_the_report_itself_wrote_does_not_count(repository: Repository) -> None:
    repository.write("report/agents/x.md", "")

    assert differs(repository)
    assert not differs(repository, "", "report")


def test_names_with_signs_of_patterns_stand_for_themselves(repository: Repository) -> None:
    repository.write("[m]*/t/SKILL.md", "")

    assert differs(repository, "[m]*")
    assert not differs(repository, "market")


def test_a_file_that_is_not_checked_out_is_no_change(repository: Repository) -> None:
    repository.git("update-index", "--skip-worktree", "other/file")
    (repository.root / "other/file").unlink()

    assert not differs(repository)


def test_no_filter_of_the_repository_is_run(repository: Repository, tmp_path: Path) -> None:
    """Git would run it to compare a file whose time has changed."""
    repository.write(".gitattributes", "*.md filter=evil\n")
    repository.git("config", "filter.evil.clean", f"touch {tmp_path}/ran; cat")
    repository.write("market/s/SKILL.md", "Other")

    assert differs(repository)
    assert not (tmp_path / "ran").exists()
