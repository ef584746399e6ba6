"""Rules about what lies beside SKILL.md: anchors in other files, capitals, scripts, sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaming import honest_skills
from git_repository import Repository
from memory_tree import MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.content.git_tree import GitTree
from plugineval_action.content.tree import Tree
from plugineval_action.evaluate import score_skill
from plugineval_action.findings.run import check_shelf
from plugineval_action.findings.withheld import beside
from plugineval_action.results import Finding
from skills import HOME, PLUGIN, repository, skill_text


def told(rule: str, body: str, **files: str) -> list[Finding]:
    """The findings of one rule; files lie in the skill's folder."""
    tree = repository(skill_text(body), {f"{HOME}/{name}": text for name, text in files.items()})
    return of_tree(rule, tree)


def of_tree(rule: str, tree: Tree) -> list[Finding]:
    return [one for one in score_skill(tree, HOME, plugin=PLUGIN).findings if one.rule == rule]


RULES = "# Rules\n\n## How to write\n\nBe short.\n\n<a id='own'></a>\n"


@pytest.mark.parametrize(
    "link",
    [
        "references/rules.md#how-to-write",
        "references/rules.md#How-To-Write",
        "references/rules.md#own",
        "references/rules.md#L12",
        "references/rules.md",
        "references/rules.pdf#page=2",
        "references/empty.md#anything",
        "https://example.org/rules.md#gone",
    ],
)
def test_an_anchor_that_is_there_or_cannot_be_checked_is_silent(link: str) -> None:
    files = {"references/rules.md": RULES, "references/empty.md": "", "references/rules.pdf": "x"}

    assert [] == told("BROKEN_ANCHOR", f"[a]({link})\n", **files)


def test_an_anchor_that_another_file_lacks_is_named_with_that_file() -> None:
    (note,) = told("BROKEN_ANCHOR", "[a](references/rules.md#gone)\n", **{
        "references/rules.md": RULES
    })  # fmt: skip

    assert (f"{HOME}/SKILL.md", 5) == (note.path, note.line)
    assert (
        "The link leads to #gone of references/rules.md, which has no such heading." == note.message
    )


def test_anchors_of_references_are_looked_up_from_their_own_folder() -> None:
    files = {
        "references/rules.md": f"{RULES}\n[a](#gone) [b](words.md#none) [c](words.md#word)\n",
        "references/words.md": "# Words\n\n## Word\n\nText.\n",
    }
    notes = told("BROKEN_ANCHOR", "[a](references/rules.md)\n", **files)

    assert [(f"{HOME}/references/rules.md", 9)] * 2 == [(one.path, one.line) for one in notes]
    assert [
        "The link leads to #gone, and this file has no such heading.",
        "The link leads to #none of words.md, which has no such heading.",
    ] == [one.message for one in notes]


def test_a_file_that_the_skill_links_to_is_read_like_a_reference() -> None:
    files = {"guide.md": "# Guide\n\n[a](#gone) [b](nothing.md)\n"}

    (note,) = told("BROKEN_ANCHOR", "[a](guide.md)\n", **files)

    assert f"{HOME}/guide.md" == note.path
    assert [3] == [one.line for one in told("REFERENCE_LINK", "[a](guide.md)\n", **files)]


def test_a_link_of_a_reference_in_other_capitals_is_told_as_that() -> None:
    files = {"references/rules.md": "[a](Words.md)\n", "references/words.md": "Text.\n"}
    body = "[a](references/rules.md)\n"

    (note,) = told("LINK_CASE", body, **files)

    assert "The link says Words.md, the file is words.md." == note.message
    assert [] == told("REFERENCE_LINK", body, **files)


SCRIPT = {"scripts/notes.sh": "#!/bin/sh\necho notes\n"}


@pytest.mark.parametrize(
    "body",
    [
        "Run `./scripts/notes.sh`.\n",
        "`./scripts/notes.sh v1` writes them.\n",
        "```bash\n./scripts/notes.sh v1\n```\n",
        "```\n$ ./scripts/notes.sh\n```\n",
        '```bash\n"${CLAUDE_SKILL_DIR}/scripts/notes.sh" v1\n```\n',
    ],
)
def test_a_script_that_is_run_by_its_name_has_to_be_executable(body: str) -> None:
    (note,) = told("NOT_EXECUTABLE", body, **SCRIPT)

    assert "scripts/notes.sh" in note.message


@pytest.mark.parametrize(
    "body",
    [
        "Run `bash scripts/notes.sh`.\n",
        "```bash\nsh ./scripts/notes.sh\n```\n",
        "The code is in `./scripts/notes.sh`.\n",
        "Run `chmod +x scripts/notes.sh`, then `./scripts/notes.sh v1`.\n",
        "Run `./scripts/other.sh v1`.\n",
        "```python\n./scripts/notes.sh\n```\n",
    ],
)
def test_a_script_that_is_named_otherwise_need_not_be(body: str) -> None:
    assert [] == told("NOT_EXECUTABLE", body, **SCRIPT)


@pytest.mark.parametrize("mode", [0o644, 0o755])
def test_the_right_to_run_comes_from_the_folder_and_from_the_commit(
    tmp_path: Path, mode: int
) -> None:
    made = Repository(tmp_path / "r")
    made.write(f"{HOME}/SKILL.md", skill_text("Run `./scripts/notes.sh v1`.\n"))
    made.write(f"{HOME}/scripts/notes.sh", SCRIPT["scripts/notes.sh"])
    (made.root / HOME / "scripts/notes.sh").chmod(mode)
    commit = made.commit()
    expected = [] if mode == 0o755 else ["NOT_EXECUTABLE"]

    with GitTree.open(made.root, commit) as committed:
        assert expected == [one.rule for one in of_tree("NOT_EXECUTABLE", committed)]
    on_disk = DirectoryTree(made.root)
    assert expected == [one.rule for one in of_tree("NOT_EXECUTABLE", on_disk)]


