"""Discovery finds each skill, agent, plugin and marketplace of a tree, once and in every layout."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import golden_rows, needs_corpus
from memory_tree import DIRECTORY, SYMLINK, MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import Discovery, Unit, discover
from plugineval_action.content.members import SKIPPED_FOLDERS

FOLDERS = ["a", "skills", "agents", "references", ".claude", ".claude-plugin"]
NAMES = [*FOLDERS, "x.md", "SKILL.md", "skill.md", "plugin.json", "marketplace.json"]

Files = Mapping[str, str | bytes | None]

AGENT = "---\nname: a\n---\n"


def find(*paths: str, files: Files | None = None, at: str = "") -> Discovery:
    """What is found in a tree of empty files and of files with this content."""
    return discover(MemoryTree({**dict.fromkeys(paths, ""), **(files or {})}), at)


def places(units: tuple[Unit, ...]) -> list[str]:
    return [unit.path for unit in units]


def told(found: Discovery) -> list[tuple[str, str]]:
    return [(note.rule, note.path) for note in found.findings]


def marketplace(*plugins: dict[str, object]) -> str:
    return json.dumps({"name": "m", "plugins": plugins})


@pytest.mark.parametrize(
    "directory",
    [
        "",
        "tool",
        "skills/tool",
        "skills/group/tool",
        ".claude/skills/tool",
        ".agents/skills/tool",
        "plugins/p/skills/tool",
        "docs/zh/skills/tool",
        "skills/other/assets/tool",
        "Ünï code/$(x)/'tool'",
    ],
)
def test_a_skill_is_found_wherever_it_lies(directory: str) -> None:
    found = find(f"{directory}/SKILL.md".lstrip("/"), "README.md", "docs/x.md")

    assert [directory] == places(found.skills)
    assert () == found.findings


@pytest.mark.parametrize("folder", sorted(SKIPPED_FOLDERS))
def test_folders_of_other_peoples_files_are_not_searched(folder: str) -> None:
    found = find(f"{folder}/skills/a/SKILL.md", f"x/{folder}/.claude-plugin/plugin.json")

    assert ((), (), ()) == found[:3]


def test_everything_comes_once_and_in_byte_order() -> None:
    names = ("é", "a", "B", "a-2", "a_1", "Z")
    skills = [f"skills/{name}/SKILL.md" for name in names]
    found = find(*skills, *(f"{name}/.claude-plugin/plugin.json" for name in names))

    assert ["B", "Z", "a", "a-2", "a_1", "é"] == [plugin.path for plugin in found.plugins]
    assert [f"skills/{name}" for name in ("B", "Z", "a", "a-2", "a_1", "é")] == places(found.skills)


def test_each_file_belongs_to_the_innermost_unit() -> None:
    found = find(
        "p/.claude-plugin/plugin.json",
        "p/README.md",
        "p/agents/x.md",
        "p/skills/a/SKILL.md",
        "p/skills/a/b-2/x",
        "p/skills/a/b/inner/SKILL.md",
        "p/skills/a/b/inner/run.sh",
        "p/skills/a/b/y",
        "p/skills/a/linked",
        "p/skills/a/nested/.claude-plugin/plugin.json",
        "p/skills/a/nested/z",
        "p/skills/a/node_modules/m/index.js",
    )

    assert (
        Unit(
            "skill",
            "p/skills/a",
            ("p/skills/a/SKILL.md", "p/skills/a/b-2/x", "p/skills/a/b/y", "p/skills/a/linked"),
            "p",
        ),
        Unit(
            "skill",
            "p/skills/a/b/inner",
            ("p/skills/a/b/inner/SKILL.md", "p/skills/a/b/inner/run.sh"),
            "p",
        ),
    ) == found.skills
    assert (Unit("agent", "p/agents/x.md", ("p/agents/x.md",), "p"),) == found.agents
    assert [
        ("p", ("p/.claude-plugin/plugin.json",)),
        ("p/skills/a/nested", ("p/skills/a/nested/.claude-plugin/plugin.json",)),
    ] == [(unit.path, unit.files) for unit in found.plugin_units]


def test_a_skill_at_the_root_of_the_tree_has_its_resource_folders_only() -> None:
    found = find(
        "SKILL.md", "README.md", "references/a.md", "assets/b/c.png", "scripts/d.sh", "src/e.py"
    )

    assert ("SKILL.md", "assets/b/c.png", "references/a.md", "scripts/d.sh") == found.skills[
        0
    ].files


def test_a_skill_that_is_a_plugin_too_owns_neither_manifest_nor_agents() -> None:
    found = find("p/SKILL.md", "p/x", "p/.claude-plugin/plugin.json", "p/agents/a.md")

    assert (Unit("skill", "p", ("p/SKILL.md", "p/x"), "p"),) == found.skills
    assert (("p",), ("p/agents/a.md",)) == (found.plugins[0].skills, found.plugins[0].agents)


def test_links_and_devices_are_no_files_of_a_skill() -> None:
    found = find("a/SKILL.md", files={"a/link": SYMLINK, "a/folder": DIRECTORY})

    assert ("a/SKILL.md",) == found.skills[0].files


@pytest.mark.parametrize(
    ("files", "plugins"),
    [
        ({".claude-plugin/plugin.json": "{}"}, [""]),
        ({".claude-plugin/plugin.json": "broken"}, [""]),
        ({".claude-plugin/anything": ""}, [""]),
        ({".claude-plugin": DIRECTORY}, [""]),
        ({".claude-plugin/marketplace.json": marketplace({"name": "x", "source": "./x"})}, []),
        ({".claude-plugin/marketplace.json": marketplace({"name": "x", "source": "./"})}, [""]),
        ({".claude-plugin/marketplace.json": "{}"}, []),
        ({".claude-plugin/marketplace.json": "broken", "skills/a/SKILL.md": ""}, [""]),
        ({".claude-plugin/marketplace.json": "{}", ".claude-plugin/plugin.json": "{}"}, [""]),
        (
            {
                ".claude-plugin/marketplace.json": marketplace({"name": "x", "source": "./x"}),
                "x/skills/a/SKILL.md": "",
                "y/skills/a/SKILL.md": "",
            },
            ["x"],
        ),
        ({".claude-plugin": SYMLINK}, []),
        ({".claude-plugin": ""}, []),
        ({"skills/a/SKILL.md": "", "agents/b.md": AGENT}, []),
    ],
)
def test_a_plugin_has_a_folder_of_its_own_or_is_listed(files: Files, plugins: list[str]) -> None:
    assert plugins == [plugin.path for plugin in find(files=files).plugins]


def test_entries_that_share_a_directory_are_plugins_of_their_own() -> None:
    found = find(
        *(f"skills/{name}/SKILL.md" for name in "abc"),
        files={
            ".claude-plugin/marketplace.json": marketplace(
                {"name": "two", "source": "./", "strict": False, "skills": ["./skills/c"]},
                {"name": "one", "source": "./", "strict": False, "skills": ["./skills/a"]},
                {"name": "two", "source": "./", "strict": False, "skills": ["./skills/b"]},
            )
        },
    )

    assert [("one", ("skills/a",)), ("two", ("skills/c",))] == [
        (plugin.name, plugin.skills) for plugin in found.plugins
    ]
    assert ("DUPLICATE_KEY",) == tuple(note.rule for note in found.marketplaces[0].findings)
    assert [""] == places(found.plugin_units)


def test_marketplaces_inside_a_marketplace_are_read_too() -> None:
    found = find(
        "p/skills/a/SKILL.md",
        files={
            ".claude-plugin/marketplace.json": marketplace({"name": "outer", "source": "./p"}),
            "p/.claude-plugin/marketplace.json": marketplace({"name": "inner", "source": "./"}),
        },
    )

    assert ["", "p"] == [one.path for one in found.marketplaces]
    assert [("p", "inner"), ("p", "outer")] == [(one.path, one.name) for one in found.plugins]


@pytest.mark.parametrize(
    ("path", "agents"),
    [
        ("agents/a.md", ["agents/a.md"]),
        (".claude/agents/a.md", [".claude/agents/a.md"]),
        ("x/.claude/agents/a.md", ["x/.claude/agents/a.md"]),
        ("x/agents/a.md", ["x/agents/a.md"]),
        ("agents/deeper/a.md", []),
        ("skill/agents/a.md", []),
        ("skill/deeper/.claude/agents/a.md", []),
        ("plugin/agents/a.md", ["plugin/agents/a.md"]),
        ("plugin/.claude/agents/a.md", ["plugin/.claude/agents/a.md"]),
        ("plugin/deeper/agents/a.md", []),
        ("agents/a.txt", []),
    ],
)
def test_agents_are_found_in_plugins_and_where_projects_keep_them(
    path: str, agents: list[str]
) -> None:
    found = find("skill/SKILL.md", "plugin/.claude-plugin/plugin.json", files={path: AGENT})

    assert agents == places(found.agents)


def test_a_loose_file_without_front_matter_is_no_agent() -> None:
    found = find(
        files={"agents/README.md": "# Agents", "agents/a.md": "\ufeff" + AGENT, "agents/b.md": b"x"}
    )

    assert ["agents/a.md"] == places(found.agents)


@pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD"])
def test_a_skill_under_another_name_is_told_and_not_found(name: str) -> None:
    found = find(files={f"skills/a/{name}": AGENT})

    assert () == found.skills
    assert [("MISNAMED_SKILL_FILE", f"skills/a/{name}")] == told(found)


@pytest.mark.parametrize(
    "files",
    [
        {"skills/a/SKILL.md": AGENT, "skills/a/skill.md": AGENT},
        {"docs/skill.md": "# What a skill is"},
        {"commands/skill.md": AGENT},
        {"agents/skill.md": AGENT},
    ],
)
def test_a_file_that_is_called_skill_for_good_reason_is_not_told(files: Files) -> None:
    assert [] == told(find(files=files))


@pytest.mark.parametrize(
    ("files", "finding"),
    [
        ({"a/SKILL.md": SYMLINK}, ("SYMLINK_REFUSED", "a/SKILL.md")),
        ({"a/SKILL.md": DIRECTORY}, ("EXPECTED_FILE", "a/SKILL.md")),
        ({".claude/skills/a": SYMLINK}, ("SYMLINK_REFUSED", ".claude/skills/a")),
        ({"agents/a.md": SYMLINK}, ("SYMLINK_REFUSED", "agents/a.md")),
        ({"agents/a.md": DIRECTORY}, ("EXPECTED_FILE", "agents/a.md")),
        ({".claude-plugin": SYMLINK}, ("SYMLINK_REFUSED", ".claude-plugin")),
        ({".claude-plugin": ""}, ("EXPECTED_DIRECTORY", ".claude-plugin")),
    ],
)
def test_what_bears_the_name_but_is_not_the_thing_is_told(
    files: Files, finding: tuple[str, str]
) -> None:
    found = find(files=files)

    assert ((), (), ()) == found[:3]
    assert [finding] == told(found)


def test_other_links_are_not_worth_a_word() -> None:
    names = ("CLAUDE.md", "docs/agents/x", "skills/README.md", "a/link", ".claude/skills")

    assert [] == told(find(files=dict.fromkeys(names, SYMLINK)))


def test_a_finding_of_a_plugin_is_not_told_twice() -> None:
    found = find("p/.claude-plugin/plugin.json", files={"p/skills/a/SKILL.md": SYMLINK})

    assert [] == told(found)
    assert ["SYMLINK_REFUSED"] == [note.rule for note in found.plugins[0].findings[1:]]


def test_a_part_of_a_tree_is_found_as_it_is_in_the_whole() -> None:
    tree = MemoryTree(
        {
            ".claude-plugin/marketplace.json": marketplace(
                {"name": "x", "source": "./x", "strict": False, "skills": "./more"},
                {"name": "y", "source": "./y"},
            ),
            "x/more/a/SKILL.md": "",
            "x/skills/b/SKILL.md": "",
            "y/skills/c/SKILL.md": "",
            "z/SKILL.md": "",
        }
    )
    whole, part = discover(tree), discover(tree, "x")
    skill = discover(tree, "x/more/a")

    assert ([whole.plugins[0]], list(whole.skills[:2])) == (list(part.plugins), list(part.skills))
    assert (whole.skills[:1], (), ()) == (skill.skills, skill.plugins, skill.marketplaces)
    assert "x" == skill.skills[0].plugin


def test_a_directory_that_is_not_there_holds_nothing() -> None:
    assert Discovery((), (), (), (), ()) == find("a/SKILL.md", at="b")


@given(
    st.dictionaries(
        st.lists(st.sampled_from(NAMES), min_size=1, max_size=5).map("/".join),
        st.sampled_from(["", AGENT, SYMLINK, DIRECTORY, marketplace({"name": "a", "source": "a"})]),
    )
)
def test_whatever_the_layout_no_file_has_two_owners(files: dict[str, str | None]) -> None:
    # A path can only go through directories.
    through = {path.rpartition("/")[0] for path in files}
    tree = MemoryTree({p: c for p, c in files.items() if not any(_is_in(q, p) for q in through)})
    found = discover(tree)
    owned = [
        file for unit in (*found.skills, *found.agents, *found.plugin_units) for file in unit.files
    ]

    assert len(owned) == len(set(owned))
    assert set(owned) <= set(tree.files())
    assert {path for path in tree.files() if path.endswith("SKILL.md")} <= set(owned)


def _is_in(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(f"{outer}/")


def test_a_hundred_thousand_files_are_walked_in_one_go() -> None:
    files = {f"skills/s{n // 20}/d/{n}": "" for n in range(100_000)}
    files |= {f"skills/s{n}/SKILL.md": "" for n in range(5_000)}
    tree = MemoryTree({**files, ".claude-plugin/plugin.json": "{}"})
    found = discover(tree)

    assert (5_000, 21) == (len(found.skills), len(found.skills[0].files))
    assert len(tree.listed) < 10 * len(set(tree.listed))


@pytest.mark.parametrize("name", ["d", "skills"])
def test_a_thousand_levels_are_no_obstacle(name: str) -> None:
    deep = "/".join([name] * 1_000)
    found = find(f"{deep}/SKILL.md", f"{deep}/agents/a.md", ".claude-plugin/plugin.json")

    assert [deep] == places(found.skills)
    assert (f"{deep}/SKILL.md", f"{deep}/agents/a.md") == found.skills[0].files


@needs_corpus
def test_discovery_finds_what_the_goldens_list() -> None:
    """The goldens have a row for each directory with a SKILL.md and for each plugin.json.

    One crafted SKILL.md is a directory; and beside the golden plugins there are those that only a
    marketplace lists.
    """
    for kind in ("skill", "plugin"):
        golden: dict[Path, set[str]] = defaultdict(set)
        for root, path, _ in golden_rows(kind):
            golden[root].add(path)
        for root, paths in golden.items():
            found = discover(DirectoryTree(root))
            if kind == "skill":
                assert paths - {"skills/skill-md-is-a-directory"} == set(places(found.skills))
            else:
                plugins = {plugin.path for plugin in found.plugins}
                listed = {entry.directory for one in found.marketplaces for entry in one.plugins}
                assert paths <= plugins <= paths | listed
