"""`plugin-eval eval grade` on the example: both harnesses, every way of writing the result."""

from __future__ import annotations

import io
import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from rich.cells import cell_len
from rich.console import Console

from evals_samples import THREAD, done, ended, jsonl
from golden_files import assert_golden
from plugineval_action.cli.main import main
from plugineval_action.evals.baseline import Changes
from plugineval_action.evals.cases import Case
from plugineval_action.evals.graders.base import Verdict
from plugineval_action.evals.grading import Facts, Graded, Run
from plugineval_action.evals.outcomes import Trial, summarise
from plugineval_action.evals.traces.events import End
from plugineval_action.render.evals import to_json, to_junit, to_markdown, to_terminal
from plugineval_action.render.evals.view import EvalRun

EXAMPLE = Path(__file__).parents[1] / "examples/csv-report"
SKILL = str(EXAMPLE / "skills/csv-report")
HOSTILE = "|<b>`@you`\x1b[31m\n::error::x ]]> &amp; \ud800 #1 " + "y" * 500


def grade(
    capsys: pytest.CaptureFixture[str], *options: str, harness: str = "codex"
) -> tuple[int, str]:
    capsys.readouterr()
    traces = str(EXAMPLE / "evals/traces" / harness)
    code = main(["eval", "grade", SKILL, "--traces", traces, *options])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("harness", ["codex", "claude"])
def test_the_example_is_graded_as_when_somebody_last_looked(
    harness: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_golden(f"evals_{harness}.md", grade(capsys, harness=harness)[1])


def test_every_fact_is_in_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    [skill] = json.loads(grade(capsys, "--output", "json")[1])["skills"]
    busy = next(one for one in skill["runs"] if (one["case"], one["repeat"]) == ("busy", 1))

    assert ["busy"] == skill["changes"]["broken"]
    assert {"hits": 5, "runs": 5, "share": 1.0} == {
        key: skill["activation"]["precision"][key] for key in ("hits", "runs", "share")
    }
    assert ("failed", 3, [7]) == (
        busy["outcome"],
        busy["commands"],
        next(one["lines"] for one in busy["checks"] if one["id"] == "installs-nothing"),
    )


@pytest.mark.parametrize("harness", ["codex", "claude"])
def test_the_json_fits_its_schema(harness: str, capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads((EXAMPLE.parents[1] / "docs/schema/evals.schema.json").read_text())
    check = jsonschema_rs.validator_for(schema)
    document = json.loads(grade(capsys, "--output", "json", harness=harness)[1])

    assert [] == [str(error) for error in check.iter_errors(document)]
    assert [] == [*check.iter_errors(json.loads(to_json.render([hostile_run()])))]


def test_junit_has_a_test_for_each_run_and_skips_what_was_not_graded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    suite = ET.fromstring(grade(capsys, "--output", "junit")[1])[0]  # noqa: S314 - our own

    assert ("9", "2", "1") == (suite.get("tests"), suite.get("failures"), suite.get("skipped"))
    assert 9 == len(suite.findall("testcase"))
    assert "totals-are-json: out/totals.json is not valid JSON" in (
        suite.findall("testcase/failure")[0].text or ""
    )


@pytest.mark.parametrize(("gate", "code"), [("never", 0), ("broken", 1), ("failed", 1)])
def test_a_gate_fails_on_broken_or_failed_cases(
    gate: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code == grade(capsys, "--fail-on", gate)[0]


def test_a_saved_baseline_makes_the_next_run_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "b.json")

    assert 0 == grade(capsys, "--baseline", file, "--save-baseline")[0]
    code, out = grade(capsys, "--baseline", file, "--fail-on", "broken")
    assert (0, False) == (code, "broken" in out)


def test_traces_from_elsewhere_need_no_files_and_no_meta(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = EXAMPLE / "evals/traces/codex/with"
    shutil.copy(source / "totals.1.jsonl", tmp_path / "totals.jsonl")
    shutil.copy(source / "totals.1.jsonl", tmp_path / "stranger.jsonl")
    code = main(["eval", "grade", SKILL, "--traces", str(tmp_path)])
    out, err = capsys.readouterr()

    assert 2 == code, "a must-pass check of a file cannot be told"
    assert "those of files need the folder <case>.<repeat>.files beside the trace." in err
    assert "The files that the run left were not kept." in out
    assert "stranger.jsonl belongs to no case" in out
    assert "Not run: named, summary, busy, sort, chart." in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["gone", "--traces", "x"], "There is no 'gone'."),
        ([str(EXAMPLE), "--traces", "x"], "is no skill. Name the folder that holds SKILL.md."),
        ([SKILL, "--traces", "gone"], "There is no folder 'gone'. Name the folder of the traces."),
        ([SKILL, "--traces", f"{SKILL}/SKILL.md"], "SKILL.md is no folder. Name the folder of"),
        (
            [SKILL, "--traces", f"{EXAMPLE}/evals/traces"],
            f"codex, claude do. Grade one run at a time: --traces {EXAMPLE}/evals/traces/codex",
        ),
        (
            [SKILL, "--traces", f"{EXAMPLE}/evals"],
            "its folders traces/codex, traces/claude do. Grade one run at a time: --traces /",
        ),
        ([SKILL, "--traces", SKILL], "holds no traces. Put them there as <case>.jsonl"),
        ([SKILL, "--traces", "x", "--evals", SKILL], "holds no csv-report.prompts.csv."),
        (
            [SKILL, "--traces", f"{EXAMPLE}/evals/traces/codex", "--baseline", "gone.json"],
            "There is no baseline 'gone.json'. Write it with --save-baseline.",
        ),
    ],
)
def test_what_is_missing_is_named_with_what_to_do(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main(["eval", "grade", *words])
    assert told in capsys.readouterr().err


# Hostile names


def hostile_run() -> EvalRun:
    case = Case(id="a", should_trigger=True, prompt="x", kind="implicit")
    check = Graded(
        "c", "final_message", "outcome", must_pass=True, verdict=Verdict("failed", HOSTILE, (3,))
    )
    facts = Facts(None, End(3, "completed"), None, HOSTILE, 0, 0, ((HOSTILE, 2),))
    trial = Trial(Run(case, "failed", HOSTILE, (check,), facts), "with", 1, f"{HOSTILE}.jsonl")
    changed = Changes(("a",), (), (), (), ())
    return EvalRun(summarise("s", [case], [trial]), changed, "2026-01-01T00:00:00+00:00")


def test_hostile_text_stays_text_in_markdown() -> None:
    assert_golden("evals_hostile.md", to_markdown.render([hostile_run()]))


def test_hostile_text_stays_text_in_a_terminal() -> None:
    text = in_terminal(hostile_run())

    assert not {"\x1b", "\ud800"} & {*text}
    assert "\n::" not in text
    assert "<b>`@you`\\x1b[31m ::error::x ]]> &amp;" in " ".join(text.split())


@pytest.mark.parametrize("width", [50, 80, 200])
def test_a_terminal_shows_plain_text_within_its_width(width: int) -> None:
    run = hostile_run()._replace(notes=("$0.15 in 20261201-01, a_b*c*",))
    lines = in_terminal(run, width).splitlines()

    assert max(map(cell_len, lines)) <= width
    assert "Note: $0.15 in 20261201-01, a_b*c*" in " ".join(" ".join(lines).split())


def in_terminal(run: EvalRun, width: int = 80) -> str:
    output = io.StringIO()
    to_terminal.render([run], Console(file=output, width=width))
    return output.getvalue()


def test_a_terminal_shows_what_the_markdown_says() -> None:
    """In a real terminal, the words of the result without its markup."""
    words = ["eval", "grade", SKILL, "--traces", f"{EXAMPLE}/evals/traces/claude"]
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "plugineval_action", *words]
    environment = {**os.environ, "COLUMNS": "100", "TERM": "dumb"}
    subprocess.run(command, stdout=theirs, check=True, env=environment)
    os.close(theirs)
    text = " ".join(os.read(ours, 1 << 16).decode().split())

    assert "Evals of csv-report 3 of 5 cases passed" in text
    assert "ungraded chart The run did not end: API error 529" in text
    assert "Passed: named, totals." in text
    assert "tokens in 5 runs, $0.15 by the harness's own estimate." in text
    assert "**" not in text


