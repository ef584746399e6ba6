"""SK048: a link without a target."""

from __future__ import annotations

from collections.abc import Iterator

from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill


def find(subject: Skill) -> Iterator[Hit]:
    """Each `[text]()`."""
    for link in subject.body.links:
        if link.target in ("", "#"):
            yield Hit(link.line, "The link has no target.")


CHECK = Check(
    code="SK048",
    id="EMPTY_LINK",
    family="links",
    level="warning",
    title="Link without a target",
    why="It looks like a link, and leads nowhere.",
    source="https://spec.commonmark.org/0.31.2/#links",
    remedy="Add the target, or remove the link.",
    bad=skill(body="Read [the rules]().\n"),
    good=skill(body="Read [the rules](https://example.com/rules).\n"),
    find=find,
)
