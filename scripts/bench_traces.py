"""Time the grading of long traces, and the memory that it takes; nothing is asserted.

Usage: python scripts/bench_traces.py. Needs 1 GB of space for temporary files, for a minute.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from plugineval_action.evals.grading import Left, grade  # noqa: E402
from plugineval_action.evals.suite import read_suite  # noqa: E402
from plugineval_action.evals.traces.reading import read_trace  # noqa: E402
from plugineval_action.evals.traces.shell import simple_commands, unwrapped  # noqa: E402

EXAMPLE = ROOT / "examples/csv-report"
LINES = 100_000
GIGABYTE = 10**9
LONG = 64_000
HOSTILE = ("a; ", "a b ", "echo $(a) ", "`a` ", "'a'\"b\" ", "find . -exec a ", "eval a ", "(")
PROGRAM = """
import sys, time
from plugineval_action.cli.main import main
main(sys.argv[1:])
# What getrusage tells is the parent's before the program was started.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(time.process_time(), peak.split()[1], file=sys.stderr)
"""


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        trace = folder / "lines.jsonl"
        trace.write_text("".join(islice(trace_lines(20), LINES)), encoding="utf-8")
        size = trace.stat().st_size / 1e6
        print(f"CPU s for {LINES:,} lines ({size:.0f} MB), graded: {_cpu(trace):.1f}")
        slowest, made_of = _slowest_command()
        print(f"CPU ms for a command of {LONG:,} characters: {slowest:.0f} ({made_of!r})")
        for name, most in (("small", 10_000), ("large", GIGABYTE)):
            (folder / name).mkdir()
            lines = _write(folder / name / "totals.jsonl", most)
            seconds, peak = _whole_process(folder / name)
            told = f"{lines:,} lines, {most / 1e6:,.2f} MB"
            print(f"whole process, {told}: {seconds:.1f} CPU s, {peak:.0f} MB at most")


def _slowest_command() -> tuple[float, str]:
    """CPU milliseconds for the dearest of some long commands, and what it is made of."""
    found = []
    for part in HOSTILE:
        text = (part * LONG)[:LONG]
        started = time.process_time()
        simple_commands(unwrapped(text), 0)
        found.append(((time.process_time() - started) * 1e3, part))
    return max(found)


def trace_lines(output: int) -> Iterator[str]:
    """A run that never ends: commands of several parts, with so many lines of output."""
    yield json.dumps({"type": "thread.started", "thread_id": "t"}) + "\n"
    for number in count():
        script = (
            f"cd app{number} && npm install --silent 2>&1 | tail -20 && cat src/file{number}.ts"
        )
        item = {
            "id": f"item_{number}",
            "type": "command_execution",
            "command": f"/bin/bash -lc '{script}'",
        }
        begun = item | {"aggregated_output": "", "exit_code": None, "status": "in_progress"}
        told = "line of output\n" * output
        ended = item | {"aggregated_output": told, "exit_code": 0, "status": "completed"}
        yield json.dumps({"type": "item.started", "item": begun}) + "\n"
        yield json.dumps({"type": "item.completed", "item": ended}) + "\n"


def _cpu(trace: Path) -> float:
    suite = read_suite("csv-report", EXAMPLE / "evals")
    case = next(one for one in suite.cases if one.id == "totals")
    started = time.process_time()
    grade(case, suite.skill, suite.checks, read_trace(trace), Left())
    return time.process_time() - started


def _write(path: Path, most: int) -> int:
    size = lines = 0
    with path.open("w", encoding="utf-8") as file:
        for line in trace_lines(120):
            if size > most:
                break
            size += file.write(line)
            lines += 1
    return lines


def _whole_process(traces: Path) -> tuple[float, float]:
    """CPU seconds and the most megabytes of `eval grade` on a folder of traces."""
    words = ["eval", "grade", str(EXAMPLE / "skills/csv-report"), "--traces", str(traces)]
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, *words], check=True, capture_output=True, text=True
    )
    seconds, kilobytes = done.stderr.split()[-2:]
    return float(seconds), int(kilobytes) / 1e3


if __name__ == "__main__":
    main()
