"""A marketplace on the disk, large enough to certify in."""

from __future__ import annotations

import json
from pathlib import Path

_ACTS = ("Read", "Compare", "Round", "Convert", "File", "Question", "Total")
_PARTS = ("amount", "date", "sender", "tax", "currency", "discount", "order number", "address")
_WHYS = (
    "since a wrong one is paid twice",
    "as auditors ask for it first",
    "unless the contract says otherwise",
    "so that reminders reach the right desk",
    "which the ledger cannot correct later",
)


def _step(number: int) -> str:
    """A section with a text of its own: a form filled with nothing would get no badge."""
    act, part = _ACTS[number % 7], _PARTS[number % 8]
    other, why = _PARTS[(number * 3 + 1) % 8], _WHYS[number % 5]
    return (
        f"## {act} the {part}\n\n{act} the {part} of bill page {number + 1} against its {other}, "
        f"{why}.\n\n"
    )


def market_at(root: Path, skills: int = 6, steps: int = 30) -> Path:
    """A plugin `p` with skills `s0`, `s1` … of about the same length; gives the root."""
    (root / "p/.claude-plugin").mkdir(parents=True)
    (root / "p/.claude-plugin/plugin.json").write_text(json.dumps({"name": "p"}))
    for number in range(skills):
        folder = root / f"p/skills/s{number}"
        folder.mkdir(parents=True)
        body = "".join(_step(step) for step in range(steps))
        (folder / "SKILL.md").write_text(
            f"---\nname: s{number}\ndescription: Reads bills of kind {number}. Use when a bill of "
            f"kind {number} arrives.\n---\n# Bills\n\n{body}"
        )
    return root
