"""SK046: a path that is only there on one machine."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.text import line_at
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_HOME = re.compile(
    r"(?:(?<![\w./~-])/(?:Users|home)/|\b[A-Za-z]:\\{1,2}Users\\{1,2})([\w.-]+)[/\\]"
)
_NOBODY = re.compile(
    r"(?:your?|my|some|the|an?)?[-_.]?(?:user|username|name|you|me|yourname|example|dev|developer|"
    r"admin|app|node|runner|ubuntu|vscode|claude|agent|root|user\d*|alice|bob|(?:jane|john)(?:[._-]?doe)?|foo|bar|"
    r""
    r"x+|linuxbrew|jovyan|coder|codespace|sandbox|shared|public|pi|ec2-user|git|work|circleci|builder|student|deploy|oai|container|workspace)",
    re.IGNORECASE,
)


def find(subject: Skill) -> Iterator[Hit]:
    """Each home folder of a person, once."""
    text = subject.content
    users = "Users" in text and ("/Users/" in text or ":\\Users" in text)
    if not users and "/home/" not in text:
        return
    met: set[str] = set()
    for found in _HOME.finditer(text):
        if found[0] not in met and not _NOBODY.fullmatch(found[1]):
            met.add(found[0])
            message = f"{shown(found[0])} is somebody's home folder, and on no other machine."
            yield Hit(line_at(text, found.start()), message)


CHECK = Check(
    code="SK046",
    id="HOME_PATH",
    family="links",
    level="warning",
    title="Path into somebody's home folder",
    why="Nobody else has this folder; and it tells the name of an account.",
    source="https://code.claude.com/docs/en/skills",
    remedy="Use a relative path, ~ or ${CLAUDE_SKILL_DIR}.",
    bad=skill(body="Run `python /Users/mrivera/tools/notes.py`.\n"),
    good=skill(body="Run `python ~/tools/notes.py`.\n"),
    find=find,
)
