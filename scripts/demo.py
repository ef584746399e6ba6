"""Show what the command line does, on the example marketplace; results go to demo-output/.

The review needs two revisions, so the example is committed to a scratch repository first: as it
is, then with examples/change/ laid over it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
OUTPUT = Path.cwd() / "demo-output"
COMMAND_LINE = (sys.executable, "-I", "-m", "plugineval_action")
GIT_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_DATE": "2026-01-05T09:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-05T09:00:00Z",
}
GIT_SETTINGS = (
    "-c", "user.name=Example maintainers", "-c", "user.email=maintainers@example.com",
    "-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false", "-c", "core.autocrlf=false",
)  # fmt: skip


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
    print(first_section(review))
    save("review.md", review)

    plugin_eval("report", "examples/marketplace", "--output-dir", str(OUTPUT / "report"))
    grade_example_evals()
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
            *("--traces", f"{evals}/traces/{harness}", "--baseline", f"{evals}/{baseline}"),
        )
        for harness, baseline in (("codex", "baseline.json"), ("claude", "baseline-claude.json"))
    ]
    print(graded[0].strip())
    save("evals.md", "\n".join(graded))


def plugin_eval(*arguments: str, cwd: Path = ROOT, output: int | None = subprocess.PIPE) -> str:
    """What `plugin-eval` prints ("" if `output` lets it go to the terminal); ends if it fails."""
    done = subprocess.run(
        [*COMMAND_LINE, *arguments], cwd=cwd, check=False, stdout=output, encoding="utf-8"
    )
    if done.returncode:
        sys.exit(f"plugin-eval {' '.join(arguments)} ended with exit status {done.returncode}.")
    return done.stdout or ""


def first_section(document: str) -> str:
    """What stands before the second heading."""
    return "\n#".join(document.split("\n#")[:2]).strip()


def commit_example(repository: Path) -> tuple[str, str]:
    """Commit the marketplace, then the change; returns the two commits, base and head."""
    git(repository, "init", "--quiet")
    shutil.copytree(EXAMPLES / "marketplace", repository, dirs_exist_ok=True)
    base = commit(repository, "Add the marketplace")
    apply_change(repository)
    return base, commit(repository, "Change some skills")


def apply_change(marketplace: Path) -> None:
    """Lay examples/change/ over a copy of the marketplace, and remove what DELETED lists."""
    change = EXAMPLES / "change"
    for path in (change / "DELETED").read_text(encoding="utf-8").splitlines():
        (marketplace / path).unlink()
    shutil.copytree(change / "plugins", marketplace / "plugins", dirs_exist_ok=True)


def commit(repository: Path, message: str) -> str:
    """Commit everything; returns the commit's full name."""
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--no-verify", "--message", message)
    return git(repository, "rev-parse", "HEAD").strip()


def git(repository: Path, *arguments: str) -> str:
    """Run git with nothing but our own settings; returns what it prints."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_")
    } | GIT_ENVIRONMENT
    done = subprocess.run(
        ["git", *GIT_SETTINGS, *arguments],
        cwd=repository,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    return done.stdout


def step(title: str) -> None:
    """Print a heading."""
    print(f"\n== {title}\n", flush=True)


def save(name: str, text: str) -> None:
    """Write one result file."""
    (OUTPUT / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
