"""SK073: a command that destroys what it cannot bring back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.text import line_at
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import SHELLS, Skill

_DESTROYS = re.compile(
    r"\brm\s+(?:-[a-zA-Z-]{1,20}\s+){0,4}-[a-zA-Z]{0,9}[rR][a-zA-Z]{0,9}\s+"
    r"(?:-[a-zA-Z-]{1,20}\s+){0,4}"
    r"[\"']?(?:/|~/?|\$HOME/?|\$\{HOME\}/?)(?:\*)?[\"']?(?=\s|$|;|&)"
    r"|\bdd\s+[^\n]{0,200}?\bof=/dev/(?:sd|nvme|hd|disk)\w*"
    r"|\bmkfs(?:\.\w+)?\s+(?:-\S+\s+){0,9}/dev/\w+"
    r"|\bchmod\s+-R\s+0?777\s+/(?=\s|$)"
    r"|:\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:",
)
_STEMS = ("rm -", "of=/dev", "mkfs", "chmod -R", ":()")
_WARNED = re.compile(
    r"\b(?:never|don't|do not|avoid|block|bad|danger\w*|malicious|unsafe|detect|flag|attack|"
    r"forbid\w*|den(?:y|ied)|reject|refuse|destructive|wrong)\b",
    re.IGNORECASE,
)


def find(subject: Skill) -> Iterator[Hit]:
    """Each such command in a shell block, unless the lines around it warn of it."""
    for line, language, code in subject.blocks:
        if language not in SHELLS or not any(stem in code for stem in _STEMS):
            continue
        for found in _DESTROYS.finditer(code):
            at = line_at(code, found.start(), line)
            if not _WARNED.search(" ".join(subject.lines[max(0, at - 4) : at + 1])):
                yield Hit(at, f"This cannot be undone: {shown(found[0], 60)}")


CHECK = Check(
    code="SK073",
    id="DESTRUCTIVE_COMMAND",
    family="hygiene",
    level="warning",
    title="Command destroys a whole disk or home folder",
    why="An agent runs what a skill shows, with the rights of the person before the screen.",
    source="https://man7.org/linux/man-pages/man1/rm.1.html",
    remedy="Name the folder that is meant, and ask before deleting.",
    bad=skill(body="Clean up:\n\n```bash\nrm -rf ~/\n```\n"),
    good=skill(body="Clean up:\n\n```bash\nrm -rf build/notes\n```\n"),
    find=find,
)
