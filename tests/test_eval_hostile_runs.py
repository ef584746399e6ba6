"""Agents, builds and servers that do what none should: nothing is lost, nothing stays behind."""

from __future__ import annotations

import os
import socket
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

from evals_project import cases, free_port, make_project, recorded, run, runs
from plugineval_action.evals.cases import Case
from plugineval_action.evals.copying import copy_files
from plugineval_action.evals.graders.registry import CHECKS
from plugineval_action.evals.grading import Left, grade
from plugineval_action.evals.loopback import ask
from plugineval_action.evals.processes import MOST_OUTPUT, Task, execute
from plugineval_action.evals.recordings import INTERRUPTED
from plugineval_action.evals.runner.harness import Harness, agent_environment
from plugineval_action.evals.runner.plan import Planned
from plugineval_action.evals.runner.recording import Caps, record
from plugineval_action.evals.runner.workspace import Contents
from plugineval_action.evals.scratch import remove, scratch_folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "project")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def port() -> int:
    return free_port()


CASE = Case(id="a", should_trigger=True, prompt="x", kind="implicit")
DEEP = "run: [(os.mkdir('d'), os.chdir('d')) for _ in range(1100)]"


def python(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", code


@pytest.mark.parametrize(
    "code",
    [
        DEEP,
        "run: open(b'\\xff\\n\\x1b[2J', 'w')",
        "run: os.mkdir('d' * 250); [open('d' * 250 + f'/{n:0250}', 'w') for n in range(2200)]",
        "run: import socket; socket.socket(socket.AF_UNIX).bind('s')",
        "run: os.rename(os.getcwd(), '../x'); os.symlink('/etc', '../workspace')",
        "run: import shutil; shutil.rmtree(os.getcwd())",
        "run: shutil = __import__('shutil'); shutil.rmtree('../repository')",
        "run: os.symlink('.', 'loop'); os.symlink('gone', 'gone')",
        "run: os.chmod('out.txt', 0); os.mkdir('x'); os.chmod('x', 0)",
        "run: open('big', 'w').truncate(1 << 40)",
        "run: os.kill(os.getpid(), 11)",
        "run: os.write(2, b'\\x1b[31m\\xff' * 100_000)",
        "run: os.write(1, b'\\xff{[' * 100_000)",
    ],
)
def test_whatever_an_agent_leaves_the_other_runs_are_graded(
    project: Path,
    code: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    cases(project, a=code, b="fine")

    assert 0 == run()
    out, err = capsys.readouterr()
    assert "Passed: " in out
    assert "`b`" in out
    assert "\x1b" not in out + err
    assert {"with/a.1", "with/b.1"} == recorded(project).keys()
    assert not list((project / "traces").rglob("passwd"))


def test_a_file_too_large_to_keep_is_neither_there_nor_absent(project: Path) -> None:
    cases(project, a="run: open('big.json', 'w').truncate(1 << 40)")

    run()
    found = recorded(project)["with/a.1"]
    assert ("big.json",) == found.seen.left_out
    assert ("?? big.json", "?? out.txt") == found.seen.changes
    left = Left(found.files, left_out=found.seen.left_out)
    for kind in ("file_exists", "file_absent", "file_json"):
        check = CHECKS[kind].model_validate({"id": "c", "type": kind, "path": "big.json"})
        verdict = grade(CASE, "s", [check], [], left).checks[0].verdict
        assert ("unknown", "big.json was too much to be kept, or could not be read.") == verdict[:2]


def test_what_is_expected_is_not_shown_to_who_is_examined(project: Path) -> None:
    cases(project, a="run: open('seen', 'w').write(' '.join(map(str, pathlib.Path().rglob('*'))))")

    run("--workspace", ".")
    files = recorded(project)["with/a.1"].files
    assert files
    seen = (files / "seen").read_text()
    assert "skills/s/SKILL.md" in seen
    assert "checks.yaml" not in seen


def test_a_workspace_that_is_a_worktree_is_copied_without_its_repository(
    project: Path,
) -> None:
    (project / "base").mkdir()
    (project / "base/.git").write_text("gitdir: /somewhere/else\n")
    cases(project, a="run: open('x', 'w')")

    run("--workspace", "base")
    assert ("?? out.txt", "?? x") == recorded(project)["with/a.1"].seen.changes


@pytest.mark.parametrize(
    "code",
    [
        "p = subprocess.Popen(['sleep', '300'], start_new_session=True)",
        "p = subprocess.Popen(['sh', '-c', 'trap \"\" TERM; sleep 300; sleep 1'])",
        "p = subprocess.Popen(['setsid', '-f', 'sleep', '300']); p.pid += 1",
    ],
)
def test_what_leaves_its_group_or_will_not_end_is_ended_too(
    project: Path,
    code: str,
) -> None:
    cases(project, a=f"run: {code}; open('pid', 'w').write(str(p.pid))")

    run()
    files = recorded(project)["with/a.1"].files
    assert files
    assert not runs(int((files / "pid").read_text()))


def test_an_agent_gets_the_keys_of_its_own_provider_only() -> None:
    keys = {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o", "GITHUB_TOKEN": "g"}

    def given(program: str) -> set[str]:
        return agent_environment(program, keys).keys() & keys.keys()

    assert {"OPENAI_API_KEY"} == given("/usr/bin/codex")
    assert {"ANTHROPIC_API_KEY"} == given("/usr/bin/claude")
    assert {"OPENAI_API_KEY", "ANTHROPIC_API_KEY"} == given("/usr/bin/wrapper")


@pytest.mark.parametrize(
    ("stream", "told"), [(1, "Its trace is over 1 MiB."), (2, "It printed over 1 MiB of errors.")]
)
def test_an_agent_that_prints_without_end_is_ended(stream: int, told: str, tmp_path: Path) -> None:
    code = f"import os\nwhile True: os.write({stream}, b'x' * 100_000)"
    harness = Harness("agent", (*python(code), "{prompt}"), {})
    caps = Caps(300, lambda: False, most_bytes=1 << 20)
    planned = Planned(CASE, "with", 1)
    seen = record(planned, harness, Contents((), None, "s"), tmp_path, caps)

    assert told == seen.stopped
    assert len(seen.errors) <= 500


def test_a_build_that_ignores_its_end_is_ended(tmp_path: Path) -> None:
    code = "import os, signal, time; signal.signal(15, signal.SIG_IGN); os.fork(); time.sleep(300)"
    began = time.monotonic()

    assert "took over 0.5 s" == execute(Task(python(code), 0.5), tmp_path).stopped
    assert time.monotonic() - began < 60


def test_a_build_that_prints_without_end_is_ended(tmp_path: Path) -> None:
    code = "import os\nwhile True: os.write(1, b'x' * 1_000_000)"
    ended = execute(Task(python(code), 300), tmp_path)

    assert (f"printed over {MOST_OUTPUT >> 20} MiB", "x" * 10) == (
        ended.stopped,
        ended.output[:10],
    )


def test_a_server_may_go_on_in_the_background_of_its_group(tmp_path: Path, port: int) -> None:
    code = (
        "import http.server, os, sys, time\n"
        "if os.fork(): sys.exit()\n"
        "time.sleep(0.5)\n"
        f"http.server.HTTPServer(('127.0.0.1', {port}), "
        "http.server.SimpleHTTPRequestHandler).serve_forever()"
    )
    task = Task(python(code), 30, f"http://127.0.0.1:{port}/")

    for _ in range(2):
        answer = execute(task, tmp_path).answer
        assert answer
        assert 200 == answer.status


def test_an_answer_that_drips_takes_no_longer_than_any_other(port: int) -> None:
    server = socket.create_server(("127.0.0.1", port))

    def drip() -> None:
        with server, server.accept()[0] as connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
            try:
                for _ in range(600):
                    connection.sendall(b"x")
                    time.sleep(0.1)
            except OSError:
                pass

    thread = Thread(target=drip)
    thread.start()
    assert ask(f"http://127.0.0.1:{port}/", 0.5) is None
    thread.join(30)
    assert not thread.is_alive()


def test_a_deep_folder_is_copied_as_deep_as_is_sane_and_removed_whole(tmp_path: Path) -> None:
    here = Path.cwd()
    with scratch_folder() as scratch:
        os.chdir(scratch)
        for _ in range(1100):
            os.mkdir("d")
            os.chdir("d")
        os.chdir(here)
        (scratch / "d/file").write_text("x")
        left_out = copy_files(scratch, tmp_path / "copy")
    assert not scratch.exists()
    assert ("/".join("d" * 100),) == left_out
    assert "x" == (tmp_path / "copy/d/file").read_text()


def test_removing_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").write_text("x")
    (tmp_path / "link").symlink_to("kept")

    remove(tmp_path / "link")
    remove(tmp_path / "gone")
    assert ["kept"] == [path.name for path in tmp_path.iterdir()]
    assert (tmp_path / "kept/file").exists()


def test_an_interrupted_run_says_nothing_of_the_skill() -> None:
    one = grade(CASE, "s", [], [], Left(stopped=INTERRUPTED))

    assert ("ungraded", f"The run did not end: {INTERRUPTED}") == (one.outcome, one.why)
