"""SK053: a script that the skill tells to run and does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.text import line_at
from plugineval_action.content.tree import join
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_SCRIPT = re.compile(r"scripts/[\w./-]{1,120}\.(?:py|sh|js|mjs|cjs|ts|rb)\b")
_RUN = re.compile(
    r"(?:^|[`\s(])(?:python3?|bash|sh|node|uv run|bun|deno run|tsx|npx tsx|ruby)\s+"
    r"(?:-\w+\s+)*(?:\./)?\Z"
)
_REACH = 40


def find(subject: Skill) -> Iterator[Hit]:
    """Each script that is run and lies neither in the skill nor around it; templates left out."""
    text, met = subject.content, set[str]()
    if "scripts/" not in text or "template" in subject.path:
        return
    for found in _SCRIPT.finditer(text):
        inner, start = found[0], found.start()
        if inner in met or not _RUN.search(text[max(0, start - _REACH) : start]):
            continue
        met.add(inner)
        if not _is_there(subject, inner):
            yield Hit(line_at(text, start), f"The skill runs {shown(inner)}, which is not there.")


def _is_there(subject: Skill, inner: str) -> bool:
    """A skill without scripts/ mostly means a project's own; then nothing can be said."""
    own = subject.at("scripts")
    places = (subject.path, subject.source.plugin or "", "")
    return not subject.tree.is_dir(own) or any(
        subject.tree.exists(join(place, inner)) for place in places
    )


CHECK = Check(
    code="SK053",
    id="MISSING_SCRIPT",
    family="scripts",
    level="warning",
    title="Script that is run is not there",
    why="The command fails, and the agent writes a script of its own or gives up.",
    source="https://agentskills.io/specification",
    remedy="Add the script, or correct its path.",
    bad=skill(body="Run `python scripts/notes.py`.\n", **{"scripts/note.py": 'print("notes")\n'}),
    good=skill(body="Run `python scripts/notes.py`.\n", **{"scripts/notes.py": 'print("notes")\n'}),
    find=find,
)
