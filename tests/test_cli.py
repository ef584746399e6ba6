"""The command line: what each command prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import chdir
from pathlib import Path

import pytest

from git_repository import Repository
from plugineval_action.cli.main import COMMANDS, main
from plugineval_action.render.report.pages import REPORT_MARKER
from plugineval_action.report.history import read_history
from skills import skill_text

COMMAND_LINE = (sys.executable, "-m", "plugineval_action")
FOREIGN = "technik-für-技能"


class Said:
    """Exit code, stdout and stderr of one run in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *words: str | Path | float) -> None:
        capsys.readouterr()
        self.code = main([str(word) for word in words])
        self.out, self.err = capsys.readouterr()

    @property
    def last(self) -> str:
        """The last line on stderr."""
        return self.err.splitlines()[-1]


@pytest.fixture
def market(tmp_path: Path) -> Path:
    """A plugin with two skills and an agent, and a marketplace that lists it."""
    root = tmp_path / "market"
    _write(root / ".claude-plugin/marketplace.json", _marketplace())
    _write(root / "p/.claude-plugin/plugin.json", '{"name": "p"}')
    _write(root / "p/skills/one/SKILL.md", skill_text("# Title\n"))
    _write(root / "p/skills/two/SKILL.md", skill_text("## Usage\n\nText.\n"))
    _write(root / "p/agents/helper.md", "---\nname: helper\ndescription: Helps.\n---\nHelp.\n")
    return root


def _marketplace() -> str:
    owner = {"name": "Us"}
    listed = [{"name": "p", "source": "./p"}]
    return json.dumps({"name": "market", "owner": owner, "plugins": listed})


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# The front door


def test_help_and_version_go_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    overview, version = Said(capsys, "--help"), Said(capsys, "--version")

    assert (0, "") == (overview.code, overview.err)
    assert all(f"  {name} " in overview.out for name in COMMANDS)
    assert 0 == version.code
    assert version.out.startswith("plugin-eval ")


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, command, "--help")

    assert (0, "") == (said.code, said.err)
    assert f"examples:\n  plugin-eval {command}" in said.out


def test_a_call_without_a_command_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == Said(capsys).code


@pytest.mark.parametrize(("typed", "hint"), [("scroe", " Did you mean score?"), ("xyzzy", "")])
def test_a_mistyped_command_is_named_last_with_the_nearest_one(
    typed: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, typed)

    assert (2, "") == (said.code, said.out)
    assert f"plugin-eval: there is no command {typed!r}.{hint}" == said.last


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["score", ""], "argument PATH: must not be empty"),
        (["compare", "", "x"], "argument A: must not be empty"),
        (["compare", "x", ""], "argument B: must not be empty"),
        (["review", "--base", "main", ""], "argument PATH: must not be empty"),
        (["report", "", "--output-dir", "x"], "argument ROOT: must not be empty"),
        (["report", ".", "--output-dir", ""], "argument --output-dir: must not be empty"),
        (["init", "", "--corpus-dir", "x"], "argument PLUGINS: must not be empty"),
        (["init", ".", "--corpus-dir", ""], "argument --corpus-dir: must not be empty"),
        *(
            (["score", ".", "--threshold", value], "--threshold: must be a number from 0 to 100")
            for value in ("high", "-1", "100.5", "nan")
        ),
        *(
            (["score", ".", "--concurrency", value], "must be a whole number, 1 or more")
            for value in ("many", "0", "-2", "1.5", "9" * 5000)
        ),
    ],
)
def test_a_wrong_value_is_explained_on_the_last_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, *words)

    assert (2, "") == (said.code, said.out)
    assert said.last.endswith(message)


# score


def test_score_prints_markdown_and_says_beside_it_what_was_not_run(
    market: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, "score", market / "p/skills/one", "--depth", "standard")

    assert 0 == said.code
    assert said.out.startswith("# s: ")
    assert 1 == said.err.count("Depth standard needs")
    assert "Depth standard needs" not in said.out


