"""SK044: a broken link in a reference file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from plugineval_action.content.manifest import shown
from plugineval_action.content.markdown import outline
from plugineval_action.content.tree import join, normalise
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.links import MOST_LINKS, is_path
from plugineval_action.findings.subject import Skill
from plugineval_action.layers.static.links import local_target

_MOST_FILES = 50
_SAMPLE = re.compile(r"template|example|sample", re.IGNORECASE)
"""Links in there are those of a document that is still to be made."""

_TARGET = re.compile(r"\]\(\s*<?([^\s()<>#?]+)")


def find(subject: Skill) -> Iterator[Hit]:
    """Each relative link of a Markdown file in references/ that leads to nothing."""
    for name, text in islice(subject.source.reference_texts.items(), _MOST_FILES):
        if name.endswith(".md") and not _SAMPLE.search(name) and "](" in text:
            yield from _in_file(subject, subject.at(join("references", name)), text)


def _in_file(subject: Skill, path: str, text: str) -> Iterator[Hit]:
    folder = path.rpartition("/")[0]
    # Parsing costs; so only a file with a suspect link is, to see whether it is one.
    suspects = {one for one in _TARGET.findall(text) if _is_dead(subject, folder, one)}
    if suspects:
        for link in outline(text).links[:MOST_LINKS]:
            if link.target.partition("#")[0] in suspects:
                message = f"The link leads to {shown(link.target)}, which is not there."
                yield Hit(link.line, message, path)


def _is_dead(subject: Skill, folder: str, written: str) -> bool:
    target = local_target(written)
    if not target or not is_path(target):
        return False
    places = (normalise(join(base, target)) for base in (folder, subject.path))
    return not any(place is not None and subject.tree.exists(place) for place in places)


CHECK = Check(
    code="SK044",
    id="REFERENCE_LINK",
    family="links",
    level="warning",
    title="Link in a reference leads to nothing",
    why="References are read one from another; a broken link ends the way.",
    source="https://agentskills.io/specification",
    remedy="Create the file, or correct or remove the link; it counts from the reference's folder.",
    bad=skill(body="Read [the rules](references/rules.md).\n",
              **{"references/rules.md": "See [words](words.md).\n"}),
    good=skill(body="Read [the rules](references/rules.md).\n",
               **{"references/rules.md": "See [the skill](../SKILL.md).\n"}),
    find=find,
)  # fmt: skip
