"""SK032: a version that YAML reads as a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_NUMBER = re.compile(r"^[ \t]*([\w-]+):[ \t]*(\d+\.\d+)[ \t]*$", re.MULTILINE)


def find(subject: Skill) -> Iterator[Hit]:
    """Each value that changes when it is written out again, as 1.10 becomes 1.1."""
    source = subject.front.source
    for found in _NUMBER.finditer(source):
        key, text = found.groups()
        if str(float(text)) != text:
            line = 2 + source.count("\n", 0, found.start())
            yield Hit(line, f"{shown(key, 40)}: {shown(text, 40)} is read as {float(text)}.")


CHECK = Check(
    code="SK032",
    id="YAML_NUMBER_TRAP",
    family="front matter",
    level="warning",
    title="YAML reads a version as a number",
    why="YAML reads 1.10 as the number 1.1, so the tenth version becomes the first.",
    source="https://yaml.org/type/float.html",
    remedy="Quote the value.",
    bad=skill("metadata:\n  version: 1.10\n"),
    good=skill("metadata:\n  version: '1.10'\n"),
    find=find,
)
