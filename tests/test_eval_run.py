"""Running an agent: a stand-in for a harness, real processes, real workspaces."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evals_project import CHECKS, agent, cases, make_project, recorded, run, runs
from plugineval_action.errors import UsageError
from plugineval_action.evals.runner.harness import KNOWN, harness
from plugineval_action.evals.runner.plan import planned
from plugineval_action.evals.suite import read_suite


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "project")
    monkeypatch.chdir(root)
    return root


def test_each_case_runs_in_a_fresh_workspace_and_is_graded(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases(
        project,
        a="write",
        b='run: assert not os.path.exists("left"); open("left", "w")',
        c='run: assert not os.path.exists("left")',
    )

    assert 0 == run()
    out, err = capsys.readouterr()
    assert "3 of 3 cases passed" in out
    assert "1/3 a.1 with: exit status 0" in err
    found = recorded(project)["with/a.1"]
    assert ("agent", "agent 1.2.3", 0) == (
        found.seen.harness, found.seen.version, found.seen.exit_code,
    )  # fmt: skip
    assert ("?? out.txt",) == found.seen.changes
    assert found.files
    assert "write" == (found.files / "out.txt").read_text()


def test_the_skill_is_there_in_one_arm_only_and_never_its_answers(project: Path) -> None:
    look = 'run: print(json.dumps({"found": sorted(map(str, pathlib.Path(".").rglob("*.md")))}))'
    cases(project, a=look)

    run("--both-arms", "--repeats", "2")
    found = recorded(project)
    assert ["with/a.1", "with/a.2", "without/a.1", "without/a.2"] == sorted(found)
    assert '[".agents/skills/s/SKILL.md", ".claude/skills/s/SKILL.md"]' in (
        found["with/a.1"].trace.read_text()
    )
    assert '{"found": []}' in found["without/a.1"].trace.read_text()


def test_setup_is_laid_over_the_workspace(project: Path) -> None:
    for folder, name in (("base", "a"), ("base", "b"), ("evals/files", "b")):
        (project / folder).mkdir(exist_ok=True)
        (project / folder / name).write_text(folder)
    rows = [{"id": "x", "should_trigger": True, "prompt": "x", "setup": "files"}]
    (project / "evals/s.prompts.yaml").write_text(json.dumps(rows))

    run("--workspace", "base")
    files = recorded(project)["with/x.1"].files
    assert files
    assert ("base", "evals/files") == ((files / "a").read_text(), (files / "b").read_text())


def test_a_prompt_is_one_argument_or_standard_input_and_never_a_command(project: Path) -> None:
    hostile = '--help"; touch /tmp/pwned; $(id) {workspace} \n'
    cases(project, a=hostile)

    run(command=agent("--argument", "{prompt}"))
    files = recorded(project)["with/a.1"].files
    assert files
    assert hostile == (files / "out.txt").read_text()


def test_a_harness_may_be_named_from_the_current_folder(project: Path) -> None:
    cases(project, a="x")

    assert 0 == run(command="./agent")
    assert "agent 1.2.3" == recorded(project)["with/a.1"].seen.version
    assert 0 == recorded(project)["with/a.1"].seen.exit_code


def test_a_run_that_could_not_start_says_why(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases(project, a="x")
    (project / "broken").write_text("#!/no/such/interpreter\n")
    (project / "broken").chmod(0o755)
    run(command="./broken")

    assert "a.1 with: not started: [Errno 2] No such file" in capsys.readouterr().err


def test_one_failing_run_stops_no_other(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases(project, a="run: sys.exit('no key')", b="run: print('x' * 10)", c="fine")

    run("--concurrency", "2")
    out, err = capsys.readouterr()
    assert "2 of 2 cases passed, 1 not graded." in out
    assert "exit status 1" in err
    assert "no key" in err
    assert "Its last error: no key" in out
    assert "1 line that no reader knows" in out


def test_a_run_that_takes_too_long_is_stopped_with_all_it_started(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = (
        'run: p = subprocess.Popen(["sleep", "300"]); '
        'open("pid", "w").write(str(p.pid)); time.sleep(300)'
    )
    cases(project, a=code)

    run("--timeout", "1.5")
    found = recorded(project)["with/a.1"]
    assert "It took over 1.5 s." == found.seen.stopped
    assert "The run was stopped: It took over 1.5 s." in capsys.readouterr().out
    assert found.files
    assert not runs(int((found.files / "pid").read_text()))


def test_no_run_is_begun_once_the_tokens_are_spent(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases(project, a="x", b="y", c="z")

    run("--max-tokens", "200")
    out = capsys.readouterr().out
    assert "The tokens were spent before 1 run could begin." in out
    assert "Not run: c." in out


def test_what_an_agent_writes_into_git_is_not_obeyed(project: Path) -> None:
    config = (
        '[core]\\n\\tfsmonitor = touch pwned\\n[filter \\"x\\"]\\n\\tclean = touch pwned; cat\\n'
    )
    code = (
        f'run: [open(where, "a").write("{config}") '
        'for where in (".git/config", "../repository/config")]; '
        'open(".gitattributes", "w").write("* filter=x"); open("new", "w").write("x")'
    )
    cases(project, a=code)

    run()
    found = recorded(project)["with/a.1"]
    assert ("?? .gitattributes", "?? new", "?? out.txt") == found.seen.changes
    assert found.files
    assert not (found.files / "pwned").exists()


def test_what_git_ignores_is_no_change(project: Path) -> None:
    (project / "base").mkdir()
    (project / "base/.gitignore").write_text("*.log\n")
    cases(project, a='run: open("x.log", "w"); open(".gitignore", "a").write("y")')

    run("--workspace", "base")
    assert (" M .gitignore", "?? out.txt") == recorded(project)["with/a.1"].seen.changes


def test_the_harness_gets_its_own_variables_and_no_other_secrets(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_TOKEN", "OPENAI_API_KEY", "EXTRA"):
        monkeypatch.setenv(name, "x")
    cases(project, a='run: open("env", "w").write(" ".join(sorted(os.environ)))')

    run("--pass-env", "EXTRA")
    files = recorded(project)["with/a.1"].files
    assert files
    names = (files / "env").read_text().split()
    assert {"EXTRA", "OPENAI_API_KEY", "PATH"} <= set(names)
    assert "GITHUB_TOKEN" not in names


def test_pipes_and_links_in_a_workspace_are_not_followed(project: Path) -> None:
    cases(project, a='run: os.mkfifo("pipe"); os.symlink("/etc/passwd", "link")')

    run()
    files = recorded(project)["with/a.1"].files
    assert files
    assert (False, True) == ((files / "pipe").exists(), (files / "link").is_symlink())


def test_builds_run_in_a_copy(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = shlex.join([sys.executable, "-c", "open('built', 'w')"])
    lines = CHECKS, f"- {{id: b, type: build, command: {json.dumps(command)}}}\n"
    built = "- {id: c, type: file_exists, path: built}\n"
    (project / "evals/s.checks.yaml").write_text("".join((*lines, built)))
    cases(project, a="x")

    run()
    assert "1 of 1 case passed" in capsys.readouterr().out
    files = recorded(project)["with/a.1"].files
    assert files
    assert not (files / "built").exists()


def test_ctrl_c_ends_the_agent_and_keeps_what_was_done(project: Path) -> None:
    code = 'open(os.environ["HOME"] + "/pid", "w").write(str(os.getpid())); time.sleep(300)'
    cases(project, a="fine", b=f"run: {code}", c="never")
    words = [sys.executable, "-m", "plugineval_action", "eval", "run", "skills/s"]
    process = subprocess.Popen(
        [*words, "--harness", agent(), "--traces", "traces"],
        env={**os.environ, "HOME": str(project), "PYTHONUNBUFFERED": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    pid = project / "pid"
    while process.poll() is None and not (pid.exists() and pid.read_text()):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()

    assert 130 == process.returncode
    assert b"plugin-eval: stopped." in err
    assert b"1 of 1 case passed, 1 not graded." in out
    assert b"It was interrupted before 1 run could begin." in out
    assert {"with/a.1", "with/b.1"} == recorded(project).keys()
    assert not runs(int(pid.read_text()))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--case", "b"], "There is no case 'b'. Known are a."),
        (["--pass-env", "NO_SUCH_NAME"], "NO_SUCH_NAME is not set."),
        (["--workspace", "gone"], "There is no folder 'gone'."),
        (["--timeout", "0"], "must be seconds"),
    ],
)
def test_wrong_options_are_answered_before_anythingruns(
    options: list[str], told: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases(project, a="x")

    assert 2 == run(*options)
    assert told in capsys.readouterr().err
    assert not (project / "traces").exists()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-agent x", "There is no program 'no-such-agent' on the PATH."),
        ("x {model}", "a place {model} that nothing fills"),
        ("x 'y", "Close the quote."),
        (" ", "--harness is empty."),
    ],
)
def test_a_harness_that_cannot_start_is_refused(command: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        harness(command, (), {})

    assert told in str(caught.value)


def test_where_runs_are_recorded_is_told_plainly_and_not_in_the_result(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases(project, a="x")
    traces = project / "20261201-0<b>1\x1b"

    assert 0 == run("--traces", traces)
    out, err = capsys.readouterr()
    assert f"The runs are recorded in {project}/20261201-0<b>1\\x1b.\n" in err
    assert "recorded in" not in out


def test_a_folder_for_traces_that_cannot_be_made_is_told_before_anything_runs(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases(project, a="run:raise SystemExit(3)")
    (project / "file").touch()

    assert 2 == run("--traces", "file/traces")
    out, err = capsys.readouterr()
    told = "file/traces cannot be made (Not a directory). Name a folder that can be written"
    assert told in err
    assert "with --traces" in err
    assert "" == out


def test_runs_are_never_written_over(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases(project, a="x")

    assert [0, 2] == [run(), run()]
    assert "holds runs of these cases. Name another folder." in capsys.readouterr().err


def test_known_harnesses_ask_for_the_least_and_for_nothing_that_is_gone() -> None:
    for command in KNOWN.values():
        assert not {"--full-auto", "--yolo", "--dangerously-skip-permissions", "--bare"} & set(
            command.split()
        )
    assert "--sandbox workspace-write" in KNOWN["codex"]


def test_repeats_go_round_and_only_prompts_that_can_differ_run_without_the_skill(
    project: Path,
) -> None:
    rows = "id,should_trigger,prompt\nx,true,/s do\ni,true,do\nn,false,no\n"
    (project / "evals/s.prompts.csv").write_text(rows)
    suite = read_suite("s", project / "evals")

    assert ["x", "i", "i", "n", "x", "i", "i", "n"] == [
        one.case.id for one in planned(suite.cases, 2, both_arms=True)
    ]
    assert ["i", "i"] == [
        one.case.id for one in planned(suite.cases, 2, both_arms=True) if one.arm == "without"
    ]
