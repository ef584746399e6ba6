"""IN008: examples that show nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.integrity.example_skill import BODY, GOOD
from plugineval_action.findings.subject import Block, Skill

LEAST_BLOCKS: Final = 3
MOST_EMPTY: Final = 0.5
_LEAST_CHARACTERS: Final = 6
_STAND_INS: Final = frozenset(
    {"code", "codehere", "yourcodehere", "example", "examplehere", "output", "input", "todo", "tbd",
     "foo", "bar", "foobar", "helloworld", "test", "sample", "placeholder", "samplecode", "pass"}
)  # fmt: skip
_SAYS_MORE: Final = re.compile(rf"(?:[\W_]*+[^\W_]){{{max(map(len, _STAND_INS)) + 1}}}")
"""More letters and digits than any stand-in has, as nearly every block does."""


LEAST_CODE: Final = 200
MOST_IDLE: Final = 0.6
_PROGRAMS: Final = frozenset(
    {"bash", "go", "java", "javascript", "js", "py", "python", "ruby", "rust", "sh", "shell", "ts",
     "typescript", "zsh"}
)  # fmt: skip
_LONG_LINE: Final = 120
_IDLE: Final = re.compile(
    r"#.*|//.*|/\*.*\*/|\.\.\.|pass|continue|end|true|:|[{}]|try:|else:|exit 0"
    r"|return(?: (?:None|True|False|true|false|null|nil|0|\"\"|''))?;?"
    r"|(?:async )?(?:class|def|fn|func|function) [^=]*[:{]"
    r"|(?:console\.log|echo|print|puts)\b[ (]*(?:\"[^\"$\\{`]*\"|'[^'$\\{`]*'|[\w ]+)\)?;?"
    r"|(?:const |let |var )?[a-z_]\w* ?:?= ?"
    r"(?:\d+|None|True|False|true|false|null|\"\"|''|\[\]|\{\});?"
)
"""A line that computes nothing: comments, headers, literals that are set, printed or returned."""


def find(subject: Skill) -> Iterator[Hit]:
    """Code blocks that are empty, stand-ins or repeated, and code that does nothing."""
    yield from _empty(subject)
    idle = [block for block in subject.blocks if is_idle(block)]
    count, total = length(idle), length(subject.blocks)
    if count >= LEAST_CODE and count >= MOST_IDLE * total:
        message = f"{count / total:.0%} of the code only sets, prints or returns fixed values."
        yield Hit(max(1, idle[0].line - 1), message)


def length(blocks: list[Block]) -> int:
    """Characters of code."""
    return sum(len(block.code) for block in blocks)


def is_idle(block: Block) -> bool:
    """Whether it is in a language of programs, and no line of it does anything."""
    return block.language in _PROGRAMS and all(
        not line or (len(line) < _LONG_LINE and _IDLE.fullmatch(line))
        for line in map(str.strip, block.code.split("\n"))
    )


def _empty(subject: Skill) -> Iterator[Hit]:
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
