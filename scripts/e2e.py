"""Run the action in its container, in a workflow, and look at what arrived on GitHub.

Called by e2e.sh with the path of act and the name of the base image. The pull request is the change
of the example marketplace, the report is about what it would be merged into, and the events are
recorded ones.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import scratch_repository
from demo import ROOT, commit_example

sys.path.insert(0, str(ROOT / "tests"))

from event_files import payload
from github_server import GitHubServer, Repository

IGNORE = ".dockerignore"
IMAGE_PARTS = (
    *("action.yml", "Dockerfile", IGNORE),
    *(line[1:] for line in (ROOT / IGNORE).read_text().splitlines() if line.startswith("!")),
)
"""The action's own files, and what its image is built from."""

WORKFLOW = """\
on: [pull_request, push]
jobs:
  review:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    steps:
      - id: review
        uses: ./
      - run: test "$PASSED" = true && test "$PENDING" = false
        env:
          PASSED: ${{ steps.review.outputs.passed }}
          PENDING: ${{ steps.review.outputs.comment-pending }}
  report:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    steps:
      - id: report
        uses: ./
        with:
          mode: report
      - run: test -n "$REPORT_URL"
        env:
          REPORT_URL: ${{ steps.report.outputs.report-url }}
"""


def main(act: str, image: str) -> None:
    """Run the workflow twice on each event: the second run must leave everything as it is."""
    with tempfile.TemporaryDirectory(prefix="plugineval-e2e-") as scratch, GitHubServer() as server:
        folder, repository = Path(scratch), server.repository("octo-org/skills")
        events = open_pull_request(repository, folder)
        copy_action(folder / "action")
        environment = {
            "GITHUB_API_URL": server.url,
            "GITHUB_GRAPHQL_URL": server.graphql_url,
            "GITHUB_SERVER_URL": server.html_url,
            "GITHUB_REPOSITORY": repository.name,
        }
        options = [
            *("-C", str(folder / "action")),
            *("-P", f"ubuntu-latest={image}", "--pull=false", "--no-cache-server"),
            "--bind",
            *("--container-daemon-socket", "-", "-s", f"GITHUB_TOKEN={server.write_token}"),
            *(part for item in environment.items() for part in ("--env", "=".join(item))),
        ]
        for kind, event in events.items():
            for name in ("first", "second"):
                print(f"== {kind}: {name} run of the workflow", flush=True)
                start = time.monotonic()
                command = [act, kind, "-e", str(event), *options]
                if subprocess.run(command, check=False).returncode:
                    sys.exit("The workflow failed.")
                print(f"== it took {time.monotonic() - start:.0f} s", flush=True)
        check(repository)
        check_report(repository)


def open_pull_request(repository: Repository, folder: Path) -> dict[str, Path]:
    """The example change as a pull request; the files of its event, and of a push before it."""
    scratch = folder / "skills"
    scratch.mkdir()
    base, head = commit_example(scratch)
    repository.import_git(scratch)
    repository.branches |= {"main": base, "clearer-triggers": head}
    pull = repository.pull_request("clearer-triggers", author="octocat", association="MEMBER")
    payloads = {
        "pull_request": payload("pull_request", base=base, head=head, number=pull.number),
        "push": payload("push", head=base),
    }
    for name, content in payloads.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return {name: folder / f"{name}.json" for name in payloads}


def copy_action(folder: Path) -> None:
    """What a runner checks out for `uses: ./`, as far as the image is made of it."""
    for part in IMAGE_PARTS:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, folder / part)
    workflows = folder / ".github/workflows"
    workflows.mkdir(parents=True)
    (workflows / "e2e.yml").write_text(WORKFLOW, encoding="utf-8")
    scratch_repository.make(folder)
    scratch_repository.commit(folder, "The action")


def check(repository: Repository) -> None:
    """One comment, never edited, and a check run for each run, all concluded."""
    (pull,) = repository.pull_requests.values()
    bodies = [comment.body for comment in pull.comments]
    edits = [edit for comment in pull.comments for edit in comment.edits]
    conclusions = [run.conclusion or "not concluded" for run in repository.check_runs]
    if len(bodies) != 1 or edits or not conclusions or "not concluded" in conclusions:
        sys.exit(f"{len(bodies)} comments, {len(edits)} edits, check runs {conclusions}.")
    print(f"== {len(bodies)} comment, {len(conclusions)} check runs: {', '.join(conclusions)}")
    print(next(line for line in bodies[0].splitlines() if line.startswith("#")))


def check_report(repository: Repository) -> None:
    """A branch with the report of the first run, which the second one found as it should be."""
    tip = repository.store.commit(repository.branches["plugin-eval-report"])
    if repository.store.commit(tip.parents[0]).parents:
        sys.exit("The second report was committed, though nothing had changed.")
    print(f"== {len(repository.files('plugin-eval-report'))} files of a report")


if __name__ == "__main__":
    main(*sys.argv[1:])
