"""SK061: a code block that is never closed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_FENCE = re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*(`{3,}|~{3,})")


def find(subject: Skill) -> Iterator[Hit]:
    """The last block, if it runs to the end of the file without a closing line."""
    blocks = subject.body.code_blocks
    lines = subject.lines
    if not blocks or subject.body.stopped_at is not None:
        return
    first, last, _ = blocks[-1]
    opening = _FENCE.match(lines[first - 1])
    rest = "".join(lines[last:]).strip()
    if opening and not rest and not _closes(lines[first:last], opening[1]):
        yield Hit(first, "This code block is never closed: all that follows is code.")


def _closes(lines: list[str], fence: str) -> bool:
    ends = [line.strip(" \t>") for line in lines if line.strip(" \t>")]
    return bool(ends) and set(ends[-1]) == {fence[0]} and len(ends[-1]) >= len(fence)


CHECK = Check(
    code="SK061",
    id="UNCLOSED_FENCE",
    family="scripts",
    level="warning",
    title="Code block is never closed",
    why="Headings and text below it are code to every reader of Markdown.",
    source="https://spec.commonmark.org/0.31.2/#fenced-code-blocks",
    remedy="Close it with a line of the same signs, at least as many as it was opened with.",
    bad=skill(body="Run this:\n\n```bash\ngit log\n\n## Then\n\nWrite.\n"),
    good=skill(body="Run this:\n\n```bash\ngit log\n```\n\n## Then\n\nWrite.\n"),
    find=find,
)
