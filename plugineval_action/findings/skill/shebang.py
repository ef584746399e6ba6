"""SK054: a first line that names no interpreter, or the wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.text import BOM
from plugineval_action.content.tree import Tree
from plugineval_action.errors import ContentError
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.scripts import MOST_SCRIPTS, SCRIPTS, scripts
from plugineval_action.findings.subject import Skill

_FITS = {
    "bash": re.compile(r"\b(?:ba|da|k|z)?sh\b|\bbats\b"),
    "javascript": re.compile(r"\b(?:node|bun|deno|tsx|zx)\b"),
    "python": re.compile(r"\b(?:python|pypy|uv)|\bpython3"),
}


def find(subject: Skill) -> Iterator[Hit]:
    """Each script whose first line starts with #! and is wrong."""
    known = [one for one in subject.files if one.rpartition(".")[2] in SCRIPTS][:MOST_SCRIPTS]
    read = {script.path: script.text for script in scripts(subject, SCRIPTS)}
    for inner in known:
        path = subject.at(inner)
        if not read.get(path, "#!").startswith(("#!", BOM)):
            continue
        why = _why(_start(subject.tree, path), SCRIPTS[inner.rpartition(".")[2]])
        if why:
            yield Hit(1, why, path)


def _start(tree: Tree, path: str) -> bytes:
    try:
        return tree.read(path)[:200].split(b"\n")[0]
    except ContentError:
        return b""


def _why(line: bytes, language: str) -> str | None:
    if line.startswith(b"\xef\xbb\xbf#!"):
        return "A byte order mark stands before #!, so no system sees the interpreter."
    if not line.startswith(b"#!"):
        return None
    if line.endswith(b"\r"):
        return "The first line ends with CR: the system looks for an interpreter of that name."
    text = line[2:].decode("utf-8", "replace").strip()
    if not text.startswith("/"):
        return f"The first line names {shown(text, 40)!r}, which is no absolute path."
    if not _FITS[language].search(text):
        return f"The first line names {shown(text, 40)!r}, the ending of the file another language."
    return None


CHECK = Check(
    code="SK054",
    id="WRONG_SHEBANG",
    family="scripts",
    level="warning",
    title="First line of a script names no usable interpreter",
    why="A script that is run by its name then fails, or is run by the wrong program.",
    source="https://man7.org/linux/man-pages/man2/execve.2.html",
    remedy="Write #!/usr/bin/env python3 (or bash, or node), without CR at the end.",
    bad=skill(body="Run scripts/notes.py.\n",
              **{"scripts/notes.py": '#!python3\nprint("notes")\n'}),
    good=skill(body="Run scripts/notes.py.\n",
               **{"scripts/notes.py": '#!/usr/bin/env python3\nprint("notes")\n'}),
    find=find,
)  # fmt: skip
