"""docs/evals.md is true: its example is graded so, its cases are read, its tables hold."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from documents import ROOT, read, rows, section
from plugineval_action.cli.main import main
from plugineval_action.evals.cases import KINDS, read_cases
from plugineval_action.evals.checks import read_checks
from plugineval_action.evals.evaluator.config import DEFAULTS, TOLERANCE, MetricSettings
from plugineval_action.evals.evaluator.judgment_config import JudgmentSettings
from plugineval_action.evals.evaluator.metrics import KINDS as METRICS
from plugineval_action.evals.graders.base import Check
from plugineval_action.evals.graders.registry import CHECKS
from plugineval_action.evals.runner.harness import KNOWN
from plugineval_action.inputs.csv_file import COLUMNS

PAGE = "docs/evals.md"
CONFIG = "docs/evaluators.md"


def blocks(page: str, *languages: str) -> list[str]:
    """The blocks of a page in some languages."""
    fence = rf"^```(?:{'|'.join(languages)})\n(.*?)^```"
    found: list[str] = re.findall(fence, read(page), re.MULTILINE | re.DOTALL)
    return found


def block(language: str, page: str = PAGE) -> str:
    """The first block of a language."""
    return blocks(page, language)[0]


def test_the_graded_example_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    shown = "".join(
        f"{line.removeprefix('>').removeprefix(' ')}\n"
        for line in read(PAGE).splitlines()
        if line.startswith(">")
    )
    main([
        "eval", "grade", str(ROOT / "examples/csv-report/skills/csv-report"),
        "--traces", str(ROOT / "examples/csv-report/evals/traces/codex"),
    ])  # fmt: skip

    assert capsys.readouterr().out == shown.replace("### Evals", "## Evals")


def test_a_newcomers_cases_and_checks_work_as_they_are_printed(tmp_path: Path) -> None:
    (tmp_path / "files/sales").mkdir(parents=True)
    (tmp_path / "csv-report.prompts.csv").write_text(block("csv"))
    (tmp_path / "csv-report.checks.yaml").write_text(block("yaml"))
    cases = read_cases(tmp_path / "csv-report.prompts.csv")

    assert ["totals", "sort"] == [one.id for one in cases.cases]
    assert 4 == len(read_checks(tmp_path / "csv-report.checks.yaml", "csv-report", cases))


AGENT = """
import json, pathlib, sys
prompt = sys.stdin.read()
def done(**item):
    print(json.dumps({"type": "item.completed", "item": {"id": "i", **item}}))
def ran(command):
    done(type="command_execution", command=command, exit_code=0, status="completed")
print(json.dumps({"type": "thread.started", "thread_id": "t"}))
rows = pathlib.Path("sales.csv").read_text().splitlines()
if not prompt.startswith("Sort"):
    ran("cat .agents/skills/csv-report/SKILL.md")
    pathlib.Path("out").mkdir()
    pathlib.Path("out/report.md").write_text(f"{len(rows)} rows")
    ran("python3 -m json.tool out/totals.json")
done(type="agent_message", text="Done")
print(json.dumps({"type": "turn.completed", "usage": {"input_tokens": 9, "output_tokens": 1}}))
"""


@pytest.mark.parametrize("page", ["README.md", PAGE])
def test_what_a_page_tells_a_newcomer_to_write_runs_the_first_time(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "examples/csv-report/skills", tmp_path / "skills")
    setup = next(one for one in blocks(page, "bash", "sh") if "mkdir" in one)
    subprocess.run(["/bin/sh", "-ec", setup], cwd=tmp_path, check=True)
    (tmp_path / "evals/csv-report.prompts.csv").write_text(blocks(page, "csv")[0])
    checks = next(one for one in blocks(page, "yaml") if one.startswith("checks:"))
    (tmp_path / "evals/csv-report.checks.yaml").write_text(checks)
    (tmp_path / "agent").write_text(f"#!{sys.executable}\n{AGENT}")
    (tmp_path / "agent").chmod(0o755)
    monkeypatch.chdir(tmp_path)

    assert 0 == main(["eval", "run", "skills/csv-report", "--harness", "./agent"])
    assert "**2 of 2 cases passed.**" in capsys.readouterr().out


@pytest.mark.parametrize("page", ["README.md", PAGE])
def test_the_paths_of_commands_are_there_in_a_clone(page: str) -> None:
    named = re.findall(r"plugin-eval eval .*?(examples/\S+)(?: --traces (\S+))?", read(page))

    assert len(named) >= 3
    assert [] == [path for path in chain(*named) if path and not (ROOT / path).is_dir()]


def test_the_columns_and_kinds_are_all_there() -> None:
    listed = rows(section(PAGE, "## Cases"))

    assert {f"`{name}`" for name in COLUMNS} == {name for name, _ in listed}
    assert all(f"`{kind}`" in read(PAGE) for kind in KINDS)


def test_the_types_of_checks_are_listed_with_their_settings() -> None:
    listed = rows(section(PAGE, "## Checks"))
    settings = {
        name: set(re.findall(r"`(\w+)`", cells))
        for names, _, cells in listed
        for name in re.findall(r"`(\w+)`", names)
    }
    common = set(Check.model_fields)

    assert {name: set(model.model_fields) - common for name, model in CHECKS.items()} == settings


def test_the_harnesses_are_listed_with_what_they_are_started_with() -> None:
    listed = {name: command for name, command, _ in rows(section(PAGE, "## Running"))}

    for name, command in KNOWN.items():
        words = listed[f"`{name}`"].strip("`").replace("… ", "").split()
        assert [word for word in words if word not in command.split()] == []


def test_the_keys_and_defaults_of_the_evaluator_are_documented() -> None:
    keys = {key.strip("`") for key, *_ in rows(section(CONFIG, "## Keys"))}
    text = read(CONFIG)

    assert (set(MetricSettings.model_fields) | {"default_model"}) == keys
    assert all(f"`{name}`" in text for name in (*METRICS, *JudgmentSettings.model_fields))
    assert all(f"{value:g}" in text for value in (TOLERANCE, *DEFAULTS[1:4]))
    assert DEFAULTS.model in text


def test_the_evaluator_of_the_page_is_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "evaluator.toml").write_text(block("toml", CONFIG))

    assert 0 == main(["config", "validate", str(tmp_path / "evaluator.toml")])
    assert "tone (LLMPlain): weight 0.4" in capsys.readouterr().out
