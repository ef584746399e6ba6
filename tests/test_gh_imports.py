"""PyGithub is loaded by what talks to GitHub, and by nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
sys.path.insert(0, {root!r})
from plugineval_action.gh import api_tree, client, errors, graphql, outcome, retry
print(*sys.modules)
"""


def test_only_the_api_module_imports_pygithub() -> None:
    code = PROGRAM.format(root=str(Path(__file__).parents[1]))
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )

    assert {"github", "requests", "socket"}.isdisjoint(done.stdout.split())
