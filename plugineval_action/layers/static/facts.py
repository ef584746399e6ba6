"""The facts of a skill: everything the static formulas look at, as one immutable value.

Two extractors fill it (`reference`, `plugineval`); one set of formulas reads it. Lines count
from 1 in SKILL.md; a `Spot` is None where nothing was found. `readable` is false where there is
front matter and no YAML reader gets its fields. `repeated` counts lines that stand again further
up, out of `text_lines`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from plugineval_action.content.text import Spot, Tally

NameRank = Literal["best", "plain", "empty"]


class Pushiness(NamedTuple):
    """How clearly a description asks to be used."""

    proactively: bool
    strong: bool
    use_cases: int
    activity: bool


class Facts(NamedTuple):
    """Counts, flags and places. Field names follow the published methodology."""

    path: str
    name: str
    name_rank: NameRank
    name_line: int
    readable: bool
    description: str
    description_line: int
    trigger: Spot | None
    trigger_needed: bool
    pushiness: Pushiness
    line_count: int
    byte_count: int
    headings: Tally
    code_blocks: Tally
    languages: tuple[str, ...]
    examples: Spot | None
    troubleshooting: Spot | None
    table: Spot | None
    decision: Spot | None
    directives: Tally
    text_lines: int
    repeated: Tally
    format_spec: Spot | None
    output_word: Spot | None
    input_word: Spot | None
    orchestrator: Spot | None
    has_references: bool
    reference_files: int
    asset_files: int
    discloses: bool
    cross_references: tuple[Spot, ...]
    related: Spot | None
    orphans: tuple[Spot, ...]
    dead_references: tuple[Spot, ...]
    tool_refs: tuple[Spot, ...]
    tool_prose: Spot | None
    stopped_at: int | None
