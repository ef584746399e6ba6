"""Time `report`, weigh it, and grow a branch of weekly reports; prints two tables.

Usage: python scripts/bench_report.py [FOLDER]. FOLDER is as for bench.py. Larger marketplaces are
made of its skills over and over, eight a plugin, each with a line and a description of its own.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import scratch_repository

from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.content.discovery import discover
from plugineval_action.content.skill import SKILL_FILE
from plugineval_action.render.report.files import report_files
from plugineval_action.render.report.model import Site
from plugineval_action.report.gather import Moment, gather_report
from plugineval_action.report.history import HISTORY_FILE, History, read_history
from plugineval_action.rulesets import DEFAULT

ROOT = Path(__file__).resolve().parents[1]
SIZES = (500, 5_000, 20_000)
SKILLS_A_PLUGIN = 8
GROWN_PLUGINS = 100
WEEKS = 52
CHANGED_A_WEEK = 10
SITE = Site(
    *(f"https://github.com/sample-owner/sample-tools/{view}" for view in ("blob", "raw", "blob"))
)


def main() -> None:
    """Print both tables."""
    corpus = os.environ.get("PLUGINEVAL_CORPUS")
    example = f"{corpus}/marketplaces" if corpus else str(ROOT / "examples" / "marketplace")
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else example)
    texts = _texts(folder)
    print(
        "\n| `report` on | s | s of processor time | ms of it a skill | MB, largest process |\n"
        "| --- | --: | --: | --: | --: |"
    )
    with tempfile.TemporaryDirectory() as scratch:
        _row(f"the {len(texts)} skills of the marketplaces", folder, len(texts), Path(scratch))
        for size in SIZES:
            market = Path(scratch) / f"market-{size}"
            _make(market, texts, size)
            _row(f"{size:,} skills", market, size, Path(scratch))
            shutil.rmtree(market)
        print("\n| Weekly reports on a branch | MB, packed |\n| --- | --: |")
        for weeks, size in _grow(Path(scratch), texts):
            print(f"| {weeks} weeks, {GROWN_PLUGINS} plugins | {size / 1e6:.2f} |", flush=True)


def _texts(folder: Path) -> list[str]:
    """The SKILL.md of each skill."""
    paths = [folder / unit.path / SKILL_FILE for unit in discover(DirectoryTree(folder)).skills]
    return [path.read_text(encoding="utf-8", errors="replace") for path in paths]


def _make(market: Path, texts: list[str], size: int) -> None:
    draw = random.Random(size)
    for number in range(size):
        plugin = market / "plugins" / f"plugin-{number // SKILLS_A_PLUGIN:04}"
        if number % SKILLS_A_PLUGIN == 0:
            (plugin / ".claude-plugin").mkdir(parents=True)
            (plugin / ".claude-plugin/plugin.json").write_text("{}")
        own = f"\\1Covers {draw.randrange(10**9)} and {draw.randrange(10**9)}. "
        text = re.sub(
            r"^(description: )(?=\w)", own, texts[number % len(texts)], flags=re.MULTILINE
        )
        skill = plugin / "skills" / f"skill-{number:05}" / SKILL_FILE
        skill.parent.mkdir(parents=True)
        skill.write_text(f"{text}\n\nNumber {number}.\n", encoding="utf-8")


def _row(what: str, market: Path, skills: int, scratch: Path) -> None:
    wall, seconds, megabytes = _report(market, scratch / "out")
    shutil.rmtree(scratch / "out")
    figures = f"{wall:.1f} | {seconds:.1f} | {1000 * seconds / skills:.1f} | {megabytes:.0f}"
    print(f"| {what} | {figures} |", flush=True)


def _report(market: Path, out: Path) -> tuple[float, float, float]:
    """The command, charts and all: seconds on the wall and of all its processes, its memory."""
    command = [sys.executable, "-I", "-m", "plugineval_action", "report", str(market)]
    started = time.perf_counter()
    with subprocess.Popen(
        [*command, "--output-dir", str(out)], stdout=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench: {command} failed")
    wall = time.perf_counter() - started
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _grow(scratch: Path, texts: list[str]) -> Iterator[tuple[int, int]]:
    """Bytes of a repository of reports, packed, after one week and after all of them."""
    market, branch = scratch / "market", scratch / "branch"
    _make(market, texts, GROWN_PLUGINS * SKILLS_A_PLUGIN)
    branch.mkdir()
    scratch_repository.make(branch)
    draw = random.Random(WEEKS)
    skills = sorted(market.rglob(SKILL_FILE))
    for week in range(WEEKS):
        day = (date(2026, 1, 5) + timedelta(weeks=week)).isoformat()
        for skill in draw.sample(skills, CHANGED_A_WEEK):
            _edit(skill, draw)
        _publish(market, branch, Moment(f"{week:040x}", day))
        scratch_repository.commit(branch, "Report", day)
        if week in (0, WEEKS - 1):
            yield week + 1, _packed(branch)


def _edit(skill: Path, draw: random.Random) -> None:
    """Add a rule or take one away, so that lines and scores move."""
    text = skill.read_text(encoding="utf-8")
    added = "\n## Usage\n\nYou MUST NEVER skip it. ALWAYS return JSON.\n" * draw.randrange(1, 4)
    skill.write_text(text.replace(added, "") if added in text else text + added, encoding="utf-8")


def _publish(market: Path, branch: Path, moment: Moment) -> None:
    file = branch / HISTORY_FILE
    past = read_history(file.read_text(encoding="utf-8")) if file.exists() else History()
    report = gather_report(DirectoryTree(market), "", DEFAULT, moment, lambda scored, _: scored)
    for name, text in report_files(report, past, SITE).items():
        path = branch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _packed(branch: Path) -> int:
    scratch_repository.git(branch, "gc", "--quiet", "--prune=now")
    return sum(path.stat().st_size for path in (branch / ".git/objects").rglob("*.pack"))


if __name__ == "__main__":
    main()
