"""SK052: a JSON, YAML or TOML file that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.syntax import syntax_problem
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.scripts import DATA, is_template, scripts
from plugineval_action.findings.subject import Skill

_COMMENTED = re.compile(r"(?:tsconfig|jsconfig)[\w.-]*\.json$|/\.vscode/|\.jsonc$")
_BROKEN_ON_PURPOSE = re.compile(r"invalid|broken|malformed|corrupt|bad[-_.]", re.IGNORECASE)


def find(subject: Skill) -> Iterator[Hit]:
    """The first error of each data file."""
    for file in scripts(subject, DATA):
        if is_template(file.path, file.text) or _COMMENTED.search(file.path):
            continue
        problem = syntax_problem(file.language, file.text)
        if problem and not _BROKEN_ON_PURPOSE.search(file.path):
            what = shown(problem.message, 80)
            message = (
                f"The file is not valid {file.language.upper()} (line {problem.line}): {what}."
            )
            yield Hit(problem.line, message, file.path)


CHECK = Check(
    code="SK052",
    id="DATA_SYNTAX",
    family="scripts",
    level="error",
    title="Data file has a syntax error",
    why="Every script that reads the file fails.",
    source="https://agentskills.io/specification",
    remedy="Correct the line that is named.",
    bad=skill(body="See assets/kinds.json.\n", **{"assets/kinds.json": '{"kinds": ["fix",]}\n'}),
    good=skill(body="See assets/kinds.json.\n", **{"assets/kinds.json": '{"kinds": ["fix"]}\n'}),
    find=find,
)
