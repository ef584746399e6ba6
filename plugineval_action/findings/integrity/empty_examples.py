"""IN008: examples that show nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.integrity.example_skill import BODY, GOOD
from plugineval_action.findings.subject import Skill

LEAST_BLOCKS: Final = 3
MOST_EMPTY: Final = 0.5
_LEAST_CHARACTERS: Final = 6
_STAND_INS: Final = frozenset(
    {"code", "codehere", "yourcodehere", "example", "examplehere", "output", "input", "todo", "tbd",
     "foo", "bar", "foobar", "helloworld", "test", "sample", "placeholder", "samplecode", "pass"}
)  # fmt: skip
_SAYS_MORE: Final = re.compile(rf"(?:[\W_]*+[^\W_]){{{max(map(len, _STAND_INS)) + 1}}}")
"""More letters and digits than any stand-in has, as nearly every block does."""


def find(subject: Skill) -> Iterator[Hit]:
    """The share of code blocks that are empty, stand-ins, or one and the same."""
    blocks = subject.blocks
    if len(blocks) < LEAST_BLOCKS:
        return
    met: set[str] = set()
    empty = []
    for block in blocks:
        if _says_nothing(block.code) or block.code in met:
            empty.append(block)
        met.add(block.code)
    if len(empty) >= MOST_EMPTY * len(blocks):
        message = f"{len(empty)} of {len(blocks)} code blocks are empty, stand-ins or repeated."
        yield Hit(max(1, empty[0].line - 1), message)


def _says_nothing(code: str) -> bool:
    if len(code) > 120 or _SAYS_MORE.match(code):
        return False
    plain = "".join(character for character in code.lower() if character.isalnum())
    return (len(plain) < _LEAST_CHARACTERS and not _is_command(code)) or plain in _STAND_INS


def _is_command(code: str) -> bool:
    """Whether a short text may well be a command or a tree of signs, as `make` or `a -> b`."""
    return code.strip().isalpha() and len(code.strip()) > 1


CHECK = Check(
    code="IN008",
    id="EMPTY_EXAMPLES",
    family="integrity",
    level="warning",
    title="Code blocks show nothing",
    why="Code blocks are counted, and a model learns from what they show.",
    source="https://agentskills.io/specification",
    remedy="Show real input and output, or remove the blocks.",
    bad=skill(body=BODY + "\n```python\n...\n```\n\n```bash\n#\n```\n\n```json\n{}\n```\n"),
    good=GOOD,
    find=find,
    withholds=True,
)
