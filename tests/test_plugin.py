"""A plugin is what its folders and, in the default ruleset, its manifests make of it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import golden_rows, needs_corpus
from memory_tree import DIRECTORY, SYMLINK, MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.marketplace import MARKETPLACE_FILE, read_marketplace
from plugineval_action.content.plugin import MANIFEST_FILE, PluginSource, read_plugin
from test_manifest import anything

Files = dict[str, str | bytes | None]


def read(
    manifest: object,
    *skills: str,
    files: Mapping[str, str | None] | None = None,
    reference: bool = False,
) -> PluginSource:
    """The plugin at the root of a tree with this plugin.json, these skills and more files."""
    members = dict.fromkeys((f"{path}/SKILL.md".lstrip("/") for path in skills), "")
    manifests = {MANIFEST_FILE: json.dumps(manifest, indent=1)}
    tree = MemoryTree({**manifests, **members, **(files or {})})
    return read_plugin(tree, "", ruleset="reference" if reference else "plugineval")


def listed(entry: dict[str, object], manifest: object, *paths: str) -> PluginSource:
    """The same, as a marketplace entry in the same tree makes of it."""
    files: Files = dict.fromkeys(paths, "")
    marketplace = {"name": "m", "plugins": [{"name": "listed", **entry}]}
    files[MARKETPLACE_FILE] = json.dumps(marketplace, indent=1)
    if manifest is not None:
        files[MANIFEST_FILE] = json.dumps(manifest, indent=1)
    tree = MemoryTree(files)
    (only,) = read_marketplace(tree).plugins
    return read_plugin(tree, only.directory or "", ruleset="plugineval", entry=only)


def told(plugin: PluginSource) -> list[tuple[str, str, int]]:
    return [(note.rule, note.path, note.line) for note in plugin.findings]


@given(anything, anything)
def test_arbitrary_manifests_never_raise(manifest: object, paths: object) -> None:
    for value in (manifest, {"name": manifest, "skills": paths, "agents": paths}):
        plugin = read(value, "skills/a", files={"agents/a.md": ""})

        assert set(plugin.skills) <= {"skills/a"}


@given(st.text())
def test_declared_paths_never_leave_the_plugin(path: str) -> None:
    tree = MemoryTree(
        {
            "outside/SKILL.md": "",
            "outside/agent.md": "",
            "p/in/SKILL.md": "",
            f"p/{MANIFEST_FILE}": json.dumps({"skills": [path], "agents": ["../outside", path]}),
        }
    )
    plugin = read_plugin(tree, "p", ruleset="plugineval")

    assert {"p/in"}.issuperset(plugin.skills)
    assert () == plugin.agents
    assert "BROKEN_MANIFEST_PATH" in {rule for rule, _, _ in told(plugin)}


@pytest.mark.parametrize("ruleset", ["reference", "plugineval"])
def test_members_are_plain_files_with_exact_names_in_byte_order(ruleset: str) -> None:
    plugin = read(
        {},
        *(f"skills/{name}" for name in ("a", "a-2", "a_1", "B", "é")),
        reference=ruleset == "reference",
        files={
            "skills/lower/skill.md": "",
            "agents/b.md": "",
            "agents/A.md": "",
            "agents/.hidden.md": "",
            "agents/UP.MD": "",
            "agents/deeper/c.md": "",
            "skills/README.md": "",
        },
    )

    assert ("skills/B", "skills/a", "skills/a-2", "skills/a_1", "skills/é") == plugin.skills
    assert ("agents/.hidden.md", "agents/A.md", "agents/b.md") == plugin.agents
    assert () == plugin.findings


@pytest.mark.parametrize("ruleset", ["reference", "plugineval"])
@pytest.mark.parametrize(
    ("path", "content", "rule", "where"),
    [
        ("skills/x/SKILL.md", DIRECTORY, "EXPECTED_FILE", "skills/x/SKILL.md"),
        ("skills/x/SKILL.md", SYMLINK, "SYMLINK_REFUSED", "skills/x/SKILL.md"),
        ("skills/x", SYMLINK, "SYMLINK_REFUSED", "skills/x"),
        ("agents/x.md", DIRECTORY, "EXPECTED_FILE", "agents/x.md"),
        ("agents/x.md", SYMLINK, "SYMLINK_REFUSED", "agents/x.md"),
    ],
)
def test_what_stands_where_a_member_belongs_is_skipped_with_a_finding(
    path: str, content: str | None, rule: str, where: str, ruleset: str
) -> None:
    plugin = read(
        {}, "skills/a", reference=ruleset == "reference", files={path: content, "agents/a.md": ""}
    )

    assert (("skills/a",), ("agents/a.md",)) == (plugin.skills, plugin.agents)
    assert [(rule, where, 1)] == told(plugin)


@pytest.mark.parametrize("folder", ["skills", "agents"])
@pytest.mark.parametrize(
    ("content", "rule"), [("", "EXPECTED_DIRECTORY"), (SYMLINK, "SYMLINK_REFUSED")]
)
@pytest.mark.parametrize("ruleset", ["reference", "plugineval"])
def test_a_folder_that_is_none_counts_as_absent(
    folder: str, content: str, rule: str, ruleset: str
) -> None:
    plugin = read({}, reference=ruleset == "reference", files={folder: content})

    assert ((), ()) == (plugin.skills, plugin.agents)
    assert [(rule, folder, 1)] == told(plugin)


def test_links_that_are_no_skill_by_name_are_nobodys_business() -> None:
    plugin = read({}, files={"skills/README.md": SYMLINK, "agents/x.txt": SYMLINK, "x": SYMLINK})

    assert () == plugin.findings


def test_the_reference_sees_the_default_folders_only() -> None:
    manifest = {"skills": ["./more"], "agents": "./helpers"}
    layout = ("", "more/a", "skills/b", "skills/b/nested", "skills/group/c")
    plugin = read(manifest, *layout, reference=True, files={"helpers/h.md": "", "agents/a.md": ""})

    assert ("skills/b",) == plugin.skills
    assert ("agents/a.md",) == plugin.agents


def test_the_default_also_sees_nested_skills_and_one_at_the_root() -> None:
    plugin = read({}, "", "more/a", "skills/b", "skills/b/sub-skills/n", "skills/group/deeper/c")

    assert ("", "skills/b", "skills/b/sub-skills/n", "skills/group/deeper/c") == plugin.skills


def test_samples_in_a_skill_and_skills_of_other_plugins_are_no_members() -> None:
    plugin = read(
        {},
        *("skills/a", "skills/a/assets/sample", "skills/a/references/r", "skills/a/scripts/s"),
        *("skills/assets/kept", "skills/node_modules/x/y"),
        *("skills/other", "skills/other/skills/theirs", "skills/group/inner/skills/theirs"),
        files={f"skills/other/{MANIFEST_FILE}": "{}", f"skills/group/inner/{MANIFEST_FILE}": "{}"},
    )

    assert ("skills/a", "skills/assets/kept", "skills/other") == plugin.skills


@pytest.mark.parametrize(
    ("skills", "expected"),
    [
        ("./more", ("more/a", "more/deep/b", "skills/s", "skills/x/n")),
        (["./more/a", "more/deep//b/"], ("more/a", "more/deep/b", "skills/s", "skills/x/n")),
        ("./skills/", ("skills/s", "skills/x/n")),
        ("./", ("skills/s", "skills/x/n", "top")),
        ([], ("skills/s", "skills/x/n")),
    ],
)
def test_the_skills_key_adds_to_the_default_folder(skills: object, expected: tuple[str]) -> None:
    plugin = read({"skills": skills}, "more/a", "more/deep/b", "skills/s", "skills/x/n", "top")

    assert expected == plugin.skills
    assert () == plugin.findings


def test_nested_skills_that_the_skills_key_passes_over_are_left_out() -> None:
    plugin = read({"skills": ["./skills/x/n"]}, "skills/s", "skills/x/n", "skills/drafts/d")

    assert ("skills/s", "skills/x/n") == plugin.skills


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        ("./helpers", ("helpers/a.md", "helpers/b.md")),
        (["./helpers/b.md"], ("helpers/b.md",)),
        (["./helpers/b.md", "./agents/"], ("agents/d.md", "helpers/b.md")),
        ([], ()),
    ],
)
def test_the_agents_key_replaces_the_default_folder(agents: object, expected: tuple[str]) -> None:
    files = {"agents/d.md": "", "helpers/a.md": "", "helpers/b.md": "", "helpers/c.txt": ""}
    plugin = read({"agents": agents}, files=files)

    assert expected == plugin.agents
    assert () == plugin.findings


@pytest.mark.parametrize(
    ("key", "path", "rule"),
    [
        ("skills", "./missing", "BROKEN_MANIFEST_PATH"),
        ("skills", "./empty", "BROKEN_MANIFEST_PATH"),
        ("skills", "../p", "BROKEN_MANIFEST_PATH"),
        ("skills", "/p", "BROKEN_MANIFEST_PATH"),
        ("skills", "./" + "a/" * 5000, "BROKEN_MANIFEST_PATH"),
        ("skills", "./file.md", "EXPECTED_DIRECTORY"),
        ("skills", "./link", "SYMLINK_REFUSED"),
        ("agents", "./missing.md", "BROKEN_MANIFEST_PATH"),
        ("agents", "./empty", "BROKEN_MANIFEST_PATH"),
        ("agents", "./file.txt", "EXPECTED_DIRECTORY"),
        ("agents", "./link", "SYMLINK_REFUSED"),
    ],
)
def test_a_declared_path_that_leads_nowhere_is_a_finding_on_its_line(
    key: str, path: str, rule: str
) -> None:
    files = {"empty/x": "", "file.md": "", "file.txt": "", "link": SYMLINK}
    plugin = read({"name": "p", key: [path]}, files=files)

    assert [(rule, MANIFEST_FILE, 4)] == told(plugin)


@pytest.mark.parametrize("content", [b"\xff", "{", "[]", "", "null"])
@pytest.mark.parametrize("reference", [True, False])
def test_a_broken_manifest_leaves_what_lies_in_the_folders(
    content: str | bytes, *, reference: bool
) -> None:
    files: Files = {f"p/{MANIFEST_FILE}": content, "p/skills/a/SKILL.md": "", "p/agents/b.md": ""}
    plugin = read_plugin(MemoryTree(files), "p", ruleset="reference" if reference else "plugineval")

    assert ("p", ("p/skills/a",), ("p/agents/b.md",)) == plugin[1:4]
    assert plugin.findings


@pytest.mark.parametrize(
    ("manifest", "entry", "expected"),
    [
        ({"name": "own"}, {}, "own"),
        ({"name": "own"}, {"strict": False}, "listed"),
        ({"name": ""}, {}, "listed"),
        ({"name": 5}, {}, "listed"),
        ({}, {"name": ""}, "folder"),
        (None, {"name": ""}, "folder"),
    ],
)
def test_the_name_is_the_manifests_the_entrys_or_the_directorys(
    manifest: object, entry: dict[str, object], expected: str
) -> None:
    files: Files = {"folder/skills/a/SKILL.md": ""}
    if manifest is not None:
        files[f"folder/{MANIFEST_FILE}"] = json.dumps(manifest)
    plugins = [{"name": "listed", "source": "./folder", **entry}]
    tree = MemoryTree({**files, MARKETPLACE_FILE: json.dumps({"plugins": plugins})})
    (only,) = read_marketplace(tree).plugins

    assert expected == read_plugin(tree, "folder", ruleset="plugineval", entry=only).name


def test_a_plugin_at_the_root_may_be_named_after_the_tree() -> None:
    tree = MemoryTree({MANIFEST_FILE: "{}"}, identity="/home/me/toolbox")

    assert "toolbox" == read_plugin(tree, "", ruleset="plugineval").name


LAYOUT = ("skills/a/SKILL.md", "skills/b/SKILL.md", "more/c/SKILL.md", "agents/x.md", "more/y.md")


@pytest.mark.parametrize(
    ("entry", "skills", "agents"),
    [
        ({}, ("skills/a", "skills/b"), ("agents/x.md",)),
        ({"skills": ["./skills/a"]}, ("skills/a",), ("agents/x.md",)),
        ({"skills": ["./skills/a", "./skills/gone"]}, ("skills/a",), ("agents/x.md",)),
        ({"skills": ["./skills/gone"]}, ("skills/a", "skills/b"), ("agents/x.md",)),
        ({"skills": ["./skills"]}, ("skills/a", "skills/b"), ("agents/x.md",)),
        ({"skills": ["./"]}, ("skills/a", "skills/b"), ("agents/x.md",)),
        ({"agents": "./more/y.md"}, ("skills/a", "skills/b"), ("more/y.md",)),
    ],
)
@pytest.mark.parametrize("strict", [True, False])
def test_plugins_that_share_the_marketplaces_folder_have_the_skills_they_list(
    entry: dict[str, object], skills: tuple[str], agents: tuple[str], *, strict: bool
) -> None:
    plugin = listed({"source": "./", "strict": strict, **entry}, None, *LAYOUT)

    assert (skills, agents) == (plugin.skills, plugin.agents)


@pytest.mark.parametrize(
    ("strict", "skills", "agents"),
    [
        (True, ("p/more/c", "p/other/d", "p/skills/a", "p/skills/b"), ("p/agents/x.md",)),
        (False, ("p/more/c",), ("p/agents/x.md",)),
    ],
)
def test_an_entry_adds_to_plugin_json_or_without_strict_stands_in_its_place(
    skills: tuple[str], agents: tuple[str], *, strict: bool
) -> None:
    files: Files = {f"p/{path}": "" for path in (*LAYOUT, "other/d/SKILL.md")}
    entry = {"name": "listed", "source": "./p", "strict": strict, "skills": "./more"}
    files[MARKETPLACE_FILE] = json.dumps({"plugins": [entry]}, indent=1)
    files[f"p/{MANIFEST_FILE}"] = json.dumps({"skills": "./other"})
    tree = MemoryTree(files)
    (only,) = read_marketplace(tree).plugins
    plugin = read_plugin(tree, "p", ruleset="plugineval", entry=only)
    conflict = [] if strict else [("DUPLICATE_KEY", MARKETPLACE_FILE, 3)]

    assert (skills, agents) == (plugin.skills, plugin.agents)
    assert conflict == told(plugin)


def test_what_is_not_scored_is_named() -> None:
    entry: dict[str, object] = {"source": "./", "lspServers": {"x": {}}, "hooks": {}}
    manifest = {"mcpServers": {"y": {}}, "outputStyles": [], "experimental": {"themes": "./t"}}
    plugin = listed(entry, manifest, "commands/go.md", "monitors/m.json")

    assert ("commands", "MCP servers", "LSP servers", "themes", "monitors") == plugin.other


@needs_corpus
def test_the_reference_finds_the_members_of_every_golden_plugin() -> None:
    trees: dict[object, DirectoryTree] = {}
    rows = [golden for golden in golden_rows("plugin") if "error" not in golden.row]
    differences = []
    for root, path, row in rows:
        tree = trees.setdefault(root, DirectoryTree(root))
        plugin = read_plugin(tree, path, ruleset="reference")
        found = ([_name(one) for one in plugin.skills], [_name(one) for one in plugin.agents])
        if found != (golden := (row["skills"], [agent["file"] for agent in row["agents"]])):
            differences.append((root.name, path, found, golden))

    assert len(rows) > 150
    assert [] == differences


def _name(path: str) -> str:
    return path.rpartition("/")[2]
