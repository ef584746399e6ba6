"""The static layer of one skill: extract the facts, apply the formulas, weigh the sub-scores."""

from __future__ import annotations

from math import fsum
from typing import Final

from plugineval_action.content.document import Document
from plugineval_action.content.frontmatter import FrontMatter
from plugineval_action.content.skill import finding
from plugineval_action.layers.static import antipatterns, formulas, plugineval, reference
from plugineval_action.layers.static.facts import Facts
from plugineval_action.results import Finding, LayerResult
from plugineval_action.rulesets import Ruleset

WEIGHTS: Final = {
    "frontmatter_quality": 0.32,
    "orchestration_wiring": 0.23,
    "progressive_disclosure": 0.14,
    "structural_completeness": 0.10,
    "token_efficiency": 0.09,
    "ecosystem_coherence": 0.06,
    "harness_portability": 0.06,
}


def measure(document: Document, ruleset: Ruleset) -> tuple[LayerResult, tuple[Finding, ...]]:
    """The layer's result, and the findings: content first, portability last."""
    extractor = reference if ruleset == "reference" else plugineval
    facts, front = extractor.extract(document)
    skill = document.source
    result, portability = apply(facts)
    problems = tuple(
        finding(problem.rule, problem.message, skill.text.path, problem.line)
        for problem in front.problems
    )
    typed = type_findings(front, skill.text.path)
    return result, skill.findings + problems + typed + _stopped(facts) + portability


def _stopped(facts: Facts) -> tuple[Finding, ...]:
    if facts.stopped_at is None:
        return ()
    message = f"Headings, code, tables and links from line {facts.stopped_at} on are not seen."
    return (finding("TOO_INTRICATE", message, facts.path, facts.stopped_at),)


def type_findings(front: FrontMatter, path: str) -> tuple[Finding, ...]:
    """Name and description that are not text: read as text here, refused or ignored elsewhere."""
    return tuple(
        finding("NON_STRING_FIELD", f"The field {name} is not text.", path, field.line)
        for name in ("name", "description")
        if (field := front.fields.get(name)) and not isinstance(field.value, str)
    )


def apply(facts: Facts) -> tuple[LayerResult, tuple[Finding, ...]]:
    """The formulas over facts, whichever ruleset measured them."""
    portability, severity = antipatterns.portability(facts)
    flags = antipatterns.anti_patterns(facts)
    sub_scores = formulas.sub_scores(facts, portability, severity)
    weighted = fsum(WEIGHTS[sub.name] * sub.score for sub in sub_scores)
    score = max(0.0, min(1.0, antipatterns.penalty(len(flags)) * weighted))
    metadata: dict[str, str | int] = {"skill_name": facts.name, "line_count": facts.line_count}
    return LayerResult("static", score, sub_scores, flags, metadata), portability
