"""What would help a reader most, whatever it does to the score.

What breaks something comes first, then what a reader runs into, then what is merely better; of one
rule the first place stands for all. Of notes only those count that are sure to help: they fill the
room that errors and warnings leave.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from plugineval_action.findings.catalogue import RULES
from plugineval_action.findings.problems import LEVELS, Problem, problems
from plugineval_action.results import Result

MOST: Final = 3
_FIRST: Final = (
    *("integrity", "hygiene", "content", "front matter"),
    *("links", "scripts", "anti-pattern"),
)
_NOT_FOR_READERS: Final = frozenset({"SKILL_OVER_CODEX_CAP", "OVER_CONSTRAINED", "BLOATED_SKILL"})
"""They count; whether less would help is a matter of taste."""

_NOTES: Final = frozenset(
    {"BROAD_TOOLS", "CODE_SYNTAX", "SHELL_SYNTAX", "TRIGGER_COLLISION", "UNLINKED_REFERENCE"}
)
"""Notes that are right as good as always, and whose remedy makes the skill better for its users."""

_NO_DESCRIPTION: Final = "EMPTY_DESCRIPTION"
_HIDE_THE_DESCRIPTION: Final = frozenset(
    {
        *("FRONTMATTER_MISSING", "FRONTMATTER_NOT_FIRST", "FRONTMATTER_NOT_MAPPING"),
        *("FRONTMATTER_UNCLOSED", "INVALID_YAML"),
    }
)
"""Whoever mends these has the description back, or is told to write one."""


def helpful(results: Iterable[Result]) -> tuple[tuple[Result, Problem], ...]:
    """At most MOST problems, each with the result that it is of."""
    told = [(result, problem) for result in results for problem in problems(result)]
    hidden = {problem.path for _, problem in told if problem.rule in _HIDE_THE_DESCRIPTION}
    found: dict[str, tuple[Result, Problem]] = {}
    for result, problem in told:
        if _helps(problem) and not (problem.rule == _NO_DESCRIPTION and problem.path in hidden):
            found.setdefault(problem.rule, (result, problem))
    return tuple(sorted(found.values(), key=_order)[:MOST])


def _helps(problem: Problem) -> bool:
    if problem.level == "note":
        return problem.rule in _NOTES
    return problem.rule not in _NOT_FOR_READERS


def _order(found: tuple[Result, Problem]) -> tuple[int, int, str]:
    problem = found[1]
    family = RULES[problem.rule].family if problem.rule in RULES else ""
    rank = _FIRST.index(family) if family in _FIRST else len(_FIRST)
    return LEVELS.index(problem.level), rank, problem.path
