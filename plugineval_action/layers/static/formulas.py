"""The seven sub-scores: published formulas over facts, each with the parts it is the sum of.

Inside a sub-score the parts are added in the order of the methodology, as plain floats: the
order decides the last bit, and so some badges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plugineval_action.content.text import Spot
from plugineval_action.layers.static.facts import Facts
from plugineval_action.results import Finding, Part, SubScore

Steps = Sequence[tuple[float, float]]
"""(at least, points), highest first."""

_NAME_POINTS = {"best": 0.15, "plain": 0.10, "empty": 0.0}
_DESCRIPTION_STEPS: Steps = ((100, 0.25), (60, 0.20), (30, 0.15), (10, 0.05))
_USE_CASE_STEPS: Steps = ((3, 0.20), (1, 0.10))
_HEADING_STEPS: Steps = ((6, 0.20), (4, 0.15), (2, 0.10))
_CODE_STEPS: Steps = ((5, 0.20), (3, 0.15), (1, 0.10))
_LANGUAGE_STEPS: Steps = ((3, 0.15), (2, 0.10))
_DENSITY_STEPS: Steps = ((0.5, -0.4), (0.2, -0.2), (0.1, -0.1))
_PUSHINESS_WEIGHT = 0.60


def sub_scores(
    facts: Facts, portability: Iterable[Finding], severity: float
) -> tuple[SubScore, ...]:
    """All seven, in the order of the methodology; `severity` is the sum over `portability`."""
    return (
        frontmatter_quality(facts),
        orchestration_wiring(facts),
        progressive_disclosure(facts),
        structural_completeness(facts),
        token_efficiency(facts),
        ecosystem_coherence(facts),
        harness_portability(portability, severity),
    )


def frontmatter_quality(facts: Facts) -> SubScore:
    """Name + length of the description + 0.60 × pushiness."""
    head = (
        Part(
            "name", _NAME_POINTS[facts.name_rank], 0.15, facts.name or "empty", (facts.name_line,)
        ),
        Part(
            "description length",
            _step(len(facts.description), _DESCRIPTION_STEPS),
            0.25,
            f"{len(facts.description)} characters",
            (facts.description_line,),
        ),
    )
    raw = pushiness(facts)
    score = _sum(head) + _PUSHINESS_WEIGHT * min(1.0, _sum(raw))
    parts = head + tuple(
        part._replace(points=_PUSHINESS_WEIGHT * part.points, best=_PUSHINESS_WEIGHT * part.best)
        for part in raw
    )
    return SubScore("frontmatter_quality", min(1.0, score), parts)


def pushiness(facts: Facts) -> tuple[Part, ...]:
    """How clearly the description asks for the skill to be used; before it is weighed."""
    push, line = facts.pushiness, (facts.description_line,)
    cases = push.use_cases
    return (
        _found("trigger phrase", facts.trigger, 0.25),
        Part(
            "proactively",
            0.15 if push.proactively else 0.0,
            0.15,
            found_word(push.proactively),
            line,
        ),
        Part("strong word", 0.10 if push.strong else 0.0, 0.10, found_word(push.strong), line),
        Part("use cases", _step(cases, _USE_CASE_STEPS), 0.20, f"{cases} listed", line),
        Part("activity", 0.15 if push.activity else 0.0, 0.15, found_word(push.activity), line),
        Part(
            "long enough to tell",
            0.10 if len(facts.description) >= 40 else 0.0,
            0.10,
            f"{len(facts.description)} characters",
            line,
        ),
    )


def orchestration_wiring(facts: Facts) -> SubScore:
    """0.70, more for stated inputs and outputs, less for a skill that directs others."""
    orchestrator = facts.orchestrator
    parts = (
        Part("base", 0.70, 0.70, "every skill"),
        _found("output format", facts.format_spec, 0.10),
        _found("output words", facts.output_word, 0.05),
        _found("input words", facts.input_word, 0.10),
        Part(
            "two code blocks",
            0.05 if facts.code_blocks.total >= 2 else 0.0,
            0.05,
            str(facts.code_blocks.total),
            facts.code_blocks.lines,
        ),
        Part(
            "orchestrator words",
            -0.15 if orchestrator else 0.0,
            0.0,
            orchestrator.text if orchestrator else "none",
            (orchestrator.line,) if orchestrator else (),
        ),
    )
    return sum_up("orchestration_wiring", parts)


def progressive_disclosure(facts: Facts) -> SubScore:
    """Length of SKILL.md, and whether detail lies in files beside it."""
    lines = facts.line_count
    references = (0.25 if lines > 400 else 0.15) if facts.reference_files else 0.0
    parts = (
        Part("length", _length_points(lines), 0.60, f"{lines} lines"),
        Part(
            "references",
            references,
            0.25 if lines > 400 else 0.15,
            f"{facts.reference_files} files",
        ),
        Part("assets", 0.15 if facts.asset_files else 0.0, 0.15, f"{facts.asset_files} files"),
    )
    return sum_up("progressive_disclosure", parts)


def structural_completeness(facts: Facts) -> SubScore:
    """Headings, code, examples, troubleshooting, a table, help to decide."""
    headings, blocks, languages = (
        facts.headings.total,
        facts.code_blocks.total,
        len(facts.languages),
    )
    parts = (
        Part(
            "headings", _step(headings, _HEADING_STEPS), 0.20, str(headings), facts.headings.lines
        ),
        Part("code blocks", _step(blocks, _CODE_STEPS), 0.20, str(blocks), facts.code_blocks.lines),
        Part(
            "languages",
            _step(languages, _LANGUAGE_STEPS),
            0.15,
            ", ".join(facts.languages[:5]) or "none",
        ),
        _found("examples", facts.examples, 0.15),
        _found("troubleshooting", facts.troubleshooting, 0.15),
        _found("table", facts.table, 0.10),
        _found("help to decide", facts.decision, 0.05),
    )
    return sum_up("structural_completeness", parts)


def token_efficiency(facts: Facts) -> SubScore:
    """1, less for many directives a line and for repeated lines."""
    density = facts.directives.total / max(facts.line_count, 1)
    density_points = next((points for over, points in _DENSITY_STEPS if density > over), 0.0)
    total = facts.text_lines
    share = (total - facts.repeated.total) / total if total else 1.0
    parts = (
        Part("base", 1.0, 1.0, "every skill"),
        Part(
            "directives",
            density_points,
            0.0,
            f"{facts.directives.total} in {facts.line_count} lines",
            facts.directives.lines,
        ),
        Part(
            "repeated lines",
            -(0.4 * (1 - share)),
            0.0,
            f"{facts.repeated.total} of {total}",
            facts.repeated.lines,
        ),
    )
    return sum_up("token_efficiency", parts)


def ecosystem_coherence(facts: Facts) -> SubScore:
    """0.50, more for references to other skills and for words that relate it to them."""
    count = len(facts.cross_references)
    parts = (
        Part("base", 0.50, 0.50, "every skill"),
        Part(
            "cross-references",
            min(0.25, 0.08 * count),
            0.25,
            str(count),
            tuple(spot.line for spot in facts.cross_references[:5]),
        ),
        _found("related words", facts.related, 0.25),
    )
    return sum_up("ecosystem_coherence", parts)


def harness_portability(findings: Iterable[Finding], severity: float) -> SubScore:
    """1 less the severities of the portability findings; it feeds no dimension."""
    rules = ", ".join(finding.rule for finding in findings) or "none"
    parts = (
        Part("base", 1.0, 1.0, "every skill"),
        Part("portability findings", -severity, 0.0, rules),
    )
    return SubScore("harness_portability", max(0.0, 1.0 - severity), parts)


def sum_up(name: str, parts: tuple[Part, ...]) -> SubScore:
    """A sub-score from its parts, in their order, kept within [0, 1]."""
    return SubScore(name, max(0.0, min(1.0, _sum(parts))), parts)


def _sum(parts: tuple[Part, ...]) -> float:
    """Left to right: the built-in sum compensates from Python 3.12 on and would differ by a bit."""
    total = 0.0
    for part in parts:
        total += part.points
    return total


def _found(name: str, spot: Spot | None, points: float) -> Part:
    if spot is None:
        return Part(name, 0.0, points, "not found")
    return Part(name, points, points, spot.text, (spot.line,))


def _step(value: float, steps: Steps) -> float:
    return next((points for at_least, points in steps if value >= at_least), 0.0)


def _length_points(lines: int) -> float:
    if lines > 800:
        return 0.15
    return _step(lines, ((601, 0.40), (200, 0.60), (100, 0.50), (0, 0.20)))


def found_word(found: object) -> str:
    """How a part says whether something is there."""
    return "found" if found else "not found"
