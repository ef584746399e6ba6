"""What of a skill a model is shown: its text up to a limit, and the names around it."""

from __future__ import annotations

from hashlib import sha256
from typing import Final, NamedTuple

from plugineval_action.content.frontmatter import split_lines, split_reference
from plugineval_action.content.markdown import outline
from plugineval_action.content.skill import SkillSource
from plugineval_action.content.text import BOM
from plugineval_action.rulesets import Ruleset

MAX_CHARACTERS: Final = 30_000
"""How much of a SKILL.md a model is shown, unless told otherwise."""

_NAMES_SHOWN: Final = 100
_NAME_CHARACTERS: Final = 200
_DESCRIPTION_CHARACTERS: Final = 1_536
"""How much of a description a harness shows at most."""


class Listing(NamedTuple):
    """What a harness shows of a skill before it is loaded."""

    name: str
    description: str


class Shown(NamedTuple):
    """A skill as a model sees it.

    `digest` stands for everything here. `cut_at` is the line where the text was cut, None if it is
    whole; `unseen` counts the characters after it.
    """

    listing: Listing
    text: str
    references: tuple[str, ...]
    cut_at: int | None
    unseen: int
    digest: str


def show(skill: SkillSource, ruleset: Ruleset, limit: int = MAX_CHARACTERS) -> Shown:
    """Prepare a skill for a model; the limit counts characters of SKILL.md."""
    whole = skill.text.content
    end = _cut(whole, limit) if len(whole) > limit else len(whole)
    references = tuple(name[:_NAME_CHARACTERS] for name in (skill.references or ())[:_NAMES_SHOWN])
    listed = listing(skill, ruleset)
    text = whole[:end]
    digest = sha256("\0".join((*listed, text, *references)).encode("utf-8", "replace"))
    return Shown(
        listing=listed,
        text=text,
        references=references,
        cut_at=1 + text.count("\n") if end < len(whole) else None,
        unseen=len(whole) - end,
        digest=digest.hexdigest(),
    )


def listing(skill: SkillSource, ruleset: Ruleset) -> Listing:
    """Name and description, with `when_to_use` after it where the ruleset knows that field."""
    content = skill.text.content
    if ruleset == "reference":
        front, fields = split_reference(content), ["description"]
    else:
        front, fields = split_lines(content.removeprefix(BOM)), ["description", "when_to_use"]
    told = "\n".join(filter(None, (front.text(name).strip() for name in fields)))
    # On one line: a name cannot add entries to the list that it stands in.
    name = " ".join((front.text("name") or skill.directory_name).split())
    return Listing(name[:_NAME_CHARACTERS], told[:_DESCRIPTION_CHARACTERS])


def _cut(text: str, limit: int) -> int:
    """The last heading that starts before the limit, else the last line, else the limit itself."""
    starts = [0]
    for line in text[:limit].split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    headings = [
        starts[heading.line - 1]
        for heading in outline(text[:limit]).headings
        if 0 < starts[heading.line - 1] <= limit
    ]
    # A heading near the top would leave next to nothing to judge.
    if headings and headings[-1] >= limit / 2:
        return headings[-1]
    return text.rfind("\n", 1, limit) + 1 or limit
