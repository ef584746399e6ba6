"""A project whose skill has evals, and a stand-in for a harness that does what its prompt says."""

from __future__ import annotations

import json
import shlex
import socket
import sys
from pathlib import Path

from plugineval_action.cli.main import main
from plugineval_action.evals.recordings import Recording, recordings
from skills import described

AGENT = """
import json, os, pathlib, subprocess, sys, time
if sys.argv[1:] == ["--version"]:
    print("agent 1.2.3")
    sys.exit()
prompt = sys.argv[-1] if sys.argv[1:2] == ["--argument"] else sys.stdin.read()
def say(**line):
    print(json.dumps(line), flush=True)
say(type="thread.started", thread_id="t")
skill = pathlib.Path(".agents/skills/s/SKILL.md")
if skill.exists() and "sort" not in prompt:
    item = dict(id="i", type="command_execution", command="cat .agents/skills/s/SKILL.md")
    say(type="item.completed", item=item | dict(exit_code=0, status="completed"))
    pathlib.Path("out.txt").write_text(prompt)
exec(prompt.partition("run:")[2].strip())
say(type="item.completed", item=dict(id="m", type="agent_message", text=prompt))
say(type="turn.completed", usage=dict(input_tokens=100, output_tokens=10))
"""
CHECKS = "checks:\n- {id: out, type: file_exists, path: out.txt}\n"


def make_project(root: Path) -> Path:
    """A skill with evals, and an agent, to be the current folder."""
    for folder in ("skills/s/evals", "evals", ".claude-plugin"):
        (root / folder).mkdir(parents=True)
    (root / ".claude-plugin/marketplace.json").write_text('{"name": "m", "plugins": []}')
    (root / "skills/s/SKILL.md").write_text(described("Does s."))
    (root / "skills/s/evals/answers.md").write_text("The answer")
    (root / "evals/s.checks.yaml").write_text(CHECKS)
    (root / "agent").write_text(f"#!{sys.executable}\n{AGENT}")
    (root / "agent").chmod(0o755)
    return root


def agent(*options: str) -> str:
    return shlex.join([str(Path("agent").resolve()), *options])


def cases(project: Path, **prompts: str) -> None:
    rows = [{"id": name, "should_trigger": True, "prompt": text} for name, text in prompts.items()]
    (project / "evals/s.prompts.yaml").write_text(json.dumps(rows))


def run(*options: str | Path, command: str | None = None) -> int:
    words = ["eval", "run", "skills/s", "--harness", command or agent(), "--traces", "traces"]
    return main([*words, *map(str, options)])


def recorded(project: Path) -> dict[str, Recording]:
    return {f"{one.arm}/{one.case}.{one.repeat}": one for one in recordings(project / "traces")}


def runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
    return number