@pytest.mark.parametrize("asked", [(), ("--depth", "quick")])
def test_score_has_nothing_to_say_beside_the_result_unless_more_was_asked_for(
    asked: tuple[str, ...], market: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "" == Said(capsys, "score", market, *asked).err


@pytest.mark.parametrize("output", ["json", "html"])
def test_the_note_on_the_depth_is_not_part_of_the_result(
    output: str, market: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        "needs an API key"
        not in Said(capsys, "score", market, "--output", output, "--depth", "deep").out
    )


@pytest.mark.parametrize(("each", "kinds"), [("skill", ["skill"] * 2), ("plugin", ["plugin"])])
def test_each_says_what_is_scored_in_a_marketplace(
    each: str, kinds: list[str], market: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, "score", market, "--each", each, "--output", "jsonl")

    assert kinds == [_kind(line) for line in said.out.splitlines()]


def _kind(line: str) -> str:
    return str(json.loads(line)["kind"])


@pytest.mark.parametrize(("threshold", "code"), [("0", 0), ("100", 1)])
def test_a_missed_threshold_exits_with_1(
    threshold: str, code: int, market: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code == Said(capsys, "score", market, "--threshold", threshold).code


def test_a_wrong_path_among_right_ones_is_the_only_thing_said(
    market: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, "score", market, market / "gone")

    assert (2, "") == (said.code, said.out)
    assert said.err.startswith(f"plugin-eval: There is no '{market}/gone'.")
    assert 1 == said.err.count("\n")


def test_what_is_named_twice_is_scored_once(
    market: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = market / "p/skills/one"
    paths = (one, one, f"{one}/", one / "SKILL.md", market)
    said = Said(capsys, "score", *paths, "--output", "jsonl")

    assert ["one", "two"] == [
        json.loads(line)["path"].rpartition("/")[2] for line in said.out.splitlines()
    ]


def _two_trees(tmp_path: Path) -> list[Path]:
    """The same skill, which has no trigger, in two repositories."""
    for name in ("a", "b"):
        (tmp_path / name / ".git").mkdir(parents=True)
        _write(tmp_path / name / "skills/s/SKILL.md", skill_text("", "name: s\n"))
    return [tmp_path / "a", tmp_path / "b"]


@pytest.mark.parametrize("inside", [True, False])
def test_files_of_two_trees_are_told_apart(
    inside: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the path from here, if both lie below, else from the folder around them."""
    trees = _two_trees(tmp_path / "work")
    monkeypatch.chdir(tmp_path if inside else trees[0])
    prefix = "work/" if inside else ""
    sarif = json.loads(Said(capsys, "score", *trees, "--output", "sarif").out)
    places = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in sarif["runs"][0]["results"]
    ]
    commands = Said(capsys, "score", *trees, "--output", "github").out

    assert {f"{prefix}{name}/skills/s/SKILL.md" for name in "ab"} == set(places)
    assert places.count(f"{prefix}a/skills/s/SKILL.md") == len(places) / 2
    assert f"file={prefix}b/skills/s/SKILL.md" in commands


def test_paths_of_one_tree_stay_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree, _ = _two_trees(tmp_path)
    said = Said(capsys, "score", tree, tree / "skills/s", "--output", "json")

    assert "skills/s" == json.loads(said.out)["path"]


def test_json_lines_come_one_by_one_and_the_gate_counts_all(tmp_path: Path) -> None:
    """The first line is there before the last skill is; who stops reading changes no exit code."""
    for number in range(300):
        _write(tmp_path / f"s{number:03}/SKILL.md", skill_text("text\n" * 200))
    (tmp_path / "s299/SKILL.md").write_bytes(b"x" * 2_000_000)
    command = [*COMMAND_LINE, "score", str(tmp_path), "--output", "jsonl", "--threshold", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.stdout.close()
    everything = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in everything.stdout.splitlines()]

    assert "s000" == first["path"]
    assert [f"s{number:03}" for number in range(299)] == [one["path"] for one in lines[:-1]]
    assert "s299/SKILL.md" == lines[-1]["path"]
    assert lines[0]["total_duration_ms"] < lines[-2]["total_duration_ms"]
    assert (1, 1) == (process.returncode, everything.returncode)


def test_a_score_that_misses_the_threshold_by_a_hair_does_not_show_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path / "s/SKILL.md", skill_text("# Title\n"))
    score = json.loads(Said(capsys, "score", tmp_path / "s", "--output", "json").out)["composite"]
    limit = round(score["score"] + 0.001, 4)
    said = Said(capsys, "score", tmp_path / "s", "--threshold", limit)

    assert 1 == said.code
    assert f"{limit:.1f}\n" not in said.out.splitlines()[0]
    assert float(said.out.splitlines()[0].split()[2].rstrip(",")) < limit


def test_a_folder_without_skills_says_what_comes_close(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path / "near/.claude-plugin/marketplace.json", "{")
    _write(tmp_path / "near/a/skill.md", skill_text())
    (tmp_path / "near/b/SKILL.md").mkdir(parents=True)
    said = Said(capsys, "score", tmp_path / "near")

    assert (2, "") == (said.code, said.out)
    assert "holds no skills." in said.err
    assert "\n  .claude-plugin/marketplace.json:1: " in said.err
    assert "\n  a/skill.md:1: skill.md is not called SKILL.md" in said.err
    assert "(MISNAMED_SKILL_FILE)\n" in said.err
    assert "(EXPECTED_FILE)\n" in said.err


def test_at_most_three_near_misses_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(5):
        _write(tmp_path / f"near/{number}/Skill.md", skill_text())

    assert 3 == Said(capsys, "score", tmp_path / "near").err.count("MISNAMED_SKILL_FILE")


@pytest.mark.parametrize("path", ["p/agents", "p/agents/helper.md"])
def test_agents_are_scored_with_their_plugin(
    path: str, market: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(market)
    said = Said(capsys, "score", path)

    assert 2 == said.code
    assert said.last.endswith(
        "agents are scored with their plugin. Score the plugin: plugin-eval score p"
    )


def test_an_agent_outside_of_plugins_is_sent_to_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path / "own/.claude/agents/a.md", "---\nname: a\n---\n")

    assert "plugin-eval report" in Said(capsys, "score", tmp_path / "own").last


# compare and explain


def test_compare_sets_two_skills_side_by_side(
    market: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, "compare", market / "p/skills/one", market / "p/skills/two")

    assert (0, "") == (said.code, said.err)
    assert "|" in said.out


def test_compare_refuses_a_folder(market: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, "compare", market, market / "p", "--depth", "deep")

    assert (2, "") == (said.code, said.out)
    assert said.err.startswith(f"plugin-eval: '{market}' is neither a skill nor a plugin.")


def test_explain_prints_a_page_and_lists_all_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert "MISSING_TRIGGER" in Said(capsys, "explain", "missing_trigger").out
    assert "# BROKEN_LINK" in Said(capsys, "explain", "sk041").out
    assert "| AP003 | MISSING_TRIGGER | anti-pattern | warning |" in Said(capsys, "rules").out


def test_explain_suggests_the_nearest_rule(capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, "explain", "MISSING_TRIGER")

    assert 2 == said.code
    assert said.last.endswith("Did you mean MISSING_TRIGGER?")


# report and init


def test_report_writes_both_files_names_them_and_replaces_its_own(
    market: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    said = [Said(capsys, "report", market, "--output-dir", out) for _ in range(2)]
    files = [path for path in out.rglob("*") if path.is_file()]
    where = f"{out}/README.md, with {len(files) - 1} more files beside it"
    line = f"Report on 1 plugin written to {where}\n"

    assert [(0, line, "")] * 2 == [(one.code, one.out, one.err) for one in said]
    assert (out / "README.md").read_text(encoding="utf-8").startswith(REPORT_MARKER)
    assert 1 == len(read_history((out / "history.jsonl").read_text(encoding="utf-8")).records)


def test_report_adds_a_run_a_commit_and_removes_the_pages_of_plugins_that_are_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository, out = Repository(tmp_path / "r"), tmp_path / "out"
    for name in ("old", "kept"):
        repository.write(f"{name}/.claude-plugin/plugin.json", f'{{"name": "{name}"}}')
        repository.write(f"{name}/skills/{name}/SKILL.md", skill_text(f"# {name}\n"))
    first = repository.commit()
    Said(capsys, "report", repository.root, "--output-dir", out)
    (out / "notes.md").write_text("mine")
    repository.git("rm", "-r", "--quiet", "old")
    second = repository.commit()
    Said(capsys, "report", repository.root, "--output-dir", out)
    history = read_history((out / "history.jsonl").read_text(encoding="utf-8"))

    assert [first, first, second] == [record.commit for record in history.records]
    assert ["kept.md"] == [path.name for path in (out / "plugins").iterdir()]
    assert "mine" == (out / "notes.md").read_text()
    assert not (out / "badges/old.svg").exists()


def test_report_inside_what_it_reports_on_is_no_change_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = Repository(tmp_path / "r")
    repository.write("s/SKILL.md", skill_text())
    commit = repository.commit()
    out = repository.root / "report"
    shown = []
    for _ in range(2):
        Said(capsys, "report", repository.root, "--output-dir", out)
        shown.append((out / "README.md").read_text(encoding="utf-8"))

    assert f"at `{commit[:10]}`." in shown[0]
    assert shown[0] == shown[1]


def test_report_on_uncommitted_changes_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository, out = Repository(tmp_path / "r"), tmp_path / "out"
    repository.write("s/SKILL.md", skill_text())
    commit = repository.commit()
    repository.write("s/SKILL.md", skill_text("Changed."))
    Said(capsys, "report", repository.root, "--output-dir", out)

    shown = (out / "README.md").read_text(encoding="utf-8")
    assert f"at `{commit[:10]} + uncommitted changes`." in shown


@pytest.mark.parametrize("earlier", [False, True])
def test_a_report_that_was_cut_off_is_mended_by_the_next(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, market: Path, *, earlier: bool
) -> None:
    """As by a full disk; here files may have 8 KiB, and report.json has more."""
    out = tmp_path / "out"
    if earlier:
        Said(capsys, "report", market, "--output-dir", out)
        _write(market / "later/.claude-plugin/plugin.json", '{"name": "later"}')
        _write(market / "later/skills/late/SKILL.md", skill_text())
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 13, unlimited[1]))
    try:
        cut_off = Said(capsys, "report", market, "--output-dir", out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    left = [path.name for path in out.rglob("tmp*")]
    mended = Said(capsys, "report", market, "--output-dir", out)

    assert (2, [], 0) == (cut_off.code, left, mended.code)


def test_shards_on_disk_merge_to_the_bytes_of_one_run(
    market: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, merged, shards = tmp_path / "whole", tmp_path / "merged", tmp_path / "shards"
    Said(capsys, "report", market, "--output-dir", whole)
    for at in ("1/2", "2/2"):
        Said(capsys, "report", market, "--shard", at, "--output-dir", shards / at[0])
    said = Said(capsys, "report", "--merge", shards, "--output-dir", merged)

    assert 0 == said.code
    assert _contents(whole) == _contents(merged)


def _contents(directory: Path) -> dict[str, bytes]:
    files = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--output-dir", "x"], "Either ROOT or --merge is needed."),
        ([".", "--merge", "s", "--output-dir", "x"], "Either ROOT or --merge is needed."),
        (["--merge", "nowhere", "--output-dir", "x"], "There is no shard."),
        ([".", "--shard", "3/2", "--output-dir", "x"], "must look like 2/8"),
        ([".", "--shard", "0/2", "--output-dir", "x"], "must look like 2/8"),
        ([".", "--shard", "1/257", "--output-dir", "x"], "must look like 2/8"),
        ([".", "--shard", "x", "--output-dir", "x"], "must look like 2/8"),
    ],
)
def test_report_refuses_what_makes_no_sense(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with chdir(tmp_path):
        found = Said(capsys, "report", *words)

    assert (2, "") == (found.code, found.out)
    assert said in found.err
    assert [] == list(tmp_path.iterdir())


def test_a_history_that_cannot_be_read_stops_the_report_before_anything_is_written(
    market: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    _write(out / "history.jsonl", "<<<<<<< HEAD\n")
    said = Said(capsys, "report", market, "--output-dir", out)

    assert 2 == said.code
    assert "Line 1 of history.jsonl is a conflict marker." in said.err
    assert {"history.jsonl": b"<<<<<<< HEAD\n"} == _contents(out)


def test_a_list_of_files_by_a_stranger_gives_none_of_them_away(
    market: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder may lie in the repository that is reported on."""
    out = tmp_path / "out"
    _write(out / "files.txt", "precious.md\nbadges/p.svg\n")
    _write(out / "precious.md", "precious")
    _write(out / "badges/p.svg", "precious")
    said = Said(capsys, "report", market, "--output-dir", out)

    assert 2 == said.code
    assert {b"precious"} == {text for name, text in _contents(out).items() if name != "files.txt"}


def test_a_folder_of_the_report_that_is_a_link_is_not_followed(
    market: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/plugins").symlink_to(tmp_path / "elsewhere")
    said = Said(capsys, "report", market, "--output-dir", tmp_path / "out")

    assert 2 == said.code
    assert f"{tmp_path}/out/plugins is a symbolic link." in said.err
    assert [] == list((tmp_path / "elsewhere").iterdir())


def test_report_on_skills_alone_counts_skills(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path / "loose/a/SKILL.md", skill_text())
    said = Said(capsys, "report", tmp_path / "loose", "--output-dir", tmp_path / "out")

    assert said.out.startswith("Report on 1 skill written to ")


@pytest.mark.parametrize("name", ["README.md", "report.json"])
@pytest.mark.parametrize("text", ["", "# My project\n", '{"format": "another/1"}', "[" * 100_000])
def test_report_leaves_foreign_files_alone(
    name: str, text: str, market: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (market / name).write_text(text)
    said = Said(capsys, "report", market, "--output-dir", market)

    assert (2, "") == (said.code, said.out)
    assert f"{market / name} is there already" in said.err
    assert text == (market / name).read_text()


def test_init_writes_a_name_that_is_no_text_so_that_strict_readers_take_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = os.fsencode(tmp_path / "skills") + b"/a\xff"
    os.makedirs(folder)
    Path(os.fsdecode(folder), "SKILL.md").write_text("Text.", encoding="utf-8")
    Said(capsys, "init", tmp_path / "skills", "--corpus-dir", tmp_path / "corpus")
    text = (tmp_path / "corpus/index.json").read_text(encoding="utf-8")

    assert "a\\udcff" == json.loads(text)["skills"][0]["path"]


def test_init_writes_an_index_and_replaces_its_own(
    market: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = [Said(capsys, "init", market, "--corpus-dir", tmp_path / "corpus") for _ in range(2)]
    index = json.loads((tmp_path / "corpus/index.json").read_text(encoding="utf-8"))

    assert [0, 0] == [one.code for one in said]
    assert f"Corpus initialized with 2 skills at {tmp_path / 'corpus'}\n" == said[1].out
    assert ["p/skills/one", "p/skills/two"] == [skill["path"] for skill in index["skills"]]


@pytest.mark.parametrize("text", ["", "[]", '{"skills": []}'])
def test_init_leaves_a_foreign_index_alone(
    text: str, market: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index.json").write_text(text)
    said = Said(capsys, "init", market, "--corpus-dir", tmp_path)

    assert 2 == said.code
    assert "Name another folder, or move the file away." in said.last
    assert text == (tmp_path / "index.json").read_text()


# review


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with one skill in its first commit; the run takes place inside it."""
    repository = Repository(tmp_path / "repository")
    repository.write("skills/a/SKILL.md", skill_text())
    repository.commit()
    monkeypatch.chdir(repository.root)
    return repository


@pytest.mark.parametrize("path", ["skills/a", "skills/a/SKILL.md", "skills/b", "."])
def test_review_takes_paths_that_exist_before_or_after(
    path: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository.root / "skills/a/SKILL.md").unlink()
    repository.write("skills/b/SKILL.md", skill_text("Other text.\n"))
    said = Said(capsys, "review", "--base", "HEAD", "--worktree", path)

    assert (0, "") == (said.code, said.err)
    assert said.out


@pytest.mark.usefixtures("repository")
def test_review_refuses_a_path_that_was_never_there(capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, "review", "--base", "HEAD", "--worktree", "skills", "skils")

    assert (2, "") == (said.code, said.out)
    assert "There is no 'skils', neither in " in said.err


@pytest.mark.parametrize("options", [(), ("--worktree",)])
def test_review_of_a_repository_without_commits_asks_for_one(
    options: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(Repository(tmp_path / "new").root)
    said = Said(capsys, "review", "--base", "main", *options)

    assert 2 == said.code
    assert said.last.endswith("Commit something first.")


def test_review_of_a_bare_repository_asks_for_a_clone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Repository(tmp_path / "bare", "--bare").root)

    assert "This is a bare repository" in Said(capsys, "review", "--base", "main").last


def test_review_outside_of_a_repository_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert "in no git repository" in Said(capsys, "review", "--base", "main").last


# Streams and signals, which need a process of their own


def _run(*words: str | Path, redirection: str = "", **environment: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a process; `redirection` is a shell's."""
    command = [*COMMAND_LINE, *map(str, words)]
    if redirection:
        command = ["sh", "-c", f'"$@" {redirection}', "sh", *command]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=os.environ | environment
    )
    return done.returncode, done.stdout, done.stderr


def test_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    _write(tmp_path / f"{FOREIGN}/SKILL.md", skill_text())
    paths = (tmp_path / FOREIGN, tmp_path / f"no-{FOREIGN}")
    found, gone = (
        _run("score", path, LC_ALL="POSIX", PYTHONIOENCODING="ascii:strict") for path in paths
    )

    assert (0, 2) == (found[0], gone[0])
    assert FOREIGN in found[1]
    assert FOREIGN in gone[2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [("--help",), ("--version",), ("rules",)])
def test_a_full_disk_is_an_error_in_one_line(words: tuple[str, ...]) -> None:
    code, _, errors = _run(*words, redirection=">/dev/full")

    assert (2, "plugin-eval: cannot write the output (No space left on device).\n") == (
        code,
        errors,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_no_exit_code(closed: str, market: Path) -> None:
    options = ("--depth", "quick", "--threshold", "100")

    code, _, errors = _run("score", market, *options, redirection=closed)

    assert 1 == code
    assert [] == [line for line in errors.splitlines() if "threshold 100: 2 results" not in line]


@pytest.mark.parametrize("words", [("--version",), ("rules",)])
def test_a_reader_that_has_gone_ends_the_run_quietly(words: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND_LINE, *words], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)

    assert (0, b"") == (done.returncode, done.stderr)


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_stop_from_the_keyboard_is_one_line_and_130(processes: str, tmp_path: Path) -> None:
    for number in range(1500):
        _write(tmp_path / f"many/n{number}/SKILL.md", skill_text("Text.\n\n" * 400))
    options = ("--concurrency", processes, "--depth", "standard")
    command = (*COMMAND_LINE, "score", tmp_path / "many", *options)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stderr is not None
        note = process.stderr.readline()
        time.sleep(0.5)  # as the note comes before the first score
        # As a terminal does: to all processes of the group.
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate()

    assert note.startswith(b"plugin-eval: Depth standard")
    assert (130, b"", b"plugin-eval: stopped.\n") == (process.returncode, output, errors)


def test_a_link_where_a_result_is_to_be_written_is_not_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path / "m/skills/a/SKILL.md", skill_text())
    _write(tmp_path / "victim", "precious")
    (tmp_path / "m/report").mkdir()
    (tmp_path / "m/report/README.md").symlink_to(tmp_path / "victim")
    said = Said(capsys, "report", tmp_path / "m", "--output-dir", tmp_path / "m/report")

    assert 2 == said.code
    assert "precious" == (tmp_path / "victim").read_text(encoding="utf-8")


def test_a_name_by_a_stranger_is_no_command_in_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = tmp_path / "x\n::error file=x::pwned\n##[error]y"
    _write(evil / "SKILL.md", "x" * (1 << 21))
    _write(tmp_path / "ok/SKILL.md", skill_text())
    said = Said(capsys, "compare", evil, tmp_path / "ok")

    assert 2 == said.code
    assert not any(line.lstrip().startswith("::") for line in said.err.splitlines())
    assert "##[" not in said.err
