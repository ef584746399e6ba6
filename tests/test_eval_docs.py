"""docs/evals.md is true: its example is graded so, its cases are read, its tables hold."""

from __future__ import annotations

import re
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


def block(language: str, page: str = PAGE) -> str:
    """The first block of a language."""
    fence = rf"^```{language}\n(.*?)^```"
    found: list[str] = re.findall(fence, read(page), re.MULTILINE | re.DOTALL)
    return found[0]


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
    (tmp_path / "csv-report.prompts.csv").write_text(block("csv"))
    (tmp_path / "csv-report.checks.yaml").write_text(block("yaml"))
    cases = read_cases(tmp_path / "csv-report.prompts.csv")

    assert ["totals", "sort"] == [one.id for one in cases.cases]
    assert 4 == len(read_checks(tmp_path / "csv-report.checks.yaml", "csv-report", cases))


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
