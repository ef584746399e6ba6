"""What holds for every Tree, and what a directory on disk adds to it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_repository import Repository
from github_server import GitHubServer
from memory_tree import MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.git_tree import GitTree
from plugineval_action.content.tree import MAX_BYTES, Tree, join, normalise
from plugineval_action.errors import ContentError
from plugineval_action.gh.api import connect
from plugineval_action.gh.retry import Deadline

MakeTree = Callable[[Mapping[str, bytes]], Tree]

HOSTILE_NAMES = (
    "new\nline.md",
    "tab\tand 'quotes\".md",
    "back\\slash.md",
    "-rf",
    "\u202egnp.exe",
    "\u200f\u2066rtl.md",
    "🦊 fox.md",
    "e\u0301.md",
    "\x1b[31mred.md",
    "\ue000private.md",
    " leading and trailing ",
    "...",
)


@pytest.fixture(params=["directory", "git", "github"])
def make_tree(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeTree]:
    """Build a tree from paths and bytes: on disk, in git, and on GitHub."""
    root = tmp_path / "content"
    root.mkdir()

    def make(files: Mapping[str, bytes]) -> Tree:
        for path, content in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        if request.param == "directory":
            return DirectoryTree(root)
        commit = Repository(root).commit()
        if request.param == "git":
            return opened.enter_context(GitTree.open(root, commit))
        server = opened.enter_context(GitHubServer())
        server.repository("octo-org/content").import_git(root)
        return connect(
            token=server.read_token,
            repository="octo-org/content",
            api_url=server.url,
            graphql_url=server.graphql_url,
            deadline=Deadline(),
        ).tree(commit)

    with ExitStack() as opened:
        yield make


def add_links(root: Path) -> None:
    """A link to a file and one to a directory inside, one to outside, one to nowhere."""
    (root / "to-file").symlink_to("skills/a/SKILL.md")
    (root / "to-directory").symlink_to("skills", target_is_directory=True)
    (root / "to-outside").symlink_to("/etc/passwd")
    (root / "to-nowhere").symlink_to("nothing")


LINKS = ("to-file", "to-directory", "to-outside", "to-nowhere")


def test_tree_names_what_stands_at_a_path(make_tree: MakeTree) -> None:
    tree = make_tree({"skills/a/SKILL.md": b"x"})

    assert [tree.kind(path) for path in ("", "skills", "skills/a/SKILL.md", "skills/b")] == [
        "dir",
        "dir",
        "file",
        None,
    ]
    assert tree.is_dir("skills/a")
    assert tree.is_file("skills/a/SKILL.md")
    assert tree.exists("skills")
    assert not tree.exists("skills/a/SKILL.md/deeper")


def test_tree_compares_names_with_exact_case(make_tree: MakeTree) -> None:
    tree = make_tree({"skills/a/SKILL.md": b"x"})

    assert tree.kind("skills/a/skill.md") is None
    assert tree.kind("Skills") is None


@pytest.mark.parametrize(
    "path",
    [
        "/skills",
        "skills/",
        "skills//a",
        "./skills",
        "skills/../skills",
        "..",
        ".",
        "/",
        "skills/a\0",
    ],
)
def test_path_that_is_not_normalised_leads_to_nothing(make_tree: MakeTree, path: str) -> None:
    tree = make_tree({"skills/a/SKILL.md": b"x"})

    assert tree.kind(path) is None
    assert not tree.listing(path)
    with pytest.raises(ContentError):
        tree.read(path)


def test_listing_is_in_byte_order(make_tree: MakeTree) -> None:
    """Where git would sort the directory `a` after `a.b`, and text order U+E000 after an emoji."""
    tree = make_tree(dict.fromkeys(["a/x", "a.b", "B", "🦊", "\ue000"], b""))
    found = [name for name in tree.listing("") if name != ".git"]

    assert ["B", "a", "a.b", "\ue000", "🦊"] == found


@pytest.mark.parametrize("directory", ["nothing", "skills/a/SKILL.md", "skills/nothing/deeper"])
def test_listing_of_what_is_no_directory_is_empty(make_tree: MakeTree, directory: str) -> None:
    tree = make_tree({"skills/a/SKILL.md": b"x"})

    assert not tree.listing(directory)


def test_files_come_in_order_of_the_listings_without_what_is_skipped(make_tree: MakeTree) -> None:
    tree = make_tree(
        dict.fromkeys(["b", "a/z", "a/node_modules/x", "a/b/c", "node_modules/y"], b"")
    )

    assert ["a/b/c", "a/z", "b"] == list(tree.files(skip=frozenset({"node_modules", ".git"})))
    assert ["a/b/c", "a/node_modules/x", "a/z"] == list(tree.files("a"))
    assert [] == list(tree.files("nothing"))


def test_hostile_names_are_names_like_others(make_tree: MakeTree) -> None:
    files = {f"skills/{name}": name.encode("utf-8", "surrogateescape") for name in HOSTILE_NAMES}
    tree = make_tree(files)

    assert sorted(HOSTILE_NAMES) == sorted(tree.listing("skills"))
    assert {path: tree.read(path) for path in tree.files("skills")} == files


@pytest.mark.parametrize("make_tree", ["directory", "git"], indirect=True)
def test_name_that_is_not_utf8_is_a_name_like_others(make_tree: MakeTree) -> None:
    """GitHub's API cannot say such names; it puts U+FFFD in place of the bytes."""
    name = os.fsdecode(b"\xffnot utf8\xc3.md")
    tree = make_tree({"skills/🦊": b"fox", f"skills/{name}": b"text"})

    assert ["🦊", name] == list(tree.listing("skills"))
    assert b"text" == tree.read(f"skills/{name}")


