"""A skill's SKILL.md as everyone above reads it: parsed once, by the rules of harnesses."""

from __future__ import annotations

from typing import NamedTuple

from plugineval_action.content.frontmatter import FrontMatter, split_lines
from plugineval_action.content.markdown import Outline, outline
from plugineval_action.content.skill import SkillSource
from plugineval_action.content.text import BOM


class Document(NamedTuple):
    """Where a skill lies, its text without byte order mark, its fields, and its body's outline.

    `lower` is the text in small letters.
    """

    source: SkillSource
    content: str
    lower: str
    front: FrontMatter
    body: Outline


def read_document(source: SkillSource) -> Document:
    """Parse a skill; nothing in it can make this fail."""
    content = source.text.content.removeprefix(BOM)
    front = split_lines(content)
    body = outline(front.body, front.body_line)
    return Document(source, content, content.lower(), front, body)
