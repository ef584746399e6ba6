"""SK051: a script that its interpreter refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.syntax import syntax_problem
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.scripts import SCRIPTS, Script, is_template, scripts
from plugineval_action.findings.subject import Skill

_NAMES = {"javascript": "JavaScript", "python": "Python"}
_LANGUAGES = {ending: name for ending, name in SCRIPTS.items() if name in _NAMES}
_PYTHON_2 = re.compile(r"#!.*\bpython2(?:\.\d)?\b")
_TYPED = re.compile(
    r"@flow|^[ \t]*(?:import|export)[ \t]+type\b|^[ \t]*interface[ \t]+\w+[ \t]*\{", re.MULTILINE
)


def find(subject: Skill) -> Iterator[Hit]:
    """The first error of each Python or JavaScript file."""
    for script in scripts(subject, _LANGUAGES):
        problem = None if _is_foreign(script) else syntax_problem(script.language, script.text)
        if problem:
            what = shown(problem.message, 80)
            language = _NAMES[script.language]
            message = f"The script is not valid {language} (line {problem.line}): {what}."
            yield Hit(problem.line, message, script.path)


def _is_foreign(script: Script) -> bool:
    """Whether the file is a template, or in a language close to the one of its ending."""
    first = script.text.partition("\n")[0]
    typed = script.language == "javascript" and _TYPED.search(script.text)
    return bool(is_template(script.path, script.text) or _PYTHON_2.match(first) or typed)


CHECK = Check(
    code="SK051",
    id="SCRIPT_SYNTAX",
    family="scripts",
    level="error",
    title="Script has a syntax error",
    why="The script stops before it starts; an agent then improvises, or gives up.",
    source="https://agentskills.io/specification",
    remedy="Correct the line that is named, and run the script once.",
    bad=skill(body="Run `python scripts/notes.py`.\n", **{"scripts/notes.py": 'print("notes"\n'}),
    good=skill(body="Run `python scripts/notes.py`.\n", **{"scripts/notes.py": 'print("notes")\n'}),
    find=find,
)
