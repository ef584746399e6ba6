"""Graders: what passes, what fails, and what cannot be told."""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evals_project import free_port
from evals_samples import (
    INIT,
    THREAD,
    Line,
    began,
    calls,
    done,
    ended,
    events,
    gives,
    item,
    result,
)
from plugineval_action.evals.cases import Case
from plugineval_action.evals.graders.base import Check
from plugineval_action.evals.graders.registry import CHECKS
from plugineval_action.evals.grading import Left, Run, grade
from plugineval_action.evals.processes import execute

CASE = Case(id="a", should_trigger=True, prompt="x", kind="implicit")
NEGATIVE = Case(id="n", should_trigger=False, prompt="x", kind="negative")
NOTHING = Left()
EXPLICIT = Case(id="e", should_trigger=True, prompt="/s x", kind="explicit")


def check(kind: str, **settings: object) -> Check:
    if kind == "activation":
        settings = {"skill": "s"} | settings
    return CHECKS[kind].model_validate({"id": "c", "type": kind, **settings})


def graded(
    one: Check, *lines: Line, case: Case = CASE, left: Left = NOTHING, end: Line | None = None
) -> Run:
    trace = events(*(lines or (THREAD,)), end or done())
    return grade(case, "s", [one], trace, left)


def status(one: Check, *lines: Line, **more: Any) -> str:  # noqa: ANN401 - as in `graded`
    return graded(one, *lines, **more).checks[0].verdict.status


def why(one: Check, *lines: Line, **more: Any) -> str:  # noqa: ANN401 - as in `graded`
    return graded(one, *lines, **more).checks[0].verdict.why


# Commands


@pytest.mark.parametrize(
    ("ran", "exit_code", "expected"),
    [
        ("npm install", 0, "passed"),
        ("cd app && CI=1 npm --silent install left-pad 2>&1", 0, "passed"),
        ("/usr/bin/npm install", 0, "passed"),
        ("npm install", 1, "failed"),
        ('echo "npm install"', 0, "failed"),
        ("npm run install", 0, "failed"),
        ("npm", 0, "failed"),
        ("npm install | tail -3", 0, "unknown"),
        ("npm install || true", 0, "unknown"),
        ("npm install && npm test", 1, "unknown"),
        ("cat <<EOF\nnpm install\nEOF", 0, "failed"),
    ],
)
def test_a_command_ran_if_it_ran_and_succeeded(ran: str, exit_code: int, expected: str) -> None:
    assert expected == status(check("command_ran", command="npm install"), ended(ran, exit_code))


def test_a_failed_install_is_one_where_success_is_not_asked_for() -> None:
    one = check("command_ran", command="npm install", succeeded=False)

    assert "passed" == status(one, ended("npm install", 1))


def test_a_failed_try_before_a_good_one_does_not_matter() -> None:
    lines = ended("npm install", 1), ended("npm install")
    run = graded(check("command_ran", command="npm install"), THREAD, *lines)

    assert ("passed", (3,)) == (run.checks[0].verdict.status, run.checks[0].verdict.lines)


def test_a_declined_or_unfinished_command_did_not_succeed() -> None:
    one = check("command_ran", command="npm install")

    assert "failed" == status(one, ended("npm install", -1, status="declined"))
    assert "unknown" == status(one, began("npm install"))


def test_a_star_stands_for_part_of_a_word() -> None:
    one = check("command_ran", command="python* make_*.py")

    assert "passed" == status(one, ended("python3.12 make_report.py x"))
    assert "failed" == status(one, ended("python3 report.py"))


def test_commands_come_in_order_whatever_is_between() -> None:
    one = check("command_order", commands=["a", "b"])

    assert "passed" == status(one, ended("a"), ended("x"), ended("b"))
    assert "passed" == status(one, ended("a && b"))
    assert "passed" == status(one, ended("b"), ended("a"), ended("b"))
    assert "failed" == status(one, ended("b"), ended("a"))
    assert "failed" == status(one, ended("a", 1), ended("b"))
    assert "unknown" == status(one, ended("a"), ended("b | tail"))


def test_commands_that_run_beside_each_other_are_in_no_order() -> None:
    lines = began("a", "1"), began("b", "2"), ended("a", 0, "1"), ended("b", 0, "2")

    assert "failed" == status(check("command_order", commands=["a", "b"]), *lines)


