"""Show what the command line does, on the example marketplace; results go to demo-output/.

The review needs two revisions, so the example is committed to a scratch repository first: as it
is, then with examples/change/ laid over it. The report has a past: twelve weeks of commits to
another one (demo_weeks.py), each scored as a weekly run would.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import scratch_repository
from demo_weeks import weeks

from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.git import head_commit
from plugineval_action.report.gather import Moment, gather_report
from plugineval_action.report.history import HISTORY_FILE, History, with_run, write_history
from plugineval_action.report.records import records_of
from plugineval_action.rulesets import DEFAULT

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
OUTPUT = Path.cwd() / "demo-output"
COMMAND_LINE = (sys.executable, "-I", "-m", "plugineval_action")


def main() -> None:
    """Score the marketplace, review the change, report, grade evals, and say where it all is."""
    shutil.rmtree(OUTPUT, ignore_errors=True)
    (OUTPUT / "report").mkdir(parents=True)
    score = ("score", "examples/marketplace", "--depth", "quick")

    step("Scores of the example marketplace")
    plugin_eval(*score, output=None)
    save("score.md", plugin_eval(*score, "--output", "markdown"))
    save("score.html", plugin_eval(*score, "--output", "html"))

    step("Review of the example change")
    with tempfile.TemporaryDirectory(prefix="plugin-eval-demo-") as scratch:
        base, head = commit_example(Path(scratch))
        review = plugin_eval("review", "--base", base, "--head", head, cwd=Path(scratch))
    print(first_sections(review))
    save("review.md", review)

    grade_example_evals()

    step("Report on twelve weeks of the example marketplace")
    with tempfile.TemporaryDirectory(prefix="plugin-eval-demo-") as scratch:
        report(Path(scratch) / "example-marketplace")

    step("Written")
    for path in ("score.md", "score.html", "review.md", "report/README.md", "evals.md"):
        print(f"  {OUTPUT.name}/{path}")


def grade_example_evals() -> None:
    """Grade what both harnesses did with the example skill, as it was recorded."""
    step("Evals of an example skill, from recorded runs of Codex and Claude Code")
    evals = "examples/csv-report/evals"
    graded = [
        plugin_eval(
            *("eval", "grade", "examples/csv-report/skills/csv-report"),
            *("--traces", f"{evals}/traces/{harness}"),
        )
        for harness in ("codex", "claude")
    ]
    print(graded[0].strip())
    save("evals.md", "\n".join(graded))


def report(repository: Path) -> None:
    """Score the marketplace in each of twelve weeks, and report on the last one."""
    repository.mkdir()
    past = History()
    for _ in weeks(repository):
        commit, day = head_commit(repository) or ("", "")
        moment = Moment(commit, day)
        found = gather_report(
            DirectoryTree(repository), "", DEFAULT, moment, lambda scored, _: scored
        )
        past = with_run(past, records_of(found, past))
    (OUTPUT / "report" / HISTORY_FILE).write_text(write_history(past), encoding="utf-8")
    plugin_eval("report", str(repository), "--output-dir", str(OUTPUT / "report"), output=None)


def plugin_eval(*arguments: str, cwd: Path = ROOT, output: int | None = subprocess.PIPE) -> str:
    """What `plugin-eval` prints ("" if `output` lets it go to the terminal); ends if it fails."""
    done = subprocess.run(
        [*COMMAND_LINE, *arguments], cwd=cwd, check=False, stdout=output, encoding="utf-8"
    )
    if done.returncode:
        sys.exit(f"plugin-eval {' '.join(arguments)} ended with exit status {done.returncode}.")
    return done.stdout or ""


def first_sections(comment: str) -> str:
    """The verdict, the table and what to fix first: what stands before what is folded away."""
    shown = comment.partition("\n<details>")[0].splitlines()
    return "\n".join(line for line in shown if not line.startswith("<!--")).strip()


def commit_example(repository: Path) -> tuple[str, str]:
    """Commit the marketplace, then the change; returns the two commits, base and head."""
    scratch_repository.make(repository)
    shutil.copytree(EXAMPLES / "marketplace", repository, dirs_exist_ok=True)
    base = scratch_repository.commit(repository, "Add the marketplace")
    apply_change(repository)
    return base, scratch_repository.commit(repository, "Change some skills")


def apply_change(marketplace: Path) -> None:
    """Lay examples/change/ over a copy of the marketplace, and remove what DELETED lists."""
    change = EXAMPLES / "change"
    for path in (change / "DELETED").read_text(encoding="utf-8").splitlines():
        (marketplace / path).unlink()
    shutil.copytree(change / "plugins", marketplace / "plugins", dirs_exist_ok=True)


def step(title: str) -> None:
    """Print a heading."""
    print(f"\n== {title}\n", flush=True)


def save(name: str, text: str) -> None:
    """Write one result file."""
    (OUTPUT / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
