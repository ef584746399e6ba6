"""Facts of the default ruleset: what the methodology means, measured with a Markdown parser.

Same facts, same formulas as the reference; what differs is that code is not prose, links are
links, and a target is looked up where a reader would look.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from itertools import islice
from typing import NamedTuple, Self

from plugineval_action.content.document import Document
from plugineval_action.content.frontmatter import FrontMatter, is_false
from plugineval_action.content.markdown import Heading, Outline
from plugineval_action.content.text import SHOWN, Spot, Tally, tally
from plugineval_action.layers.static import phrases, words
from plugineval_action.layers.static.facts import Facts, NameRank
from plugineval_action.layers.static.links import find_references
from plugineval_action.layers.static.reference import trigger_needed
from plugineval_action.layers.static.tools import tool_prose, tool_refs

_ORCHESTRATOR = words.Words(
    r"\b(?:orchestrat|dispatch|coordinat(?!es\b|es?\s+(?:system|plane|space)))\w*"
    # "coordinates" is the verb only before what it directs, and never after a determiner.
    r"|(?<!\bthe )(?<!\bx )(?<!\by )(?<!\bof )\bcoordinates"
    r"(?=\s+(?:the|a|an|all|multiple|several|between|with|across|(?:sub-?)?agents|teams|tasks|work)\b)",
    *("orchestrat", "coordinat", "dispatch"),
)
_MOST_HEADINGS = 1_000
_LETTER = re.compile(r"[^\W\d_]")
_MARKS = "-=*_|>+#"


def extract(document: Document) -> tuple[Facts, FrontMatter]:
    """Measure a skill; the front matter comes along for the findings it holds."""
    skill, content, lower_content, front, body = document
    head = content[: len(content) - len(front.body)]
    prose = head + body.prose
    lower = prose.lower()
    description = front.text("description").strip()
    told = "\n".join(filter(None, (description, front.text("when_to_use").strip())))
    links = find_references(skill, body)
    text_lines, repeated = _repetition(body)
    titles = _Titles.of(body.headings)
    return Facts(
        path=skill.text.path,
        name=front.text("name") or skill.directory_name,
        name_rank=_name_rank(front, skill.directory_name),
        name_line=front.line("name"),
        readable=front.readable,
        description=description,
        description_line=front.line("description"),
        trigger=_trigger(front, description, told),
        trigger_needed=bool(description) and trigger_needed(front),
        pushiness=phrases.pushiness(told),
        line_count=_line_count(content),
        byte_count=skill.text.size,
        headings=tally([heading.line for heading in body.headings if heading.level in (2, 3)]),
        code_blocks=tally([block.line for block in body.code_blocks]),
        languages=tuple(sorted({block.language for block in body.code_blocks if block.language})),
        examples=_heading(titles, phrases.is_example_heading),
        troubleshooting=_heading(titles, phrases.is_troubleshooting_heading),
        table=Spot(body.tables[0][0], "table") if body.tables else None,
        decision=words.DECISION.first(lower_content),
        directives=words.DIRECTIVE.tally(prose),
        text_lines=text_lines,
        repeated=repeated,
        format_spec=words.format_spec(lower),
        output_word=words.OUTPUT.first(lower),
        input_word=words.INPUT.first(lower),
        orchestrator=_ORCHESTRATOR.first(lower),
        has_references=skill.references is not None,
        reference_files=len(skill.references or ()),
        asset_files=len(skill.assets or ()),
        discloses=links.discloses,
        cross_references=links.live,
        related=words.RELATED.first(lower),
        orphans=links.orphans,
        dead_references=links.dead,
        tool_refs=tool_refs(content, any_case=False),
        stopped_at=body.stopped_at,
        tool_prose=tool_prose(content),
    ), front


def _name_rank(front: FrontMatter, directory_name: str) -> NameRank:
    field = front.fields.get("name")
    unread = any(problem.rule == "INVALID_YAML" for problem in front.problems)
    if unread or is_false(field):
        return "empty"
    return "best" if field and field.text == directory_name else "plain"


def _line_count(content: str) -> int:
    return content.count("\n") + (not content.endswith("\n")) if content else 0


def _trigger(front: FrontMatter, description: str, told: str) -> Spot | None:
    found = phrases.find_trigger(told)
    if found is None:
        return None
    field = "description" if found.start() < len(description) else "when_to_use"
    return Spot(front.line(field), found.group().strip())


class _Titles(NamedTuple):
    """The headings below the title, and all of their text at once."""

    headings: list[Heading]
    joined: str

    @classmethod
    def of(cls, headings: tuple[Heading, ...]) -> Self:
        below = [heading for heading in headings if heading.level >= 2][:_MOST_HEADINGS]
        return cls(below, "\n".join([heading.text for heading in below]))


def _heading(titles: _Titles, holds: Callable[[str], bool]) -> Spot | None:
    # All at once first: most texts have no such heading, and each question costs the same.
    if len(titles.joined) <= phrases.MAX_CHARACTERS and not holds(titles.joined):
        return None
    found = (heading for heading in titles.headings if holds(heading.text))
    return next((Spot(heading.line, heading.text) for heading in found), None)


def _repetition(body: Outline) -> tuple[int, Tally]:
    """How many lines of prose there are, and which of them were there before."""
    lines = body.text.split("\n")
    for first, last in body.tables:
        lines[first - body.first_line : last - body.first_line + 1] = [""] * (last - first + 1)
    met = Counter(map(str.strip, lines))
    said = {text: count for text, count in met.items() if _says_something(text)}
    total = sum(said.values())
    if total == len(said):
        return total, Tally(0)
    repeated = islice(_again(lines, said.keys(), body.first_line), SHOWN)
    return total, Tally(total - len(said), tuple(repeated))


def _again(lines: list[str], said: Container[str], first_line: int) -> Iterator[int]:
    """The lines, of those that say something, whose text stands further up."""
    first_seen: dict[str, int] = {}
    for number, line in enumerate(lines, first_line):
        text = line.strip()
        if text in said and first_seen.setdefault(text, number) != number:
            yield number


def _says_something(text: str) -> bool:
    """Not a rule, an underline or a list marker alone: those are short or start with a mark."""
    return (len(text) > 4 and text[0] not in _MARKS) or _LETTER.search(text) is not None
