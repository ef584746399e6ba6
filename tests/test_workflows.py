"""The workflows: least privilege, pinned actions, and examples that users can copy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from documents import ROOT, read
from plugineval_action import __version__
from plugineval_action.action.config_file import parse_config
from plugineval_action.action.result_reading import ARTIFACT
from plugineval_action.certify.certificate import PREDICATE

FOLDER = ROOT / ".github/workflows"
WORKFLOWS = sorted(path.name for path in FOLDER.glob("*.yml"))
EXAMPLES = [name for name in WORKFLOWS if name.startswith("example-")]
OURS = f"plugineval/plugineval-action@v{__version__}"


def text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def workflow(name: str) -> dict[str, Any]:
    """A workflow; its triggers under "on", which YAML 1.1 takes for a truth value."""
    loaded: dict[Any, Any] = yaml.safe_load(text(name))
    return loaded | {"on": loaded.pop(True)}


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


def step(name: str, uses: str) -> dict[str, Any]:
    """The only step of a workflow that uses an action."""
    (only,) = [one for one in steps(name) if one.get("uses", "").startswith(uses)]
    return only


def is_scheduled(name: str) -> bool:
    return "schedule" in workflow(name)["on"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_grants_nothing_and_each_job_says_why_it_needs_what_it_gets(name: str) -> None:
    grants = re.findall(r"^      [a-z-]+: (?:read|write)\b.*$", text(name), re.MULTILINE)
    granted = [line for job in workflow(name)["jobs"].values() for line in job["permissions"]]

    assert {} == workflow(name)["permissions"]
    assert len(granted) == len(grants) > 0
    assert all(re.search(r" # \w", line) for line in grants)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_of_others_are_pinned_to_a_commit_and_say_which_version_that_is(name: str) -> None:
    used = re.findall(r"uses: (\S+)(.*)", text(name))
    others = [(action, rest) for action, rest in used if action not in ("./", OURS)]

    assert used
    assert all(re.fullmatch(r"[\w-]+(?:/[\w-]+)+@[0-9a-f]{40}", action) for action, _ in others)
    assert all(re.fullmatch(r" # v\d+\.\d+\.\d+", rest) for _, rest in others)


@pytest.mark.parametrize("document", ["README.md", "docs/action.md"])
def test_actions_of_others_are_pinned_in_what_people_copy_from_documents(document: str) -> None:
    used = re.findall(r"uses: ([^\s}]+)(.*)", read(document))
    others = [(action, rest) for action, rest in used if action != OURS]

    assert others
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) for action, _ in others)
    assert all(re.fullmatch(r" # v\d+\.\d+\.\d+", rest) for _, rest in others)


def test_an_action_has_the_same_commit_wherever_it_is_used() -> None:
    texts = [*map(text, WORKFLOWS), read("docs/action.md")]
    used = {match for each in texts for match in re.findall(r"uses: (\S+@\S+)", each)}

    assert len(used) == len({action.partition("@")[0] for action in used})


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_token_is_left_in_the_checkout_and_no_expression_reaches_a_shell(name: str) -> None:
    checkouts = [one for one in steps(name) if one.get("uses", "").startswith("actions/checkout@")]

    assert all(one["with"]["persist-credentials"] is False for one in checkouts)
    assert all("${{" not in one.get("run", "") for one in steps(name))


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in WORKFLOWS
        if name not in ("release.yml", "example-certify.yml") and not is_scheduled(name)
    ],
)
def test_a_workflow_runs_once_at_a_time_for_a_pull_request(name: str) -> None:
    group = workflow(name)["concurrency"]["group"]

    assert re.search(r"pull_request\.number|workflow_run\.head_branch", group)


@pytest.mark.parametrize("name", [name for name in WORKFLOWS if is_scheduled(name)])
def test_what_writes_every_week_runs_once_at_a_time_and_is_never_cut_off(name: str) -> None:
    read = workflow(name)
    (schedule,) = read["on"]["schedule"]

    assert {"group": "plugineval-report", "cancel-in-progress": False} == read["concurrency"]
    assert {"schedule", "workflow_dispatch"} == read["on"].keys()
    assert int(schedule["cron"].split()[0]) % 5


def test_the_weekly_report_may_write_its_branch_and_its_issue_and_nothing_else() -> None:
    job = workflow("example-weekly-report.yml")["jobs"]["report"]

    assert {"contents": "write", "issues": "write"} == job["permissions"]
    assert "report" == job["steps"][0]["with"]["mode"]


def test_certification_is_started_by_hand_keeps_what_was_answered_and_signs_its_own_type() -> None:
    name = "example-certify.yml"
    saved = step(name, "actions/cache/save@")
    signed = step(name, "actions/attest@")["with"]

    assert ["workflow_dispatch"] == [*workflow(name)["on"]]
    assert "always()" in saved["if"]
    assert saved["with"]["path"] == step(name, "actions/cache/restore@")["with"]["path"]
    assert signed["predicate-type"] == PREDICATE
    assert f"{workflow(name)['concurrency']}" == str(
        {"group": "plugineval-certify", "cancel-in-progress": False}
    )


def test_what_scores_shares_writes_nothing_and_what_joins_them_waits_for_all() -> None:
    jobs = workflow("example-sharded-report.yml")["jobs"]
    shards = jobs["score"]["strategy"]["matrix"]["shard"]

    assert {"contents": "read"} == jobs["score"]["permissions"]
    assert [f"{number}/{len(shards)}" for number in range(1, len(shards) + 1)] == shards
    assert "score" == jobs["report"]["needs"]


def test_shares_are_kept_and_found_under_the_same_names() -> None:
    name = "example-sharded-report.yml"
    kept = step(name, "actions/upload-artifact@")["with"]
    found = step(name, "actions/download-artifact@")["with"]
    (joins,) = [one["with"] for one in steps(name) if "shards" in one["with"]]

    assert "${{ steps.plugineval.outputs.result-json }}" == kept["path"]
    assert kept["name"].startswith(found["pattern"].rstrip("*"))
    assert found["merge-multiple"]
    assert joins["shards"] == found["path"]


def test_the_tests_run_on_every_python_that_is_supported() -> None:
    listed = re.findall(r"Python :: (3\.\d+)", read("pyproject.toml"))
    job = workflow("ci.yml")["jobs"]["test"]

    assert listed == job["strategy"]["matrix"]["python"]
    assert "make test PYTHON=python" == job["steps"][-1]["run"]


def test_the_self_test_scores_all_examples_whatever_a_change_touches() -> None:
    (script,) = [one["run"] for one in workflow("self-test.yml")["jobs"]["all"]["steps"][2:]]

    assert "if" not in workflow("self-test.yml")["jobs"]["all"]
    assert {"score", "report"} == set(
        re.findall(r"^in_image (\w+) /examples/", script, re.MULTILINE)
    )


def test_the_self_test_uses_the_action_of_the_same_commit() -> None:
    assert "./" == step("self-test.yml", "./")["uses"]
    assert {"pull_request", "push", "workflow_dispatch"} == workflow("self-test.yml")["on"].keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_readme_has_each_example_word_for_word(name: str) -> None:
    assert f"```yaml\n{text(name)}```\n" in read("README.md")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_checks_nothing_out_and_uses_the_version_that_this_is(name: str) -> None:
    used = [one["uses"] for one in steps(name)]

    assert {OURS} == {each for each in used if each.startswith("plugineval/")}
    assert not any(each.startswith("actions/checkout@") for each in used)
    assert not any("run" in one for one in steps(name))


def test_the_quick_start_takes_the_permissions_that_it_needs_and_no_input() -> None:
    job = workflow("example-pull-request.yml")["jobs"]["review"]

    assert {"contents": "read", "pull-requests": "write", "checks": "write"} == job["permissions"]
    assert [{"uses": OURS}] == job["steps"]


def test_the_quick_start_is_six_lines_that_do_the_same_as_the_full_example() -> None:
    short = read("README.md").split("```yaml\n")[1].split("```")[0]
    loaded = yaml.safe_load(short)
    (job,) = loaded["jobs"].values()
    full = workflow("example-pull-request.yml")

    assert 6 == len(short.splitlines())
    assert full["on"] == loaded[True]
    assert full["jobs"]["review"]["permissions"] == loaded["permissions"]
    assert full["jobs"]["review"]["steps"] == job["steps"]


@pytest.mark.parametrize("document", ["README.md", "docs/action.md"])
def test_every_input_that_a_document_gives_is_one(document: str) -> None:
    inputs = yaml.safe_load(read("action.yml"))["inputs"].keys()
    blocks = re.findall(r"^```yaml\n(.*?)^```", read(document), re.MULTILINE | re.DOTALL)
    step = re.compile(r"uses: " + re.escape(OURS) + r"\n +with:\n((?: {10}\S.*\n)+)")
    given = [
        line for block in blocks for lines in step.findall(block) for line in lines.split("\n")
    ]
    names = {line.strip().partition(":")[0] for line in given if line.strip()}

    assert names
    assert names <= inputs


def test_the_configuration_file_that_is_shown_is_one() -> None:
    page = read("docs/action.md")
    shown = page.split("`config: .plugin-eval.yml`:\n\n```yaml\n")[1].split("```")[0]
    config = parse_config(shown, ".plugin-eval.yml")

    assert (("plugins/**",), 60, 5, "failures") == (
        config.paths,
        config.fail_under,
        config.max_regression,
        config.comment,
    )


def test_what_scores_a_fork_may_write_nothing() -> None:
    granted = workflow("example-fork-score.yml")["jobs"]["score"]["permissions"]

    assert {"read"} == set(granted.values())


def test_what_scores_a_fork_leaves_other_pull_requests_to_the_quick_start() -> None:
    job = workflow("example-fork-score.yml")["jobs"]["score"]

    assert [
        "github.event.pull_request.head.repo.full_name != github.repository",
        "github.event.pull_request.user.login == 'dependabot[bot]'",
    ] == job["if"].split(" || ")


def test_what_scores_a_fork_keeps_the_result_under_the_name_by_which_it_is_looked_for() -> None:
    kept = step("example-fork-score.yml", "actions/upload-artifact@")["with"]

    assert ARTIFACT == kept["name"]
    assert "${{ steps.plugineval.outputs.result-json }}" == kept["path"]


def test_what_comments_on_a_fork_waits_for_what_scores_it() -> None:
    waits = workflow("example-fork-comment.yml")["on"]["workflow_run"]

    assert {
        "workflows": [workflow("example-fork-score.yml")["name"]],
        "types": ["completed"],
    } == waits


def test_what_comments_on_a_fork_runs_nothing_but_the_action_and_is_never_cut_off() -> None:
    assert [{"uses": OURS, "with": {"mode": "post"}}] == steps("example-fork-comment.yml")
    assert workflow("example-fork-comment.yml")["concurrency"]["cancel-in-progress"] is False


def test_dependabot_waits_a_week_before_it_proposes_what_is_new() -> None:
    updates = yaml.safe_load(Path(ROOT / ".github/dependabot.yml").read_text("utf-8"))["updates"]

    assert {"github-actions"} == {one["package-ecosystem"] for one in updates}
    assert all(one["cooldown"]["default-days"] >= 7 for one in updates)


def test_the_workflow_for_evals_can_be_copied() -> None:
    """It runs what the job has installed, so it is no part of the README; it keeps the rules."""
    shown = read("examples/workflows/evals.yml")
    job = yaml.safe_load(shown)["jobs"]["review"]
    given = job["steps"][-1]

    assert OURS == given["uses"]
    assert given["with"].keys() <= yaml.safe_load(read("action.yml"))["inputs"].keys()
    assert {} == yaml.safe_load(shown)["permissions"]
    assert job["steps"][0]["with"]["persist-credentials"] is False
    assert step("ci.yml", "actions/checkout@")["uses"] == job["steps"][0]["uses"]
    assert all("${{" not in one.get("run", "") for one in job["steps"])