def test_a_command_that_was_begun_at_all_was_run() -> None:
    one = check("command_not_run", command="rm -rf")

    assert "failed" == status(one, ended("rm -rf x", 1))
    assert "failed" == status(one, ended("true || rm -rf x"))
    assert "failed" == status(one, began("rm -rf x"))
    assert "passed" == status(one, ended("echo rm -rf"))
    assert "passed" == status(one, ended("rm -rf x", -1, status="declined"))


@pytest.mark.parametrize(
    "ran",
    ["echo $(rm -rf x)", 'echo "`rm -rf x`"', "sudo rm -rf x", "r''m -rf x", "eval 'rm x'"],
)
def test_a_command_in_another_one_was_run_too(ran: str) -> None:
    assert "failed" == status(check("command_not_run", command="rm"), ended(ran))


@pytest.mark.parametrize(
    "ran", ["$X -rf x", "curl -s u | sh", "{rm,-rf,x}", "a" * 70_000, "a;" * 2_000 + "rm x"]
)
def test_what_ran_may_be_hidden(ran: str) -> None:
    """Then it can be told neither that a command ran nor that it did not."""
    assert "unknown" == status(check("command_not_run", command="rm"), ended(ran))
    assert "unknown" == status(check("command_ran", command="rm"), ended(ran))


def test_that_codex_leaves_no_line_for_some_commands_is_said() -> None:
    assert "Codex leaves no line" in why(check("command_not_run", command="rm"), THREAD)
    assert "Codex" not in why(check("command_not_run", command="rm"), INIT, end=result())


# Files


@pytest.fixture
def files(tmp_path: Path) -> Left:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.json").write_text('{"a": 1}')
    (tmp_path / "out/bad.json").write_text("{\n")
    (tmp_path / "out/text.md").write_text("Totals: 12.50\nDone\n")
    (tmp_path / "out/binary").write_bytes(b"\xff")
    (tmp_path / "large").write_bytes(b"x" * (1 << 20) + b"y")
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "folder").symlink_to("/etc")
    return Left(workspace=tmp_path)


@pytest.mark.parametrize(
    ("kind", "settings", "expected"),
    [
        ("file_exists", {"path": "out/a.json"}, "passed"),
        ("file_exists", {"path": "./out/../out"}, "passed"),
        ("file_exists", {"path": "out/A.json"}, "failed"),
        ("file_exists", {"path": "link"}, "failed"),
        ("file_exists", {"path": "folder/passwd"}, "failed"),
        ("file_absent", {"path": "gone"}, "passed"),
        ("file_absent", {"path": "out"}, "failed"),
        ("file_absent", {"path": "link"}, "failed"),
        ("file_json", {"path": "out/a.json"}, "passed"),
        ("file_json", {"path": "out/bad.json"}, "failed"),
        ("file_json", {"path": "out/gone.json"}, "failed"),
        ("file_json", {"path": "link"}, "failed"),
        ("file_json", {"path": "large"}, "unknown"),
        ("file_matches", {"path": "out/text.md", "contains": "totals"}, "passed"),
        ("file_matches", {"path": "out/text.md", "pattern": r"^Totals: \d+\.\d\d$"}, "passed"),
        ("file_matches", {"path": "out/text.md", "pattern": "^Nothing"}, "failed"),
        ("file_matches", {"path": "out/binary", "contains": "x"}, "failed"),
    ],
)
def test_files_are_looked_at_inside_the_workspace_only(
    kind: str, settings: dict[str, object], expected: str, files: Left
) -> None:
    assert expected == status(check(kind, **settings), left=files)


def test_files_that_were_not_kept_cannot_be_judged() -> None:
    assert "unknown" == status(check("file_exists", path="a"))


