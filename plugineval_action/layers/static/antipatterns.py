"""Anti-patterns and portability findings: when a flag is raised, and what it says."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.layers.static.facts import Facts
from plugineval_action.results import AntiPattern, Finding
from plugineval_action.rules import RAISED_IN_PLACE

DIRECTIVE_LIMIT = 15
CODEX_CAP_BYTES = 8_192
SEVERITY = {
    "OVER_CONSTRAINED": 0.10,
    "EMPTY_DESCRIPTION": 0.10,
    "MISSING_TRIGGER": 0.15,
    "BLOATED_SKILL": 0.10,
    "ORPHAN_REFERENCE": 0.05,
    "DEAD_CROSS_REF": 0.05,
}
"""Printed beside a flag; it never weighs."""

PENALTY_EACH = 0.05
PENALTY_FLOOR = 0.5


def penalty(flags: int) -> float:
    """The factor that so many anti-patterns put on the layer score and on the composite."""
    return max(PENALTY_FLOOR, 1.0 - PENALTY_EACH * flags)


def anti_patterns(facts: Facts) -> tuple[AntiPattern, ...]:
    """The flags, in the order of the methodology."""
    return tuple(_anti_patterns(facts))


def _anti_patterns(facts: Facts) -> Iterator[AntiPattern]:
    count, lines = facts.directives.total, facts.line_count
    if count > DIRECTIVE_LIMIT:
        message = f"{count} MUST, NEVER or ALWAYS; over {DIRECTIVE_LIMIT}, nothing stands out."
        yield _flag(facts, "OVER_CONSTRAINED", message, *facts.directives.lines)
    if len(facts.description) < 20:
        message = f"The description has {len(facts.description)} characters, under 20."
        if not facts.readable:
            message = "The front matter cannot be read, so there is no description."
        yield _flag(facts, "EMPTY_DESCRIPTION", message, facts.description_line)
    if facts.trigger_needed and facts.trigger is None:
        message = "The description does not say when to use the skill."
        yield _flag(facts, "MISSING_TRIGGER", message, facts.description_line)
    if lines > 800 and not facts.has_references:
        message = f"{lines} lines and no references/ folder to move detail into."
        yield _flag(facts, "BLOATED_SKILL", message, 1, lines)
    for spot in facts.orphans:
        message = f"{spot.text} is linked and does not exist."
        yield _flag(facts, "ORPHAN_REFERENCE", message, spot.line)
    for spot in facts.dead_references:
        message = f"No skill, agent or file is found at {spot.text}."
        yield _flag(facts, "DEAD_CROSS_REF", message, spot.line)


def portability(facts: Facts) -> tuple[tuple[Finding, ...], float]:
    """Portability findings, and the sum of their severities that harness_portability loses."""
    found: list[Finding] = []
    severity = 0.0
    if facts.byte_count > CODEX_CAP_BYTES and not facts.discloses:
        message = f"{facts.byte_count:,} bytes in one file; agents such as Codex cut it short."
        found.append(_finding(facts, "SKILL_OVER_CODEX_CAP", message, 1))
        severity += 0.15
    if facts.tool_refs:
        names = ", ".join(spot.text for spot in facts.tool_refs)
        message = f"The text calls tools by names that only Claude Code has: {names}."
        found.append(_finding(facts, "CLAUDE_TOOL_REFS", message, facts.tool_refs[0].line))
        severity += min(0.10, 0.02 * len(facts.tool_refs))
    if facts.tool_prose:
        message = f"{facts.tool_prose.text!r} is a name that only Claude Code has for a tool."
        found.append(_finding(facts, "CLAUDE_TOOL_PROSE", message, facts.tool_prose.line))
        severity += 0.05
    return tuple(found), severity


def _flag(facts: Facts, flag: str, message: str, *lines: int) -> AntiPattern:
    remedy = RAISED_IN_PLACE[flag].remedy
    return AntiPattern(flag, message, SEVERITY[flag], remedy, facts.path, lines[0], lines[-1])


def _finding(facts: Facts, rule: str, message: str, line: int) -> Finding:
    return Finding(
        rule,
        RAISED_IN_PLACE[rule].level,
        message,
        RAISED_IN_PLACE[rule].remedy,
        facts.path,
        line,
        line,
    )
