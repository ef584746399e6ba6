"""Reading a revision: what a commit holds, whatever its repository would like to have run."""

from __future__ import annotations

import os
import signal
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from git_repository import Repository, git
from plugineval_action.content.git import head_commit, merge_base
from plugineval_action.content.git_tree import GitTree
from plugineval_action.content.repository import repository_root
from plugineval_action.content.tree import MAX_BYTES, MAX_ENTRIES, MAX_PATH
from plugineval_action.errors import ContentError, GitError

CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children")


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Two commits on `main`, an annotated tag on the first, and an unrelated branch `island`."""
    repository = Repository(tmp_path_factory.mktemp("git") / "history")
    repository.write("skills/a/SKILL.md", "first\n")
    repository.commit()
    repository.git("tag", "--annotate", "--message=one", "v1")
    repository.write("skills/a/SKILL.md", "second\n")
    repository.commit()
    island = repository.commit_tree(repository.tree())
    repository.git("branch", "island", island)
    return repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def children() -> set[str]:
    """The ids of the processes that this one has started."""
    return set(CHILDREN.read_text().split())


@pytest.mark.parametrize(
    ("revision", "expected"),
    [("HEAD", b"second\n"), ("main", b"second\n"), ("v1", b"first\n"), ("main~1", b"first\n")],
)
def test_revision_is_read_as_it_was(history: Repository, revision: str, expected: bytes) -> None:
    with GitTree.open(history.root, revision) as tree:
        assert expected == tree.read("skills/a/SKILL.md")


def test_identity_is_the_commit(history: Repository) -> None:
    commit = history.git("rev-parse", "v1^{commit}")

    for revision in ("v1", commit, commit[:10]):
        with GitTree.open(history.root, revision) as tree:
            assert commit == tree.identity


def test_revision_is_resolved_once(repository: Repository) -> None:
    repository.write("file", "before")
    repository.commit()
    with GitTree.open(repository.root, "main") as tree:
        repository.write("file", "after")
        repository.commit()

        assert b"before" == tree.read("file")


def test_working_tree_is_not_looked_at(repository: Repository) -> None:
    repository.write("file", "committed")
    repository.commit()
    repository.write("file", "edited")
    repository.write("untracked", "x")
    with GitTree.open(repository.root, "HEAD") as tree:
        assert b"committed" == tree.read("file")
        assert ["file"] == list(tree.listing(""))


needs_children = pytest.mark.skipif(
    not CHILDREN.exists(), reason="the system does not list child processes"
)


@needs_children
def test_process_starts_with_the_first_read_and_ends_with_the_block(history: Repository) -> None:
    before = children()
    with GitTree.open(history.root, "HEAD") as tree:
        assert before == children()
        tree.read("skills/a/SKILL.md")

        assert len(children() - before) == 1
    assert before == children()


@needs_children
def test_blob_over_the_cap_leaves_no_process_behind(repository: Repository) -> None:
    repository.write("huge", b"\0" * (40 * MAX_BYTES))
    repository.commit()
    before = children()
    with GitTree.open(repository.root, "HEAD") as tree:
        with pytest.raises(ContentError, match="huge is larger than"):
            tree.read("huge")
        assert before == children()


def test_closing_twice_or_unread_is_fine(history: Repository) -> None:
    with GitTree.open(history.root, "HEAD") as tree:
        tree.close()
        tree.close()


@needs_children
def test_git_that_died_is_an_error_and_the_next_read_works(history: Repository) -> None:
    before = children()
    with GitTree.open(history.root, "HEAD") as tree:
        tree.read("skills/a/SKILL.md")
        [child] = children() - before
        os.kill(int(child), signal.SIGKILL)

        with pytest.raises(GitError):
            tree.read("skills/a/SKILL.md")
        assert b"second\n" == tree.read("skills/a/SKILL.md")


def test_threads_may_share_a_tree(repository: Repository) -> None:
    paths = [f"file-{number}" for number in range(50)]
    for path in paths:
        repository.write(path, path * 100)
    repository.commit()
    with GitTree.open(repository.root, "HEAD") as tree, ThreadPoolExecutor(4) as pool:
        contents = list(pool.map(tree.read, paths))

    assert [(path * 100).encode() for path in paths] == contents


def test_git_modes_become_kinds(repository: Repository) -> None:
    blob = repository.blob(b"content")
    tree_id = repository.tree(
        ("100644", "blob", blob, "plain"),
        ("100755", "blob", blob, "program"),
        ("120000", "blob", blob, "link"),
        ("160000", "commit", "1" * 40, "submodule"),
    )
    with GitTree.open(repository.root, repository.commit_tree(tree_id)) as tree:
        kinds = [tree.kind(name) for name in ("plain", "program", "link", "submodule")]

        assert ["file", "file", "symlink", "other"] == kinds
        for path in ("link", "submodule"):
            with pytest.raises(ContentError):
                tree.read(path)
        assert not tree.listing("submodule")
        assert ["plain", "program"] == list(tree.files())


def test_blob_over_the_cap_does_not_disturb_the_next_read(repository: Repository) -> None:
    repository.write("huge", b"x" * (MAX_BYTES + 1))
    repository.write("small", "small")
    repository.commit()
    with GitTree.open(repository.root, "HEAD") as tree:
        for _ in range(2):
            with pytest.raises(ContentError, match="huge is larger than"):
                tree.read("huge")
            assert b"small" == tree.read("small")


def test_names_that_no_checkout_could_hold_are_left_out(repository: Repository) -> None:
    blob = repository.blob(b"x")
    inner = repository.tree(("100644", "blob", blob, "inside"), ("100644", "blob", blob, ".."))
    tree_id = repository.tree(
        ("040000", "tree", inner, ".."),
        ("040000", "tree", inner, "."),
        ("040000", "tree", inner, "fine"),
        ("100644", "blob", blob, "y" * MAX_PATH),
        ("100644", "blob", blob, "z" * (MAX_PATH + 1)),
    )
    with GitTree.open(repository.root, repository.commit_tree(tree_id)) as tree:
        assert ["fine/inside", "y" * MAX_PATH] == list(tree.files())
        assert ["fine", "y" * MAX_PATH] == list(tree.listing(""))


def test_name_that_is_a_file_and_a_directory_is_one_of_them(repository: Repository) -> None:
    blob = repository.blob(b"x")
    inner = repository.tree(("100644", "blob", blob, "inside"))
    entries = (("100644", "blob", blob, "name"), ("040000", "tree", inner, "name"))
    with GitTree.open(repository.root, repository.commit_tree(repository.tree(*entries))) as tree:
        assert "file" == tree.kind("name")
        assert not tree.listing("name")
        assert ["name"] == list(tree.files())


def test_few_objects_that_spell_out_billions_of_files_are_refused(repository: Repository) -> None:
    entry = ("100644", "blob", repository.blob(b"x"))
    for _ in range(9):
        tree_id = repository.tree(*((*entry, str(digit)) for digit in range(10)))
        entry = ("040000", "tree", tree_id)
    with pytest.raises(GitError, match=f"more than {MAX_ENTRIES:,} files"):
        GitTree.open(repository.root, repository.commit_tree(tree_id))


def test_many_deep_directories_are_refused(repository: Repository) -> None:
    """A path in the listing can cost a hundred times its length in directories."""
    tree_id = repository.tree(("100644", "blob", repository.blob(b"x"), "f"))
    for _ in range(60):
        tree_id = repository.tree(("040000", "tree", tree_id, "d"))
    wide = repository.tree(*(("040000", "tree", tree_id, f"{number:04}") for number in range(9999)))

    with pytest.raises(GitError, match="more than"):
        GitTree.open(repository.root, repository.commit_tree(wide))


def test_nothing_a_repository_configures_is_run(repository: Repository, tmp_path: Path) -> None:
    trap, sprung = tmp_path / "trap.sh", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\necho $0 $@ >> '{sprung}'\ncat\n")
    trap.chmod(trap.stat().st_mode | stat.S_IXUSR)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
        (hooks / hook).symlink_to(trap)
        (repository.root / ".git" / "hooks" / hook).symlink_to(trap)
    repository.write(".gitattributes", "* filter=trap diff=trap\n")
    repository.write("file", "content")
    commit = repository.commit()
    sprung.unlink(missing_ok=True)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "diff.trap.textconv",
        "diff.trap.command",
        "filter.trap.smudge",
        "filter.trap.clean",
        "filter.trap.process",
        "gpg.program",
        "pager.ls-tree",
        "pager.rev-parse",
        "pager.merge-base",
        "pager.cat-file",
        "alias.ls-tree",
        "alias.cat-file",
        "alias.rev-parse",
    ):
        repository.git("config", key, f"!{trap}" if key.startswith("alias.") else str(trap))
    repository.git("config", "core.hooksPath", str(hooks))
    with GitTree.open(repository.root, "HEAD") as tree:
        assert b"content" == tree.read("file")
    assert commit == merge_base(repository.root, "HEAD", "main")
    assert not sprung.exists()

    repository.git("status", "--porcelain")

    assert sprung.exists(), "the trap works, if anyone steps into it"


def test_blob_a_partial_clone_lacks_is_not_fetched(repository: Repository, tmp_path: Path) -> None:
    repository.write("file", "content")
    repository.commit()
    repository.git("config", "uploadpack.allowFilter", "true")
    clone, sprung = tmp_path / "clone", tmp_path / "sprung"
    url = f"file://{repository.root}"
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", "--no-checkout", url, str(clone))
    git(clone, "config", "remote.origin.uploadpack", f"touch '{sprung}'; git-upload-pack")
    with GitTree.open(clone, "HEAD") as tree:
        assert tree.is_file("file")
        with pytest.raises(GitError, match="lacks the content") as caught:
            tree.read("file")
    assert "git fetch" in caught.value.remedy
    assert not sprung.exists()

    git(clone, "cat-file", "blob", "HEAD:file")

    assert sprung.exists(), "the trap works, if anyone steps into it"


def test_replacement_refs_do_not_change_what_a_commit_holds(history: Repository) -> None:
    blob, other = history.git("rev-parse", "v1:skills/a/SKILL.md"), history.blob(b"replaced\n")
    history.git("replace", blob, other)
    with GitTree.open(history.root, "v1") as tree:
        assert b"first\n" == tree.read("skills/a/SKILL.md")
    history.git("replace", "--delete", blob)


def test_environment_of_the_caller_names_no_other_repository(
    history: Repository, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it would where a hook starts us: git sets GIT_DIR and more for its hooks."""
    repository.write("file", "x")
    repository.commit()
    monkeypatch.setenv("GIT_DIR", str(history.root / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(history.root / ".git" / "objects"))
    with GitTree.open(repository.root, "HEAD") as tree:
        assert ["file"] == list(tree.files())


def test_git_is_told_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text(f"#!/bin/sh\nexport > {tmp_path}/environment\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")

    with pytest.raises(GitError):
        GitTree.open(tmp_path, "HEAD")
    assert "ANTHROPIC_API_KEY" not in (tmp_path / "environment").read_text()


@pytest.mark.parametrize(
    "revision", ["", "-h", "--all", "--output=x", "^HEAD", "a\nb", "a\0b", "\u202ea"]
)
def test_what_cannot_name_a_revision_is_refused(history: Repository, revision: str) -> None:
    with pytest.raises(GitError, match="no name of a revision"):
        GitTree.open(history.root, revision)


@pytest.mark.parametrize("revision", ["nope", "f" * 40, "HEAD^{tree}", "v1..main", "HEAD:skills"])
def test_what_names_no_commit_is_an_error(history: Repository, revision: str) -> None:
    with pytest.raises(GitError, match="has no commit") as caught:
        GitTree.open(history.root, revision)
    assert caught.value.remedy.startswith("Check the name")


@pytest.mark.parametrize("revision", ["topic", "origin/topic"])
def test_unknown_branch_says_how_to_fetch_it(history: Repository, revision: str) -> None:
    with pytest.raises(GitError) as caught:
        GitTree.open(history.root, revision)
    assert "git fetch origin topic " in caught.value.remedy


def test_remedy_is_safe_to_paste(history: Repository) -> None:
    with pytest.raises(GitError) as caught:
        GitTree.open(history.root, "x; touch y")
    assert "git fetch origin 'x; touch y'" in caught.value.remedy


def test_repository_without_commits_asks_for_one(repository: Repository) -> None:
    with pytest.raises(GitError, match="has no commit 'HEAD'") as caught:
        GitTree.open(repository.root, "HEAD")
    assert "Commit something first." == caught.value.remedy


def test_commit_without_files_is_an_empty_tree(history: Repository) -> None:
    with GitTree.open(history.root, "island") as tree:
        assert [] == list(tree.files())
        assert "dir" == tree.kind("")


def test_shallow_clone_says_how_to_get_the_base(history: Repository, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{history.root}", str(clone))
    with GitTree.open(clone, "HEAD") as tree:
        assert b"second\n" == tree.read("skills/a/SKILL.md")
    with pytest.raises(GitError, match="shallow clone") as caught:
        GitTree.open(clone, "HEAD~1")
    assert "git fetch --unshallow" in caught.value.remedy
    assert "fetch-depth: 0" in caught.value.remedy


@pytest.mark.parametrize("name", ["plain", "missing", "file"])
def test_directory_without_repository_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "file").write_bytes(b"x")

    with pytest.raises(GitError, match="is not a git repository"):
        GitTree.open(tmp_path / name, "HEAD")


def test_directory_inside_a_repository_is_not_taken_for_it(history: Repository) -> None:
    with pytest.raises(GitError, match="is not a git repository"):
        GitTree.open(history.root / "skills", "HEAD")


def test_missing_git_is_an_error(
    history: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(GitError, match="git cannot be started") as caught:
        GitTree.open(history.root, "HEAD")
    assert "Install git" in caught.value.remedy


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a directory away")
def test_repository_of_someone_else_says_how_to_trust_it(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("file", "x")
    repository.commit()
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    os.chown(repository.root, 12345, 12345)
    os.chown(repository.root / ".git", 12345, 12345)

    with pytest.raises(GitError, match="another user owns it") as caught:
        GitTree.open(repository.root, "HEAD")
    assert f"git config --global --add safe.directory {repository.root}" in caught.value.remedy

    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(repository.root))
    with GitTree.open(repository.root, "HEAD") as tree:
        assert tree.is_file("file")


def test_repository_with_sha_256_names_is_refused(tmp_path: Path) -> None:
    """Their blob ids could not be compared with those of a directory."""
    repository = Repository(tmp_path / "repository", "--object-format=sha256")
    repository.commit()

    with pytest.raises(GitError, match="SHA-256"):
        GitTree.open(repository.root, "HEAD")


def test_damaged_repository_is_an_error(repository: Repository) -> None:
    repository.write("skills/a", "x")
    repository.commit()
    tree = repository.git("rev-parse", "HEAD:skills")
    (repository.root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()

    with pytest.raises(GitError, match="only parts of commit"):
        GitTree.open(repository.root, "HEAD")


def test_unusable_configuration_is_told_in_the_words_of_git(repository: Repository) -> None:
    repository.commit()
    (repository.root / ".git" / "config").write_text("[core\n")

    with pytest.raises(GitError, match="bad config line 1"):
        GitTree.open(repository.root, "HEAD")


def test_bare_repositories_and_worktrees_are_read_too(history: Repository, tmp_path: Path) -> None:
    bare, worktree = tmp_path / "bare.git", tmp_path / "worktree"
    git(tmp_path, "clone", "--quiet", "--bare", str(history.root), str(bare))
    history.git("worktree", "add", "--quiet", "--detach", str(worktree), "v1")
    with GitTree.open(bare, "main") as tree:
        assert b"second\n" == tree.read("skills/a/SKILL.md")
    with GitTree.open(worktree, "HEAD") as tree:
        assert b"first\n" == tree.read("skills/a/SKILL.md")
    assert worktree == repository_root(worktree / "skills")


def test_merge_base_is_the_commit_in_common(history: Repository) -> None:
    assert history.git("rev-parse", "v1^{commit}") == merge_base(history.root, "main", "v1")
    assert merge_base(history.root, "main", "island") is None
    with pytest.raises(GitError, match="has no commit 'nope'"):
        merge_base(history.root, "main", "nope")
    with pytest.raises(GitError, match="no name of a revision"):
        merge_base(history.root, "--all", "main")


def test_merge_base_cut_off_in_a_shallow_clone_is_an_error(
    history: Repository, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    options = ("--quiet", "--depth=1", "--no-single-branch")
    git(tmp_path, "clone", *options, f"file://{history.root}", str(clone))

    with pytest.raises(GitError, match="shallow clone") as caught:
        merge_base(clone, "origin/main", "origin/island")
    assert "git fetch --unshallow" in caught.value.remedy


def test_repository_root_is_found_upwards_without_git(
    history: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert history.root == repository_root(history.root)
    assert history.root == repository_root(history.root / "skills" / "a" / "SKILL.md")
    assert repository_root(tmp_path) is None


def test_the_commit_of_a_report_is_read_without_running_what_the_repository_wants(
    history: Repository, tmp_path: Path
) -> None:
    """Showing a signed commit would check its signature, with a program from the settings."""
    touched = tmp_path / "touched"
    program = tmp_path / "evil.sh"
    program.write_text(f"#!/bin/sh\ntouch {touched}\n", encoding="utf-8")
    program.chmod(0o755)
    history.git("config", "log.showSignature", "true")
    history.git("config", "gpg.program", str(program))
    content = history.git("cat-file", "commit", "HEAD")
    head, _, message = content.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    signed = f"{head}\n{signature}\n\n{message}\n".encode()
    commit = history.git("hash-object", "-t", "commit", "-w", "--stdin", data=signed)
    history.git("update-ref", "HEAD", commit)

    assert (commit, "2026-01-02") == head_commit(history.root)
    assert not touched.exists()


@pytest.mark.parametrize("kind", ["tree", "commit"])
def test_a_file_that_is_really_something_else_is_an_error_of_that_file_alone(
    kind: str, tmp_path: Path
) -> None:
    repository = Repository(tmp_path)
    blob = repository.blob(b"text")
    inner = repository.tree(("100644", "blob", blob, "a"))
    wrong = inner if kind == "tree" else repository.commit_tree(inner)
    data = b"".join(
        b"100644 %b\0%b" % (name, bytes.fromhex(of))
        for name, of in ((b"bad", wrong), (b"good", blob))
    )
    written = repository.git("hash-object", "-t", "tree", "-w", "--stdin", "--literally", data=data)
    with GitTree(tmp_path, repository.commit_tree(written)) as tree:
        with pytest.raises(ContentError, match=f"bad is listed as a file, and is a {kind}"):
            tree.read("bad")

        assert b"text" == tree.read("good")
