"""SK055: a shell script that a parser does not understand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.syntax import syntax_problem
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.scripts import is_template, scripts
from plugineval_action.findings.subject import Skill

_OTHER_SHELL = re.compile(r"#!.*\b(?:zsh|fish|csh|tcsh|nu|pwsh|expect|bats)\b")


def find(subject: Skill) -> Iterator[Hit]:
    """The first place of each script for sh or bash.

    Only a note: of 139 scripts that bash itself accepts, the grammar refuses 5.
    """
    for script in scripts(subject, {"sh": "bash"}):
        first = script.text.partition("\n")[0]
        if is_template(script.path, script.text) or _OTHER_SHELL.match(first):
            continue
        problem = syntax_problem("bash", script.text)
        if problem:
            message = f"The script is probably not valid from line {problem.line} on."
            yield Hit(problem.line, message, script.path)


CHECK = Check(
    code="SK055",
    id="SHELL_SYNTAX",
    family="scripts",
    level="note",
    title="Shell script may have a syntax error",
    why="The script stops where the shell no longer understands it, with half of its work done.",
    source="https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html",
    remedy="Run bash -n on the script; it names the line.",
    bad=skill(
        body="Run `bash scripts/notes.sh`.\n",
        **{"scripts/notes.sh": "if true; then\n  echo notes\n"},
    ),
    good=skill(
        body="Run `bash scripts/notes.sh`.\n",
        **{"scripts/notes.sh": "if true; then\n  echo notes\nfi\n"},
    ),
    find=find,
    ignore="If bash -n has nothing to say: the parser here is not the shell itself.",
)
