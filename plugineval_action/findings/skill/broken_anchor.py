"""SK043: a link to a heading that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.links import anchors, plain_anchor
from plugineval_action.findings.subject import Skill

_OWN_ANCHOR = re.compile(r"<\w+\s[^<>]*?\b(?:id|name)\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE)


def find(subject: Skill) -> Iterator[Hit]:
    """Each link inside SKILL.md whose anchor no heading and no element gives."""
    links = [link for link in subject.body.links if link.target[:1] == "#" and len(link.target) > 1]
    if not links:
        return
    known = anchors(subject.body.headings)
    known |= {name.lower() for name in _OWN_ANCHOR.findall(subject.body.prose)}
    # Some renderers keep what GitHub drops, so that signs do not count.
    plain = {_plain(anchor) for anchor in known}
    for link in links:
        anchor = plain_anchor(link.target[1:])
        if anchor not in known and _plain(anchor) not in plain and anchor != "top":
            yield Hit(link.line, f"No heading of this file gives the anchor {shown(link.target)}.")


def _plain(anchor: str) -> str:
    return re.sub(r"[^\w]+", "", anchor)


CHECK = Check(
    code="SK043",
    id="BROKEN_ANCHOR",
    family="links",
    level="warning",
    title="Link to a heading that is not there",
    why="The link jumps nowhere; mostly the heading was renamed and the link was not.",
    source="https://docs.github.com/en/get-started/writing-on-github",
    remedy="Take the heading in small letters, without signs, blanks as hyphens.",
    bad=skill(body="See [how to tag](#tag-a-release).\n\n## Tagging\n\nTag it.\n"),
    good=skill(body="See [how to tag](#tagging).\n\n## Tagging\n\nTag it.\n"),
    find=find,
)
