"""SK077: a picture that tells somebody who looks at it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.text import line_at
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_TINY = re.compile(
    r"<img\s(?=[^<>]*\bsrc\s*=\s*[\"']?https?:)(?=[^<>]*\b(?:width|height)\s*=\s*[\"']?[01](?:px)?[\"'\s/>])"
    r"[^<>]*>"
    r"|!\[[^\]\n]{0,200}\]\(\s*<?https?://[^\s()<>]*(?:/(?:pixel|beacon|track(?:ing|er)?|open)(?:\.gif|\.png|/|\?)"
    r"|[?&](?:uid|user_?id|email|session|token)=)[^\s()<>]*",
    re.IGNORECASE,
)


def find(subject: Skill) -> Iterator[Hit]:
    """Pictures of one pixel, and such whose address is a tracker's."""
    text = subject.body.prose
    element = subject.has_html and "<img" in text
    if not element and not (subject.has_inline_link and "![" in text):
        return
    for found in _TINY.finditer(text):
        line = line_at(text, found.start(), subject.body.first_line)
        yield Hit(line, "Whoever shows this picture tells its server that the file was opened.")


CHECK = Check(
    code="SK077",
    id="TRACKING_IMAGE",
    family="hygiene",
    level="warning",
    title="Tracking picture",
    why="Loading it tells a stranger who reads the file, when, and from where.",
    source="https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-anonymized-urls",
    remedy="Remove it, or keep the picture beside the skill.",
    bad=skill(body='<img src="https://t.example.com/n.gif" width="1" height="1">\n'),
    good=skill(body="![The layout](assets/layout.svg)\n", **{"assets/layout.svg": "<svg/>\n"}),
    find=find,
)
