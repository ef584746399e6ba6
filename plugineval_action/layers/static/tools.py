"""Tools of one harness, named in a text as if every harness had them."""

from __future__ import annotations

import re

from plugineval_action.content.text import Spot, line_at
from plugineval_action.layers.static.words import EXAMINED, every

_TOOLS = "Read|Edit|Write|Bash|Grep|Glob|Agent|Task|TodoWrite|WebFetch|WebSearch|LS|LSP"

_QUOTED = re.compile(rf"`(?=({_TOOLS})`)")
_QUOTED_ANY_CASE = re.compile(rf"`(?=({_TOOLS})`)", re.IGNORECASE)
_VERB_BEFORE = re.compile(r"\b(?:the|use|using|call|calling|invoke|invoking|via)\Z", re.IGNORECASE)
_TOOL_AFTER = re.compile(r"\s+tool\b", re.IGNORECASE)
_LONGEST_VERB = len("invoking")

_TOOL = re.compile(r"tool\b")
_THE_NAMED = re.compile(rf"\bthe\s+`?(?-i:{_TOOLS})`?\s+\Z", re.IGNORECASE)
_REACH = 200
"""Characters before "tool" in which "the Read" is looked for."""


def tool_refs(text: str, *, any_case: bool) -> tuple[Spot, ...]:
    """Names in back-ticks after a word such as "use", or before "tool"; each spelling once."""
    names: dict[str, Spot] = {}
    for line, found in every(_QUOTED_ANY_CASE if any_case else _QUOTED, text):
        name = found.group(1)
        if name not in names and _is_instruction(text, found.start(), found.end(1) + 1):
            names[name] = Spot(line, name)
    return tuple(names.values())


def _is_instruction(text: str, start: int, end: int) -> bool:
    if _TOOL_AFTER.match(text, end):
        return True
    before = start
    while before and text[before - 1].isspace():
        before -= 1
    if before == start:
        return False
    return _VERB_BEFORE.search(text, max(0, before - _LONGEST_VERB), before) is not None


def tool_prose(text: str) -> Spot | None:
    """The first "the Read tool", with the tool's name in exact case."""
    position = -1
    for _ in range(EXAMINED):
        position = text.find("tool", position + 1)
        if position < 0:
            break
        if text[position - 1].isspace() and _TOOL.match(text, position):
            found = _THE_NAMED.search(text, max(0, position - _REACH), position)
            if found:
                return Spot(line_at(text, found.start()), text[found.start() : position + 4])
    return None
