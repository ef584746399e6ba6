"""Time the static layer and print a table; nothing is asserted, since machines differ.

Usage: python scripts/bench.py [FOLDER]. FOLDER holds the skills to score; without one, the
corpus that PLUGINEVAL_CORPUS names, else the example marketplace.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from action_run import GOOD, POOR, act, propose, review_of  # noqa: E402
from github_server import GitHubServer  # noqa: E402
from hostile import hostile_bodies, hostile_front_matters  # noqa: E402
from memory_tree import MemoryTree  # noqa: E402
from plugineval_action.content.directory_tree import DirectoryTree  # noqa: E402
from plugineval_action.content.discovery import Discovery, discover  # noqa: E402
from plugineval_action.content.document import Document, read_document  # noqa: E402
from plugineval_action.content.skill import read_skill  # noqa: E402
from plugineval_action.evaluate import score_skill  # noqa: E402
from plugineval_action.findings.run import check_shelf, check_skill  # noqa: E402
from plugineval_action.rulesets import Ruleset  # noqa: E402

RUNS = 5
MANY = 5_000
HOSTILE_SIZE = 1_000_000


def main() -> None:
    """Print the whole table."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else _default_folder())
    rulesets = get_args(Ruleset)
    print(
        f"{datetime.now(UTC).date()}, Python {platform.python_version()}, {os.cpu_count()} cores\n"
    )
    print("| What | " + " | ".join(rulesets) + " |\n| --- |" + " --: |" * len(rulesets))
    tree = DirectoryTree(folder)
    found = discover(tree)
    skills = found.skills
    _row(
        f"ms per skill, warm, one core ({len(skills)} skills)",
        [
            f"{_warm(tree, [(unit.path, unit.plugin) for unit in skills], ruleset):.2f}"
            for ruleset in rulesets
        ],
    )
    alone, together = _findings(tree, found)
    _row("ms of processor time for findings per skill, alone", [f"{alone:.2f}", "the same"])
    _row("the same for all skills side by side", [f"{together:.2f}", "the same"])
    one = str(folder / skills[0].path)
    _row(
        "s for `score` of one skill, whole process",
        [f"{_command(one, ruleset)[0]:.2f}" for ruleset in rulesets],
    )
    with tempfile.TemporaryDirectory() as scratch:
        many = _copies(folder, [unit.path for unit in skills], Path(scratch))
        for processes in (1, 2):
            timed = [
                _command(many, ruleset, "--concurrency", str(processes)) for ruleset in rulesets
            ]
            _row(
                f"s for {MANY:,} skills, {processes} process(es)",
                [f"{seconds:.1f}" for seconds, _ in timed],
            )
            _row(
                f"MB for {MANY:,} skills, largest of {processes} process(es)",
                [f"{mb:.0f}" for _, mb in timed],
            )
    slowest = [max(_hostile(ruleset)) for ruleset in rulesets]
    _row("ms for the slowest hostile 1 MB file", [f"{ms:.0f} ({name})" for ms, name in slowest])
    print("\n| The action, from start to exit | s | API calls |\n| --- | --: | --: |")
    _row("nothing to score", [*_action(0)])
    _row("300 changed skills", [*_action(300)])


def _default_folder() -> str:
    corpus = os.environ.get("PLUGINEVAL_CORPUS")
    return f"{corpus}/marketplaces" if corpus else str(ROOT / "examples" / "marketplace")


def _row(what: str, figures: list[str]) -> None:
    print(f"| {what} | " + " | ".join(figures) + " |", flush=True)


def _warm(tree: DirectoryTree, skills: list[tuple[str, str | None]], ruleset: Ruleset) -> float:
    """Median milliseconds a skill, files read from the page cache."""

    def once() -> None:
        for path, plugin in skills:
            score_skill(tree, path, plugin=plugin, ruleset=ruleset)

    once()
    return statistics.median(_seconds(once) for _ in range(RUNS)) * 1000 / len(skills)


def _findings(tree: DirectoryTree, found: Discovery) -> tuple[float, float]:
    """Least milliseconds of processor time a skill: the rules for one, and those for all of them.

    Of each skill the best of several rounds is taken: other work on the machine only adds to it.
    """
    documents = [read_document(read_skill(tree, unit.path, unit.plugin)) for unit in found.skills]
    alone = [min(each) for each in zip(*(_each(documents) for _ in range(RUNS)), strict=True)]
    together = min(_busy(lambda: check_shelf(tree, found)) for _ in range(RUNS))
    return 1000 * sum(alone) / len(documents), 1000 * together / len(documents)


def _each(documents: list[Document]) -> list[float]:
    return [_busy(partial(check_skill, document)) for document in documents]


def _busy(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _command(path: str, ruleset: Ruleset, *more: str) -> tuple[float, float]:
    """Median wall seconds of the command, and the peak memory of its largest process in MB."""
    command = [sys.executable, "-I", "-m", "plugineval_action", "score", path]
    command += ["--depth", "quick", "--output", "markdown", "--ruleset", ruleset, *more]
    peaks = []

    def once() -> None:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"bench: {command} failed")
        peaks.append(usage.ru_maxrss / 1024)

    seconds = statistics.median(_seconds(once) for _ in range(1 if more else RUNS))
    return seconds, max(peaks)


def _copies(folder: Path, skills: list[str], scratch: Path) -> str:
    """MANY skills: the given ones, over and over, each with all its files."""
    for number in range(MANY):
        source = folder / skills[number % len(skills)]
        shutil.copytree(source, scratch / "skills" / f"{number}-{source.name}", symlinks=True)
    return str(scratch)


def _action(changed: int) -> tuple[str, str]:
    """Median seconds and the calls of a run as in a container, the GitHub being on this machine.

    What it answers is checked as in the tests, which takes a part of the time.
    """
    taken, calls = [], 0
    sides = [{f"skills/s{n}/SKILL.md": text for n in range(changed)} for text in (GOOD, POOR)]
    for _ in range(RUNS):
        with GitHubServer() as server, tempfile.TemporaryDirectory() as scratch:
            change = propose(server, {"LICENSE": ""} | sides[0], {"LICENSE": "x"} | sides[1])
            act_now = partial(act, server, Path(scratch), review_of(change), process=True)
            taken.append(_seconds(act_now))
            calls = len(server.requests)
    return f"{statistics.median(taken):.2f}", str(calls)


def _hostile(ruleset: Ruleset) -> Iterator[tuple[float, str]]:
    front = "---\nname: s\ndescription: Use when it is slow.\n---\n"
    texts = {name: front + body for name, body in hostile_bodies(HOSTILE_SIZE).items()}
    texts |= {name: f"---\n{body}---\n" for name, body in hostile_front_matters(99_000).items()}
    for name, text in texts.items():
        skill = text.encode()[:HOSTILE_SIZE]
        tree = MemoryTree({"p/.claude-plugin/plugin.json": "{}", "p/skills/s/SKILL.md": skill})
        ms = 1000 * _seconds(lambda: score_skill(tree, "p/skills/s", plugin="p", ruleset=ruleset))  # noqa: B023
        yield ms, name


if __name__ == "__main__":
    main()
