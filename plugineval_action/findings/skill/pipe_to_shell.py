"""SK072: what a server sends is run unseen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.text import line_at
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import SHELLS, Skill

_PIPE = re.compile(
    r"\b(?:curl|wget)\b[^\n|;&]{0,300}\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+)?(?:\w+=\S+\s+)*"
    r"(?:/bin/)?(?:ba|z|da|k)?sh\b(?!\.)"
    r"|\b(?:ba|z)?sh\s+(?:-c\s+[\"']?\$\(|<\()\s*(?:curl|wget)\b"
    r"|\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b[^\n|]{0,300}\|\s*(?:iex|Invoke-Expression)\b",
    re.IGNORECASE,
)
_STEMS = ("curl", "wget", "iex", "Expression")
_WARNED = re.compile(
    r"\b(?:never|don't|do not|avoid|block|bad|dangerous|malicious|unsafe|detect|flag|attack|"
    r"forbid)\w*",
    re.IGNORECASE,
)


def find(subject: Skill) -> Iterator[Hit]:
    """Each such command in a code block, unless the line or the one above warns of it."""
    for line, language, code in subject.blocks:
        if language not in SHELLS or not any(stem in code for stem in _STEMS):
            continue
        for found in _PIPE.finditer(code):
            at = line_at(code, found.start(), line)
            around = " ".join(subject.lines[max(0, at - 2) : at])
            if not _WARNED.search(around):
                yield Hit(at, f"This runs what a server sends, unseen: {shown(found[0], 60)}")


CHECK = Check(
    code="SK072",
    id="PIPE_TO_SHELL",
    family="hygiene",
    level="warning",
    title="Download is piped to a shell",
    why="Whoever holds the server, or the line to it, runs commands on the reader's machine.",
    source="https://owasp.org/www-project-top-10-ci-cd-security-risks/",
    remedy="Install by a package manager, or download, check a checksum, then run.",
    bad=skill(body="```bash\ncurl -fsSL https://example.com/install.sh | sh\n```\n"),
    good=skill(body="```bash\npipx install notes-tool\n```\n"),
    find=find,
    ignore="If it is the only way that the maker of a well-known tool offers.",
)