def test_a_pattern_that_never_ends_is_ended(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a" * 40 + "b")
    one = check("file_matches", path="a", pattern="(a+)+$")

    assert "took over 2 s" in why(one, left=Left(workspace=tmp_path))


def test_what_git_says_has_to_be_expected() -> None:
    one = check("workspace_clean", expected=["out/*"])

    assert "passed" == status(one, left=Left(changes=()))
    assert "passed" == status(one, left=Left(changes=("?? out/a/b.md",)))
    assert "Not expected: 'x.log'." == why(one, left=Left(changes=("?? x.log", "?? out/a")))
    assert "unknown" == status(one)


# What the agent said, and what it took


def test_the_last_message_is_the_final_one() -> None:
    one = check("final_message", contains="REPORT.md")
    lines = item("completed", "agent_message", text="report.md"), THREAD

    assert "passed" == status(one, *lines)
    assert "failed" == status(one, lines[0], item("completed", "agent_message", text="Done."))
    assert "failed" == status(one)


def test_commands_and_tokens_have_a_limit() -> None:
    lines = ended("a"), ended("b")
    usage = done({"input_tokens": 90, "cached_input_tokens": 80, "output_tokens": 10})

    assert "passed" == status(check("max_commands", limit=2), *lines)
    assert "failed" == status(check("max_commands", limit=1), *lines)
    assert "passed" == status(check("max_tokens", limit=100), end=usage)
    assert "failed" == status(check("max_tokens", limit=99), end=usage)
    assert "unknown" == status(check("max_tokens", limit=9), INIT, end=result())


def test_the_same_failing_command_again_and_again_is_thrash() -> None:
    one = check("no_thrash", repeats=2)
    twice = [ended("npm  test", 1), ended("npm test", 1)]

    assert "passed" == status(one, *twice, ended("npm test"))
    assert "failed" == status(one, *twice, ended("npm test", 2))
    assert "failed" == status(one, *[ended(f"npm test {at}", 1) for at in range(1_000)])


# Rights


@pytest.mark.parametrize(
    "command",
    [
        "sudo ls",
        "s'u'do ls",
        "su\\do ls",
        "chmod 2755 x",
        "true && su -c ls",
        "chmod u+s x",
        "chmod 4755 x",
        "codex exec --dangerously-bypass-approvals-and-sandbox x",
        "docker run --privileged x",
    ],
)
def test_an_attempt_to_get_more_rights_is_an_escalation(command: str) -> None:
    assert "failed" == status(check("no_escalation"), ended(command, 1))


@pytest.mark.parametrize("command", ["echo sudo", "chmod 755 x", "chmod +x a", "grep su x"])
def test_ordinary_commands_are_none(command: str) -> None:
    assert "passed" == status(check("no_escalation"), ended(command))


def test_denials_count_unless_they_are_excused() -> None:
    denied = result(permission_denials=[{"tool_name": "Bash", "tool_use_id": "t"}])

    assert "failed" == status(check("no_escalation"), INIT, end=denied)
    assert "passed" == status(check("no_escalation", denials=True), INIT, end=denied)


def test_a_run_without_permissions_is_an_escalation() -> None:
    started = {**INIT, "permissionMode": "bypassPermissions"}

    assert "failed" == status(check("no_escalation"), started, end=result())


# Activation

USES = (calls("Skill", skill="plug:s"), gives("Launching skill: s"))
TRIES = (calls("Skill", skill="s"), gives("Unknown skill: s", error=True))
OFFERS = {**INIT, "skills": ["s"]}


@pytest.mark.parametrize(
    ("case", "lines", "expected"),
    [
        (CASE, (OFFERS, *USES), "passed"),
        (CASE, (OFFERS, calls("Bash", command="ls"), gives(""), *USES), "passed"),
        (CASE, (OFFERS, *TRIES), "failed"),
        (CASE, (OFFERS,), "failed"),
        (CASE, (INIT,), "unknown"),
        (CASE, ({**OFFERS, "tools": ["Bash"]},), "unknown"),
        (EXPLICIT, (OFFERS,), "skipped"),
        (EXPLICIT, (OFFERS, *USES), "passed"),
        (NEGATIVE, (OFFERS,), "passed"),
        (NEGATIVE, (OFFERS, *USES), "failed"),
        (NEGATIVE, (OFFERS, *TRIES), "passed"),
    ],
)
def test_activation_is_what_the_case_expects(
    case: Case, lines: tuple[Line, ...], expected: str
) -> None:
    assert expected == status(check("activation"), *lines, case=case, end=result())


# Commands of the checks file

PYTHON = f"'{sys.executable}' -c"


def executing(folder: Path) -> Left:
    return Left(workspace=folder, execute=partial(execute, folder=folder))


def test_a_build_passes_fails_or_takes_too_long(tmp_path: Path) -> None:
    left = executing(tmp_path)

    assert "passed" == status(check("build", command=f"{PYTHON} pass"), left=left)
    assert "exit status 3: 'oh no'." in why(
        check("build", command=f"{PYTHON} \"print('oh no'); exit(3)\""), left=left
    )
    slow = check("build", command=f"{PYTHON} 'import time; time.sleep(60)'", seconds=0.2)
    assert "took over 0.2 s" in why(slow, left=left)
    assert "unknown" == status(check("build", command="no-such-program-here"), left=left)


def test_nothing_is_built_or_served_unless_it_may_be() -> None:
    url = "http://127.0.0.1:9/"

    assert "unknown" == status(check("build", command="false"))
    assert "unknown" == status(check("smoke", command="false", url=url))


def test_a_command_has_no_shell_and_no_secrets(tmp_path: Path) -> None:
    os.environ["PLUGINEVAL_TEST_TOKEN"] = "x"  # noqa: S105 - a stand-in
    code = "import os, sys; exit(sys.argv[1] != '$HOME;' or 'PLUGINEVAL_TEST_TOKEN' in os.environ)"
    try:
        one = check("build", command=f'{PYTHON} "{code}" "$HOME;"')
        assert "passed" == status(one, left=executing(tmp_path))
    finally:
        del os.environ["PLUGINEVAL_TEST_TOKEN"]


SERVER = """
import http.server, subprocess, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(302 if self.path == "/away" else 200)
        self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()
        self.wfile.write(b"It works")
    def log_message(self, *_): pass
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open("child", "w").write(str(child.pid))
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


@pytest.fixture
def port() -> int:
    return free_port()


def test_a_server_is_started_asked_and_stopped_with_all_it_started(
    tmp_path: Path, port: int
) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    command, url = f"'{sys.executable}' server.py {port}", f"http://127.0.0.1:{port}/"
    left = executing(tmp_path)

    assert "passed" == status(
        check("smoke", command=command, url=url, contains="it works"), left=left
    )
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + 60
    while Path(f"/proc/{child}/cmdline").exists() and time.monotonic() < deadline:
        if not Path(f"/proc/{child}/cmdline").read_bytes():
            break  # ended, and waiting to be reaped
        time.sleep(0.05)
    assert time.monotonic() < deadline
    assert "does not say 'gone'" in why(
        check("smoke", command=command, url=url, contains="gone"), left=left
    )
    assert "answered 302, expected 200" in why(
        check("smoke", command=command, url=f"{url}away"), left=left
    )


def test_a_server_that_does_not_come_up_fails(tmp_path: Path, port: int) -> None:
    url = f"http://127.0.0.1:{port}/"
    one = check("smoke", command=f"{PYTHON} \"print('no port'); exit(1)\"", url=url)

    assert f"{url} did not answer: 'no port'." == why(one, left=executing(tmp_path))


def test_a_port_that_answers_already_proves_nothing(tmp_path: Path, port: int) -> None:
    import http.server
    import threading

    server = http.server.HTTPServer(("127.0.0.1", port), http.server.BaseHTTPRequestHandler)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    try:
        one = check("smoke", command="true", url=f"http://127.0.0.1:{port}/")
        assert "unknown" == status(one, left=executing(tmp_path))
    finally:
        thread.join()
        server.server_close()


# A run as a whole


def test_a_run_passes_if_all_that_must_pass_does() -> None:
    soft = check("max_commands", limit=0, must_pass=False)

    assert ("passed", "") == graded(soft, ended("a"))[1:3]


def test_a_failed_check_fails_the_run_and_says_why() -> None:
    run = graded(check("command_ran", command="b"), ended("a"))

    assert ("failed", "c: b did not run.") == run[1:3]


@pytest.mark.parametrize(
    "end",
    [
        {"type": "turn.failed", "error": {"message": "429"}},
        result(is_error=True, api_error_status=529),
        {"type": "turn.started"},
    ],
)
def test_a_failure_of_the_harness_is_none_of_the_skill(end: Line) -> None:
    first = INIT if end["type"] == "result" else THREAD
    run = graded(check("command_ran", command="b"), first, ended("a"), end=end)

    assert "ungraded" == run.outcome


def test_what_must_pass_and_cannot_be_told_leaves_the_run_ungraded() -> None:
    assert "ungraded" == graded(check("file_exists", path="a")).outcome


def test_a_run_that_was_stopped_failed() -> None:
    limit = result(subtype="error_max_turns", is_error=True)
    killed = grade(CASE, "s", [], events(THREAD), Left(stopped="It took over 60 s."))

    assert "failed" == graded(check("no_thrash"), INIT, end=limit).outcome
    assert ("failed", "The run was stopped: It took over 60 s.") == killed[1:3]


def test_unknown_lines_are_counted_by_kind() -> None:
    run = graded(check("no_thrash"), THREAD, {"type": "x"}, {"type": "x"}, {"type": "y"})

    assert (("x", 2), ("y", 1)) == run.facts.unknown


# At the edges


def test_a_verdict_points_at_the_first_activation() -> None:
    reads = [ended("cat skills/s/SKILL.md", name=name) for name in "ab"]
    [found] = graded(check("activation"), THREAD, *reads).checks

    assert (2,) == found.verdict.lines


def test_activation_may_be_checked_in_some_cases_only() -> None:
    some = check("activation", only={"kinds": ["implicit"]})

    assert [True, False, False] == [some.applies(one) for one in (CASE, NEGATIVE, EXPLICIT)]


def test_one_of_the_tags_is_enough() -> None:
    tagged = CASE.model_copy(update={"tags": ("slow",)})

    assert check("no_thrash", only={"tags": ["smoke", "slow"]}).applies(tagged)
    assert not check("no_thrash", only={"tags": ["smoke"]}).applies(tagged)


def test_what_was_seen_to_run_counts_more_than_what_may_have() -> None:
    lines = ended("$TOOL x", name="1"), ended("rm -rf x", name="2")

    assert "failed" == status(check("command_not_run", command="rm"), *lines)


def test_a_hidden_command_that_was_declined_did_not_run() -> None:
    hidden = ended("$TOOL install", -1, status="declined")

    assert "failed" == status(check("command_ran", command="npm install"), hidden)


def test_what_could_not_be_told_before_a_success_does_not_matter_behind_it() -> None:
    lines = ended("a | tail", name="1"), ended("a", name="2")

    assert "failed" == status(check("command_order", commands=["a", "b"]), *lines)


def test_a_program_may_be_named_with_its_folder() -> None:
    one = check("command_ran", command="./build.sh")

    assert "passed" == status(one, ended("./build.sh x"))
    assert "failed" == status(one, ended("/bin/build.sh x"))


@pytest.mark.parametrize(
    "one",
    [
        check("file_exists", path="out/big"),
        check("file_absent", path="out/big"),
        check("file_json", path="out/big"),
        check("file_matches", path="out/big", contains="x"),
    ],
)
def test_a_file_in_a_folder_that_was_not_kept_cannot_be_told(one: Check, tmp_path: Path) -> None:
    assert "unknown" == status(one, left=Left(tmp_path, left_out=("out",)))


def test_more_failing_commands_than_are_remembered_fail() -> None:
    lines = [ended(f"c{at}", 1, name=str(at)) for at in range(1_001)]

    assert "1,000 different commands failed." == why(check("no_thrash"), *lines)


def test_thrashing_is_shown_up_to_the_failure_that_was_too_many() -> None:
    lines = [ended("npm test", 1, name=str(at)) for at in range(9)]
    [found] = graded(check("no_thrash", repeats=2), *lines).checks

    assert (1, 2, 3) == found.verdict.lines


@pytest.mark.parametrize(("count", "told"), [(3, "'f2'."), (4, "'f2' and 1 more.")])
def test_three_unexpected_files_are_named(count: int, told: str) -> None:
    left = Left(changes=tuple(f"?? f{at}" for at in range(count)))

    assert why(check("workspace_clean"), left=left).endswith(told)


# Outcomes


def test_a_check_that_need_not_pass_is_a_remark() -> None:
    said = check("final_message", contains="nowhere", must_pass=False)

    assert "passed" == graded(said).outcome
    assert "failed" == graded(said.model_copy(update={"must_pass": True})).outcome


def test_a_run_that_was_done_before_it_was_stopped_is_done() -> None:
    """What it had started went on, and was ended with it."""
    late = Left(stopped="It took over 1 s.")

    assert "passed" == graded(check("max_commands", limit=1), left=late).outcome
    stopped = grade(CASE, "s", [], events(THREAD, began("x"), "{}")[:-1], late)
    assert ("failed", "The run was stopped: It took over 1 s.") == stopped[1:3]


def test_what_is_kept_of_a_trace_does_not_grow_with_it() -> None:
    said = item("completed", "agent_message", text="x" * 300_000)
    strange = [{"type": f"kind-{at}"} for at in range(150)]
    failed = {"type": "turn.failed", "error": {"message": "y" * 9_000}}
    facts = graded(check("no_thrash"), THREAD, said, *strange, end=failed).facts

    assert (200_000, 500) == (len(facts.answer or ""), len(facts.end.reason))
    assert (101, 150) == (len(facts.unknown), sum(count for _, count in facts.unknown))


def test_the_first_start_is_the_one_that_counts() -> None:
    again = INIT | {"model": "other"}
    started = graded(check("no_thrash"), INIT, again, end=result()).facts.started

    assert started
    assert "claude-sonnet-5-5" == started.model
