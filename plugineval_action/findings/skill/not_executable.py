"""SK056: a script that is run by its name and may not be run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.text import line_at
from plugineval_action.content.tree import join, normalise
from plugineval_action.errors import ContentError
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import SHELLS, Skill

_BY_NAME = re.compile(
    r"^[ \t]*(?:[$%][ \t]+)?[\"']?(?:\./|\$\{CLAUDE_(?:SKILL_DIR|PLUGIN_ROOT)\}/)"
    r"([\w./-]{1,120})",
    re.MULTILINE,
)
"""A command that starts with a path; in front of it may stand the prompt of a shell."""

_RUN = re.compile(r"\b(?:run|runs|running|execute|executes|call|invoke)\b", re.IGNORECASE)
"""Without arguments, a path is a command only where the text says so."""

_MARKS = ("./", "${CLAUDE_")


def find(subject: Skill) -> Iterator[Hit]:
    """Each file that a command starts by its path, that is there, and lacks the right to run."""
    if not any(mark in subject.content for mark in _MARKS) or "chmod +x" in subject.content:
        return
    met = set[str]()
    for line, command in _commands(subject):
        inner = command.rstrip(".")
        if inner in met:
            continue
        met.add(inner)
        path = _script(subject, inner)
        if path:
            message = f"The skill runs {shown(inner)} by its name, and the file is not executable."
            yield Hit(line, message)


def _commands(subject: Skill) -> Iterator[tuple[int, str]]:
    """The line and the path of each command that is run by a path."""
    for block in subject.blocks:
        if block.language in SHELLS and any(mark in block.code for mark in _MARKS):
            for found in _BY_NAME.finditer(block.code):
                yield line_at(block.code, found.start(1), block.line), found[1]
    for line, text in subject.body.inline_code:
        named = _BY_NAME.match(text)
        if named and (" " in text.strip() or _RUN.search(subject.lines[line - 1])):
            yield line, named[1]


def _script(subject: Skill, inner: str) -> str | None:
    """The path in the tree of a script that is not empty and may not be run."""
    for place in dict.fromkeys((subject.path, subject.source.plugin or subject.path)):
        path = normalise(join(place, inner))
        if path is not None and subject.tree.is_file(path):
            return path if _lacks_right(subject, path) else None
    return None


def _lacks_right(subject: Skill, path: str) -> bool:
    try:
        return not subject.tree.is_executable(path) and subject.tree.size(path) > 0
    except ContentError:
        return False


CHECK = Check(
    code="SK056",
    id="NOT_EXECUTABLE",
    family="scripts",
    level="warning",
    title="Script that is run by its name is not executable",
    why="The shell answers “Permission denied”, and the agent has to find out why.",
    source="https://man7.org/linux/man-pages/man2/execve.2.html",
    remedy="Run git update-index --chmod=+x on it, or name the program: bash scripts/notes.sh.",
    bad=skill(body="Run `./scripts/notes.sh v1`.\n",
              **{"scripts/notes.sh": "#!/bin/sh\necho notes\n"}),
    good=skill(body="Run `bash scripts/notes.sh v1`.\n",
               **{"scripts/notes.sh": "#!/bin/sh\necho notes\n"}),
    find=find,
)  # fmt: skip
