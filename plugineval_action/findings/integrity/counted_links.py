"""IN009: links that are there to be counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from plugineval_action.content.text import line_at
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.integrity.example_skill import BODY
from plugineval_action.findings.subject import Skill

LEAST_BLIND: Final = 2
LEAST_SAME: Final = 6
LEAST_STUBS: Final = 2
_BLIND = re.compile(
    r"\[[\s.,·•\u200b-]{0,3}\]\([ \t]{0,9}<?[^\s()<>#][^\s()<>]{0,300}>?[ \t]{0,9}\)"
)
_STUB: Final = 40


def find(subject: Skill) -> Iterator[Hit]:
    """Links without a text to press on, one target again and again, and stubs as references."""
    text = subject.body.prose if subject.has_inline_link else ""
    blind = [at for found in _BLIND.finditer(text) if text[(at := found.start()) - 1] != "!"]
    if len(blind) >= LEAST_BLIND:
        line = line_at(text, blind[0], subject.body.first_line)
        yield Hit(line, f"{len(blind)} links have no text, so that nobody could follow them.")
    yield from _same(subject)
    texts = subject.source.reference_texts
    stubs = [name for name, content in texts.items() if _is_stub(content)]
    if len(stubs) >= LEAST_STUBS and len(stubs) >= 0.8 * len(texts):
        message = f"{len(stubs)} of {len(texts)} references hold less than a sentence."
        yield Hit(subject.body.first_line, message)


def _same(subject: Skill) -> Iterator[Hit]:
    links = [link for link in subject.body.links if link.target[:1] not in ("", "#")]
    if len(links) < LEAST_SAME:
        return
    target, count = Counter(link.target for link in links).most_common(1)[0]
    if count >= LEAST_SAME and count >= 0.8 * len(links):
        line = next(link.line for link in links if link.target == target)
        yield Hit(line, f"{count} of {len(links)} links lead to one and the same file.")


def _is_stub(content: str) -> bool:
    # Most texts say enough in their first lines, and need not be copied whole.
    return len(content[: 4 * _STUB].strip()) < _STUB and 0 < len(content.strip()) < _STUB


CHECK = Check(
    code="IN009",
    id="COUNTED_LINKS",
    family="integrity",
    level="warning",
    title="Links that lead nobody anywhere",
    why="Links and references are counted; these are no use to a reader.",
    source="https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context",
    remedy="Link where a reader needs to go on, to files that say something.",
    bad=skill(body=BODY + "\n[](notes.md) [.](notes.md)\n", **{"notes.md": "Text.\n"}),
    good=skill(body=BODY + "\nSee [the notes](notes.md).\n", **{"notes.md": "Text.\n"}),
    find=find,
    withholds=True,
)