def test_bytes_are_read_as_they_are(make_tree: MakeTree) -> None:
    content = bytes(range(256)) + b"\r\n\r\n"
    tree = make_tree({"a": content, "empty": b""})

    assert content == tree.read("a")
    assert b"" == tree.read("empty")
    assert content == tree.read("a")


def test_size_is_capped_for_reading_only(make_tree: MakeTree) -> None:
    tree = make_tree({"most": b"x" * MAX_BYTES, "over": b"y" * (MAX_BYTES + 1), "z": b"z"})

    assert MAX_BYTES == len(tree.read("most"))
    with pytest.raises(ContentError, match="over is larger than 1024 KiB"):
        tree.read("over")
    assert 40 == len(tree.blob_id("over"))
    assert b"z" == tree.read("z")


def test_blob_id_is_the_name_git_gives_the_bytes(make_tree: MakeTree, tmp_path: Path) -> None:
    contents = [b"", b"text\n", b"x" * 100_000]
    tree = make_tree({f"file-{number}": content for number, content in enumerate(contents)})
    repository = Repository(tmp_path / "other")
    expected = [repository.blob(content) for content in contents]

    assert [tree.blob_id(f"file-{number}") for number in range(len(contents))] == expected


def test_what_is_no_plain_file_is_not_read(make_tree: MakeTree) -> None:
    tree = make_tree({"skills/a/SKILL.md": b"x"})

    for path in ("skills/a", "", "nothing", "skills/a/SKILL.md/deeper"):
        with pytest.raises(ContentError):
            tree.read(path)
        with pytest.raises(ContentError):
            tree.blob_id(path)


def test_symbolic_links_are_never_followed(make_tree: MakeTree, tmp_path: Path) -> None:
    add_links(tmp_path / "content")
    tree = make_tree({"skills/a/SKILL.md": b"x"})

    for link in LINKS:
        assert "symlink" == tree.kind(link)
        assert not tree.exists(link)
        assert not tree.listing(link)
        with pytest.raises(ContentError, match="never followed"):
            tree.read(link)
    assert tree.kind("to-directory/a/SKILL.md") is None
    assert ["skills/a/SKILL.md"] == list(tree.files(skip=frozenset({".git"})))


def test_root_goes_by_the_name_of_its_directory(make_tree: MakeTree) -> None:
    assert "content" == make_tree({"SKILL.md": b"x"}).name


def test_files_go_deeper_than_python_recurses() -> None:
    path = "a/" * 3000 + "f"

    assert [path] == list(MemoryTree({path: ""}).files())


@pytest.mark.parametrize("path", ["a/" * 200_000 + "f", "skills/" + "../" * 200_000])
def test_absurdly_long_path_is_not_there(make_tree: MakeTree, path: str) -> None:
    tree = make_tree({"skills/a/SKILL.md": b"x"})

    assert tree.kind(path) is None


