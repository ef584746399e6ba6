"""The score of an agent: what its front matter says about when to use it and with what."""

from __future__ import annotations

from typing import NamedTuple

from plugineval_action.content.frontmatter import FrontMatter, split_lines, split_reference
from plugineval_action.content.skill import finding, text_findings
from plugineval_action.content.text import BOM, read_text
from plugineval_action.content.tree import Tree
from plugineval_action.layers.static.formulas import found_word, sum_up
from plugineval_action.layers.static.layer import type_findings
from plugineval_action.results import Finding, Part, SubScore
from plugineval_action.rulesets import Ruleset


class AgentMeasure(NamedTuple):
    """The agent's name, its sub-score, what is wrong with its file, and its front matter."""

    name: str
    sub_score: SubScore
    findings: tuple[Finding, ...]
    front: FrontMatter


def measure_agent(tree: Tree, path: str, ruleset: Ruleset) -> AgentMeasure:
    """Score one agent file. Raises ContentError if it cannot be read."""
    text = read_text(tree, path)
    if ruleset == "reference":
        front = split_reference(text.content)
    else:
        front = split_lines(text.content.removeprefix(BOM))
    problems = [finding(found.rule, found.message, path, found.line) for found in front.problems]
    name = front.text("name") or path.rpartition("/")[2].removesuffix(".md")
    findings = (*text_findings(text), *problems, *type_findings(front, path))
    return AgentMeasure(name, _score(front), findings, front)


def _score(front: FrontMatter) -> SubScore:
    description = front.text("description").strip()
    eager = "use proactively" in front.text("description").lower()
    tools, model = _has_tools(front), front.fields.get("model")
    line = (front.line("description"),)
    parts = (
        Part("base", 0.5, 0.5, "every agent"),
        Part("use proactively", 0.2 if eager else 0.0, 0.2, found_word(eager), line),
        Part("tools", 0.1 if tools else 0.0, 0.1, found_word(tools), (front.line("tools"),)),
        Part(
            "description length", _length(description), 0.1, f"{len(description)} characters", line
        ),
        Part(
            "model",
            0.1 if model and model.value else 0.0,
            0.1,
            found_word(model and model.value),
        ),
    )
    return sum_up("agent", parts)


def _length(description: str) -> float:
    return 0.1 if len(description) >= 40 else 0.05 if len(description) >= 20 else 0.0


def _has_tools(front: FrontMatter) -> bool:
    field = front.fields.get("tools")
    return field is not None and isinstance(field.value, str | list) and bool(field.value)
