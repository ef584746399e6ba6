"""A marketplace.json lists plugins: which of them lie in the tree, where the others come from."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import marketplaces, needs_corpus
from memory_tree import SYMLINK, MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.manifest import Manifest
from plugineval_action.content.marketplace import (
    MARKETPLACE_FILE,
    MOST_ENTRIES,
    Marketplace,
    MarketplaceEntry,
    read_marketplace,
)
from plugineval_action.content.tree import join
from test_manifest import anything


def read(value: object, *, path: str = "", **files: str) -> Marketplace:
    """The marketplace in a directory, with plugins in plugins/a and other/b."""
    tree = MemoryTree(
        {
            join(path, MARKETPLACE_FILE): json.dumps(value, indent=1),
            join(path, "plugins/a/README.md"): "",
            join(path, "other/b/README.md"): "",
            join(path, "a-file"): "",
            join(path, "a-link"): SYMLINK,
            **files,
        }
    )
    return read_marketplace(tree, path)


def read_source(source: object, **top: object) -> MarketplaceEntry:
    (entry,) = read({"name": "m", "plugins": [{"name": "p", "source": source}], **top}).plugins
    return entry


def rules(marketplace: Marketplace) -> list[str]:
    return [note.rule for note in marketplace.findings]


@given(anything, anything)
def test_arbitrary_json_never_raises(plugins: object, source: object) -> None:
    for value in (
        plugins,
        {"plugins": plugins, "metadata": source},
        {"plugins": [{"source": source, "skills": plugins}]},
        {"plugins": [{"source": {"source": "url", "url": source, "path": plugins}}]},
    ):
        marketplace = read(value)

        assert all(note.line >= 1 for note in marketplace.findings)


@given(st.binary())
def test_arbitrary_bytes_never_raise(content: bytes) -> None:
    marketplace = read_marketplace(MemoryTree({MARKETPLACE_FILE: content}))

    assert () == marketplace.plugins
    assert marketplace.findings


@given(st.text())
def test_an_arbitrary_local_source_never_leaves_the_tree(source: str) -> None:
    entry = read_source(source)

    assert entry.directory in {
        None,
        "",
        "plugins",
        "plugins/a",
        "other",
        "other/b",
        ".claude-plugin",
    }


@pytest.mark.parametrize(
    ("source", "directory"),
    [
        ("./", ""),
        (".", ""),
        ("./plugins/a", "plugins/a"),
        ("./plugins//a/", "plugins/a"),
        ("plugins/a", "plugins/a"),
        ({"source": "local", "path": "./plugins/a"}, "plugins/a"),
    ],
)
def test_a_local_source_is_a_directory_of_the_tree(source: object, directory: str) -> None:
    entry = read_source(source)

    assert ("local", directory, "") == (entry.source_kind, entry.directory, entry.external)


def test_local_sources_count_from_the_marketplace_that_lists_them() -> None:
    entry = {"name": "p", "source": "./plugins/a", "strict": False, "skills": "./x"}
    marketplace = read({"name": "m", "plugins": [entry]}, path="shop")

    assert ("shop", "m", ()) == (marketplace.path, marketplace.name, marketplace.findings)
    assert [
        MarketplaceEntry(
            name="p",
            source_kind="local",
            directory="shop/plugins/a",
            external="",
            skills=(("./x", 8),),
            agents=None,
            strict=False,
            line=4,
            keys=frozenset({"name", "source", "skills"}),
            marketplace="shop",
        )
    ] == list(marketplace.plugins)


@pytest.mark.parametrize("source", ["a", "./a", "./plugins/a"])
def test_a_plugin_root_is_where_short_sources_start(source: str) -> None:
    entry = read_source(source, metadata={"pluginRoot": "./plugins"})

    assert "plugins/a" == entry.directory


@pytest.mark.parametrize(
    ("source", "kind", "external"),
    [
        ({"source": "github", "repo": "o/r", "sha": "0" * 40}, "github", "github: o/r"),
        ({"source": "url", "url": "https://example.com/r.git"}, "url", "url: example.com/r.git"),
        (
            {"source": "git-subdir", "url": "https://example.com/r.git", "path": "sub"},
            "git-subdir",
            "git-subdir: example.com/r.git, sub",
        ),
        ({"source": "npm", "package": "@o/p", "version": "1"}, "npm", "npm: @o/p"),
        (
            {"source": "archive", "url": "https://example.com/a.zip", "sha256": "0"},
            "archive",
            "archive: example.com/a.zip",
        ),
        ({"source": "command", "command": "fetch --token=hunter2"}, "command", "command"),
        ({"source": "pip", "package": "p"}, "pip", "pip: p"),
        ("https://example.com/r.git", "url", "url: example.com/r.git"),
        ("git@example.com:o/r.git", "url", "url: example.com:o/r.git"),
    ],
)
def test_a_plugin_from_elsewhere_says_where_from(source: object, kind: str, external: str) -> None:
    entry = read_source(source)

    assert (kind, None, external) == (entry.source_kind, entry.directory, entry.external)


CREDENTIALS = (
    "https://user:hunter2@example.com/r",
    "https://hunter2@example.com/r",
    "https://user:hunter2/@example.com/r",
    "https://user:hunter2?x@example.com/r",
    "https://example.com/r?token=hunter2",
    "https://example.com/r#hunter2",
    "git+https://user:hunter2@example.com/r",
)


@pytest.mark.parametrize("key", ["url", "repo", "package"])
@pytest.mark.parametrize("url", CREDENTIALS)
def test_credentials_are_never_shown(url: str, key: str) -> None:
    entry = read_source({"source": "mirror", key: url})

    assert "mirror: example.com/r" == entry.external


def test_credentials_without_a_scheme_are_never_shown() -> None:
    entry = read_source({"source": "url", "url": "user:hunter2@example.com/r"})

    assert "url: example.com/r" == entry.external


@given(st.text(), st.text())
def test_what_is_shown_of_a_source_is_short_and_printable(kind: str, url: str) -> None:
    entry = read_source({"source": kind, "url": url})

    assert (entry.external + entry.source_kind).isprintable()
    assert len(entry.external) <= 200


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("./missing", "BROKEN_MANIFEST_PATH"),
        ("../outside", "BROKEN_MANIFEST_PATH"),
        ("./plugins/../../outside", "BROKEN_MANIFEST_PATH"),
        ("/etc", "BROKEN_MANIFEST_PATH"),
        ("./" + "a/" * 5000, "BROKEN_MANIFEST_PATH"),
        ("./a-file", "EXPECTED_DIRECTORY"),
        ("./a-link", "SYMLINK_REFUSED"),
        (None, "WRONG_TYPE"),
        (["./plugins/a"], "WRONG_TYPE"),
        ({"repo": "o/r"}, "WRONG_TYPE"),
        ({"source": 7}, "WRONG_TYPE"),
    ],
)
def test_a_source_that_leads_nowhere_is_a_finding_on_its_line(source: object, rule: str) -> None:
    marketplace = read({"plugins": [{"name": "p", "source": source}]})

    assert [rule] == rules(marketplace)
    assert marketplace.findings[0].line in {5, 6}
    assert marketplace.plugins[0].directory is None


@pytest.mark.parametrize("value", [{}, {"plugins": None}, {"plugins": {}}, {"plugins": [1, "p"]}])
def test_a_marketplace_without_plugins_is_empty_with_a_finding(value: object) -> None:
    marketplace = read(value)

    assert () == marketplace.plugins
    assert {"WRONG_TYPE"} == set(rules(marketplace))


def test_a_name_that_two_plugins_share_is_a_finding_on_the_second() -> None:
    plugins = [{"name": "p", "source": "./plugins/a"}, {"name": "p", "source": "./other/b"}]
    marketplace = read({"plugins": plugins})

    assert ["plugins/a", "other/b"] == [entry.directory for entry in marketplace.plugins]
    assert [("DUPLICATE_KEY", 8, "p: line 3 already lists a plugin of this name.")] == [
        (note.rule, note.line, note.message) for note in marketplace.findings
    ]


def test_plugins_without_a_name_are_read_with_a_finding() -> None:
    marketplace = read({"plugins": [{"source": "./plugins/a"}]})

    assert [("", "plugins/a")] == [(entry.name, entry.directory) for entry in marketplace.plugins]
    assert ["WRONG_TYPE"] == rules(marketplace)


def test_more_plugins_than_anyone_lists_are_cut_off_with_a_finding() -> None:
    marketplace = read(
        {"plugins": [{"name": f"p{n}", "source": "./"} for n in range(MOST_ENTRIES + 1)]}
    )

    assert MOST_ENTRIES == len(marketplace.plugins)
    assert ["WRONG_TYPE"] == rules(marketplace)


def test_no_marketplace_is_no_defect() -> None:
    none = Manifest(MARKETPLACE_FILE, {}, {}, ())

    assert Marketplace("", "", (), (), none) == read_marketplace(MemoryTree({}))


@needs_corpus
def test_every_real_marketplace_is_read_without_a_word_about_its_form() -> None:
    known_defects = {"levnikolaevich__claude-code-skills"}  # its skills are an object
    told = {
        root.name
        for root in marketplaces()
        if "WRONG_TYPE" in rules(read_marketplace(DirectoryTree(root)))
    }

    assert known_defects == told
