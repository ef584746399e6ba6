"""SK031: a value that YAML cuts at a number sign."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit
from plugineval_action.findings.subject import Skill

_CUT = re.compile(
    r"^(?:name|description|when_to_use):[ \t]+[^\s'\"|>#][^\n]*?[ \t]#(\S[^\n]*)", re.MULTILINE
)


def find(subject: Skill) -> Iterator[Hit]:
    """Each plain text value with ` #` and a word right after it, as in "issue #12"."""
    source = subject.front.source
    if " #" not in source and "\t#" not in source:
        return
    for found in _CUT.finditer(source):
        line = 2 + source.count("\n", 0, found.start())
        yield Hit(
            line, f"YAML takes this for a comment, so it is lost: {shown('#' + found[1], 60)}"
        )


CHECK = Check(
    code="SK031",
    id="YAML_COMMENT_CUT",
    family="front matter",
    level="warning",
    title="YAML cuts the value at a number sign",
    why="In a value without quotes, a blank and a number sign start a comment to the line's end.",
    source="https://yaml.org/spec/1.2.2/#66-comments",
    remedy="Quote the whole value.",
    bad={"skills/release-notes/SKILL.md": "---\nname: release-notes\ndescription: Writes notes "
         "for pull requests like #12. Use when a release is tagged.\n---\n"},
    good={"skills/release-notes/SKILL.md": "---\nname: release-notes\ndescription: 'Writes notes "
          "for pull requests like #12. Use when a release is tagged.'\n---\n"},
    find=find,
)  # fmt: skip