@pytest.fixture
def root(tmp_path: Path) -> Path:
    directory = tmp_path / "content"
    directory.mkdir()
    (directory / "file").write_bytes(b"x")
    return directory


def test_directory_that_does_not_exist_is_an_empty_tree(tmp_path: Path) -> None:
    tree = DirectoryTree(tmp_path / "nothing")

    assert not tree.listing("")
    assert [] == list(tree.files())


def test_pipe_is_neither_read_nor_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe")
    tree = DirectoryTree(root)

    assert "other" == tree.kind("pipe")
    with pytest.raises(ContentError, match="no plain file"):
        tree.read("pipe")


def test_pipe_that_took_the_place_of_a_file_is_not_waited_for(root: Path) -> None:
    tree = DirectoryTree(root)
    tree.listing("")
    (root / "file").unlink()
    os.mkfifo(root / "file")

    with pytest.raises(ContentError):
        tree.read("file")
    with pytest.raises(ContentError):
        tree.blob_id("file")


def test_link_that_took_the_place_of_a_file_is_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    tree = DirectoryTree(root)
    tree.listing("")
    (root / "file").unlink()
    (root / "file").symlink_to(tmp_path / "secret")

    with pytest.raises(ContentError):
        tree.read("file")
    with pytest.raises(ContentError):
        tree.blob_id("file")


def test_file_that_vanished_is_not_there(root: Path) -> None:
    tree = DirectoryTree(root)
    tree.listing("")
    (root / "file").unlink()

    with pytest.raises(ContentError, match="file is not there"):
        tree.read("file")
    with pytest.raises(ContentError, match="file is not there"):
        tree.blob_id("file")


def test_directory_that_vanished_is_empty(root: Path) -> None:
    (root / "skills").mkdir()
    tree = DirectoryTree(root)
    tree.listing("")
    (root / "skills").rmdir()

    assert not tree.listing("skills")


def test_directory_is_listed_once(root: Path) -> None:
    """So that one run sees one state of it."""
    tree = DirectoryTree(root)
    tree.listing("")
    (root / "later").write_bytes(b"x")

    assert ["file"] == list(tree.listing(""))


def test_what_may_not_be_read_is_an_error_or_empty(root: Path) -> None:
    (root / "file").chmod(0)
    if os.access(root / "file", os.R_OK):
        pytest.skip("this user may read everything")
    (root / "closed").mkdir()
    (root / "closed" / "inside").write_bytes(b"x")
    (root / "closed").chmod(0)
    tree = DirectoryTree(root)

    with pytest.raises(ContentError, match="file cannot be read"):
        tree.read("file")
    with pytest.raises(ContentError, match="file cannot be read"):
        tree.blob_id("file")
    assert "dir" == tree.kind("closed")
    assert not tree.listing("closed")
    (root / "closed").chmod(0o700)


def test_root_may_itself_be_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    tree = DirectoryTree(tmp_path / "link")

    assert b"x" == tree.read("file")
    assert tree.identity == str(root.resolve())


SEGMENTS = st.lists(st.sampled_from(["a", "b c", "...", ".", "..", "", "é"]), max_size=8)


def walked(segments: list[str]) -> str | None:
    """The slow, plain meaning of a path: step by step from the root."""
    stack: list[str] = []
    for segment in segments:
        if segment == ".." and not stack:
            return None
        if segment == "..":
            stack.pop()
        elif segment not in ("", "."):
            stack.append(segment)
    return "/".join(stack)


@given(SEGMENTS)
def test_normalise_walks_a_path_and_never_leaves_the_tree(segments: list[str]) -> None:
    path = "/".join(segments)
    expected = None if path.startswith("/") else walked(segments)

    assert expected == normalise(path)


@given(st.text())
def test_normalised_path_stays_as_it_is(path: str) -> None:
    cleaned = normalise(path)

    assert cleaned is None or cleaned == normalise(cleaned)


@given(st.lists(st.text(alphabet="ab.", max_size=3)), st.integers(min_value=0, max_value=5))
def test_join_leaves_out_empty_segments_and_may_be_nested(segments: list[str], cut: int) -> None:
    whole = join(*segments)

    assert [segment for segment in segments if segment] == (whole.split("/") if whole else [])
    assert whole == join(join(*segments[:cut]), join(*segments[cut:]))
