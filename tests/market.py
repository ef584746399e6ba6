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


_WORDS = (
    *("harbour", "bakery", "clinic", "printer", "roof", "cable", "cinema", "ferry"),
    *("garden", "museum", "notary", "piano", "quarry", "ribbon", "saddle", "tailor"),
    *("uniform", "violin", "wharf", "xylophone", "yacht", "zinc", "anvil", "boiler"),
    *("cooper", "dairy", "easel", "furnace", "glazier", "hatter"),
)
_SHAPES = (
    "{act} the {part} of {word} bill {n} against its {other}, {why}.",
    "Where a bill from a {word} names no {part}, page {n} goes back, {other} marked, {why}.",
    "Write down what the {word} calls its {part}; {why}. Leave the {other} alone.",
    "If {part} and {other} differ by more than {n} cents, ask the {word} for the contract.",
    "Copy {n} digits of the {part} into the {word} column, then read the {other} aloud.",
    "Two sign for the {word}, page {n}: one the {part}, the second the {other}, {why}.",
)


def _step(number: int) -> str:
    """A section with a text of its own: a form filled with nothing would get no badge."""
    act, part = _ACTS[number % 7], _PARTS[number % 8]
    other, why = _PARTS[(number * 3 + 1) % 8], _WHYS[number % 5]
    said = _SHAPES[number % 6].format(
        act=act, part=part, other=other, why=why, word=_WORDS[number % 30], n=number + 2
    )
    return f"## {act} the {part}\n\n{said}\n\n"


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
