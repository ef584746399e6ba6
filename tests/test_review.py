"""A review of two trees: what it lists, and with which status."""

from __future__ import annotations

import json

from memory_tree import MemoryTree
from plugineval_action.review.trees import Side, review_trees
from plugineval_action.review_values import Review
from skills import skill_text

TWO_PLUGINS = json.dumps(
    {
        "name": "m",
        "owner": {"name": "o"},
        "plugins": [
            {"name": "aa", "source": "./", "strict": False, "skills": ["./skills/a"]},
            {"name": "zz", "source": "./", "strict": False, "skills": ["./skills/z"]},
        ],
    }
)


def _review(before: dict[str, str], after: dict[str, str]) -> Review:
    sides = (Side(MemoryTree(before), "base"), Side(MemoryTree(after), "head"))
    return review_trees(*sides, "plugineval")


def _skills(text: str) -> dict[str, str]:
    return {
        ".claude-plugin/marketplace.json": TWO_PLUGINS,
        "skills/a/SKILL.md": skill_text(text),
        "skills/z/SKILL.md": skill_text(text),
    }


def test_plugins_that_share_a_directory_are_all_listed() -> None:
    review = _review(_skills("One.\n"), _skills("MUST\n" * 20))
    plugins = [one.after.name for one in review.changes if one.after and one.after.kind == "plugin"]

    assert sorted(plugins) == ["aa", "zz"]


def test_a_skill_whose_link_lost_its_target_is_affected() -> None:
    before = {
        "skills/a/SKILL.md": skill_text("[b](../b/SKILL.md)\n"),
        "skills/b/SKILL.md": skill_text("Text.\n"),
    }
    after = {"skills/a/SKILL.md": before["skills/a/SKILL.md"]}
    review = _review(before, after)

    assert [one.status for one in review.changes] == ["affected", "removed"]


def test_what_did_not_change_is_only_counted() -> None:
    files = {"skills/a/SKILL.md": skill_text("Text.\n")}
    review = _review(files, files)

    assert review.changes == ()
    assert review.unchanged == 1


def test_removing_a_skill_that_could_never_be_read_is_no_crash() -> None:
    before = {"big/SKILL.md": "x" * (1 << 21), "skills/a/SKILL.md": skill_text("One.\n")}
    review = _review(before, {"skills/a/SKILL.md": skill_text("Two.\n")})

    assert [one.status for one in review.changes] == ["changed"]
    assert review.failures == ()
