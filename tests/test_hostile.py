"""Whatever a skill or plugin holds, it ends as a score with findings or an error with a remedy."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile_bodies, hostile_front_matters
from memory_tree import MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.content.plugin import read_plugin
from plugineval_action.content.tree import MAX_BYTES
from plugineval_action.errors import ContentError
from plugineval_action.evaluate import score_plugin, score_skill
from plugineval_action.results import Failure, Result
from plugineval_action.rulesets import Ruleset
from plugineval_action.survey import plugin_targets, score_directory, skill_targets
from skills import HOME, PLUGIN, composite, flags, part, rules, score, skill_text

both = pytest.mark.parametrize("ruleset", ["plugineval", "reference"])

SECONDS = 3
"""Far more than any hostile text takes, far less than one that is not read in linear time."""

HOSTILE_NAMES = (
    "with space",
    'it\'s "quoted"',
    "new\nline",
    "\u202eright to left",
    "🦊",
    "-rf",
    "back\\slash",
    "&lt;b&gt;<b>",
    "${HOME}",
    os.fsdecode(b"not\xffutf8"),
)


@both
@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"", None),
        (b"\n", None),
        (b"\xef\xbb\xbf" + skill_text().encode(), "BYTE_ORDER_MARK"),
        (skill_text("a\0b").encode(), "NUL_BYTES"),
        (b"\0" * 10_000, "NUL_BYTES"),
        (skill_text("caf").encode() + b"\xe9", "UNDECODABLE_BYTES"),
        (skill_text("text").encode("utf-16"), "UNDECODABLE_BYTES"),
        (bytes(range(256)) * 100, "UNDECODABLE_BYTES"),
        (b"---\nname: a: b\n---\n", "INVALID_YAML"),
        (b"---\n- a\n- b\n---\n", "FRONTMATTER_NOT_MAPPING"),
        (b"---\njust text\n---\n", "FRONTMATTER_NOT_MAPPING"),
        (b"---\nname: s\n\tdescription: x\n---\n", "INVALID_YAML"),
        (b"---\nname: s\0\n---\n", "INVALID_YAML"),
        (b"---\nname: a\nname: b\n---\n", "DUPLICATE_KEY"),
        (b"---\nname: 2024-01-02\n---\n", "NON_STRING_FIELD"),
        (b"---\nname: 7\n---\n", "NON_STRING_FIELD"),
        (b"---\nname: yes\n---\n", "NON_STRING_FIELD"),
        (b"---\nname: [a, b]\n---\n", "NON_STRING_FIELD"),
        (b"---\nname: {a: b}\n---\n", "NON_STRING_FIELD"),
        (b"---\nname: s\ndescription: 1.5\n---\n", "NON_STRING_FIELD"),
    ],
)
def test_a_broken_file_is_scored_with_a_finding(
    content: bytes, rule: str | None, ruleset: Ruleset
) -> None:
    result = score(content, ruleset=ruleset)

    assert result.composite is not None
    assert rule is None or rule in rules(result)
    assert "EMPTY_DESCRIPTION" in flags(result) or rule
    assert all(found.path == f"{HOME}/SKILL.md" and found.line >= 1 for found in result.findings)


PIECES = [
    "---\n", "name: s\n", "description: ", "Use when ", "when_to_use: x\n", "- a\n", "\n", "\n\n",
    "\t", "\r", "\0", "é", "説", "🦊", "# a\n", "```py\n", "~~~\n", "    ", "> ", "`x` ", "`",
    "[a](", "|a|b|c|\n", "|-|-|-|\n", "references/", "../", "skills/", "agents/", "x.md", ") ",
    "%2e", "#", "?", "own:", "~/", "<a href='", "'> ", "<!-- ", " -->", "MUST ", "the `Read` tool ",
    "see also ",
]  # fmt: skip


@both
@given(
    content=st.binary()
    | st.lists(st.sampled_from(PIECES)).map(lambda pieces: "".join(pieces).encode())
)
def test_arbitrary_bytes_are_scored_and_every_line_lies_in_the_file(
    ruleset: Ruleset, content: bytes
) -> None:
    result = score(content, ruleset=ruleset)
    last = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    layer = result.layers[0]
    parts = [one for sub in layer.sub_scores for one in sub.parts]

    assert 0 <= composite(result) <= 100
    assert all(0 <= sub.score <= 1 for sub in layer.sub_scores)
    assert all(1 <= one.line <= one.end_line <= last for one in layer.anti_patterns)
    assert all(1 <= one.line <= one.end_line <= last for one in result.findings)
    assert all(1 <= line <= last for one in parts for line in one.lines)


def test_an_empty_file_is_told_in_the_default_ruleset() -> None:
    assert rules(score(b"")) == ["FRONTMATTER_MISSING"]


@both
@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_of_other_systems_change_nothing(line_end: str, ruleset: Ruleset) -> None:
    text = skill_text("# a\n\n## b\n\n```py\nMUST\n```\n\n[a](references/gone.md) `skills/gone`\n")

    assert score(text, ruleset=ruleset) == score(text.replace("\n", line_end), ruleset=ruleset)


@both
@pytest.mark.parametrize("size", [MAX_BYTES + 1, 5_000_000])
def test_a_file_of_megabytes_is_refused_by_name(size: int, ruleset: Ruleset) -> None:
    with pytest.raises(ContentError) as caught:
        score(b"x" * size, ruleset=ruleset)

    assert caught.value.path == f"{HOME}/SKILL.md"
    assert "larger than 1024 KiB" in caught.value.message
    assert caught.value.remedy


@both
def test_the_largest_file_is_scored(ruleset: Ruleset) -> None:
    text = skill_text() + "word " * ((MAX_BYTES - 100) // 5)

    assert "SKILL_OVER_CODEX_CAP" in rules(score(text, ruleset=ruleset))


@both
@pytest.mark.parametrize("name", hostile_bodies(0))
def test_a_hostile_body_is_scored_in_linear_time(name: str, ruleset: Ruleset) -> None:
    text = skill_text(hostile_bodies(120_000)[name])
    begun = time.process_time()
    result = score(text, ruleset=ruleset)

    assert time.process_time() - begun < SECONDS
    assert result.composite is not None
    lines = text.count("\n") + 1
    assert all(1 <= flag.line <= flag.end_line <= lines for flag in result.layers[0].anti_patterns)
    assert all(1 <= found.line <= lines for found in result.findings)


@both
@pytest.mark.parametrize("size", [30_000, 1_000_000])
@pytest.mark.parametrize("name", hostile_front_matters(0))
def test_a_hostile_front_matter_is_scored_in_linear_time(
    name: str, size: int, ruleset: Ruleset
) -> None:
    text = skill_text("", hostile_front_matters(size)[name])[: MAX_BYTES // 2]
    begun = time.process_time()
    result = score(text, ruleset=ruleset)

    assert time.process_time() - begun < SECONDS
    assert result.composite is not None


@both
@pytest.mark.parametrize(
    ("manifest", "rule"),
    [
        (None, None),
        ("", "INVALID_JSON"),
        ("{", "INVALID_JSON"),
        ("[]", "WRONG_TYPE"),
        ('{"name": 7}', "WRONG_TYPE"),
        ('{"skills": {"a": 1}}', "WRONG_TYPE"),
        ('{"name": NaN}', "INVALID_JSON"),
        ("[" * 100_000, "INVALID_JSON"),
        ("\ufeff{}", "BYTE_ORDER_MARK"),
    ],
)
def test_a_broken_manifest_keeps_no_plugin_from_its_score(
    manifest: str | None, rule: str | None, ruleset: Ruleset
) -> None:
    files: dict[str, str | bytes | None] = {
        "p/.claude-plugin/other.json": "{}",
        "p/skills/s/SKILL.md": skill_text(),
    }
    if manifest is not None:
        files["p/.claude-plugin/plugin.json"] = manifest
    tree = MemoryTree(files)
    result = score_plugin(tree, read_plugin(tree, "p", ruleset=ruleset), ruleset=ruleset)

    assert result.composite is not None
    assert len(result.members) == 1
    assert [rule] * bool(rule) == rules(result)[:1]


@both
def test_a_link_to_a_skill_file_is_refused_and_not_followed(
    tmp_path: Path, ruleset: Ruleset
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(skill_text("SECRET"))
    root = tmp_path / "root"
    for name, target in (("in", "../there/SKILL.md"), ("out", str(outside)), ("gone", "x")):
        (root / name).mkdir(parents=True)
        (root / name / "SKILL.md").symlink_to(target)
    (root / "there").mkdir()
    (root / "there/SKILL.md").write_text(skill_text())
    (root / "whole").symlink_to(root / "there", target_is_directory=True)
    for name in ("in", "out", "gone", "whole"):
        with pytest.raises(ContentError) as caught:
            score_skill(DirectoryTree(root), name, ruleset=ruleset)

        assert caught.value.path == f"{name}/SKILL.md"
        assert caught.value.remedy


@both
def test_links_beside_a_skill_count_as_absent(tmp_path: Path, ruleset: Ruleset) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other/a.md").write_text("Text.")
    (tmp_path / "s/SKILL.md").write_text(skill_text("[a](references/a.md)"))
    (tmp_path / "s/references").symlink_to(tmp_path / "other", target_is_directory=True)
    (tmp_path / "s/assets").mkdir()
    (tmp_path / "s/assets/a.txt").symlink_to(tmp_path / "other/a.md")
    result = score_skill(DirectoryTree(tmp_path), "s", ruleset=ruleset)

    assert rules(result) == ["SYMLINK_REFUSED"]
    assert part(result, "progressive_disclosure", "references").points == 0.0
    assert part(result, "progressive_disclosure", "assets").points == 0.0
    assert flags(result) == (["ORPHAN_REFERENCE"] if ruleset == "plugineval" else [])


@both
@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_name_is_a_name(tmp_path: Path, name: str, ruleset: Ruleset) -> None:
    folder = tmp_path / "skills" / name
    (folder / "references" / name).mkdir(parents=True)
    (folder / "references" / f"{name}.md").write_text("Text.")
    (folder / "SKILL.md").write_text("[a](references/gone.md)")
    tree = DirectoryTree(tmp_path)
    found = discover(tree, ruleset=ruleset)
    (result,) = score_directory(tree, skill_targets(found), ruleset, 1)

    assert isinstance(result, Result)
    assert (result.name, result.path) == (name, f"skills/{name}")
    assert "ORPHAN_REFERENCE" in flags(result)


def test_a_folder_called_like_a_skill_file_is_told_and_passed_over(tmp_path: Path) -> None:
    (tmp_path / "skills/a/SKILL.md").mkdir(parents=True)
    (tmp_path / "skills/b").mkdir()
    (tmp_path / "skills/b/SKILL.md").write_text(skill_text())
    found = discover(DirectoryTree(tmp_path))

    assert [unit.path for unit in found.skills] == ["skills/b"]
    assert [(one.rule, one.path) for one in found.findings] == [
        ("EXPECTED_FILE", "skills/a/SKILL.md")
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text(skill_text())
    (tmp_path / "SKILL.md").chmod(0)

    with pytest.raises(ContentError, match=r"SKILL\.md cannot be read") as caught:
        score_skill(DirectoryTree(tmp_path), "")
    assert caught.value.remedy == "Give it read permission."


@both
@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0", b"\xff" * 100, b"x" * (MAX_BYTES + 1)])
def test_a_reference_that_is_no_text_is_told(content: bytes, ruleset: Ruleset) -> None:
    result = score(skill_text(), {f"{HOME}/references/a.bin": content}, ruleset=ruleset)

    assert [(one.rule, one.path) for one in result.findings] == [
        ("BINARY_REFERENCE", f"{HOME}/references/a.bin")
    ]


def test_a_hundred_thousand_files_are_no_obstacle(tmp_path: Path) -> None:
    root = tmp_path / "many"
    (root / "s/references").mkdir(parents=True)
    (root / "s/SKILL.md").write_text(skill_text("[a](data/7/9)"))
    for folder in range(10):
        _fill(root / f"s/data/{folder}", 9_500)
    _fill(root / "s/references", 5_000)
    begun = time.process_time()
    tree = DirectoryTree(root)
    found = discover(tree)
    (result,) = score_directory(tree, skill_targets(found), "plugineval", 1)
    seconds = time.process_time() - begun
    shutil.rmtree(root)

    assert isinstance(result, Result)
    assert len(found.skills[0].files) == 100_001
    assert part(result, "progressive_disclosure", "references").found == "5000 files"
    assert seconds < 10


def _fill(folder: Path, count: int) -> None:
    """Links to one file, which are made ten times faster than files."""
    folder.mkdir(parents=True, exist_ok=True)
    here = os.open(folder, os.O_RDONLY)
    os.close(os.open("0", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    for number in range(1, count):
        os.link("0", str(number), src_dir_fd=here, dst_dir_fd=here)
    os.close(here)


def test_a_repository_of_broken_things_is_scored_to_the_end(tmp_path: Path) -> None:
    for name in ("good", "huge", "empty", "binary"):
        (tmp_path / PLUGIN / "skills" / name).mkdir(parents=True)
    skills = tmp_path / PLUGIN / "skills"
    (tmp_path / PLUGIN / ".claude-plugin").mkdir()
    (tmp_path / PLUGIN / ".claude-plugin/plugin.json").write_text("{")
    (skills / "good/SKILL.md").write_text(skill_text())
    (skills / "huge/SKILL.md").write_bytes(b"x" * (MAX_BYTES + 1))
    (skills / "empty/SKILL.md").write_bytes(b"")
    (skills / "binary/SKILL.md").write_bytes(bytes(range(256)))
    tree = DirectoryTree(tmp_path)
    found = discover(tree)
    targets = [*skill_targets(found), *plugin_targets(found)]
    results = list(score_directory(tree, targets, "plugineval", 1))

    assert [type(one) for one in results] == [Result, Result, Result, Failure, Result]
    assert isinstance(results[3], Failure)
    assert results[3].path == f"{PLUGIN}/skills/huge/SKILL.md"
    assert isinstance(results[4], Result)
    assert composite(results[4]) > 0
