"""Anti-patterns and findings as one list: what to look at, where, and whether it costs points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from plugineval_action.escape import shorten
from plugineval_action.findings.catalogue import RULES
from plugineval_action.results import AntiPattern, FailOn, Finding, Level, Result

PATH_LIMIT: Final = 160
LEVELS: Final[tuple[Level, ...]] = ("error", "warning", "note")


class Problem(NamedTuple):
    """A rule broken at a place; `costs` tells anti-patterns (5 % each) from findings."""

    rule: str
    level: Level
    message: str
    remedy: str
    path: str
    line: int
    end_line: int
    costs: bool

    @property
    def place(self) -> str:
        """`path:line`, which terminals and editors can follow; a very long path is cut."""
        return place(self.path, self.line)

    @property
    def url(self) -> str | None:
        """The page of the rule."""
        return rule_url(self.rule)


def problems(result: Result) -> tuple[Problem, ...]:
    """All of a result, what costs points first, then by level and place.

    A plugin repeats the anti-patterns of its members, so theirs are taken once.
    """
    own = [_from_anti_pattern(found) for layer in result.layers for found in layer.anti_patterns]
    own += [_from_finding(found) for found in result.findings]
    known = set(own)
    inside = [found for member in result.members for found in problems(member)]
    return tuple(sorted([*own, *(found for found in inside if found not in known)], key=_order))


def own_problems(result: Result) -> tuple[Problem, ...]:
    """Those of a skill or agent; of a plugin only its own, since its members have theirs."""
    if result.kind == "plugin":
        result = result._replace(layers=(), members=())
    return problems(result)


def problems_of_all(results: Iterable[Result]) -> tuple[Problem, ...]:
    """Those of several results in their order; what an earlier result holds is not repeated."""
    found: list[Problem] = []
    known: set[Problem] = set()
    for result in results:
        new = [problem for problem in problems(result) if problem not in known]
        known.update(new)
        found += new
    return tuple(found)


def refused(least: FailOn) -> tuple[Level, ...]:
    """The levels that fail a run."""
    return () if least == "never" else LEVELS[: LEVELS.index(least) + 1]


def strictest(asked: Iterable[FailOn]) -> FailOn:
    """Of several the one that lets the least pass; "never" of none."""
    return max(asked, key=lambda least: len(refused(least)), default="never")


def from_findings(found: Iterable[Finding]) -> tuple[Problem, ...]:
    """Findings that belong to no result, by level and place."""
    return tuple(sorted(map(_from_finding, found), key=_order))


def place(path: str, line: int) -> str:
    """`path:line` in a length that can be shown."""
    return f"{shorten(path, PATH_LIMIT)}:{line}"


def rule_url(rule: str | None) -> str | None:
    """The page of a rule, None for one that is not in the catalogue."""
    return RULES[rule].url if rule in RULES else None


def _from_anti_pattern(found: AntiPattern) -> Problem:
    level: Level = RULES[found.flag].level if found.flag in RULES else "warning"
    place = (found.path, found.line, found.end_line)
    return Problem(found.flag, level, found.description, found.remedy, *place, costs=True)


def _from_finding(found: Finding) -> Problem:
    return Problem(*found, costs=False)


def _order(problem: Problem) -> tuple[bool, int, str, int, str]:
    level = LEVELS.index(problem.level)
    return not problem.costs, level, problem.path, problem.line, problem.rule
