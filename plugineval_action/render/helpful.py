"""What would help a reader most, whatever it does to the score.

What breaks something comes first, then what a reader runs into, then what is merely better; of one
rule the first place stands for all.
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


def helpful(results: Iterable[Result]) -> tuple[tuple[Result, Problem], ...]:
    """At most MOST problems, errors and warnings only, each with the result that it is of."""
    found: dict[str, tuple[Result, Problem]] = {}
    for result in results:
        for problem in problems(result):
            if problem.level != "note" and problem.rule not in _NOT_FOR_READERS:
                found.setdefault(problem.rule, (result, problem))
    return tuple(sorted(found.values(), key=_order)[:MOST])


def _order(found: tuple[Result, Problem]) -> tuple[int, int, str]:
    problem = found[1]
    family = RULES[problem.rule].family if problem.rule in RULES else ""
    rank = _FIRST.index(family) if family in _FIRST else len(_FIRST)
    return LEVELS.index(problem.level), rank, problem.path
