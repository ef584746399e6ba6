"""Which skills a command reads: an agent without a tool for it opens SKILL.md itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from plugineval_action.evals.traces.events import Command, SkillUse

_SKILL_FILE: Final = re.compile(r"""(?:^|[/\\\s'"=])([\w.+-]+)[/\\]SKILL\.md\b""")
_READS_NOTHING: Final = frozenset(
    {"[", "cp", "echo", "find", "git", "ls", "mkdir", "mv", "printf", "rm", "stat", "test", "touch"}
)
"""Programs that name a file without showing what is in it."""


def skill_file(path: str) -> str:
    """The skill whose SKILL.md lies at a path, "" for any other path."""
    found = _SKILL_FILE.search(path)
    return found[1] if found else ""


def skills_read(command: Command) -> Iterator[SkillUse]:
    """The skills that a command reads, each once."""
    if "SKILL.md" not in command.text:
        return
    met: set[str] = set()
    for part in command.parts:
        if part.program in _READS_NOTHING:
            continue
        for word in part.words[1:]:
            name = skill_file(word)
            if name and name not in met:
                met.add(name)
                yield SkillUse(command.line, name, "command", command.exit_code == 0)


def bare_name(name: str) -> str:
    """`plugin:skill`, `/skill` and `$skill` as `skill`."""
    first = name.split(maxsplit=1)[0] if name.strip() else ""
    return first.lstrip("/$").rpartition(":")[2]
