"""Evals in the action as a whole: files of an earlier step come in, GitHub then shows them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from action_run import (
    POOR,
    WORKSPACE,
    Change,
    Done,
    act,
    propose,
    review_of,
    skill,
    workflow_run_of,
)
from event_files import payload
from github_server import GitHubServer
from memory_tree import MemoryTree
from plugineval_action.action.eval_files import MOST_FILES, given_results
from plugineval_action.action.eval_gate import hold_evals
from plugineval_action.action.eval_run import NOT_OURS
from plugineval_action.action.gate import Gate
from plugineval_action.action.inputs import FailOnEvals
from plugineval_action.errors import UsageError
from plugineval_action.evals.compared import Told, compare
from plugineval_action.evals.result_file import read_results
from sample_evals import baseline, beside, case_file, edited, evaluated, results, summary

BEFORE = summary({"busy": "p", "sum": "pp", "old": "f", "no-sort": "p"})
NOW = summary({"busy": "f", "sum": "pf", "old": "p", "no-sort": "p"})
BASE = {**skill("a"), **beside(BEFORE)}
HEAD = {**BASE, **skill("a", POOR)}
FILE = "eval-results/codex.json"
GOOD = evaluated("sum", 1, {"Tone": (80, 90), "Coverage": (70, 70)}, "accept", 0.9)


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as running:
        yield running


def run(
    server: GitHubServer,
    tmp_path: Path,
    change: Change,
    files: Mapping[str, str] | None = None,
    *,
    evals: str = "eval-results/*.json",
    event: str = "pull_request",
    **inputs: str,
) -> Done:
    """Run the action after a step that has left files in the workspace."""
    leave(tmp_path, {FILE: results(NOW)} if files is None else files)
    given = {name.replace("_", "-"): text for name, text in inputs.items()}
    name = event.partition(".")[0]
    return act(
        server, tmp_path, review_of(change, event), name=name, inputs={"evals": evals} | given
    )


def leave(tmp_path: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        place = tmp_path / WORKSPACE / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def section(text: str) -> str:
    """The part on evals of a comment or summary."""
    return text.split("### Evals\n")[1].split("\n### ", maxsplit=1)[0]


def test_what_broke_comes_first_in_the_comment_beside_the_score(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BASE, HEAD)
    done = run(server, tmp_path, change)
    body = change.pull.comments[0].body
    rows = re.findall(r"^\| \[?`?([\w-]+)`?.*?(broken|fixed|flaky)", section(body), re.MULTILINE)

    assert 0 == done.code
    assert "### PluginEval: 1 worse, 1 eval case broken" in body
    assert body.index("| Skill |") < body.index("### Evals") < body.index("### What to fix first")
    assert [("busy", "broken"), ("old", "fixed"), ("sum", "flaky")] == rows
    assert (
        "**a** with codex: 2 of 4 cases passed, 1 broken since the baseline, 1 fixed, 1 flaky"
        in body
    )
    assert "Activation precision: 100 %" in body
    assert section(body) in done.summary


def test_a_broken_case_is_annotated_on_its_line(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, BASE, HEAD)
    run(server, tmp_path, change)
    (check,) = change.repository.check_runs
    first, *_ = check.annotations

    assert ("evals/a.prompts.csv", 2, 2) == (first["path"], first["start_line"], first["end_line"])
    assert "busy of a passed at the baseline and fails now with codex." in first["message"]
    assert "PluginEval: 1 worse, 1 eval case broken" == check.title


def test_outputs_and_the_result_file_say_it_too(server: GitHubServer, tmp_path: Path) -> None:
    done = run(server, tmp_path, propose(server, BASE, HEAD))
    [output], [kept] = json.loads(done.outputs["evals"]), done.result["evals"]

    assert {
        "skill": "a", "harness": "codex", "passed": 2, "graded": 4,
        "broken": ["busy"], "fixed": ["old"], "flaky": ["sum"],
    } == output  # fmt: skip
    assert (FILE, ["busy"]) == (kept["source"], kept["changes"]["broken"])


def test_the_baseline_is_that_of_the_base_whatever_the_change_writes(
    server: GitHubServer, tmp_path: Path
) -> None:
    """Else a change could hide what it breaks."""
    hiding = {"evals/baseline.json": baseline(NOW)}
    change = propose(server, BASE, {**HEAD, **hiding})
    run(server, tmp_path, change)

    assert "1 broken since the baseline" in change.pull.comments[0].body


def test_a_case_that_the_change_deletes_is_named(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, BASE, HEAD)
    less = summary({"sum": "pp", "no-sort": "p"})
    run(server, tmp_path, change, {FILE: results(less)})

    assert "Gone since the baseline: busy, old." in change.pull.comments[0].body


@pytest.mark.parametrize(
    ("fail_on", "now", "code"),
    [
        *(("broken", NOW, 1), ("failed", NOW, 1), ("never", NOW, 0)),
        ("broken", summary({"busy": "p", "old": "f", "sum": "pp", "no-sort": "p"}), 0),
        ("broken", summary({"busy": "p", "old": "f", "sum": "pp"}), 1),
        ("broken", summary({"busy": "p", "old": "f", "sum": "pp", "no-sort": "?"}), 1),
        ("failed", summary({"busy": "p", "old": "f", "sum": "pp"}), 1),
        ("failed", summary({"busy": "p", "sum": "?"}), 1),
        ("failed", summary({"busy": "p", "sum": "p"}), 0),
    ],
)
def test_a_gate_on_evals_fails_the_run_after_everything_is_published(
    fail_on: str, now: object, code: int, server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BASE, HEAD)
    done = run(server, tmp_path, change, {FILE: results(now)}, fail_on_evals=fail_on)  # type: ignore[arg-type]

    assert code == done.code
    assert ("false" if code else "true") == done.outputs["passed"]
    assert 1 == len(change.pull.comments)
    assert ("The gate failed" in change.pull.comments[0].body) == bool(code)


def test_leaving_a_case_out_of_the_results_does_not_get_past_the_gate_but_deleting_it_does(
    server: GitHubServer, tmp_path: Path
) -> None:
    """A deleted case is seen in the diff; one that was not run is seen nowhere else."""
    less = summary({"busy": "p", "old": "f", "sum": "pp"})
    kept = propose(server, BASE, HEAD)
    held = run(server, tmp_path, kept, {FILE: results(less)}, fail_on_evals="broken")
    deleted = propose(server, BASE, {**HEAD, "evals/a.prompts.csv": case_file(less)})
    passed = run(server, tmp_path, deleted, {FILE: results(less)}, fail_on_evals="broken")

    assert (1, 0) == (held.code, passed.code)
    assert "no result now: no-sort; run these cases, or remove them from evals/a" in held.log


@pytest.mark.parametrize(
    ("fail_on", "now", "missing", "passes"),
    [
        ("failed", {"busy": "pf"}, (), False),
        ("failed", {"busy": "p"}, ("sum",), False),
        ("failed", {"busy": "p"}, (), True),
        ("broken", {"busy": "p"}, ("sum",), False),
        ("broken", {"busy": "p"}, ("old",), True),
    ],
)
def test_a_gate_refuses_flaky_cases_and_those_without_a_result(
    fail_on: FailOnEvals, now: dict[str, str], missing: tuple[str, ...], *, passes: bool
) -> None:
    """What failed before and was not run has not become worse."""
    before = summary({name: "f" if name == "old" else "p" for name in ("busy", *missing)})
    told = summary(now)._replace(not_run=missing)
    tree = MemoryTree(beside(before))
    found = compare([Told(told, FILE)], tree, tree)

    assert passes == hold_evals(Gate(passed=True), found, fail_on).passed


def test_only_so_many_files_are_read(tmp_path: Path) -> None:
    for at in range(MOST_FILES + 1):
        (tmp_path / f"{at:02}.json").write_text("{}")
    given = given_results(tmp_path, ["*.json"], MemoryTree({}))

    assert MOST_FILES + 1 == len(given.problems)
    assert "*.json matches over 50 files; the others are not read." in given.problems[0]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("cases", lambda skill: skill["cases"] * 2),
        ("runs", lambda skill: skill["runs"] * 2),
    ],
)
def test_what_would_count_twice_is_refused(key: str, value: Callable[[Any], object]) -> None:
    document = json.loads(results(NOW))
    document["skills"][0][key] = value(document["skills"][0])

    with pytest.raises(UsageError, match="a case or a run is there twice"):
        read_results("r", json.dumps(document).encode())


def test_a_file_of_another_version_is_refused() -> None:
    text = results(NOW).replace('"version": 1', '"version": 2')

    with pytest.raises(UsageError, match="version"):
        read_results("r", text.encode())


def test_the_gate_names_what_broke(server: GitHubServer, tmp_path: Path) -> None:
    done = run(server, tmp_path, propose(server, BASE, HEAD), fail_on_evals="broken")

    assert "Evals of a with codex broke since the baseline: busy; fail-on-evals refuses" in done.log


def test_the_gate_can_stand_in_the_configuration_and_then_needs_results(
    server: GitHubServer, tmp_path: Path
) -> None:
    """Else a change could switch it off by leaving out the step that runs the evals."""
    config = {".plugin-eval.yml": "fail-on-evals: broken\n"}
    change = propose(server, {**BASE, **config}, {**HEAD, **config})
    held = run(server, tmp_path, change, config=".plugin-eval.yml")
    without = run(server, tmp_path, change, evals="", config=".plugin-eval.yml")

    assert (1, 2) == (held.code, without.code)
    assert "fail-on-evals is of no use without evals" in without.log


# What is missing, wrong or forged


HUGE = " " * 8_000_001
BROKEN_FILES = [
    ({}, "eval-results/*.json matches no file in the workspace"),
    ({FILE: "{"}, f"{FILE} holds no results of evals: Invalid JSON"),
    ({FILE: "[]"}, f"{FILE} holds no results of evals"),
    ({FILE: HUGE}, f"{FILE} has over 8,000,000 bytes."),
    ({FILE: edited(results(NOW), runs=[])[:-3]}, f"{FILE} holds no results of evals"),
    (
        {FILE: edited(results(NOW), skill="../x")},
        f"{FILE} holds no results of evals: skills.0.skill",
    ),
    ({FILE: edited(results(NOW), cases=[])}, "a run is of 'busy', which is no case of it"),
    ({FILE: results(NOW), "eval-results/d.json": results(NOW)}, "the first ones count"),
    ({FILE: results(NOW, evaluated=(GOOD, GOOD))}, "an evaluation is there twice, or is of no run"),
    ({FILE: results(NOW, evaluated=(evaluated("sum", 3, {"Tone": (1,)}),))}, "is of no run with"),
    ({FILE: results(NOW).replace('"evaluations": []', '"evaluations": [{}]')}, "evaluations.0."),
]


@pytest.mark.parametrize(("files", "said"), BROKEN_FILES)
def test_what_cannot_be_used_is_told_everywhere_and_never_passes_a_gate(
    files: dict[str, str], said: str, server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BASE, HEAD)
    done = run(server, tmp_path, change, files)
    gated = run(server, tmp_path, change, files, fail_on_evals="broken")
    told = next(line for line in done.log.splitlines() if line.startswith("::warning"))

    assert (0, 1) == (done.code, gated.code)
    assert "evals: " in told
    assert said in told
    assert "[!WARNING]" in section(change.pull.comments[0].body)
    assert said in cleaned(section(done.summary))
    assert any(said in each for each in done.result["eval_problems"])


def cleaned(text: str) -> str:
    """Markdown without the marks that keep foreign text from being more than text."""
    return re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), text).replace("\\", "")


def test_a_file_of_the_commit_is_no_result_of_this_run(
    server: GitHubServer, tmp_path: Path
) -> None:
    """A change could bring one that says that all is well."""
    planted = {FILE: results(BEFORE)}
    change = propose(server, BASE, {**HEAD, **planted})
    done = run(server, tmp_path, change, planted, fail_on_evals="broken")

    assert 1 == done.code
    assert f"{FILE} is part of the commit" in done.log
    assert [] == json.loads(done.outputs["evals"])


def test_links_are_not_followed(server: GitHubServer, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(results(NOW))
    folder = tmp_path / WORKSPACE / "eval-results"
    folder.mkdir(parents=True)
    (folder / "x.json").symlink_to(secret)
    (tmp_path / WORKSPACE / "linked").symlink_to(tmp_path)
    change = propose(server, BASE, HEAD)
    done = run(server, tmp_path, change, {}, evals="eval-results/x.json\nlinked/secret.json")

    assert [] == json.loads(done.outputs["evals"])
    assert "a symbolic link, which is never followed" in done.log
    assert "linked/secret.json matches no file" in done.log


@pytest.mark.parametrize("path", ["../x.json", "/etc/passwd", "!x", "a{b,c}"])
def test_paths_out_of_the_workspace_are_refused(
    path: str, server: GitHubServer, tmp_path: Path
) -> None:
    done = run(server, tmp_path, propose(server, BASE, HEAD), {}, evals=path)

    assert 2 == done.code
    assert "evals is" in done.log


def test_a_folder_and_an_absolute_path_of_the_workspace_will_do(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BASE, HEAD)
    other = {FILE: results(NOW), "claude.json": results(summary({"busy": "p"}, harness="claude"))}
    there = f"{tmp_path / WORKSPACE}/claude.json"
    done = run(server, tmp_path, change, other, evals=f"eval-results\n{there}")
    harnesses = [one["harness"] for one in json.loads(done.outputs["evals"])]

    assert ["codex", "claude"] == harnesses
    assert "No baseline to compare with: a with claude." in change.pull.comments[0].body


def test_numbers_are_worked_out_again_whatever_the_file_says(
    server: GitHubServer, tmp_path: Path
) -> None:
    document = json.loads(results(NOW))
    skill_told = document["skills"][0]
    for case in skill_told["cases"]:
        case |= {"state": "passed", "passed": 9, "graded": 9}
    for one in skill_told["runs"]:
        one["outcome"] = "passed"
    done = run(server, tmp_path, propose(server, BASE, HEAD), {FILE: json.dumps(document)})

    assert ["busy"] == json.loads(done.outputs["evals"])[0]["broken"]


def test_evaluations_of_answers_are_one_line_a_skill_and_worked_out_again(
    server: GitHubServer, tmp_path: Path
) -> None:
    others = (
        evaluated("sum", 2, {"Tone": (60,), "Coverage": (70,)}, "accept", 0.7),
        evaluated("old", 1, {"Tone": (), "Coverage": (70,)}, "revise", 0.5),
    )
    document = json.loads(results(NOW, evaluated=(GOOD, *others)))
    for one in document["skills"][0]["evaluations"]:
        one["overall"] = 100
    change = propose(server, BASE, HEAD)
    done = run(server, tmp_path, change, {FILE: json.dumps(document)})

    line = (
        "3 answers evaluated: 71.25 of 100 on average (65.00–77.50); 1 not measured; "
        "2 accept (confidence 0.80); 1 revise (confidence 0.50)."
    )
    assert 1 == section(change.pull.comments[0].body).count(line)
    assert 1 == section(done.summary).count(line)


def test_hostile_text_in_results_is_shown_and_nothing_more(
    server: GitHubServer, tmp_path: Path
) -> None:
    evil = "@octocat <img src=x onerror=1> | ![p](https://evil.example/p)\n::error::x </details>"
    text = results(summary({"busy": "f"}, why=evil))
    change = propose(server, BASE, HEAD)
    done = run(server, tmp_path, change, {FILE: text})
    body = change.pull.comments[0].body

    assert "<img" not in body
    assert "![p]" not in body
    assert body.count("<details>") == body.count("</details>")
    assert [] == [line for line in done.log.splitlines() if line.startswith("::error::")]


def test_a_baseline_that_cannot_be_read_is_a_problem(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, {**BASE, "evals/baseline.json": "{"}, HEAD)
    done = run(server, tmp_path, change, fail_on_evals="broken")

    assert 1 == done.code
    assert "The baseline cannot be compared with: evals/baseline.json" in done.log


def test_cases_in_several_folders_are_not_guessed_about(
    server: GitHubServer, tmp_path: Path
) -> None:
    twice = {"other/evals/a.prompts.csv": BASE["evals/a.prompts.csv"]}
    done = run(server, tmp_path, propose(server, {**BASE, **twice}, {**HEAD, **twice}))

    assert "The cases of a lie in several folders (evals, other/evals)" in done.log
    assert json.loads(done.outputs["evals"])[0]["broken"] is None


# Other events


def test_a_change_of_evals_alone_is_commented_on_if_a_case_changed(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BASE, {**BASE, "README.md": "new"})
    run(server, tmp_path, change, {FILE: results(BEFORE)})
    assert [] == change.pull.comments

    run(server, tmp_path, change)
    (comment,) = change.pull.comments
    assert "nothing that is scored has changed, 1 eval case broken" in comment.body


def test_what_a_forks_run_says_of_its_evals_is_not_posted(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BASE, HEAD, fork=True)
    scored = run(server, tmp_path, change, event="pull_request.fork")
    event = workflow_run_of(change, (scored.files / "plugin-eval/result.json").read_bytes())
    given = {"mode": "post", "evals": "eval-results", "fail-on-evals": "broken"}
    done = act(server, tmp_path, event, name="workflow_run", inputs=given)

    assert 0 == done.code
    assert NOT_OURS in cleaned(change.pull.comments[-1].body)
    assert "broken" not in change.pull.comments[-1].body
    assert "[]" == done.outputs["evals"]


@pytest.mark.parametrize("name", ["push", "merge_group"])
def test_without_a_pull_request_the_summary_and_the_gate_tell(
    name: str, server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BASE, HEAD)
    leave(tmp_path, {FILE: results(NOW)})
    event = payload(name, base=change.base, head=change.head)
    given = {"evals": FILE, "fail-on-evals": "broken"}
    done = act(server, tmp_path, event, name=name, inputs=given)

    assert 1 == done.code
    assert "1 broken since the baseline" in done.summary


def test_where_everything_is_scored_evals_stand_below_the_scores(
    server: GitHubServer, tmp_path: Path
) -> None:
    change = propose(server, BASE, HEAD)
    leave(tmp_path, {FILE: results(NOW)})
    event = payload("schedule", base=change.base, head=change.base)
    done = act(server, tmp_path, event, name="schedule", sha=change.base, inputs={"evals": FILE})

    assert 0 == done.code
    assert "1 broken since the baseline" in section(done.summary)
    assert ["busy"] == json.loads(done.outputs["evals"])[0]["broken"]


def test_a_second_run_changes_nothing(server: GitHubServer, tmp_path: Path) -> None:
    change = propose(server, BASE, HEAD)
    run(server, tmp_path, change)
    done = run(server, tmp_path, change)

    assert 1 == len(change.repository.check_runs)
    assert "comment: unchanged" in done.log
    assert "check run: unchanged" in done.log
