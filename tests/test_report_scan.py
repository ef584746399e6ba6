"""Scanning a marketplace for a report: rows for what fails, digests, descriptions, shards."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_tree import MemoryTree
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.tree import MAX_BYTES
from plugineval_action.errors import HistoryError
from plugineval_action.render.report.model import model
from plugineval_action.render.report.pages import pages
from plugineval_action.report.gather import Moment, Part, Shard, gather_report, gather_shard
from plugineval_action.report.history import History
from plugineval_action.report.shard import merged, read_shard, write_shard
from plugineval_action.report_values import Listing, MarketplaceReport, Scored
from skills import described, skill_text

MOMENT = Moment("c0ffee", "2026-01-31")
MANIFEST = {"name": "market", "plugins": [{"name": "a", "source": "./a"}]}
FILES: dict[str, str | bytes] = {
    ".claude-plugin/marketplace.json": json.dumps(MANIFEST),
    "a/.claude-plugin/plugin.json": '{"name": "a"}',
    "a/skills/one/SKILL.md": described("Does one thing. Use when asked.", "one"),
    "a/skills/big/SKILL.md": "x" * (MAX_BYTES + 1),
    "a/agents/helper.md": "---\nname: helper\n---\n",
    "b/.claude-plugin/plugin.json": '{"name": "b"}',
    "loose/two/SKILL.md": "---\nname: two\ndisable-model-invocation: true\n---\nText.\n",
    "loose/huge/SKILL.md": "x" * (MAX_BYTES + 1),
}


def gathered(files: dict[str, str | bytes]) -> MarketplaceReport:
    return gather_report(MemoryTree(files), "", "plugineval", MOMENT, lambda found, _: found)


def shards(of: int, files: dict[str, str | bytes] | None = None) -> list[Shard]:
    tree = MemoryTree(FILES if files is None else files)
    return [
        gather_shard(tree, "", "plugineval", MOMENT, lambda found, _: found, Part(at + 1, of))
        for at in range(of)
    ]


def test_what_cannot_be_scored_is_a_row_that_says_why() -> None:
    report = gathered(FILES)
    unscored = {one.result.path: one.result.unscored for one in (*report.plugins, *report.loose)}

    assert {"a", "b", "loose/two", "loose/huge"} == unscored.keys()
    assert unscored["loose/huge"] is not None
    assert "is larger than" in unscored["loose/huge"]
    assert unscored["b"] is not None


def test_what_each_part_of_a_score_was_is_not_kept() -> None:
    """It is most of a result, and 20,000 skills have to fit into memory."""
    parts = [
        part
        for plugin in gathered(FILES).plugins
        for member in plugin.result.members
        for layer in member.layers
        for sub in layer.sub_scores
        for part in sub.parts
    ]

    assert [] == parts


def test_what_would_raise_a_skill_is_kept() -> None:
    plugin = gathered(FILES).plugins[0]

    assert {"a/skills/one"} == {path for path, _ in plugin.fixes}
    assert all(fix.points > 0 for _, fix in plugin.fixes)


def test_a_skill_is_listed_by_its_description_unless_people_alone_call_it() -> None:
    report = gathered(FILES)
    expected = Listing("one", "a", "a/skills/one", "Does one thing. Use when asked.", hidden=False)

    assert (expected,) == report.plugins[0].listings
    (two,) = [one for scored in report.loose for one in scored.listings]
    assert (two.name, two.plugin, two.text, two.hidden) == ("two", "", "", True)


def test_a_digest_is_of_the_skills_and_agents_wherever_the_plugin_lies() -> None:
    skill, agent = skill_text("Text."), "---\nname: x\n---\n"

    def digest(name: str, text: str) -> str:
        files: dict[str, str | bytes] = {
            f"{name}/.claude-plugin/plugin.json": json.dumps({"name": name}),
            f"{name}/skills/s/SKILL.md": text,
            f"{name}/agents/x.md": agent,
        }
        return gathered(files).plugins[0].digest

    assert digest("p", skill) == digest("q", skill)
    assert digest("p", skill) != digest("p", skill + "More.")
    assert 16 == len(digest("p", skill))


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_shards_merged_in_any_order_are_the_report_of_one_run(of: int) -> None:
    text = [write_shard(shard) for shard in reversed(shards(of))]
    report = merged([read_shard(str(at), each) for at, each in enumerate(text)])

    assert gathered(FILES) == report
    assert dict(pages(model(report, History()))) == dict(pages(model(gathered(FILES), History())))


def test_names_that_are_no_unicode_survive_a_shard(tmp_path: Path) -> None:
    skill = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p/skills/\xff"))
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("Text.")
    (tmp_path / "p/.claude-plugin").mkdir()
    (tmp_path / "p/.claude-plugin/plugin.json").write_text('{"name": "\\ud800"}')
    tree = DirectoryTree(tmp_path)
    whole = gather_report(tree, "", "plugineval", MOMENT, lambda found, _: found)
    parts = [
        gather_shard(tree, "", "plugineval", MOMENT, lambda found, _: found, Part(at, 2))
        for at in (1, 2)
    ]

    assert ["p/skills/\udcff"] == [one.path for one in whole.plugins[0].result.members]
    assert whole == merged([read_shard("s", write_shard(part)) for part in parts])
    assert ["README.md", "plugins/plugin-7959da.md"] == list(dict(pages(model(whole, History()))))


def test_two_processes_give_the_report_that_one_gives(tmp_path: Path) -> None:
    for at in range(420):
        folder = tmp_path / f"p{at // 4}/skills/s{at}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill_text(f"Text {at}.\n"))
        manifest = tmp_path / f"p{at // 4}/.claude-plugin"
        manifest.mkdir(exist_ok=True)
        (manifest / "plugin.json").write_text("{}")
    tree = DirectoryTree(tmp_path)
    files: dict[str, str | bytes] = {path: tree.read(path) for path in tree.files()}
    both = gather_report(tree, "", "plugineval", MOMENT, lambda found, _: found)

    assert both.plugins == gathered(files).plugins


def test_progress_is_told_how_much_there_is() -> None:
    told = []

    def progress(found: Iterator[Scored], total: int) -> Iterator[Scored]:
        told.append(total)
        yield from found

    gather_report(MemoryTree(FILES), "", "plugineval", MOMENT, progress)

    assert [4] == told


def changed(shard: Shard, **frame: object) -> Shard:
    return shard._replace(frame=shard.frame._replace(**frame))  # type: ignore[arg-type]


FIRST, SECOND, THIRD = shards(3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "There is no shard."),
        ([FIRST, THIRD], "Shards are missing: 2/3."),
        ([FIRST, SECOND, THIRD, THIRD], "A shard is there twice."),
        ([FIRST, SECOND, changed(THIRD, identity="other")], "The shards are of different runs"),
        ([FIRST, SECOND, changed(THIRD, ruleset="plugineval/9")], "The shards are of different"),
        ([FIRST, SECOND, THIRD._replace(scored=())], "Shard 3/3 is not whole."),
        ([one._replace(targets=10**30) for one in shards(3)], "Shard 1/3 is not whole."),
        ([FIRST._replace(part=Part(1, 10**9))], "There cannot be 1000000000 shards."),
        ([*shards(2), THIRD], "A shard is there twice."),
    ],
)
def test_shards_that_are_not_all_of_one_run_are_refused(given: list[Shard], said: str) -> None:
    with pytest.raises(HistoryError, match=f"^{said}"):
        merged(given)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "[" * 100_000,
        '{"format": "plugineval-shard/1", "shard": [1]}',
        '{"format": 1}',
    ],
)
def test_a_file_that_is_no_shard_is_named(text: str) -> None:
    with pytest.raises(HistoryError, match=r"^s\.json "):
        read_shard("s.json", text)


def test_a_tampered_shard_with_a_wrong_type_is_refused() -> None:
    text = write_shard(FIRST).replace('"plugineval/1"', "[1]")

    with pytest.raises(HistoryError):
        read_shard("s.json", text)
