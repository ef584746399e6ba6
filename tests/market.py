"""A marketplace on the disk, large enough to certify in."""

from __future__ import annotations

import json
from pathlib import Path


def market_at(root: Path, skills: int = 6, steps: int = 30) -> Path:
    """A plugin `p` with skills `s0`, `s1` … of about the same length; gives the root."""
    (root / "p/.claude-plugin").mkdir(parents=True)
    (root / "p/.claude-plugin/plugin.json").write_text(json.dumps({"name": "p"}))
    for number in range(skills):
        folder = root / f"p/skills/s{number}"
        folder.mkdir(parents=True)
        body = "".join(f"## Step {step}\n\nDo {number}, then that.\n\n" for step in range(steps))
        (folder / "SKILL.md").write_text(
            f"---\nname: s{number}\ndescription: Reads bills of kind {number}. Use when a bill of "
            f"kind {number} arrives.\n---\n# Bills\n\n{body}"
        )
    return root
