"""The Markdown files that a skill leads to: those in references/, and those it links to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from plugineval_action.content.markdown import Outline
from plugineval_action.content.text import read_text
from plugineval_action.content.tree import Tree, join, normalise
from plugineval_action.errors import ContentError
from plugineval_action.findings.links import file_links
from plugineval_action.findings.subject import Skill

MOST_FILES: Final = 50
_SAMPLE: Final = re.compile(r"template|example|sample", re.IGNORECASE)
"""Links in there are those of a document that is still to be made."""

_OWN_ANCHOR: Final = re.compile(
    r"<\w+\s[^<>]*?\b(?:id|name)\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE
)
_NOT_IN_SLUG: Final = re.compile(r"[^\w\- ]")


class Linked(NamedTuple):
    """A Markdown file of the skill beside SKILL.md: its path in the tree, and its text."""

    path: str
    text: str


def linked_documents(subject: Skill) -> tuple[Linked, ...]:
    """The files, each once, without those that are samples of something else."""
    return subject.once(_read)


def _read(subject: Skill) -> tuple[Linked, ...]:
    return tuple(islice(_documents(subject), MOST_FILES))


def _documents(subject: Skill) -> Iterator[Linked]:
    references = subject.at("references")
    for name, text in subject.source.reference_texts.items():
        if name.endswith(".md") and not _SAMPLE.search(name):
            yield Linked(join(references, name), text)
    inside = f"{subject.path}/" if subject.path else ""
    met = set[str]()
    for link in file_links(subject):
        found = link.found or ""
        beside = found.startswith(inside) and not found.startswith(f"{references}/")
        if not found.endswith(".md") or not beside or found in met or _SAMPLE.search(found):
            continue
        met.add(found)
        content = None if found == subject.source.text.path else markdown(subject.tree, found)
        if content:
            yield Linked(found, content)


def markdown(tree: Tree, path: str) -> str | None:
    """The text of a file that is there and can be read."""
    try:
        return read_text(tree, path).content
    except ContentError:
        return None


def target_of(tree: Tree, written: str, *folders: str) -> str | None:
    """The file that a relative link means from the first of the folders where it is one."""
    places = (normalise(join(folder, written)) for folder in folders)
    return next((place for place in places if place is not None and tree.is_file(place)), None)


def anchors(parsed: Outline) -> set[str]:
    """The anchors that GitHub gives to headings, and those that elements bring themselves."""
    seen: dict[str, int] = {}
    found = {name.lower() for name in _OWN_ANCHOR.findall(parsed.prose)}
    for heading in parsed.headings:
        slug = _NOT_IN_SLUG.sub("", heading.text.strip().lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        found.add(f"{slug}-{count}" if count else slug)
        seen[slug] = count + 1
    return found
