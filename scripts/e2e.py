"""Run the action in its container, in a workflow, and look at what arrived on GitHub.

Called by e2e.sh with the path of act and the name of the base image. The pull request is the change
of the example marketplace, the event a recorded one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from demo import ROOT, commit, commit_example, git

sys.path.insert(0, str(ROOT / "tests"))

from event_files import payload
from github_server import GitHubServer, Repository

IMAGE_PARTS = (
    *("action.yml", "Dockerfile", ".dockerignore", "LICENSE", "requirements.lock"),
    *("docs/rules", "plugineval_action", "report_templates"),
)
WORKFLOW = """\
on: pull_request
jobs:
  review:
    runs-on: ubuntu-latest
    steps:
      - id: review
        uses: ./
      - run: test "$PASSED" = true && test "$PENDING" = false
        env:
          PASSED: ${{ steps.review.outputs.passed }}
          PENDING: ${{ steps.review.outputs.comment-pending }}
"""


def main(act: str, image: str) -> None:
    """Run the workflow twice: the second run must leave the comment as it is."""
    with tempfile.TemporaryDirectory(prefix="plugineval-e2e-") as scratch, GitHubServer() as server:
        folder, repository = Path(scratch), server.repository("octo-org/skills")
        event = open_pull_request(repository, folder)
        copy_action(folder / "action")
        environment = {
            "GITHUB_API_URL": server.url,
            "GITHUB_GRAPHQL_URL": server.graphql_url,
            "GITHUB_SERVER_URL": server.html_url,
            "GITHUB_REPOSITORY": repository.name,
        }
        command = [
            *(act, "pull_request", "-C", str(folder / "action"), "-e", str(event)),
            *("-P", f"ubuntu-latest={image}", "--pull=false", "--no-cache-server"),
            "--bind",
            *("--container-daemon-socket", "-", "-s", f"GITHUB_TOKEN={server.write_token}"),
            *(part for item in environment.items() for part in ("--env", "=".join(item))),
        ]
        for name in ("first", "second"):
            print(f"== {name} run of the workflow", flush=True)
            start = time.monotonic()
            if subprocess.run(command, check=False).returncode:
                sys.exit("The workflow failed.")
            print(f"== it took {time.monotonic() - start:.0f} s", flush=True)
        check(repository)


def open_pull_request(repository: Repository, folder: Path) -> Path:
    """The example change as a pull request; returns the file of its event."""
    scratch = folder / "skills"
    scratch.mkdir()
    base, head = commit_example(scratch)
    repository.import_git(scratch)
    repository.branches |= {"main": base, "clearer-triggers": head}
    pull = repository.pull_request("clearer-triggers", author="octocat", association="MEMBER")
    event = folder / "event.json"
    event.write_text(
        json.dumps(payload("pull_request", base=base, head=head, number=pull.number)),
        encoding="utf-8",
    )
    return event


def copy_action(folder: Path) -> None:
    """What a runner checks out for `uses: ./`, as far as the image is made of it."""
    for part in IMAGE_PARTS:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, folder / part)
    workflows = folder / ".github/workflows"
    workflows.mkdir(parents=True)
    (workflows / "e2e.yml").write_text(WORKFLOW, encoding="utf-8")
    git(folder, "init", "--quiet")
    commit(folder, "The action")


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


if __name__ == "__main__":
    main(*sys.argv[1:])
