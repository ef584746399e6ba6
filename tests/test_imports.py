"""A quick score of one skill imports nothing heavy: a cold start stays short."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from skills import skill_text

ROOT = Path(__file__).parents[1]
HEAVY = (
    "anthropic",
    "asyncio",
    "concurrent.futures",
    "github",
    "httpx",
    "matplotlib",
    "multiprocessing",
    "numpy",
    "pydantic",
    "requests",
    "rich",
    "secrets",
    "socket",
    "ssl",
    "statistics",
    "subprocess",
    "traceback",
    "unittest",
)
SCORE = """
import sys
sys.path.insert(0, {root!r})
from plugineval_action.content.directory_tree import DirectoryTree
from plugineval_action.evaluate import score_skill
from pathlib import Path
score_skill(DirectoryTree(Path({skill!r})), "", ruleset={ruleset!r})
sys.stderr.write("\\n".join(sys.modules))
"""
COMMAND = """
import sys
sys.path.insert(0, {root!r})
from plugineval_action.cli.main import main
code = main(["score", {skill!r}, "--depth", "quick", "--output", {output!r}])
sys.stderr.write("\\n".join(sys.modules))
sys.exit(code)
"""


@pytest.fixture
def skill(tmp_path: Path) -> str:
    """A skill on disk with something of everything that is measured."""
    (tmp_path / "s").mkdir()
    body = "## Usage\n\n[a](references/a.md) `skills/gone` own:s\n\nUse `Bash`.\n"
    (tmp_path / "s/SKILL.md").write_text(skill_text(body))
    return str(tmp_path / "s")


def _run(code: str) -> tuple[str, set[str]]:
    """The output of a program, and the modules it had imported in the end."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout, set(done.stderr.split("\n"))


@pytest.mark.parametrize("ruleset", ["plugineval", "reference"])
def test_scoring_a_skill_imports_nothing_heavy(skill: str, ruleset: str) -> None:
    _, modules = _run(SCORE.format(root=str(ROOT), skill=skill, ruleset=ruleset))

    assert {"yaml", "pyromark"} <= modules
    assert modules.isdisjoint((*HEAVY, "jinja2", "argparse"))


@pytest.mark.parametrize(
    ("output", "start"), [("markdown", "# s: "), ("json", "{"), ("sarif", "{"), ("github", "::")]
)
def test_a_quick_score_on_the_command_line_imports_nothing_heavy(
    skill: str, output: str, start: str
) -> None:
    shown, modules = _run(COMMAND.format(root=str(ROOT), skill=skill, output=output))

    assert shown.startswith(start)
    assert modules.isdisjoint(HEAVY)