def test_an_upload_is_measured_with_all_its_files() -> None:
    large = "x" * 900_000
    files = {f"{HOME}/assets/{n}.txt": large for n in range(34)}
    tree = repository(skill_text(), files)
    (note,) = [
        one
        for one in score_skill(tree, HOME, plugin=PLUGIN, profile="claude-ai-upload").findings
        if one.rule == "UPLOAD_SIZE"
    ]

    assert note.message.startswith("The skill has 30.6 MB, and an upload has to be under 30 MB")


def test_a_skill_just_below_the_limit_of_an_upload_passes() -> None:
    tree = MemoryTree({"s/SKILL.md": skill_text(), "s/a.txt": "x" * 29_999_000})
    notes = score_skill(tree, "s", profile="claude-ai-upload").findings

    assert [] == [one for one in notes if one.rule == "UPLOAD_SIZE"]


# All skills together


PAGE = "\n".join(
    f"Step {n}: {'abcdefghij'[n % 10] * 3} the part {n * 37 % 101} of it." for n in range(120)
)
"""A text of which no two passages are the same."""

OWN = """\
Walk the loop once with the printed map before anything is drawn. Note each fork, gate and
bridge where it stands, with the time. Rain changes fords: ask the ranger which of them were
closed last spring, and print those in grey. A hut without water is no hut for families, so mark
it apart. Heights come from the survey sheet 1:25,000, never from a phone. If two sheets differ
by over 10 m, take the newer one and write its year beside the number. Steep parts get an arrow
uphill every 200 m. Bus stops need the line and the last departure on Sundays. Keep names as the
valley's people spell them; add the official form in brackets once. Before printing, hand the
draft to somebody who has never been there and follow silently. Wherever they hesitate, the map
is wrong, not the walker. Correct it the same evening while both remember the place. File the
tracks as GPX in `tracks/`, named by date and loop, and keep the rejected ones for a season.
"""
"""A passage that a person might have written."""


def shelf(*skills: tuple[str, str, str]) -> dict[str, list[str]]:
    """Rules by directory, for skills of a directory, a name and a body."""
    files = {
        f"{path}/SKILL.md": skill_text(body, f"name: {name}\ndescription: Does {path} things.\n")
        for path, name, body in skills
    }
    tree = MemoryTree({"p/.claude-plugin/plugin.json": '{"name": "p"}', **files})
    notes = check_shelf(tree, discover(tree))
    return {path: [one.rule for one in told] for path, told in notes.items()}


def test_of_two_texts_alike_the_one_with_less_of_its_own_is_the_copy() -> None:
    found = shelf(("p/skills/a", "a", PAGE[:2400]), ("p/skills/b", "b", PAGE))

    assert {"p/skills/a": ["COPIED_TEXT"]} == found


def test_a_skill_that_lies_in_two_plugins_under_one_name_is_no_copy() -> None:
    assert {} == shelf(("p/skills/a", "a", PAGE), ("q/skills/a", "a", PAGE))


def test_texts_that_share_a_page_of_licence_are_no_copies() -> None:
    own = "\n".join(f"Own {n}: {'klmnopqrst'[n % 10] * 3} of {n * 53 % 103}." for n in range(120))

    assert {} == shelf(("p/skills/a", "a", PAGE[:1500] + own), ("p/skills/b", "b", PAGE))


def test_a_copy_keeps_its_number_and_loses_its_badge_and_the_original_keeps_both() -> None:
    honest = next(one for one in honest_skills() if one.name == "trail-maps")
    text = honest.files["SKILL.md"] + OWN
    tree = MemoryTree(
        {"a/SKILL.md": text, "b/SKILL.md": text.replace("name: trail-maps", "name: other-maps")}
    )
    notes = check_shelf(tree, discover(tree))
    results = {path: beside(score_skill(tree, path), notes, "plugineval") for path in "ab"}
    badges = {path: one.composite.badge for path, one in results.items() if one.composite}
    scores = {one.composite.score for one in results.values() if one.composite}

    assert badges["a"] not in ("withheld", "no_badge")
    assert "withheld" == badges["b"]
    assert 1 == len(scores)


def test_a_name_that_two_skills_of_a_plugin_share_is_told_at_both() -> None:
    found = shelf(("p/skills/a", "x", "A."), ("p/skills/b", "x", "B."), ("q/c", "x", "C."))

    assert {"p/skills/a": ["DUPLICATE_NAME"], "p/skills/b": ["DUPLICATE_NAME"]} == found


def test_a_plugin_over_the_budget_says_how_many_descriptions_go_and_names_the_longest() -> None:
    files = {
        f"p/skills/s{n}/SKILL.md": skill_text("", f"name: s{n}\ndescription: {f'word{n} ' * 170}\n")
        for n in range(9)
    }
    tree = MemoryTree({"p/.claude-plugin/plugin.json": '{"name": "p"}', **files})
    (note,) = [
        one for one in check_shelf(tree, discover(tree))["p"] if one.rule == "LISTING_BUDGET"
    ]

    assert "p/.claude-plugin/plugin.json" == note.path
    assert "at least 2 are dropped" in note.message
    assert "s0 (1,019), s1 (1,019), s2 (1,019)" in note.message


def test_one_skill_alone_is_compared_with_nothing() -> None:
    assert {} == shelf(("p/skills/a", "a", PAGE))