def test_hostile_text_stays_text_in_xml() -> None:
    document = to_junit.render([hostile_run()])

    assert 1 == len(ET.fromstring(document.encode())[0])  # noqa: S314 - our own
    assert "\x1b" not in document


def test_hostile_text_stays_text_in_json() -> None:
    document = to_json.render([hostile_run()])

    assert HOSTILE[:5] == json.loads(document)["skills"][0]["runs"][0]["why"][:5]
    assert "\x1b" not in document


def test_a_skill_is_known_by_its_name_and_by_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skill = tmp_path / "skills/folder-name"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: own-name\ndescription: Does it.\n---\n")
    (tmp_path / "own-name.prompts.csv").write_text("id,should_trigger,prompt\na,true,x\nb,true,x\n")
    for case, line in (("a", ended("cat x/folder-name/SKILL.md")), ("b", ended("cat y/SKILL.md"))):
        (tmp_path / f"{case}.jsonl").write_bytes(jsonl([THREAD, line, done()]))
    words = ["eval", "grade", str(skill), "--evals", str(tmp_path), "--traces", str(tmp_path)]

    assert 0 == main(words)
    out = capsys.readouterr().out
    assert "1 of 2 cases passed" in out
    assert "activation: own-name was not activated." in out


def copied(tmp_path: Path, checks: str, name: str = "csv-report.checks.yaml") -> str:
    """The folder of the example's evals, with other checks."""
    folder = tmp_path / "evals"
    shutil.copytree(EXAMPLE / "evals", folder, ignore=shutil.ignore_patterns("*checks*", "base*"))
    (folder / name).write_text(checks, encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize("name", ["csv-reports.checks.yaml", "checks.yaml"])
def test_checks_that_nobody_reads_are_told_of(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = "checks:\n  - {id: a, type: file_exists, path: a}\n"
    shown = grade(capsys, "--evals", copied(tmp_path, checks, name))[1]

    assert "Nothing but activation is checked: write checks in" in shown
    assert f"There is {name}." in shown


def test_a_check_for_no_case_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checks = "checks:\n  - {id: a, type: file_exists, path: a, only: {tags: [typo]}}\n"

    assert "Check a is for no case" in grade(capsys, "--evals", copied(tmp_path, checks))[1]


def test_a_remark_that_did_not_pass_is_shown_and_fails_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = "checks:\n  - {id: few, type: max_commands, limit: 0, must_pass: false}\n"
    code, shown = grade(capsys, "--evals", copied(tmp_path, checks))

    assert "Remark few, which fails no case: not passed in" in shown
    assert "6 of 6 cases passed" in shown
    assert 0 == code
