"""SK045: a reference file that nothing names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugineval_action.content.manifest import shown
from plugineval_action.content.tree import join
from plugineval_action.findings.check import Check, Hit, skill
from plugineval_action.findings.subject import Skill

_WHOLE_FOLDER = re.compile(r"references/?(?![\w.-]{0,60}/?[\w-]{0,60}\.\w)(?:[`'\"\s*.,;:)\]<{]|$)")

_MOST_NAMES = 400
"""References that are looked for in all others: more would be work without bound."""


def find(subject: Skill) -> Iterator[Hit]:
    """Each file of references/ whose name no other text of the skill holds."""
    names = subject.source.references or ()
    unnamed = [name for name in names[:_MOST_NAMES] if not _is_named(name, subject.lower)]
    if not unnamed or _WHOLE_FOLDER.search(subject.content):
        return
    texts = {name: text.lower() for name, text in subject.source.reference_texts.items()}
    for name in unnamed:
        others = (text for other, text in texts.items() if other != name)
        if not any(_is_named(name, text) for text in others):
            path = subject.at(join("references", name))
            said = f"Neither SKILL.md nor another reference names references/{shown(name)}."
            yield Hit(1, said, path)


def _is_named(name: str, text: str) -> bool:
    return name.rpartition(".")[0].lower() in text or name.lower() in text


CHECK = Check(
    code="SK045",
    id="UNLINKED_REFERENCE",
    family="links",
    level="note",
    title="Reference that nothing names",
    why="A model opens a reference if the skill tells it to; this one will hardly ever be read.",
    source="https://agentskills.io/specification",
    remedy="Link to it where it is needed, or remove it.",
    bad=skill(**{"references/rules.md": "Text.\n"}),
    good=skill(
        body="Read [the rules](references/rules.md).\n", **{"references/rules.md": "Text.\n"}
    ),
    find=find,
    ignore="If the skill says in other words that the whole folder is to be read.",
)
