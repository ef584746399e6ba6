"""Facts as the reference implementation (plugin-eval 0.1.0) measures them, oddities included.

Plain text patterns over the whole file; the golden scores of real marketplaces prove it equal.
Nothing here is meant to be sensible: what is sensible lives in the default ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.document import Document
from plugineval_action.content.frontmatter import FrontMatter, is_false, split_reference
from plugineval_action.content.skill import SkillSource
from plugineval_action.content.text import Spot, Tally, line_at
from plugineval_action.content.tree import join, normalise
from plugineval_action.layers.static import words
from plugineval_action.layers.static.facts import Facts, NameRank, Pushiness
from plugineval_action.layers.static.tools import tool_prose, tool_refs

_TRIGGER = re.compile(
    r"\buse[d]?\s+(?:this\s+skill\s+)?(?:immediately\s+)?(?:when|after|before|whenever)\b"
    r"|\buse\s+proactively\b|\btriggers?\s+(?:when|on)\b|\bauto[-\s]?loads?\s+(?:when|on)\b",
    re.IGNORECASE,
)
_PROACTIVELY = re.compile(r"\bproactively\b", re.IGNORECASE)
_STRONG = re.compile(r"\b(?:automatically|always\s+use|trigger|invoke)\b", re.IGNORECASE)
_USE_CASE = re.compile(
    r",\s*(?:or\s+)?(?:when|for|during|implementing|building|creating|debugging|testing|deploying"
    r"|configuring|setting up)",
    re.IGNORECASE,
)
_ACTIVITY = re.compile(r"\b(?:when|for|during)\s+\w+ing\b", re.IGNORECASE)

_HEADING = re.compile(r"\n###? ")
_FENCE = re.compile("```")
_LANGUAGE = re.compile(r"```(\w*)")
_EXAMPLES = words.Words(r"## example|## usage", "## example", "## usage")
_TROUBLES = words.Words(r"## (?:troubleshoot|common issue|faq)", "## ")
_ORCHESTRATOR = words.Words(
    r"\b(?:orchestrat|coordinat|dispatch)", "orchestrat", "coordinat", "dispatch"
)
_CROSS_REFERENCE = re.compile(
    r"(?<![\w-])(?:skills?/|(?=sub-skills/))((?:sub-skills/)?[a-z0-9-]+(?:/[a-z0-9-]+)*)"
)


def extract(document: Document) -> tuple[Facts, FrontMatter]:
    """Measure a skill; the front matter, split its own way, comes along for its findings."""
    skill = document.source
    front = split_reference(skill.text.content)
    text, body = skill.text.content, front.body
    lower, lower_body = text.lower(), body.lower()
    description = front.text("description").strip()
    references = cross_references(body, front.body_line)
    resolved = {target: _resolves(skill, target) for target in {spot.text for spot in references}}
    kept = [line for line in text.splitlines() if line.strip() and not line.startswith("---")]
    return Facts(
        path=skill.text.path,
        name=_name(front, skill.directory_name),
        name_rank=_name_rank(front, skill.directory_name),
        name_line=front.line("name"),
        readable=front.readable,
        description=description,
        description_line=front.line("description"),
        trigger=_trigger(front),
        trigger_needed=trigger_needed(front),
        pushiness=pushiness(front.text("description")),
        line_count=text.count("\n") + 1,
        byte_count=skill.text.size,
        headings=_headings(body, front.body_line),
        code_blocks=words.tally(_FENCE, text),
        languages=tuple(sorted({found for found in _LANGUAGE.findall(text) if found})),
        examples=_EXAMPLES.first(lower_body, front.body_line),
        troubleshooting=_TROUBLES.first(lower_body, front.body_line),
        table=_table(text),
        decision=words.DECISION.first(lower),
        directives=words.DIRECTIVE.tally(text),
        text_lines=len(kept),
        repeated=Tally(len(kept) - len({line.strip() for line in kept})),
        format_spec=words.format_spec(lower),
        output_word=words.OUTPUT.first(lower),
        input_word=words.INPUT.first(lower),
        orchestrator=_ORCHESTRATOR.first(lower),
        has_references=skill.references is not None,
        reference_files=len(skill.references or ()),
        asset_files=len(skill.assets or ()),
        discloses=skill.references is not None,
        cross_references=references,
        related=words.RELATED.first(lower),
        orphans=_orphans(skill),
        dead_references=tuple(spot for spot in references if not resolved[spot.text]),
        tool_refs=tool_refs(text, any_case=True),
        stopped_at=None,
        tool_prose=tool_prose(text),
    ), front


def _name(front: FrontMatter, directory_name: str) -> str:
    field = front.fields.get("name")
    return field.text if field and field.text else directory_name


def _name_rank(front: FrontMatter, directory_name: str) -> NameRank:
    field = front.fields.get("name")
    if is_false(field):
        return "empty"
    return "best" if field and field.value != directory_name else "plain"


def trigger_needed(front: FrontMatter) -> bool:
    """Skills that only people invoke, or that load by path, need no trigger phrase."""
    manual = front.fields.get("disable-model-invocation")
    paths = front.fields.get("paths")
    by_path = paths is not None and isinstance(paths.value, str) and bool(paths.value)
    return not (by_path or (manual is not None and manual.value is True))


def pushiness(description: str) -> Pushiness:
    """The four measures of section 2, in English."""
    return Pushiness(
        proactively=_PROACTIVELY.search(description) is not None,
        strong=_STRONG.search(description) is not None,
        use_cases=len(_USE_CASE.findall(description)),
        activity=_ACTIVITY.search(description) is not None,
    )


def cross_references(body: str, first_line: int = 1) -> tuple[Spot, ...]:
    """Every `skills/…` path in the body, repeats included, a leading `skills/` dropped."""
    if "skill/" not in body and "skills/" not in body:
        return ()
    return tuple(
        Spot(line, found.group(1))
        for line, found in words.every(_CROSS_REFERENCE, body, first_line)
    )


def _trigger(front: FrontMatter) -> Spot | None:
    found = _TRIGGER.search(front.text("description"))
    return Spot(front.line("description"), found.group().strip()) if found else None


def _headings(body: str, body_line: int) -> Tally:
    # Stripped first: an indented first line counts. The line break in front makes the scan fast.
    stripped = "\n" + body.strip()
    first = line_at(body, len(body) - len(body.lstrip()), body_line)
    found = words.tally(_HEADING, stripped, first - 1)
    return Tally(found.total, tuple(line + 1 for line in found.lines))


def _table(text: str) -> Spot | None:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count("|") >= 3:
            return Spot(number, "table")
    return None


def _orphans(skill: SkillSource) -> tuple[Spot, ...]:
    if skill.references is None:
        return ()
    there = {name.lower() for name in skill.references}
    return tuple(
        spot
        for spot in _parenthesised_references(skill.text.content)
        if spot.text.rsplit("/", 1)[-1].lower() not in there
    )


def _parenthesised_references(text: str) -> Iterator[Spot]:
    """Every `(references/…)` up to the next `)`; a pattern would be quadratic without one."""
    opening = "(references/"
    line, counted = 1, 0
    start = text.find(opening)
    while start >= 0:
        end = text.find(")", start)
        if end < 0:
            return
        if end > start + len(opening):
            line += text.count("\n", counted, start)
            counted = start
            yield Spot(line, text[start + 1 : end])
            start = text.find(opening, end)
        else:
            start = text.find(opening, start + 1)


def _resolves(skill: SkillSource, target: str) -> bool:
    beside = normalise(join(skill.path.rpartition("/")[0], target))
    if beside and skill.tree.exists(beside):
        return True
    return target.startswith("sub-skills/") and skill.tree.exists(join(skill.path, target))
